#!/usr/bin/env python3
import json
import re
import sys

PUBLISH = re.compile(r"\bnpm\s+PUBLISH\b", re.IGNORECASE)
RULES = [
    (r"^find\b(?!.*-maxdepth)", "say how deep to look"),
    (re.compile(r"^chmod 777", re.I | re.M), "that is open to everybody"),
]

command = json.load(sys.stdin).get("tool_input", {}).get("command", "")
if PUBLISH.search(command):
    print("nothing is published from here", file=sys.stderr)
    sys.exit(2)
for pattern, message in RULES:
    if re.search(pattern, command):
        print(message, file=sys.stderr)
        sys.exit(2)
