"""Starts a jail for each run, so many at a time, and finds out at the start what this machine allows."""
import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading

from settings import MB

HERE = os.path.dirname(os.path.abspath(__file__))
# A watcher ends its run by itself; this much later it is taken to be lost.
GRACE_S = 10
INTERPRETER = """
import json, os, sys
paths = [sys.executable, sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path]
print(json.dumps({"python": sys.executable, "paths": sorted({path for given in paths if given for path in (given, os.path.realpath(given))})}))
"""


class Busy(Exception):
    """All places are taken, and were so for as long as one waits."""


class Runs:
    def __init__(self, settings):
        self.settings = settings
        self.stage = os.path.join(settings.data_dir, "stage")
        os.makedirs(self.stage, mode=0o700, exist_ok=True)
        self.slots = queue.Queue()
        for slot in range(settings.parallel):
            self.slots.put(slot)
        self.matplotlib = {}
        self.python, self.interpreter = interpreter(settings.python or sys.executable)
        self.isolated, self.machine = self.find_out()

    def find_out(self):
        """What the code sees, told by code that runs as it will."""
        self.why_open = "it is switched off"
        for isolated in self.settings.isolation:
            self.isolated = isolated
            # The list of fonts goes with the answer, and may be long.
            answer = self.run(job(read("about.py"), 30), {**self.settings.limits, "results": 16 * MB})
            if answer["status"] == "success":
                about = json.loads(answer["results"])
                self.matplotlib = about.pop("matplotlib_files")
                return isolated, about
            self.why_open = answer["stderr"].strip().rpartition("\n")[2]
        raise ValueError(refusal(self.settings, self.isolated, answer["stderr"]))

    def run(self, job, limits=None):
        try:
            slot = self.slots.get(timeout=self.settings.queue_s)
        except queue.Empty:
            raise Busy from None
        top = None
        try:
            uid = self.settings.uid + slot if os.getuid() == 0 else None
            spec = {
                **job,
                "uid": uid,
                "isolated": self.isolated,
                "python": self.python,
                "interpreter": self.interpreter,
                "matplotlib": self.matplotlib,
                "limits": limits or self.settings.limits,
            }
            if self.isolated:
                return jailed({**spec, "stage": self.stage})
            top = tempfile.mkdtemp(prefix="loop-agent-run-")
            return jailed({**spec, **directory(top, spec)})
        finally:
            # Its place is free when its directory is gone; the answer does not wait for that.
            threading.Thread(target=self.leave, args=(slot, top)).start()

    def leave(self, slot, top):
        try:
            if top is not None:
                remove(top)
        finally:
            self.slots.put(slot)


def job(code, timeout_s, dataset=None, results=None):
    """`dataset`: `{name, path}`."""
    return {"code": code, "timeout_s": timeout_s, "dataset": dataset, "results": results}


def interpreter(python):
    """Its real name, and all it needs to run: an installation may be anywhere."""
    asked = [python, "-I", "-B", "-c", INTERPRETER]
    try:
        told = subprocess.run(asked, capture_output=True, timeout=30, check=True, stdin=subprocess.DEVNULL).stdout
    except (OSError, subprocess.SubprocessError):
        raise ValueError(f"RUNNER_PYTHON: {python} is no Python 3 that runs") from None
    known = json.loads(told)
    return known["python"], known["paths"]


def directory(top, spec):
    """Where nothing is isolated: a fresh directory with what the run is given."""
    os.chmod(top, 0o711)
    work, tmp, main = (os.path.join(top, name) for name in ("job", "tmp", "main.py"))
    for path in (work, tmp):
        os.mkdir(path, 0o700)
        if spec["uid"] is not None:
            os.chown(path, spec["uid"], spec["uid"])
    with open(main, "w", encoding="utf-8", newline="") as file:
        file.write(spec["code"])
    os.chmod(main, 0o444)
    if spec["dataset"] is not None:
        # A copy: a link would be the file itself, and the code may be of the user who owns it.
        copy = os.path.join(work, spec["dataset"]["name"])
        shutil.copyfile(spec["dataset"]["path"], copy)
        os.chmod(copy, 0o444)
    return {"work": work, "tmp": tmp, "main": main}


def remove(top):
    """Code may have taken the rights of its own directories away, or made them deeper than Python walks: `rm` minds neither."""
    if os.getuid() != 0:
        subprocess.run(["chmod", "-R", "u+rwX", "--", top], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    subprocess.run(["rm", "-rf", "--", top], stdin=subprocess.DEVNULL, capture_output=True, check=False)


def jailed(spec):
    jail = subprocess.Popen(
        [sys.executable, "-I", "-B", os.path.join(HERE, "jail.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        start_new_session=True,
    )
    try:
        told, said = jail.communicate(json.dumps(spec).encode(), timeout=spec["timeout_s"] + GRACE_S)
        return json.loads(told)
    except (subprocess.TimeoutExpired, ValueError) as error:
        why = said.decode("utf-8", "replace").strip().rpartition("\n")[2] if isinstance(error, ValueError) else "lost"
        return {"status": "lost", "stderr": why}
    finally:
        give_up(jail)


def give_up(jail):
    if jail.poll() is None:
        jail.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            jail.wait(2)
        jail.kill()
        jail.wait()
    for stream in (jail.stdin, jail.stdout, jail.stderr):
        stream.close()


def read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def refusal(settings, isolated, why):
    if isolated:
        return f"RUNNER_REQUIRE_ISOLATION: this machine does not allow it: {why}"
    who = f" as user {settings.uid}" if os.getuid() == 0 else ""
    return f"no code could be run{who} by {settings.python or sys.executable}: {why}"
