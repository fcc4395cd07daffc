"""The file system that a run sees: the machine's programs and fonts read-only, an empty place to work in, and nothing else.

Called in fresh namespaces by the process that watches the run. The place to work in is memory with a size, so that nothing is left
of it, and no run fills a disk.
"""
import os

import linux

SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]
ETC = ["alternatives", "fonts", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "matplotlibrc", "mime.types", "timezone"]
SEEN = SYSTEM + [f"/etc/{name}" for name in ETC] + ["/var/cache/fontconfig"]
DEVICES = ["null", "zero", "full", "random", "urandom"]
WORK, TMP, CODE = "/job", "/tmp", "/code"
INODES = 10_000


def build(spec):
    stage, owner = spec["stage"], spec["uid"]
    linux.mount(None, "/", None, linux.REC | linux.PRIVATE)
    memory(stage, "/", "size=8m,mode=0755")
    for path in outermost(SEEN + spec["interpreter"]):
        show(path, stage)
    devices(stage)
    processes(stage)
    for path in (WORK, TMP):
        memory(stage, path, f"size={spec['limits']['disk']},nr_inodes={INODES},mode=0700")
        if owner is not None:
            os.chown(stage + path, owner, owner)
    put(stage + "/etc/passwd", f"code:x:{os.getuid() if owner is None else owner}:0::{TMP}:/bin/false\n")
    put(stage + CODE + "/main.py", spec["code"])
    if spec["dataset"] is not None:
        target = os.path.join(stage + WORK, spec["dataset"]["name"])
        put(target, "")
        linux.bind(spec["dataset"]["path"], target)
    linux.enter_root(stage)


def memory(stage, path, options):
    os.makedirs(stage + path, exist_ok=True)
    linux.mount("tmpfs", stage + path, "tmpfs", linux.NOSUID | linux.NODEV, options)


def outermost(paths):
    """Each that exists and lies in no other of them."""
    there = sorted({os.path.normpath(path) for path in paths if os.path.lexists(path)})
    return [path for path in there if path != "/" and not any(path.startswith(f"{other}/") for other in there)]


def show(path, stage):
    target = stage + path
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), target)
        return
    if os.path.isdir(path):
        os.mkdir(target)
    else:
        put(target, "")
    linux.bind(path, target)


def devices(stage):
    for name in DEVICES:
        put(f"{stage}/dev/{name}", "")
        linux.device(f"/dev/{name}", f"{stage}/dev/{name}")
    memory(stage, "/dev/shm", f"size=64m,nr_inodes={INODES},mode=1777")


def processes(stage):
    """Only its own. A container may not allow even that: then none are shown."""
    os.mkdir(stage + "/proc")
    try:
        linux.mount("proc", stage + "/proc", "proc", linux.NOSUID | linux.NODEV | linux.NOEXEC)
    except OSError:
        pass


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    os.chmod(path, 0o444)
