"""What is tried with every agent: the same things, in each one's own tools.

Calls that a guard must stop do no harm where nothing stops them: the repository has no remote to push to.
"""

from agents import AGENTS

DENIED = "touch ran; git push --force origin main"
HARMLESS = "touch ran"
REASON = "can erase commits of others"
KEPT = "only the person"

# The project becomes a worktree of a repository that lies beside it.
WORKTREE = ("git init -q ../main && git -C ../main -c user.name=a -c user.email=a@b commit -q --allow-empty -m x"
            ' && git -C ../main worktree add -q -f "$PROJECT"')
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
    yield {**scenario("a compiled program denies a shell call", agent.shell(DENIED), stopped), "compiled": True}
    yield {**scenario("in a linked worktree a shell call is denied", agent.shell(DENIED), stopped), "git": False,
           "prepare": [WORKTREE]}
    yield broken("missing")
    yield broken("late")
    yield from entangled(agent, scenario, until)


def entangled(agent, scenario, until):
    """What real days are made of: several calls at once, odd names, other agents, other hooks, agents of agents."""
    name, can = agent.name, agent.traits

    def turns(calls):
        return [*calls, {"text": "done"}]

    at_once = [agent.shell("touch one"), agent.write("${PROJECT}/größe und maß.txt", "written\n"), agent.shell(DENIED),
               agent.shell("touch 'zwei drei'")]
    # Where a refusal ends the run, what was asked beside it may or may not have been done.
    beside = {"one": "", "größe und maß.txt": "written", "zwei drei": ""} if can["goes_on"] else {}
    yield {**scenario("one of several calls is denied", {}, {"files": {"ran": None, **beside}, "played": until}),
           "prompt": "Наведи порядок, bitte: 全部整理する.", "folder": "mein Projekt (größer)",
           "turns": turns([{"tools": at_once}])}

    changes = [agent.edit("${PROTECTED}", "on", "off"), agent.edit("${PROTECTED_FROM_PROJECT}", "on", "off"),
               agent.write("${REGISTRATION}", "{}"), *agent.erasures("${REGISTRATION}"),
               agent.elsewhere("rm '${REGISTRATION}'", "/tmp")]
    kept = {"${PROTECTED}": "safety:", "${REGISTRATION}": name}
    for number, change in enumerate(call for call in changes if call is not None):
        if number == 0 or can["goes_on"]:
            yield {**scenario(f"what keeps the hooks stays, way {number + 1}", change, {"files": kept, "played": until})}

    for path in agent.switches:
        yield scenario(f"no file {path} switches the hooks off", agent.write("${PROJECT}/" + path, "{}\n"),
                       {"files": {path: None}, "played": until, "tool_result": [KEPT] if can["reason"] else []})

    for number, call in enumerate(agent.indirectly(DENIED)):
        if "search" not in call["tool"]:
            calls = agent.indirectly(DENIED)[:number + 1]
            yield {**scenario(f"a line is denied by the tool {call['tool']}", {}, {"files": {"ran": None}, "played": until}),
                   "turns": turns(calls)}

    if (call := agent.subagent("SUBAGENT: do as scripted.")) is not None:
        calls = [agent.shell(HARMLESS), agent.shell(DENIED.replace("ran", "too"))]
        script = {"main": turns([call]), "agents": {"SUBAGENT": turns(calls)}}
        yield {**scenario("a call of a subagent is denied", {}, {"files": {"ran": "", "too": None}, "played": until}),
               "turns": script}

    theirs = {"theirs": ""} if agent.trusts_others and agent.own_hook("") else {}
    others = [other for other in ("claude", "codex", "copilot", "gemini") if other != name]
    catalog = CATALOG.format(agents=f"agents: [{name}]" if name != "claude" else "", event="PreToolUse", sentence=GREETING)
    yield {**scenario("beside other hooks, catalogs and agents a call is denied once", {},
                      {"files": {"ran": None, "one": "", **theirs}, "played": until,
                       "said_once": [REASON] if can["reason"] else []}),
           "install": ["safety", quiet(catalog)], "also_for": others, "own_hook": True,
           "turns": turns([agent.shell("touch one"), agent.shell(DENIED)])}


def quiet(catalog):
    """The same catalog with nothing to say, for events on which some agents cannot be told anything."""
    silent = catalog.replace(f"inject: {GREETING}", "log: seen")
    return silent.replace("expect: { model: [heliotrope] }", "expect: { decision: pass }")
