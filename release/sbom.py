"""A bill of materials of hookgen and its engine, in CycloneDX 1.5, from what cargo says of the locked dependencies.

    cargo metadata --locked --format-version 1 | sbom.py > hookgen.cdx.json

The same lock gives the same bytes: there is no time and no serial number in it.
"""

import json
import sys

ROOT = "hookgen"


def reached(metadata: dict) -> set[str]:
    """The packages that are linked into the programs: tests and build scripts are not."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    names = {package["id"]: package["name"] for package in metadata["packages"]}
    rest = [package for package in metadata["workspace_members"] if names[package] == ROOT]
    found: set[str] = set()
    while rest:
        package = rest.pop()
        if package not in found:
            found.add(package)
            for dependency in nodes[package]["deps"]:
                if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                    rest.append(dependency["pkg"])
    return found


def component(package: dict, checksums: dict[tuple[str, str], str]) -> dict:
    name, version = package["name"], package["version"]
    purl = f"pkg:cargo/{name}@{version}"
    entry = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if package.get("license"):
        entry["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    checksum = checksums.get((name, version))
    if checksum:
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return entry


def locked(text: str) -> dict[tuple[str, str], str]:
    """The checksums of a `Cargo.lock`."""
    found = {}
    for block in text.split("[[package]]"):
        fields = dict(line.split(" = ", 1) for line in block.splitlines() if line.count('"') == 2 and " = " in line)
        values = {key: value.strip('"') for key, value in fields.items()}
        if "checksum" in values:
            found[values["name"], values["version"]] = values["checksum"]
    return found


def bill(metadata: dict, lock: str) -> dict:
    there = reached(metadata)
    checksums = locked(lock)
    packages = {package["id"]: package for package in metadata["packages"] if package["id"] in there}
    purl = {ident: f"pkg:cargo/{package['name']}@{package['version']}" for ident, package in packages.items()}
    own = next(package for package in packages.values() if package["name"] == ROOT)
    others = sorted((p for p in packages.values() if p is not own), key=lambda p: (p["name"], p["version"]))
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    dependencies = [
        {"ref": purl[ident], "dependsOn": sorted(purl[one] for one in nodes[ident]["dependencies"] if one in there)}
        for ident in sorted(there, key=lambda ident: purl[ident])
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {**component(own, checksums), "type": "application"}},
        "components": [component(package, checksums) for package in others],
        "dependencies": dependencies,
    }


def main() -> None:
    metadata = json.load(sys.stdin)
    with open(f"{metadata['workspace_root']}/Cargo.lock", encoding="utf-8") as lock:
        print(json.dumps(bill(metadata, lock.read()), indent=2))


if __name__ == "__main__":
    main()
