"""One run of code that nobody trusts, in a process of its own that outlives it: starts it, watches it, ends all of it, collects.

Reads what to do as JSON from stdin and writes the answer as JSON to stdout. Where the machine allows it (`isolated`) the code sees
its own files, processes and no network; elsewhere (`open`) it is an ordinary process with limits. Started by runs.py.
"""
import errno
import itertools
import json
import os
import select
import signal
import stat
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import collect  # noqa: E402
import linux  # noqa: E402
import limits  # noqa: E402
import members  # noqa: E402
import root  # noqa: E402
import syscalls  # noqa: E402
from output import Tail  # noqa: E402

ALONE = linux.NEWNS | linux.NEWUTS | linux.NEWIPC | linux.NEWPID | linux.NEWNET
# How often limits are looked at, in seconds.
TICK = 0.05
# What is printed beyond what is kept costs time only; beyond this nobody is served by going on.
OUTPUT_MAX = 16 * 1024 * 1024
# Nothing is imported once the file system is another one: what reads and writes here is UTF-8, which Python always has.


def main():
    spec = json.load(sys.stdin)
    answer_to = os.dup(1)
    os.umask(0o022)
    if spec["isolated"]:
        sys.exit(isolate(spec, answer_to))
    # Whoever started this may die: the code must not outlive it. SIGTERM, so that it is ended from here.
    linux.prctl(linux.PDEATHSIG, signal.SIGTERM)
    linux.prctl(linux.SUBREAPER, 1)
    linux.prctl(linux.DUMPABLE, 0)
    tell(answer_to, watched(spec, members.of(spec)))


def isolate(spec, answer_to):
    linux.prctl(linux.PDEATHSIG, signal.SIGKILL)
    uid, gid = os.getuid(), os.getgid()
    if uid == 0:
        linux.unshare(ALONE)
    else:
        linux.unshare(ALONE | linux.NEWUSER)
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with open(f"/proc/self/{name}", "w", encoding="utf-8") as file:
                file.write(text)
    first = os.fork()
    if first != 0:
        return os.waitstatus_to_exitcode(os.waitpid(first, 0)[1])
    # The first process of the namespace: when it ends, for whatever reason, the kernel ends all others in it.
    linux.prctl(linux.PDEATHSIG, signal.SIGKILL)
    linux.prctl(linux.DUMPABLE, 0)
    root.build(spec)
    spec["work"], spec["tmp"], spec["main"] = root.WORK, root.TMP, f"{root.CODE}/main.py"
    tell(answer_to, watched(spec, members.of(spec)))
    return 0


def tell(answer_to, answer):
    with os.fdopen(answer_to, "w", encoding="utf-8") as file:
        json.dump(answer, file, ensure_ascii=False)


def watched(spec, run):
    furnish(spec)
    began = time.monotonic()
    out, err = Tail(spec["limits"]["output"], False), Tail(spec["limits"]["output"], True)
    pipes = {}
    code = start(spec, pipes, out, err)
    signal.signal(signal.SIGTERM, lambda *_: run.end(code))
    try:
        status, stopped = watch(spec, run, code, pipes, began)
    finally:
        run.end(code)
    drain(pipes)
    dataset = None if spec["dataset"] is None else spec["dataset"]["name"]
    results, charts, flaw, notes = collect.collect(spec["work"], dataset, spec["limits"])
    exit_code = None if status is None else os.waitstatus_to_exitcode(status)
    told = [note for note in [stopped, killed_by(exit_code, stopped), flaw, out.note("stdout"), err.note("stderr"), *notes] if note]
    stderr = err.text()
    return {
        "status": "success" if exit_code == 0 and stopped is None and flaw is None else "error",
        "exit_code": exit_code,
        "timed_out": stopped is not None and stopped.startswith("stopped after"),
        "stdout": out.text(),
        "stderr": "".join([stderr, "" if stderr.endswith("\n") or not stderr else "\n", *(f"[runner] {note}\n" for note in told)]),
        "results": results,
        "charts": charts,
        "duration_ms": round((time.monotonic() - began) * 1000),
    }


