"""Claude Code in print mode: command line, conversation over its streams, and what it reports of its hooks."""

import json
import os
import shlex
import signal
import subprocess
import threading
import time

from agent import write_json

# On standard error with exit 0, which the client shows to nobody.
PROBE = "e2e-probe"


def probe_plugin(work, events):
    """A plugin that only notes which events fired."""
    root, log = os.path.join(work, PROBE), os.path.join(work, "fired.log")
    write_json(os.path.join(root, ".claude-plugin/plugin.json"), {"name": PROBE, "version": "1.0.0"})

    def entry(event):
        line = f"cat > /dev/null; echo {event} >> {shlex.quote(log)}; printf {PROBE} >&2"
        return [{"hooks": [{"type": "command", "command": line, "timeout": 30}]}]

    write_json(os.path.join(root, "hooks/hooks.json"), {"hooks": {event: entry(event) for event in events}})
    return root


def command_line(client, scenario, plugins, settings, prompt):
    """Without a prompt the conversation comes over standard input."""
    words = [client, "-p", *([prompt] if prompt else ["--input-format", "stream-json", "--replay-user-messages"]),
             "--output-format", "stream-json", "--verbose", "--include-hook-events",
             "--model", scenario.get("model", "sonnet")]
    if scenario.get("permission_host") is not None:
        words += ["--permission-prompt-tool", "stdio"]
    if mode := scenario.get("permission_mode", "acceptEdits"):
        words += ["--permission-mode", mode]
    if tools := scenario.get("allowed_tools", ["Bash", "Write", "Read", "Edit", "Agent", "Task"]):
        words += ["--allowedTools", ",".join(tools)]
    for plugin in plugins:
        words += ["--plugin-dir", plugin]
    return words + (["--settings", settings] if settings else []) + scenario.get("extra_args", [])


def answer_as_host(rules, request):
    """What the person answers when the client asks whether a tool may be used."""
    rule = dict(rules.get(request.get("tool_name")) or rules.get("*") or {"behavior": "deny", "message": "no rule"})
    time.sleep(rule.pop("delay", 0))
    merged = rule.pop("merge", {})
    if rule.get("behavior") == "allow":
        rule.setdefault("updatedInput", {**(request.get("input") or {}), **merged})
    return rule


class Conversation:
    """One run of the client; each prompt is sent after the result of the one before it."""

    def __init__(self, words, environment, folder, limit, prompts, host):
        self.prompts, self.host, self.limit = list(prompts), host or {}, limit
        self.events, self.stray, self.errors, self.late = [], [], "", False
        self.process = subprocess.Popen(
            words, env=environment, cwd=folder, stdin=subprocess.PIPE if prompts else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", errors="replace",
            start_new_session=True)

    def expire(self):
        self.late = True
        os.killpg(self.process.pid, signal.SIGKILL)

    def put(self, message):
        try:
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            pass  # the client has ended; its exit code says how

    def send_next(self):
        if self.prompts:
            self.put({"type": "user", "message": {"role": "user", "content": self.prompts.pop(0)}})
        elif not self.process.stdin.closed:
            self.process.stdin.close()

    def hold(self):
        """Talks until the client ends, and gives its exit code."""
        talking = self.process.stdin is not None
        reader = threading.Thread(target=self.read_errors, daemon=True)
        reader.start()
        clock = threading.Timer(self.limit, self.expire)
        clock.start()
        if talking:
            self.send_next()
        for line in self.process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                self.stray.append(line)
                continue
            self.events.append(event)
            if talking and event.get("type") == "control_request":
                answer = {"subtype": "success", "request_id": event.get("request_id"),
                          "response": answer_as_host(self.host, event.get("request", {}))}
                self.put({"type": "control_response", "response": answer})
            elif talking and event.get("type") == "result":
                self.send_next()
        code = self.process.wait()
        clock.cancel()
        reader.join(2)
        return code

    def read_errors(self):
        self.errors = self.process.stderr.read()


def hook_results(events):
    """What the client says of each hook that ran, probes left out."""
    return [{"event": event.get("hook_event"), "name": event.get("hook_name"), "outcome": event.get("outcome"),
             "exit_code": event.get("exit_code"), "stdout": event.get("stdout"), "stderr": event.get("stderr")}
            for event in events if event.get("subtype") == "hook_response" and event.get("stderr") != PROBE]


def fired(work):
    """How often each probed event fired."""
    try:
        with open(os.path.join(work, "fired.log"), encoding="utf-8") as file:
            names = file.read().split()
    except FileNotFoundError:
        names = []
    return {name: names.count(name) for name in set(names)}
