"""One scenario, inside the namespaces: `play.py JOB.json`. Prints what failed, as JSON."""

import glob
import json
import os
import shutil
import subprocess
import sys
import types

import claude
import expect
import sealed
from agent import write, write_json
from agents import AGENTS
from model import Model, Script

FIELDS = {"name", "agent", "prompt", "prompts", "then", "turns", "plugin_dirs", "settings", "project", "git", "model",
          "permission_mode", "allowed_tools", "permission_host", "extra_args", "env", "path", "timeout", "record",
          "expect", "install", "program", "prepare", "folder", "also_for", "own_hook", "compiled"}

# Of what `install` puts down: its programs, and the settings that no agent may write.
PROGRAM, SETTINGS = "bin/*-hooks*", "safety-flags.yaml"

LATE = "#!/bin/sh\nexec sleep 60\n"


def filled(value, names):
    """`${PROJECT}` and the like in every text."""
    if isinstance(value, str):
        for name, text in names.items():
            value = value.replace("${" + name + "}", text)
        return value
    if isinstance(value, list):
        return [filled(item, names) for item in value]
    if isinstance(value, dict):
        return {filled(key, names): filled(item, names) for key, item in value.items()}
    return value


def lay_out_project(project, wanted, base):
    if isinstance(wanted, str):
        shutil.copytree(os.path.join(base, wanted), project, symlinks=True)
        return
    os.makedirs(project)
    for path, text in (wanted or {}).get("files", {}).items():
        full = os.path.join(project, path)
        write(full, text if isinstance(text, str) else json.dumps(text, indent=2))
        if isinstance(text, str) and text.startswith("#!"):
            os.chmod(full, 0o755)


