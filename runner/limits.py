"""What the kernel holds a run to, and what a run is told of the machine; set by the process that becomes the run."""
import os
import resource
import sys

import members


def bound(spec):
    limits = spec["limits"]
    seconds = int(spec["timeout_s"]) + 1
    wanted = {
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": seconds,
        "RLIMIT_AS": limits["memory"],
        "RLIMIT_FSIZE": limits["disk"],
        "RLIMIT_NOFILE": 256,
        "RLIMIT_NPROC": limits["processes"] + (0 if spec["uid"] is not None else running()),
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
    }
    for name, most in wanted.items():
        number = getattr(resource, name, None)
        if number is None:
            continue
        hard = resource.getrlimit(number)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(number, (least, least))
        except (OSError, ValueError):
            # macOS does not bound the address space.
            if sys.platform == "linux":
                raise


def running():
    """Processes and threads that count for this user already: the limit is his, not the run's."""
    count = 0
    for pid in members.pids():
        if members.owner(pid) == os.getuid():
            count += tasks(pid)
    return count


def tasks(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def environment(tmp):
    """All of it: nothing of the runner's own reaches the code. One thread per process, so that the limits hold what they say."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR")}
    matplotlib = {"MPLBACKEND": "Agg", "MPLCONFIGDIR": os.path.join(tmp, "matplotlib")}
    return {"PATH": "/usr/bin:/bin", "HOME": tmp, "TMPDIR": tmp, "LANG": "C.UTF-8", "TZ": "UTC", **threads, **matplotlib}
