#!/usr/bin/env bash
# The hooks of product-planning as bash and jq, for comparison alone: the same files read, the same exit code, the
# same two log lines. Written economically: one jq for the event and one for the audit line.
set -u
hook=$1
input=$(cat)

[[ -e $CLAUDE_PLUGIN_ROOT/hooks/.dev-mode ]] && exit 0
config=$CLAUDE_PLUGIN_ROOT/config/planning-config.yaml
[[ -f $config ]] && grep -q 'enabled: false' "$config" && exit 0

eval "$(jq -r '@sh "session=\(.session_id // "") event=\(.hook_event_name // "") tool=\(.tool_name // "")
    file=\(.tool_input.file_path? // "") agent=\(.agent_type // "") message=\(.last_assistant_message // "")
    question=\(.tool_input.questions?[0].question? // "") given=\(.tool_input // {} | tostring)"' <<<"$input")"

project=$CLAUDE_PROJECT_DIR
state=$CLAUDE_PLUGIN_DATA/sessions/${session//[^A-Za-z0-9-]/_}
now=$(date -u +%Y-%m-%dT%H:%M:%SZ)

log() {
    mkdir -p "$state"
    printf '[%s] %s: %s | %s\n' "$now" "$hook" "$1" "$2" >>"$state/hooks.log"
    jq -cn --arg time "$now" --arg hook "$hook" --arg event "$event" --arg tool "$tool" --arg decision "$1" \
        --arg reason "$2" --arg session "$session" '$ARGS.named' >>"$CLAUDE_PLUGIN_DATA/audit.jsonl"
}
deny() { log DENY "$1"; printf '%s' "$1" >&2; exit 2; }
pass() { log ALLOW "$1"; exit 0; }
field() { sed -n '2,/^---$/p' "$planning" | sed -n "s/^$1: *//p" | head -n 1; }
words() { tr '[:upper:]' '[:lower:]' <<<"$1" | tr -cs '[:alnum:]' '\n' | grep -vxE 'the|a|an|is|use|using|for|to|in|on|of|and|or|' | sort -u; }

find_feature() {
    branch=$(git -C "$project" symbolic-ref --quiet --short HEAD || echo unknown)
    feature=''
    [[ $branch == feature/* ]] && feature=$project/specs/${branch#feature/}
    planning=$feature/.planning-state.local.md
    lock=$feature/.planning.lock
}
within() { [[ $(realpath -m "$1")/ == "$(realpath -m "$2")"/* ]]; }
same() { [[ $(realpath -m "$1") == "$(realpath -m "$2")" ]]; }

case $hook in
H01)
    [[ $tool == AskUserQuestion ]] || exit 0
    find_feature
    [[ -f $planning ]] || exit 0
    asked=$(words "$question")
    while IFS= read -r decision; do
        decided=$(words "$decision")
        common=$(comm -12 <(printf '%s\n' "$asked") <(printf '%s\n' "$decided") | wc -l)
        ((common * 10 >= $(wc -l <<<"$decided") * 6)) && deny "DENIED: already decided: $decision"
    done < <(sed -n '/^user_decisions:/,/^[^ ]/s/^  \([^:]*\):.*/\1/p' "$planning")
    pass 'No matching decisions found'
    ;;
H02)
    [[ $tool == Write || $tool == Edit ]] || exit 0
    find_feature
    [[ -n $file && -n $feature ]] && within "$file" "$feature" || exit 0
    [[ -f $lock ]] || deny 'DENIED: No planning lock acquired.'
    owner=$(jq -r '.session_id // ""' "$lock")
    [[ $owner == "$session" ]] || deny "DENIED: Planning lock owned by another session ($owner)."
    pass "Lock valid for session $session"
    ;;
H03)
    [[ $tool == mcp__* ]] || exit 0
    mkdir -p "$state"
    exec 9>"$state/counters.lock"
    flock 9
    key=$(sha256sum <<<"$tool $given")
    grep -qxF "$key" "$state/keys" 2>/dev/null && pass 'Duplicate call (retry), not counted again'
    used=$(cat "$state/counter" 2>/dev/null || echo 0)
    ((used >= 10)) && deny "DENIED: Research MCP phase budget exhausted ($used/10 calls)."
    echo $((used + 1)) >"$state/counter.tmp"
    mv "$state/counter.tmp" "$state/counter"
    echo "$key" >>"$state/keys"
    pass "Budget OK: session=$((used + 1))/25"
    ;;
H04)
    [[ $tool == Write || $tool == Edit ]] || exit 0
    find_feature
    [[ -f $planning ]] && same "$file" "$feature/spec.md" || exit 0
    phase=$(field phase)
    [[ -n $phase && $phase != SETUP ]] && deny "DENIED: spec.md is immutable after planning has started ($phase)."
    pass 'The spec is still being drafted'
    ;;
H05)
    find_feature
    [[ -f $planning ]] && same "$file" "$planning" || exit 0
    phase=$(field phase)
    trail=$feature/.planning-audit.log
    previous=$(grep -o 'CHECKPOINT: [^ ]* → [^ ]*' "$trail" 2>/dev/null | tail -n 1 | sed 's/.* → //')
    [[ -n $phase && $phase != "$previous" ]] || exit 0
    rm -f "$state/counter"
    printf '[%s] CHECKPOINT: %s → %s | session=%s | mode=%s\n' "$now" "$previous" "$phase" "$session" "$(field mode)" >>"$trail"
    log INFO "Phase transition: $previous → $phase"
    jq -cn --arg text "CHECKPOINT: $previous → $phase" '{systemMessage: $text}'
    ;;
H06 | H12)
    find_feature
    [[ -f $planning ]] || exit 0
    text="phase: $(field phase) mode: $(field mode) lock: $(jq -r '.session_id // ""' "$lock" 2>/dev/null)
$(sed -n '/^user_decisions:/,/^---$/p' "$planning")"
    for name in design plan tasks test-plan research; do [[ -e $feature/$name.md ]] && text+=" $name.md"; done
    log INFO "phase=$(field phase)"
    jq -cn --arg text "$text" '{hookSpecificOutput: {hookEventName: "UserPromptSubmit", additionalContext: $text}}'
    ;;
H07)
    [[ $agent == product-planning:tech-lead ]] || exit 0
    find_feature
    [[ -s $feature/tasks.md ]] || deny 'tasks.md not found.'
    listed=$(grep -cE '^- \[ \] \[T[0-9]{3}\]' "$feature/tasks.md")
    tested=$(grep -E '^- \[ \] \[T[0-9]{3}\]' "$feature/tasks.md" | grep -cE '\b(UT|INT|E2E|UAT)-[0-9]+')
    phases=$(grep -cE '^##\s+Phase' "$feature/tasks.md")
    ((listed < 5)) && deny "Too few tasks ($listed)."
    ((tested * 100 < listed * 80)) && deny 'Insufficient TDD integration.'
    ((phases < 2)) && deny 'Missing phase structure.'
    pass "tasks=$listed, tested=$tested, phases=$phases"
    ;;
H09)
    [[ $agent == product-planning:qa-strategist ]] || exit 0
    find_feature
    unit=$(cat "$feature"/test-cases/unit/* 2>/dev/null | grep -cE '^#{1,6}\s*UT-[0-9]+')
    uat=$(cat "$feature"/test-cases/uat/* 2>/dev/null | grep -cE '^#{1,6}\s*UAT-[0-9]+')
    markers=$(cat "$feature"/test-cases/uat/* 2>/dev/null | grep -cE 'Given:|When:|Then:')
    ((unit == 0)) && deny 'No unit test IDs.'
    ((uat == 0 || markers < uat * 3)) && deny 'No UAT scripts.'
    grep -qi 'coverage.matrix' "$feature/test-plan.md" || deny 'Missing coverage matrix.'
    pass "UT=$unit, UAT=$uat"
    ;;
H10)
    [[ $agent == product-planning:* ]] || exit 0
    count=$(wc -w <<<"$message")
    ((count < 100)) && deny "Insufficient output ($count words)."
    grep -qE '^#{2,3}\s|^\s*[-*]\s|\|.*\|' <<<"$message" || deny 'No structured sections found.'
    pass "words=$count"
    ;;
H11a)
    find_feature
    [[ -f $planning ]] || exit 0
    phase=$(field phase)
    [[ $phase == COMPLETION ]] && pass 'Phase is COMPLETION'
    missing=''
    for name in design plan tasks test-plan; do [[ -s $feature/$name.md ]] || missing+=" $name.md"; done
    [[ -n $missing ]] && deny "Missing artifacts:$missing."
    pass "All required artifacts present, phase=$phase"
    ;;
H13)
    find_feature
    for pair in "PLANNING_BRANCH=$branch" "PLANNING_FEATURE_DIR=$feature" "PLANNING_CURRENT_PHASE=$(field phase)" \
        "PLANNING_CURRENT_MODE=$(field mode)"; do
        printf 'export %s=%q\n' "${pair%%=*}" "${pair#*=}" >>"$CLAUDE_ENV_FILE"
    done
    log INFO "branch=$branch"
    jq -cn --arg text "branch=$branch" '{hookSpecificOutput: {hookEventName: "SessionStart", additionalContext: $text}}'
    ;;
esac
exit 0
