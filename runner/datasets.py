"""Datasets by id: an id stands for bytes that never change, so what is held is never asked for again, nor written again.

An id is a name that others chose: only what cannot be a path is one.
"""
import contextlib
import os
import re
import tempfile
import threading


def is_id(text):
    return isinstance(text, str) and re.fullmatch(r"[A-Za-z0-9_-]{1,128}", text) is not None


def is_name(text):
    """Of a file in the working directory; `result.json` is for results."""
    plain = isinstance(text, str) and re.fullmatch(r"[^/\\\x00-\x1f\x7f\ud800-\udfff]{1,128}", text) is not None
    return plain and text not in (".", "..", "result.json") and len(text.encode("utf-8")) <= 255


class Datasets:
    def __init__(self, directory, bytes_max):
        self.directory, self.bytes_max = directory, bytes_max
        self.lock, self.held = threading.Lock(), {}
        os.makedirs(directory, mode=0o700, exist_ok=True)
        for name in os.listdir(directory):
            if name.startswith("."):
                os.unlink(os.path.join(directory, name))

    def path(self, of):
        return os.path.join(self.directory, of)

    @contextlib.contextmanager
    def hold(self, of):
        """Its path, or None when it is not here; while it is held it is not thrown away."""
        path = self.path(of)
        with self.lock:
            there = os.path.isfile(path)
            if there:
                os.utime(path)
                self.held[of] = self.held.get(of, 0) + 1
        try:
            yield path if there else None
        finally:
            if there:
                with self.lock:
                    self.held[of] -= 1

    def take(self, of, chunks):
        """Whole or not at all: an upload that breaks off leaves nothing. Raises what `chunks` raises."""
        handle, partial = tempfile.mkstemp(dir=self.directory, prefix=".")
        try:
            with os.fdopen(handle, "wb") as file:
                for chunk in chunks:
                    file.write(chunk)
            os.chmod(partial, 0o444)
            with self.lock:
                if os.path.exists(self.path(of)):
                    return
                self.make_room(os.path.getsize(partial))
                os.rename(partial, self.path(of))
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(partial)

    def make_room(self, size):
        with os.scandir(self.directory) as listed:
            files = [(entry.stat().st_mtime, entry.name, entry.stat().st_size) for entry in listed if not entry.name.startswith(".")]
        total = size + sum(size for _, _, size in files)
        for _, name, size in sorted(files):
            if total <= self.bytes_max:
                return
            if self.held.get(name, 0) == 0:
                os.unlink(self.path(name))
                total -= size
