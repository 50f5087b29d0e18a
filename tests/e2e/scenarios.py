"""What is tried with every agent: the same things, in each one's own tools.

Calls that a guard must stop do no harm where nothing stops them: the repository has no remote to push to.
"""

from agents import AGENTS

DENIED = "touch ran; git push --force origin main"
HARMLESS = "touch ran"
REASON = "can erase commits of others"
KEPT = "only the person"
GREETING = "The word of the day is heliotrope."

CATALOG = """catalog: greeting
version: 1.0.0
description: Says one sentence, to see whether it arrives
author: hookgen maintainers
license: MIT OR Apache-2.0
binary: greeting-hooks
{agents}
hooks:
  - id: G1
    name: say-the-word
    event: {event}
    timeout: 5s
    fail_safe: open
    why: Whether context reaches the model is a fact about the client that only the client can show.
    checks:
      - id: word
        inject: {sentence}
    cases:
      - name: it is said
        input: {{}}
        expect: {{ model: [heliotrope] }}
"""


def of(name):
    """The scenarios of one agent."""
    agent = AGENTS[name]
    can = agent.traits
    after = [{"text": "done"}]
    # A refusal ends the whole run of some clients.
    until = "all" if can["goes_on"] else "begun"
    stopped = {"files": {"ran": None}, "played": until}

    def scenario(title, call, expected, **more):
        return {"name": title, "agent": name, "install": ["safety"], "prompt": "Do as the script says.", "turns": [call, *after],
                "expect": expected, **more}

    def broken(state):
        word, left = {"runs": ("runs", ""), "refused": ("is refused", None)}[can[state]]
        return scenario(f"the program of a hook is {state}, the call {word}", agent.shell(HARMLESS),
                        {"files": {"ran": left}, "played": "all" if left == "" else until}, program=state)

    yield scenario("a shell call is denied", agent.shell(DENIED),
                   {**stopped, **({"tool_result": [REASON]} if can["reason"] else {"model_not_sees": [REASON]})})
    yield scenario("a harmless call runs", agent.shell(HARMLESS), {"files": {"ran": ""}, "played": "all"})
    yield scenario("an ordinary file is written", agent.write("${PROJECT}/notes.txt", "written\n"),
                   {"files": {"notes.txt": "written"}, "played": "all"})
    yield scenario("a protected file is not written", agent.write("${PROTECTED}", "loosened\n"),
                   {"files": {"${PROTECTED}": "safety:"}, "played": until,
                    "tool_result": [KEPT] if can["reason"] else []})
    for event in can["context"]:
        listed = "" if name == "claude" else f"agents: [{name}]"
        catalog = CATALOG.format(agents=listed, event=event, sentence=GREETING)
        yield {**scenario(f"context of {event} reaches the model", {"text": "done"}, {"model_sees": [GREETING], "played": "all"}),
               "install": [catalog], "turns": after}
    yield broken("missing")
    yield broken("late")