def furnish(spec):
    """Files that are the same in both kinds of run; the owner is the one who runs the code."""
    kept = os.path.join(spec["tmp"], "matplotlib")
    os.mkdir(kept)
    given = [(os.path.join(kept, name), text) for name, text in spec["matplotlib"].items()]
    if spec["results"] is not None:
        given.append((os.path.join(spec["work"], "result.json"), spec["results"]))
    for path, text in given:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    if spec["uid"] is not None:
        for path in [kept, *(path for path, _ in given)]:
            os.chown(path, spec["uid"], spec["uid"])


def start(spec, pipes, out, err):
    (out_read, out_write), (err_read, err_write) = os.pipe(), os.pipe()
    code = os.fork()
    if code == 0:
        try:
            become(spec, out_write, err_write)
        except BaseException as error:  # noqa: BLE001 – whatever it is, this copy of the watcher must not go on
            os.write(2, f"[runner] the code was not started: {error}\n".encode())
        os._exit(126)
    os.close(out_write)
    os.close(err_write)
    pipes[out_read], pipes[err_read] = out, err
    for pipe in pipes:
        os.set_blocking(pipe, False)
    return code


def become(spec, out, err):
    os.setsid()
    nothing = os.open("/dev/null", os.O_RDONLY)
    for source, target in ((nothing, 0), (out, 1), (err, 2)):
        os.dup2(source, target)
    os.closerange(3, 4096)
    os.chdir(spec["work"])
    for name in ("SIGTERM", "SIGPIPE", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    # The first to go when the machine has no memory left. It may write that of itself only where it may be looked at.
    linux.prctl(linux.DUMPABLE, 1)
    try:
        with open("/proc/self/oom_score_adj", "w", encoding="utf-8") as file:
            file.write("1000")
    except OSError:
        pass
    limits.bound(spec)
    if spec["uid"] is not None:
        os.setgroups([])
        os.setresgid(spec["uid"], spec["uid"], spec["uid"])
        os.setresuid(spec["uid"], spec["uid"], spec["uid"])
    linux.prctl(linux.NO_NEW_PRIVS, 1)
    linux.prctl(linux.PDEATHSIG, signal.SIGKILL)
    syscalls.restrict(unix=spec["isolated"])
    os.execve(spec["python"], [spec["python"], "-I", "-B", "-u", "-X", "utf8", spec["main"]], limits.environment(spec["tmp"]))


def watch(spec, run, code, pipes, began):
    """`(wait status, why it was stopped)`; of one that was stopped there is no status."""
    most, turns = spec["limits"], itertools.count()
    while True:
        pid, status = os.waitpid(code, os.WNOHANG)
        if pid == code:
            return status, None
        if time.monotonic() - began > spec["timeout_s"]:
            return None, f"stopped after {spec['timeout_s']} s"
        if sum(tail.size for tail in pipes.values()) > OUTPUT_MAX:
            return None, f"stopped, it printed more than {OUTPUT_MAX // 1048576} MB"
        if run.memory() > most["memory"]:
            return None, f"stopped, it used more than {most['memory'] // 1048576} MB of memory"
        # Isolated, the place itself has that size.
        if not spec["isolated"] and next(turns) % 5 == 0 and is_too_much(spec, most["disk"]):
            return None, f"stopped, it wrote more than {most['disk'] // 1048576} MB or {root.INODES} files"
        for pipe in select.select([pipe for pipe, tail in pipes.items() if not tail.ended], [], [], TICK)[0]:
            pipes[pipe].take(pipe)


def is_too_much(spec, most):
    """Step by step, not by recursion: code makes directories deeper than that."""
    total, number, places = 0, 0, [spec["work"], spec["tmp"]]
    while places:
        try:
            with os.scandir(places.pop()) as listed:
                for entry in listed:
                    seen = entry.stat(follow_symlinks=False)
                    total, number = total + seen.st_blocks * 512, number + 1
                    if total > most or number > root.INODES:
                        return True
                    if stat.S_ISDIR(seen.st_mode):
                        places.append(entry.path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return True
    return False


def drain(pipes):
    """What was still under way. Whoever wrote it is gone, so this ends; if not so, it is not waited for."""
    for pipe, tail in pipes.items():
        while not tail.ended and tail.size <= OUTPUT_MAX and tail.take(pipe):
            pass


def killed_by(exit_code, stopped):
    if exit_code is None or exit_code >= 0 or stopped is not None:
        return None
    names = {number.value: number.name for number in signal.Signals}
    return f"ended by {names.get(-exit_code, f'signal {-exit_code}')}"


if __name__ == "__main__":
    main()
