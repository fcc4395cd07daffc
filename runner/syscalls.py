"""Which system calls a run may make: a filter of the kernel that nothing in the run can take off again.

Without it code could become root of a namespace of its own, where more of the kernel can be attacked, and could keep memory that no limit
counts. Network sockets are refused here too, so that there is no network where there are no namespaces. Linux on x86-64 and arm64.
"""
import ctypes
import platform
import sys

import linux

EPERM, EACCES, ENOSYS = 1, 13, 38
ALLOW, ERROR, KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, EQUAL, AT_LEAST, MASK, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16
SET_SECCOMP, FILTER = 22, 2
UNIX = 1
ANY_NAMESPACE = 0x7E020000

# Numbers by machine; names as in the kernel.
MACHINES = {
    "x86_64": (0xC000003E, {
        "ptrace": 101, "pivot_root": 155, "chroot": 161, "mount": 165, "umount2": 166, "add_key": 248, "request_key": 249, "keyctl": 250,
        "unshare": 272, "perf_event_open": 298, "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310, "process_vm_writev": 311,
        "memfd_create": 319, "bpf": 321, "userfaultfd": 323, "shmget": 29,
        "clone": 56, "socket": 41,
    }),
    "aarch64": (0xC00000B7, {
        "ptrace": 117, "pivot_root": 41, "chroot": 51, "mount": 40, "umount2": 39, "add_key": 217, "request_key": 218, "keyctl": 219,
        "unshare": 97, "perf_event_open": 241, "open_by_handle_at": 265, "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271,
        "memfd_create": 279, "bpf": 280, "userfaultfd": 282, "shmget": 194,
        "clone": 220, "socket": 198,
    }),
}  # fmt: skip
# The same everywhere.
NEWER = {
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "open_tree": 428, "move_mount": 429, "fsopen": 430,
    "fsmount": 432, "mount_setattr": 442, "memfd_secret": 447,
}  # fmt: skip
CLONE3 = 435
# Of x86-64: the calls of another table.
OTHER_TABLE = 0x40000000


class Step(ctypes.Structure):
    _fields_ = [("code", ctypes.c_ushort), ("yes", ctypes.c_ubyte), ("no", ctypes.c_ubyte), ("k", ctypes.c_uint)]


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.POINTER(Step))]


def restrict(unix):
    """For this process and all that it becomes; needs NO_NEW_PRIVS before. `unix`: whether it may open sockets of its own machine."""
    known = MACHINES.get(platform.machine())
    if sys.platform != "linux" or known is None:
        return
    steps = program(*known, unix)
    held = (Step * len(steps))(*(Step(*step) for step in steps))
    linux.libc.prctl(SET_SECCOMP, ctypes.c_ulong(FILTER), ctypes.byref(Program(len(steps), held)), ctypes.c_ulong(0), ctypes.c_ulong(0))


def program(machine, numbers, unix):
    refused = [number for name, number in {**numbers, **NEWER}.items() if name not in ("clone", "socket")]
    return [
        (LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, machine), (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER), (AT_LEAST, 0, 1, OTHER_TABLE), (RETURN, 0, 0, ERROR | ENOSYS),
        *(step for number in refused for step in ((EQUAL, 0, 1, number), (RETURN, 0, 0, ERROR | EPERM))),
        # Its flags are in memory, where a filter cannot look; libraries then take `clone`.
        (EQUAL, 0, 1, CLONE3), (RETURN, 0, 0, ERROR | ENOSYS),
        (EQUAL, 0, 4, numbers["clone"]), (LOAD, 0, 0, FIRST_ARGUMENT), (MASK, 0, 0, ANY_NAMESPACE), (EQUAL, 4, 0, 0),
        (RETURN, 0, 0, ERROR | EPERM),
        (EQUAL, 0, 2, numbers["socket"]), (LOAD, 0, 0, FIRST_ARGUMENT), (EQUAL, 0, 1, UNIX) if unix else (EQUAL, 1, 1, UNIX),
        (RETURN, 0, 0, ALLOW), (RETURN, 0, 0, ERROR | EACCES),
    ]  # fmt: skip
