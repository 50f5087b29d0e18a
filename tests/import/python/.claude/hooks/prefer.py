import json, re, sys

RULES = [
    (1, 2),
]
data = json.load(sys.stdin)
command = data.get("tool_input", {}).get("command", "")
if data.get("tool_name") != "Bash":
    sys.exit(0)
if re.match(r"grep\b", command):
    print("Use rg instead of grep.", file=sys.stderr)
    sys.exit(2)
elif re.search(r"find\s+\S+\s+-name", command, re.IGNORECASE):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "Use fd."}}))
