"""Which processes belong to a run, whatever they have become – other session, other group, child of nobody –, and the end of them."""
import os
import resource
import signal
import time

PAGE = resource.getpagesize()


def of(spec):
    if spec["isolated"]:
        return Namespace()
    return Descendants() if spec["uid"] is None else User(spec["uid"])


class Members:
    def memory(self):
        """Bytes of all of them. Limits of the kernel are per process; this one is for the run."""
        total = 0
        for pid in self.pids():
            try:
                with open(f"/proc/{pid}/statm", encoding="utf-8") as file:
                    total += int(file.read().split()[1]) * PAGE
            except (OSError, IndexError, ValueError):
                continue
        return total

    def end(self, code):
        while True:
            self.kill(code)
            if not reap():
                return
            time.sleep(0.005)


class Namespace(Members):
    """All but this process, the first of its namespace."""

    def pids(self):
        return [pid for pid in pids() if pid != 1]

    def kill(self, _):
        quietly(os.kill, -1)


class User(Members):
    """All of a user whom nobody else is."""

    def __init__(self, uid):
        self.uid = uid

    def pids(self):
        return [pid for pid in pids() if owner(pid) == self.uid]

    def kill(self, _):
        """At once, which no fork escapes: only that user can ask for it, so a child becomes him."""
        child = os.fork()
        if child == 0:
            os.setresuid(self.uid, self.uid, self.uid)
            quietly(os.kill, -1)
            os._exit(0)
        os.waitpid(child, 0)


class Descendants(Members):
    """Orphans among them come to this process, which has asked for them (SUBREAPER)."""

    def pids(self):
        parents = {pid: parent(pid) for pid in pids()}
        ours = {os.getpid()}
        while more := {pid for pid, above in parents.items() if above in ours} - ours:
            ours |= more
        return sorted(ours - {os.getpid()})

    def kill(self, code):
        # All that there is where there is no /proc.
        quietly(os.killpg, code)
        for pid in self.pids():
            quietly(os.kill, pid)


def reap():
    """Whether some are left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0] != 0:
            pass
        return True
    except ChildProcessError:
        return False


def quietly(kill, which):
    try:
        kill(which, signal.SIGKILL)
    except OSError:
        pass


def pids():
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return []


def owner(pid):
    """Its real user. Whose its directory in /proc is says less: a process can make that root's."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Uid:"))
    except (OSError, StopIteration):
        return None


def parent(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return None
