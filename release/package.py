"""Packages of the prebuilt hookgen: for npm, a package that picks and one per platform; for PyPI, a wheel per platform.

    package.py --binaries DIR --out DIR [--allow-dynamic] [--level N]

DIR holds a folder per platform (`linux-x64/hookgen`, `linux-x64/hookgen-engine`, `win32-x64/hookgen.exe`, …). The same
binaries give the same bytes. Standard library only. Nothing is uploaded.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import pathlib
import re
import struct
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ("hookgen", "hookgen-engine")
SUMMARY = "Compiles a YAML hook catalog into registration, configuration, documentation and a native runtime"
LICENCES = ("LICENSE-MIT", "LICENSE-APACHE")
NOTICES = "THIRD-PARTY-NOTICES.txt"

# What each platform is called: by npm (`os` and `cpu`, which are also its folder), and by wheels. Programs for Linux are
# static, so that they run with either C library.
PLATFORMS = {
    "linux-x64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin-x64": "macosx_10_12_x86_64",
    "darwin-arm64": "macosx_11_0_arm64",
    "win32-x64": "win_amd64",
}

# The earliest time that both formats can write down.
ZIP_DATE = (1980, 1, 1, 0, 0, 0)


def version() -> str:
    """The version of the workspace."""
    text = (ROOT / "Cargo.toml").read_text()
    return re.search(r'^\[workspace\.package\]\nversion = "([^"]+)"', text, re.M).group(1)


def is_dynamic(program: bytes) -> bool:
    """Whether a program of Linux asks for a loader, and so for the C library of its machine."""
    if program[:4] != b"\x7fELF":
        return False
    start, size, count = struct.unpack_from("<Q", program, 32)[0], *struct.unpack_from("<HH", program, 54)
    kinds = (struct.unpack_from("<I", program, start + size * place)[0] for place in range(count))
    return 3 in kinds


class Platform:
    """The programs of one platform."""

    def __init__(self, folder: pathlib.Path, allow_dynamic: bool):
        self.name = folder.name
        self.end = ".exe" if self.name.startswith("win32") else ""
        self.programs = {name + self.end: (folder / (name + self.end)).read_bytes() for name in PROGRAMS}
        self.tag = PLATFORMS[self.name]
        if any(is_dynamic(program) for program in self.programs.values()):
            if not allow_dynamic:
                sys.exit(f"error: {folder}: linked dynamically, so that it runs only where its C library is")
            self.tag = "linux_" + {"x64": "x86_64", "arm64": "aarch64"}[self.name.split("-")[1]]


# How hard programs are squeezed; less for a dry run.
LEVEL = 6


def tarball(files: dict[str, tuple[bytes, int]]) -> bytes:
    """A package as npm has them."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(files):
            content, mode = files[name]
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size, entry.mode, entry.mtime = len(content), mode, 0
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(packed.getvalue(), compresslevel=LEVEL, mtime=0)


def manifest(name: str, about: dict) -> tuple[bytes, int]:
    fields = {"name": name, "version": version(), "description": SUMMARY, "license": "MIT OR Apache-2.0", **about}
    return (json.dumps(fields, indent=2) + "\n").encode(), 0o644


def licences() -> dict[str, tuple[bytes, int]]:
    """Our licences, and the notices of what is linked into the programs."""
    files = {name: ROOT / name for name in LICENCES} | {NOTICES: ROOT / "generator/notices/hookgen.txt"}
    return {name: (path.read_bytes(), 0o644) for name, path in files.items()}


def npm_platform(platform: Platform) -> bytes:
    system, processor = platform.name.split("-")
    about = {"os": [system], "cpu": [processor], "preferUnplugged": True}
    programs = {f"bin/{name}": (program, 0o755) for name, program in platform.programs.items()}
    return tarball({"package.json": manifest(f"@hookgen/{platform.name}", about), **licences(), **programs})


def npm_main() -> bytes:
    """The package that people name. It holds no program: npm installs the one of the machine's platform beside it."""
    about = {
        "bin": {"hookgen": "bin/hookgen.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": {f"@hookgen/{name}": version() for name in PLATFORMS},
    }
    launcher = (ROOT / "release" / "launcher.js").read_bytes(), 0o755
    readme = (ROOT / "README.md").read_bytes(), 0o644
    return tarball({"package.json": manifest("hookgen", about), "bin/hookgen.js": launcher, "README.md": readme, **licences()})


def wheel(platform: Platform) -> tuple[str, bytes]:
    """A wheel with nothing but programs."""
    about = f"hookgen-{version()}.dist-info"
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.tag.split("."))
    metadata = (
        f"Metadata-Version: 2.4\nName: hookgen\nVersion: {version()}\nSummary: {SUMMARY}\n"
        "License-Expression: MIT OR Apache-2.0\n"
        + "".join(f"License-File: {name}\n" for name in (*LICENCES, NOTICES))
        + "Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n"
        + (ROOT / "README.md").read_text()
    )
    files = {f"hookgen-{version()}.data/scripts/{name}": (program, 0o755) for name, program in platform.programs.items()}
    files |= {f"{about}/licenses/{name}": content for name, content in licences().items()}
    files[f"{about}/METADATA"] = metadata.encode(), 0o644
    files[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: hookgen\nRoot-Is-Purelib: false\n{tags}".encode(), 0o644
    lines = [f"{name},sha256={digest(content)},{len(content)}\n" for name, (content, _) in sorted(files.items())]
    files[f"{about}/RECORD"] = ("".join(lines) + f"{about}/RECORD,,\n").encode(), 0o644
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for name, (content, mode) in sorted(files.items()):
            entry = zipfile.ZipInfo(name, ZIP_DATE)
            entry.external_attr, entry.compress_type, entry.create_system = (0o100000 | mode) << 16, zipfile.ZIP_DEFLATED, 3
            archive.writestr(entry, content)
    return f"hookgen-{version()}-py3-none-{platform.tag}.whl", packed.getvalue()


def digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binaries", type=pathlib.Path, required=True)
    arguments.add_argument("--out", type=pathlib.Path, required=True)
    arguments.add_argument("--allow-dynamic", action="store_true", help="for a dry run on this machine")
    arguments.add_argument("--level", type=int, default=LEVEL, help="how hard programs are squeezed, from 1 to 9")
    given = arguments.parse_args()
    globals()["LEVEL"] = given.level
    folders = sorted(folder for folder in given.binaries.iterdir() if folder.name in PLATFORMS)
    if not folders:
        sys.exit(f"error: no platform in {given.binaries}; there are {', '.join(PLATFORMS)}")
    packages = {f"npm/hookgen-{version()}.tgz": npm_main()}
    for platform in (Platform(folder, given.allow_dynamic) for folder in folders):
        packages[f"npm/hookgen-{platform.name}-{version()}.tgz"] = npm_platform(platform)
        name, content = wheel(platform)
        packages[f"pypi/{name}"] = content
    for name, content in packages.items():
        path = given.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        print(f"{hashlib.sha256(content).hexdigest()}  {name}")


if __name__ == "__main__":
    main()
