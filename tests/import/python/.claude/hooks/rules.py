#!/usr/bin/env python3
import json
import os
import re
import sys

RULES = [
    (r"\.pem$", "keys stay where they are"),
    (r"(^|/)secrets/", "nobody reads secrets"),
]


def is_hidden(path: str) -> bool:
    name = os.path.basename(path)
    return name.startswith(".secret")


def main() -> int:
    data = json.load(sys.stdin)
    path = data.get("tool_input", {}).get("file_path", "")
    if is_hidden(path):
        print("hidden", file=sys.stderr)
        return 2
    for pattern, message in RULES:
        if re.search(pattern, path):
            print(message, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
