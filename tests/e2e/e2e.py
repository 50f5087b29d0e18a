#!/usr/bin/env python3
"""Real clients against a scripted model, each in a place of its own: `e2e.py [AGENT…]`.

Exit code 0 if everything that could run held, 1 if something did not, 2 if nothing could be asked.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import fetch
import scenarios
import sealed
from agents import AGENTS

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
WEEKS = os.path.join(HERE, "weeks")


def say(text):
    print(text, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("agents", nargs="*", metavar="AGENT", help=f"some of: {', '.join(AGENTS)} (default: all)")
    parser.add_argument("--only", metavar="TEXT", help="scenarios whose name holds this text")
    parser.add_argument("--scenario", metavar="FILE", action="append", default=[],
                        help="play these scenario files with Claude Code, and nothing else")
    parser.add_argument("--hookgen", default=os.environ.get("HOOKGEN", os.path.join(REPOSITORY, "target/debug/hookgen")),
                        help="the program under test")
    parser.add_argument("--keep", metavar="DIR", help="keep what each run left in this folder")
    parser.add_argument("--jobs", type=int, default=1, help="scenarios at a time")
    given = parser.parse_args()
    unknown = [name for name in given.agents if name not in AGENTS]
    if unknown:
        parser.error(f"no agent is called {', '.join(unknown)}; there are {', '.join(AGENTS)}")
    return given


def week_files():
    return sorted(glob.glob(os.path.join(WEEKS, "*.json")))


def read_week(path):
    with open(path, encoding="utf-8") as file:
        week = json.load(file)
    return {"name": os.path.basename(path)[:-5], **week, "agent": "claude"}


def wanted_scenarios(given):
    """(scenario, the folder that its paths are relative to), of all agents that are asked for."""
    files = [os.path.abspath(path) for path in given.scenario]
    names = [] if files else given.agents or list(AGENTS)
    found = [(scenario, HERE) for name in names for scenario in scenarios.of(name)]
    if "claude" in names:
        files = week_files()
    found += [(read_week(path), os.path.dirname(path)) for path in files]
    return [(s, base) for s, base in found if given.only is None or given.only in s["name"]]


def plugins(scenario, base, work, hookgen):
    """The folders of a scenario's plugins; those of this repository's `dist/` are shipped anew, without a compiler."""
    folders = []
    for folder in scenario.get("plugin_dirs", []):
        path = os.path.normpath(os.path.join(base, folder))
        if os.path.dirname(path) == os.path.join(REPOSITORY, "dist"):
            name, out = os.path.basename(path), os.path.join(work, "dist")
            done = subprocess.run([hookgen, "ship", name, "--portable", "--out", out], cwd=REPOSITORY,
                                  capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(f"`hookgen ship {name}` failed: {done.stderr.strip()}")
            path = os.path.join(out, name)
        if not os.path.isdir(path):
            raise RuntimeError(f"there is no plugin in `{path}`")
        folders.append(path)
    return folders


def play(scenario, base, given, cache):
    """Plays one scenario; gives what failed, and the seconds that it took."""
    began = time.monotonic()
    work = tempfile.mkdtemp(prefix="hookgen-e2e-")
    try:
        if "plugin_dirs" in scenario:
            scenario = {**scenario, "plugin_dirs": plugins(scenario, base, work, given.hookgen)}
        if isinstance(scenario.get("settings"), str):
            scenario = {**scenario, "settings": os.path.join(base, scenario["settings"])}
        job = {"scenario": scenario, "base": base, "work": work, "cache": cache, "repository": REPOSITORY,
               "hookgen": os.path.abspath(given.hookgen)}
        path = os.path.join(work, "job.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(job, file)
        done = subprocess.run([*sealed.wrapper(), sys.executable, "-B", os.path.join(HERE, "play.py"), path],
                              capture_output=True, text=True, timeout=900, check=False)
        try:
            failures = json.loads(done.stdout)["failures"]
        except ValueError:
            failures = [f"the run broke: {done.stderr.strip()[-1500:]}"]
        if given.keep:
            name = f"{scenario['agent']}-{scenario['name']}".replace(" ", "-").replace("/", "-")
            shutil.copytree(work, os.path.join(given.keep, name), symlinks=True, dirs_exist_ok=True)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        failures = [str(error)]
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return failures, time.monotonic() - began


def usable(names, cache):
    """Agents whose clients are there; the others are told."""
    there = set()
    for name in names:
        why = fetch.fetch(AGENTS[name].packages, cache, say)
        if why is None and AGENTS[name].find(cache) is None:
            why = "its package has no client for this machine"
        if why is None:
            there.add(name)
        else:
            print(f"skipped  {name}: {why}")
    return there


def main():
    given = arguments()
    if not os.access(given.hookgen, os.X_OK):
        say(f"there is no `{given.hookgen}`; build it (`cargo build -p hookgen`) or name it with --hookgen")
        return 2
    wanted = wanted_scenarios(given)
    if not wanted:
        say("no scenario has that name")
        return 2
    if why := sealed.why_not():
        print(f"skipped  all agents: {why}")
        return 0
    cache = fetch.cache_folder()
    there = usable(list(dict.fromkeys(scenario["agent"] for scenario, _ in wanted)), cache)
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        runs = [(s, pool.submit(play, s, base, given, cache)) for s, base in wanted if s["agent"] in there]
        for scenario, run in runs:
            failures, seconds = run.result()
            print(f"{'FAILED ' if failures else 'ok     '}  {scenario['agent']}: {scenario['name']} ({seconds:.1f} s)", flush=True)
            for failure in failures:
                print(f"           {failure}", flush=True)
            wrong += bool(failures)
    print(f"{len(runs) - wrong} held, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
