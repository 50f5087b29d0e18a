"""A place of its own for a client: no network but loopback, no other processes, no home folder of the person's."""

import fcntl
import os
import pwd
import shutil
import socket
import struct
import subprocess

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


def wrapper():
    """The words before a command that is to run in new namespaces."""
    flags = ["--net", "--pid", "--fork", "--kill-child", "--mount", "--mount-proc"]
    return ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), *flags]


def why_not():
    """Why nothing can be sealed on this machine, or none."""
    if shutil.which("unshare") is None:
        return "there is no `unshare`; namespaces are needed, as on Linux"
    trial = subprocess.run([*wrapper(), "true"], capture_output=True, text=True, check=False)
    return None if trial.returncode == 0 else f"namespaces cannot be made: {trial.stderr.strip()}"


def settle(home, needed, machine_settings):
    """Inside the namespaces: brings up loopback, and puts `home` in the place of the person's home folder.

    What is `needed` from below that folder stays where it was. Guards that do not believe `HOME` ask the system, and
    would otherwise read, and clients might write, what is the person's.
    """
    interfaces = raise_loopback()
    if interfaces != ["lo"]:
        raise RuntimeError(f"not sealed: there are the interfaces {', '.join(interfaces)}")
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    for folder in machine_settings:
        if os.path.isdir(folder):
            subprocess.run(["mount", "-t", "tmpfs", "none", folder], check=True)
    real = os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir)
    below = sorted({path for path in map(os.path.realpath, needed) if path.startswith(real + "/")})
    held = []
    for number, path in enumerate(below):
        hold = os.path.join(os.path.dirname(home), f"held-{number}")
        os.makedirs(hold)
        bind(path, hold)
        held.append((hold, path))
    bind(home, real)
    for hold, path in held:
        os.makedirs(path, exist_ok=True)
        bind(hold, path)
    return real


def bind(source, target):
    subprocess.run(["mount", "--bind", source, target], check=True)


def raise_loopback():
    """Brings up `lo`, and names the interfaces that exist."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(handle, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(handle, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))
    return sorted(name for _, name in socket.if_nameindex())
