"""Installs packages of hookgen as people do, and asks each for its version.

    dry_run.py --packages DIR

DIR is what package.py wrote. npm and pip install from its files alone, into throw-away folders, and whichever of them is not
there is left out. Exit code 1 if a package does not install or hookgen does not answer from it, 2 if neither tool is there.
"""

import argparse
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import venv

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from package import version  # noqa: E402

SYSTEMS = {"Linux": "linux", "Darwin": "darwin", "Windows": "win32"}
PROCESSORS = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}


def here() -> str:
    return f"{SYSTEMS[platform.system()]}-{PROCESSORS[platform.machine()]}"


def run(*command: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def answers(program: pathlib.Path, of: str) -> None:
    said = run(program, "--version")
    if said != f"hookgen {version()}":
        sys.exit(f"error: from {of}: {said}")
    print(f"{of}: {said}")


def by_npm(packages: pathlib.Path, folder: pathlib.Path) -> None:
    """The package of the platform beside the one that picks, whose dependencies are on no registry yet."""
    (folder / "package.json").write_text('{ "private": true }\n')
    tarballs = [packages / f"npm/hookgen-{name}{version()}.tgz" for name in (f"{here()}-", "")]
    run("npm", "install", "--prefix", folder, "--offline", "--omit=optional", "--no-audit", "--no-fund", *tarballs)
    answers(folder / "node_modules/.bin/hookgen", "npm")


def by_pip(packages: pathlib.Path, folder: pathlib.Path) -> None:
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if platform.system() == "Windows" else "bin")
    run(programs / "python", "-m", "pip", "install", "--no-index", "--find-links", packages / "pypi", "hookgen")
    answers(programs / "hookgen", "pip")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--packages", type=pathlib.Path, required=True)
    packages = arguments.parse_args().packages.resolve()
    tried = 0
    for tool, there, install in [("npm", shutil.which("npm"), by_npm), ("pip", shutil.which("pip"), by_pip)]:
        if not there:
            print(f"{tool}: not there, left out")
            continue
        tried += 1
        with tempfile.TemporaryDirectory() as folder:
            install(packages, pathlib.Path(folder))
    sys.exit(0 if tried else 2)


if __name__ == "__main__":
    main()
