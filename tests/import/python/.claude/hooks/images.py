#!/usr/bin/env python3
"""Images are made by the designers."""
import json
import os
import sys

def main():
    try:
        event = json.loads(sys.stdin.read())
    except json.JSONDecodeError:
        sys.exit(1)
    path = event["tool_input"].get("file_path") or ""
    if path.lower().endswith((".png", ".svg")) and not path.startswith("/p/icons/"):
        print(f"{os.path.basename(path)} comes from the designers", file=sys.stderr)
        sys.exit(2)
    sys.exit(0)

if __name__ == "__main__":
    main()