def environment(place):
    tools = os.path.join(place.cache, "tools/usr/bin")
    home = place.home
    return {"HOME": home, "PATH": f"{tools}:/usr/local/bin:/usr/bin:/bin", "TMPDIR": os.path.join(place.work, "tmp"),
            "LANG": "C.UTF-8", "TERM": "dumb", "SHELL": "/bin/bash", "NO_COLOR": "1",
            "XDG_CONFIG_HOME": f"{home}/.config", "XDG_DATA_HOME": f"{home}/.local/share",
            "XDG_CACHE_HOME": f"{home}/.cache", "XDG_STATE_HOME": f"{home}/.local/state",
            "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}


def run_or_end(words, folder, env):
    done = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip()[-1500:]
        raise RuntimeError(f"`{' '.join(words)}` ended with {done.returncode}: {said}")


def toolchain():
    """Where a compiler and its packages are, for what is compiled inside the namespaces."""
    home = os.path.expanduser("~")
    return {name: os.environ.get(name) or os.path.join(home, folder)
            for name, folder in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")]}


def found(place, pattern):
    """What was installed, wherever the agent wants it."""
    for root in (place.project, place.home):
        yield from glob.iglob(os.path.join(root, "**", pattern), recursive=True, include_hidden=True)


def install(scenario, place, env, job):
    """Puts the catalog under test to work, and breaks its program where the scenario wants that."""
    if scenario.get("compiled"):
        env = {**env, **job["toolchain"], "PATH": os.path.join(job["toolchain"]["CARGO_HOME"], "bin") + ":" + env["PATH"]}
    for catalog in scenario.get("install", []):
        if catalog.endswith("\n"):
            file = os.path.join(place.work, "specs", "greeting.yaml")
            write(file, catalog)
            catalog = file
        for agent in [scenario["agent"], *(scenario.get("also_for", []) if catalog == "safety" else [])]:
            run_or_end([job["hookgen"], "install", catalog, "--agent", agent, "--into", place.project,
                        *([] if scenario.get("compiled") else ["--portable"])], job["repository"], env)
    state = scenario.get("program")
    if state is None:
        return
    programs = [path for path in found(place, PROGRAM) if os.path.isfile(path) and os.access(path, os.X_OK)]
    if not programs:
        raise RuntimeError("no program was installed that could be missing or late")
    for program in programs:
        os.remove(program)
        if state == "late":
            write(program, LATE)
            os.chmod(program, 0o755)


def put_own_hook(agent, place):
    """A hook that the person had before, which leaves a mark and approves of everything."""
    program = os.path.join(place.project, "own hook.sh")
    approval = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}
    write(program, f"#!/bin/sh\ncat > /dev/null\ntouch '{place.project}/theirs'\necho '{json.dumps(approval)}'\n")
    os.chmod(program, 0o755)
    for path, text in agent.own_hook(f"'{program}'").items():
        full = os.path.join(place.home, path[2:]) if path.startswith("~/") else os.path.join(place.project, path)
        write(full, text, "a")


def play_claude(scenario, place, env):
    """Claude Code, with plugins, settings, several prompts and further runs."""
    expected = scenario.get("expect", {})
    plugins = list(scenario.get("plugin_dirs", []))
    if expected.get("fired"):
        plugins.append(claude.probe_plugin(place.work, expected["fired"]))
    settings = scenario.get("settings")
    if settings is not None:
        settings = settings if isinstance(settings, dict) else json.load(open(settings, encoding="utf-8"))
        write_json(os.path.join(place.work, "settings.json"), settings)
        settings = os.path.join(place.work, "settings.json")
    events, shown, code = [], [], None
    for step in [scenario] + [{**scenario, "prompts": None, **more} for more in scenario.get("then", [])]:
        prompts = step.get("prompts") or ([step.get("prompt", "go")] if step.get("permission_host") is not None else [])
        words = claude.command_line(place.client, step, plugins, settings, None if prompts else step.get("prompt", "go"))
        talk = claude.Conversation(words, env, place.project, step.get("timeout", 120), prompts,
                                   step.get("permission_host"))
        code = talk.hold()
        events += talk.events
        shown += talk.stray + [talk.errors]
        if talk.late:
            raise RuntimeError(f"the client did not end in {talk.limit} s; {talk.errors[-500:]}")
    shown += [event.get("content") or "" for event in events if event.get("subtype") == "informational"]
    started = next((event for event in events if event.get("subtype") == "init"), {})
    result = next((event.get("result") or "" for event in reversed(events) if event.get("type") == "result"), "")
    return {"exit": code, "result": result, "shown": shown, "hook_results": claude.hook_results(events),
            "fired": claude.fired(place.work), "plugin_errors": started.get("plugin_errors") or []}


def play_other(agent, scenario, place, env):
    for words in agent.before(place):
        run_or_end(words, place.project, env)
    limit = scenario.get("timeout", 180)
    try:
        done = subprocess.run(agent.command(place, scenario.get("prompt", "go")), cwd=place.project, env=env,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired as late:
        raise RuntimeError(f"the client did not end in {limit} s; {(late.stderr or b'')[-500:]!r}") from None
    shown = [done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")]
    return {"exit": done.returncode, "result": shown[0], "shown": shown, "hook_results": [], "fired": {},
            "plugin_errors": []}


def play(job):
    work, base = job["work"], job["base"]
    agent = AGENTS[job["scenario"]["agent"]]
    unknown = sorted(set(job["scenario"]) - FIELDS)
    if unknown:
        raise RuntimeError(f"fields that mean nothing here: {', '.join(unknown)}")
    for folder in ("home", "config", "tmp"):
        os.makedirs(os.path.join(work, folder))
    needed = [job["repository"], job["cache"], work, sys.prefix]
    if job["scenario"].get("compiled"):
        job["toolchain"] = toolchain()
        needed += filter(os.path.isdir, job["toolchain"].values())
    home = sealed.settle(os.path.join(work, "home"), needed, agent.machine_settings)
    project = os.path.join(work, job["scenario"].get("folder", "project"))
    names = {"PROJECT": project, "WORK": work, "HOME": home, "SCENARIO_DIR": base, "PYTHON": sys.executable}
    scenario = filled(job["scenario"], names)
    model = Model(agent.other_answers)
    model.start()
    place = types.SimpleNamespace(work=work, home=home, project=names["PROJECT"], cache=job["cache"], url=model.url,
                                  client=agent.find(job["cache"]))
    lay_out_project(place.project, scenario.get("project"), base)
    env = {**environment(place), **agent.environment(place)}
    if scenario.get("git", True) and not os.path.isdir(os.path.join(place.project, ".git")):
        run_or_end(["git", "init", "-q", "-b", "main", place.project], work, env)
    agent.set_up(place)
    for line in scenario.get("prepare", []):
        run_or_end(["bash", "-c", line], place.project,
                   {**env, "PROJECT": place.project, "HOOKGEN": job["hookgen"], "HOOKGEN_REPO": job["repository"]})
    if scenario.get("own_hook"):
        put_own_hook(agent, place)
    install(scenario, place, env, job)
    agent.after_install(place)
    protected = next(found(place, SETTINGS), "")
    inside = os.path.relpath(protected, place.project) if protected.startswith(place.project + "/") else protected
    scenario = filled(scenario, {"PROTECTED": protected, "PROTECTED_FROM_PROJECT": inside,
                                 "REGISTRATION": agent.registration(place)})
    model.script = Script(scenario.get("turns"))
    env |= scenario.get("env", {}) | ({"PATH": scenario["path"]} if scenario.get("path") else {})
    played = play_claude if scenario["agent"] == "claude" else lambda *rest: play_other(agent, *rest)
    run = {**played(scenario, place, env), "model": model, "project": place.project}
    model.stop()
    return expect.failures(scenario.get("expect", {}), run), told(run)


def told(run):
    """What a person wants to see of a run that failed."""
    return {"exit": run["exit"], "shown": "\n".join(run["shown"])[-3000:],
            "calls": [{**call, "told": getattr(run["model"].results().get(call["id"]), "text", None)}
                      for call in run["model"].calls],
            "requests": [[vars(piece) for piece in request["seen"]] for request in run["model"].requests],
            "offered": run["model"].offered, "hooks": run["hook_results"], "unplayed": run["model"].script.unplayed()}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    try:
        wrong, run = play(job)
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        wrong, run = [str(error)], {}
    write_json(os.path.join(job["work"], "run.json"), run)
    json.dump({"failures": wrong}, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # a thread that serves a client which hangs would hold the process


if __name__ == "__main__":
    main()
