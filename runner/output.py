"""What a run prints: all of it is read, so that it is never held up, and a part of it is kept."""
import os


class Tail:
    """The first bytes of a stream, or its last; how many there were."""

    def __init__(self, most, last):
        self.most, self.last, self.size, self.kept, self.ended = most, last, 0, bytearray(), False

    def take(self, pipe):
        """Whether there was something."""
        try:
            data = os.read(pipe, 65_536)
        except BlockingIOError:
            return False
        if not data:
            self.ended = True
            return False
        self.size += len(data)
        if self.last:
            self.kept = (self.kept + data)[-self.most :]
        else:
            self.kept += data[: self.most - len(self.kept)]
        return True

    def text(self):
        return self.kept.decode("utf-8", "replace")

    def note(self, name):
        if self.size <= self.most:
            return None
        return f"{name}: only the {'last' if self.last else 'first'} {self.most} of {self.size} bytes are kept"
