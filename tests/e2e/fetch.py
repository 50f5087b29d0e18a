"""The pinned clients, fetched by package name into a cache folder."""

import json
import os
import shutil
import subprocess


def cache_folder():
    """`AGENT_CLIENTS`, or a folder of the person's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.abspath(os.environ.get("AGENT_CLIENTS") or os.path.join(cache, "hookgen", "agent-clients"))


def split(package):
    name, _, version = package.rpartition("@")
    return name, version


def installed_version(folder, name):
    for path in (os.path.join(folder, "node_modules", name), os.path.join(folder, "package")):
        try:
            with open(os.path.join(path, "package.json"), encoding="utf-8") as file:
                return json.load(file).get("version", "")
        except (OSError, ValueError):
            continue
    return None


def fits(version, wanted):
    return version is not None and (version == wanted or version.startswith(wanted + "."))


def fetch(packages, cache, say):
    """Installs what is not there in the pinned version. Gives the reason why not, or none."""
    for place, package in packages.items():
        folder, (name, wanted) = os.path.join(cache, place), split(package)
        if fits(installed_version(folder, name), wanted):
            continue
        if shutil.which("npm") is None:
            return f"`{package}` is not in `{folder}`, and there is no `npm` to fetch it"
        say(f"fetching {package}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as file:
            json.dump({"private": True}, file)
        # No script of a package runs: the clients that are started are what was published.
        done = subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", package], cwd=folder,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            return f"`{package}` could not be fetched: {(done.stderr.strip().splitlines() or ['npm failed'])[-1]}"
    return None
