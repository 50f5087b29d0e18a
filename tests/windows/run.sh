#!/usr/bin/env bash
# The plugin of `safety` for Windows, built here, and its cases under wine. Where something is missing, it says what and
# ends well. wine is not Windows: what passes here is still to be seen there.
set -euo pipefail

skip() {
    echo "skipped: $1" >&2
    exit 0
}
target=x86_64-pc-windows-gnu
command -v wine >/dev/null || skip "there is no wine"
rustc --print target-libdir --target "$target" | xargs -I{} test -d {} || skip "run rustup target add $target"
command -v "${CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER:-x86_64-w64-mingw32-gcc}" >/dev/null ||
    skip "there is no x86_64-w64-mingw32-gcc (Debian: gcc-mingw-w64-x86-64)"

out=$PWD/target/windows
cargo run --quiet -p hookgen -- ship safety --target windows-x64 --out "$out"
prefix=$out/prefix
export WINEPREFIX=$prefix WINEDEBUG=-all
wineboot --init >/dev/null 2>&1
# One that stays, so that no call has to wait for wine to start, or leaves it behind.
wine cmd /c 'ping -n 1800 127.0.0.1' >/dev/null 2>&1 </dev/null &
staying=$!
trap 'kill "$staying" 2>/dev/null || true' EXIT
sleep 5
# What stands in for the program: the cases of this system, with paths that Windows takes for absolute.
cat > "$out/safety/bin/safety-hooks" <<END
#!/bin/bash
export WINEPREFIX=$prefix WINEDEBUG=-all
for name in CLAUDE_PLUGIN_DATA CLAUDE_PROJECT_DIR CLAUDE_PLUGIN_ROOT; do
    if [ -n "\${!name:-}" ]; then export "\$name=Z:\${!name}"; fi
done
# wine ends badly with a folder for temporary files that is not its own.
unset TMPDIR XDG_CONFIG_HOME XDG_STATE_HOME
export HOME=$out XDG_RUNTIME_DIR=$out
arguments=()
for argument in "\$@"; do arguments+=("\${argument/#--home=/--home=Z:}"); done
exec wine "\${0%/*}/safety-hooks.exe" "\${arguments[@]}"
END
chmod +x "$out/safety/bin/safety-hooks"
cargo run --quiet -p hookgen -- test safety --plugin "$out/safety" --jobs 1 "$@"
