"""The calls of Linux that Python has no function for: namespaces, mounts, and what a process may ask for itself.

Nothing here decides anything. Each call raises OSError where the machine does not allow it; away from Linux all but `prctl` do.
"""
import ctypes
import os
import sys

NEWNS, NEWUTS, NEWIPC = 0x00020000, 0x04000000, 0x08000000
NEWUSER, NEWPID, NEWNET = 0x10000000, 0x20000000, 0x40000000

RDONLY, NOSUID, NODEV, NOEXEC, REMOUNT = 1, 2, 4, 8, 32
NOATIME, NODIRATIME, BIND, REC, PRIVATE, RELATIME = 1024, 2048, 4096, 16384, 1 << 18, 1 << 21
MNT_DETACH = 2

PDEATHSIG, DUMPABLE, SUBREAPER, NO_NEW_PRIVS = 1, 4, 36, 38

libc = ctypes.CDLL(None, use_errno=True)


def call(name, *args):
    function = getattr(libc, name, None)
    if function is None:
        raise OSError(f"{name} is not to be had on {sys.platform}")
    if function(*args) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def prctl(option, value):
    """Best effort: a machine without it protects less, and says so as its isolation."""
    if sys.platform == "linux":
        libc.prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0))


def unshare(flags):
    call("unshare", ctypes.c_int(flags))


def encoded(text):
    return None if text is None else os.fsencode(text)


def mount(source, target, kind, flags, data=None):
    call("mount", encoded(source), encoded(target), encoded(kind), ctypes.c_ulong(flags), encoded(data))


def bind(source, target):
    """Shows `source` at `target`, read-only and without set-uid programs. What lies mounted below it comes along."""
    mount(source, target, None, BIND | REC)
    mount(None, target, None, REMOUNT | BIND | RDONLY | NOSUID | kept_flags(target))


def kept_flags(path):
    """In a user namespace a flag of the mount below must be named again, or the mount is refused."""
    there = os.statvfs(path).f_flag
    flags = {os.ST_NODEV: NODEV, os.ST_NOEXEC: NOEXEC, os.ST_NOATIME: NOATIME, os.ST_NODIRATIME: NODIRATIME, os.ST_RELATIME: RELATIME}
    return sum(flag for seen, flag in flags.items() if there & seen)


def device(path, target):
    mount(path, target, None, BIND)


def enter_root(path):
    """Makes `path` the whole file system of this process and its children; what was there before is gone for them."""
    os.chdir(path)
    call("pivot_root", b".", b".")
    call("umount2", b".", ctypes.c_int(MNT_DETACH))
    os.chdir("/")
    mount(None, "/", None, REMOUNT | BIND | RDONLY | NOSUID | NODEV)
