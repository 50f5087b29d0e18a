"""Expectations of a scenario, held against what a run left."""

import os

KNOWN = {"model_sees", "model_not_sees", "user_sees", "user_not_sees", "tool_result", "tool_error", "hooks",
         "hook_results", "fired", "files", "plugin_errors", "result", "exit", "played", "said_once"}


def failures(expected, run):
    """What does not hold, in words."""
    unknown = [f"`expect.{key}` means nothing here" for key in sorted(set(expected) - KNOWN)]
    return unknown + texts(expected, run) + counts(expected, run) + files(expected, run) + ending(expected, run)


def texts(expected, run):
    said = run["model"].text()
    shown = "\n".join(run["shown"])
    results = run["model"].results().values()
    wrong = [f"the model did not see {text!r}" for text in expected.get("model_sees", []) if text not in said]
    wrong += [f"the model saw {text!r}" for text in expected.get("model_not_sees", []) if text in said]
    wrong += [f"the person did not see {text!r}" for text in expected.get("user_sees", []) if text not in shown]
    wrong += [f"the person saw {text!r}" for text in expected.get("user_not_sees", []) if text in shown]
    wrong += [f"{text!r} is said {count} times about one call" for text in expected.get("said_once", [])
              if (count := max((result.text.count(text) for result in results), default=0)) != 1]
    wrong += [f"no tool's result holds {text!r}" for text in expected.get("tool_result", [])
              if not any(text in result.text for result in results)]
    wrong += [f"no tool's error holds {text!r}" for text in expected.get("tool_error", [])
              if not any(result.error and text in result.text for result in results)]
    return wrong


def fits(number, wanted):
    return number >= 1 if wanted is True else number == wanted


def counts(expected, run):
    wrong = []
    for event, wanted in expected.get("hooks", {}).items():
        number = sum(1 for hook in run["hook_results"] if hook["event"] == event)
        if not fits(number, wanted):
            wrong.append(f"{event}: {number} hooks ran")
    for event, wanted in expected.get("fired", {}).items():
        number = run["fired"].get(event, 0)
        if not fits(number, wanted):
            wrong.append(f"{event} fired {number} times")
    for wanted in expected.get("hook_results", []):
        if not any(all(same(hook.get(key), value) for key, value in wanted.items()) for hook in run["hook_results"]):
            wrong.append(f"no hook ended like {wanted!r}")
    if "plugin_errors" in expected and len(run["plugin_errors"]) != expected["plugin_errors"]:
        wrong.append(f"errors of plugins: {run['plugin_errors']!r}")
    return wrong


def same(found, wanted):
    return wanted in found if isinstance(found, str) and isinstance(wanted, str) else found == wanted


def files(expected, run):
    wrong = []
    for path, text in expected.get("files", {}).items():
        full = os.path.join(run["project"], path)
        if text is None:
            if os.path.lexists(full):
                wrong.append(f"`{path}` is there")
            continue
        try:
            with open(full, encoding="utf-8", errors="replace") as file:
                found = file.read()
        except OSError as error:
            wrong.append(f"`{path}`: {error.strerror}")
            continue
        if text not in found:
            wrong.append(f"`{path}` holds {found[:300]!r}")
    return wrong


def ending(expected, run):
    wrong = []
    if "exit" in expected and run["exit"] != expected["exit"]:
        wrong.append(f"the client ended with {run['exit']}")
    if "result" in expected and expected["result"] not in run["result"]:
        wrong.append(f"the last answer is {run['result']!r}")
    return wrong + (played(expected["played"], run["model"]) if "played" in expected else [])


def played(wanted, model):
    """`all` turns were asked for, or the script has at least `begun`: what was never tried was not refused either."""
    left = model.script.unplayed()
    wrong = [f"{count} turns of `{name}` were never asked for" for name, count in left.items() if wanted == "all"]
    if not model.requests:
        wrong = ["the model was never asked"]
    return wrong + [f"the client does not offer `{call['tool']}`" for call in model.calls if not call["offered"]]
