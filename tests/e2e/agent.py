"""What every client is to a scenario, and what several of them share."""


import glob
import json
import os
import platform
import shutil

ARCH = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())


def write(path, text, mode="w"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, mode, encoding="utf-8") as file:
        file.write(text)


def write_json(path, value):
    write(path, json.dumps(value, indent=2))


def nested(path, event, program):
    """A file with one hook, in the shape that most clients share."""
    hooks = {event: [{"hooks": [{"type": "command", "command": program}]}]}
    return {path: json.dumps({"hooks": hooks}, indent=3)}


class Agent:
    """One client. A `place` holds its `home`, `project`, `work`, `client`, `cache` and the model's `url`."""

    name = ""
    packages = {}
    entry = ()
    on_node = False
    # Whether a hook of the person's own runs that nobody has trusted.
    trusts_others = True
    # The file that holds what was installed, from the project or the home folder (`~/`).
    registered = ""
    machine_settings = ()
    traits = {}
    # Files of the project in which all hooks can be switched off, beside the registration.
    switches = ()
    # The field in which a shell call may name the folder that it runs in.
    folder_field = ""

    def find(self, cache):
        """The file to start, or none."""
        hits = [hit for pattern in self.entry for hit in sorted(glob.glob(os.path.join(cache, pattern)))]
        return hits[0] if hits else None

    def program(self, place):
        return ([node(place.cache)] if self.on_node else []) + [place.client]

    def registration(self, place):
        """The file that holds what was installed."""
        if self.registered.startswith("~/"):
            return os.path.join(place.home, self.registered[2:])
        return os.path.join(place.project, self.registered)

    def set_up(self, place):
        """What a person configured before hooks were installed."""

    def after_install(self, place):
        """What the machine lacks, once hooks are installed."""

    def before(self, place):
        """Command lines that come before the first call."""
        return []

    def environment(self, place):
        return {}

    def other_answers(self, path):
        """What the vendor's service would say beside the conversation."""
        return None

    def shell(self, command):
        """A line for a shell."""
        raise NotImplementedError

    def edit(self, path, old, new):
        """A change of some text in a file by the tool for it."""
        raise NotImplementedError

    def erasures(self, path):
        """Calls that delete a file otherwise than by a shell, where there are any."""
        return []

    def elsewhere(self, command, folder):
        """A shell call that names another folder to run in than the session's, where the tool has a field for it."""
        if not self.folder_field:
            return None
        call = self.shell(command)
        return {**call, "input": {**call["input"], self.folder_field: folder}}

    def subagent(self, prompt):
        """A call that starts another agent, whose calls hooks hear of, where there is one."""
        return None

    def indirectly(self, command):
        """Further ways to run a line."""
        return []

    def own_hook(self, program):
        """Files of a project in which the person has a hook of their own before any tool, or of the home folder (`~/`)."""
        return {}


def node(cache):
    hits = sorted(glob.glob(os.path.join(cache, "node/node_modules/node-linux-*/bin/node")))
    return hits[0] if hits else shutil.which("node") or "node"


NODE = {"node": f"node-linux-{ARCH}@24"}
