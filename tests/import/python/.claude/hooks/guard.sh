#!/bin/bash
set -euo pipefail
input=$(cat)
command=$(echo "$input" | jq -r '.tool_input.command // ""')
PROTECTED=("production.db" "backup.tar")
for name in "${PROTECTED[@]}"; do
  if [[ "$command" == *"$name"* ]]; then
    echo "Blocked: $name is protected" >&2
    exit 2
  fi
done
exit 0
