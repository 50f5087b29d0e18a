_default:
    @just --list --unsorted

# rewrite generated/ from specs/
[group('catalogs')]
build *catalogs:
    cargo run --quiet -p hookgen -- build {{catalogs}}

# catalogs are valid and generated/ is in step; never writes
[group('catalogs')]
check:
    cargo run --quiet -p hookgen -- check

# installable plugins in dist/
[group('catalogs')]
ship *catalogs:
    cargo run --quiet -p hookgen -- ship {{catalogs}}

# every case of the catalogs, evaluated as they stand
[group('catalogs')]
cases *catalogs:
    cargo run --quiet -p hookgen -- test {{catalogs}}

# every test
[group('code')]
test *args:
    cargo test --workspace {{args}}

# accept new golden files, then show what changed
[group('code')]
bless:
    HOOKGEN_BLESS=1 cargo test --workspace
    git diff --stat -- tests

# whole processes, as ratios to /bin/true
[group('code')]
bench:
    cargo bench -p hookgen-runtime

# licences, advisories and sources of all dependencies
[group('code')]
deny:
    cargo deny check

# `safety` for Windows, built here and run through its cases by wine; says what is missing where it cannot
[group('code')]
windows *args:
    bash tests/windows/run.sh {{args}}

# everything that CI runs
[group('code')]
ready:
    bash .ci/run

# real clients, sealed, against a scripted model; fetches them by package name (not part of `ready`)
[group('code')]
e2e *args:
    cargo build --quiet -p hookgen
    python3 tests/e2e/e2e.py {{args}}
