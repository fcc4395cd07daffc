"""What a request says, checked before anything is done; whatever is wrong with it is a `Refused` that says what to do."""
import json

from datasets import is_id, is_name
from settings import TIMEOUT_MAX_S

CODE_BYTES_MAX = 256 * 1024
RESULTS_BYTES_MAX = 1024 * 1024
CHUNK = 65_536


class Refused(Exception):
    def __init__(self, status, message, headers=None):
        super().__init__(message)
        self.status, self.message, self.headers = status, message, headers or {}


def asked_run(body):
    try:
        asked = json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Refused(400, "the body must be JSON in UTF-8") from None
    if not isinstance(asked, dict):
        raise Refused(400, "the body must be a JSON object")
    if asked.get("version") != 1 or asked.get("language") != "python":
        raise Refused(400, 'this runner takes version 1 and language "python"')
    timeout_s = asked.get("timeout_s", TIMEOUT_MAX_S)
    if isinstance(timeout_s, bool) or not isinstance(timeout_s, (int, float)) or not 0 < timeout_s <= TIMEOUT_MAX_S:
        raise Refused(400, f"timeout_s must be a number above 0 and at most {TIMEOUT_MAX_S}")
    return {
        "code": text_in(asked, "code", CODE_BYTES_MAX),
        "results": None if asked.get("results") is None else text_in(asked, "results", RESULTS_BYTES_MAX),
        "dataset": dataset_in(asked.get("dataset")),
        "timeout_s": timeout_s,
    }


def text_in(asked, name, most):
    text = asked.get(name)
    if not isinstance(text, str):
        raise Refused(400, f"{name} must be a text")
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise Refused(400, f"{name} must be well-formed text") from None
    if size > most:
        raise Refused(413, f"{name} has {size} bytes, at most {most} are taken")
    return text


def dataset_in(value):
    if value is None:
        return None
    if not isinstance(value, dict) or not is_id(value.get("id")):
        raise Refused(400, "dataset.id must be 1 to 128 letters, digits, _ or -")
    if not is_name(value.get("name")):
        raise Refused(400, "dataset.name must be a file name without folders, not result.json")
    return {"id": value["id"], "name": value["name"]}


def body_of(handler, most):
    return b"".join(chunks_of(handler, most))


def chunks_of(handler, most):
    """The body piece by piece; a length that is not kept, or a broken frame, is refused."""
    coding = handler.headers.get("transfer-encoding")
    length = handler.headers.get("content-length")
    if coding is not None:
        if coding.strip().lower() != "chunked" or length is not None:
            raise Refused(400, "a body has a content-length, or is chunked")
        yield from chunked(handler.rfile, most)
        return
    if length is None or not (length.isascii() and length.isdigit() and len(length) <= 12):
        raise Refused(411, "a body has a content-length, or is chunked")
    if int(length) > most:
        raise too_large(most)
    yield from exactly(handler.rfile, int(length))


def too_large(most):
    return Refused(413, f"at most {most} bytes are taken")


def exactly(stream, size):
    while size > 0:
        data = stream.read(min(size, CHUNK))
        if not data:
            raise Refused(400, "the body broke off")
        size -= len(data)
        yield data


def chunked(stream, most):
    total = 0
    while True:
        head = stream.readline(64)
        digits = head.split(b";", 1)[0].strip()
        if not head.endswith(b"\n") or not 1 <= len(digits) <= 8 or digits.strip(b"0123456789abcdefABCDEF"):
            raise Refused(400, "the body broke off, or is not chunked as it says")
        size = int(digits, 16)
        if size == 0:
            break
        total += size
        if total > most:
            raise too_large(most)
        yield from exactly(stream, size)
        if stream.readline(3) not in (b"\r\n", b"\n"):
            raise Refused(400, "the body is not chunked as it says")
    for _ in range(32):
        if stream.readline(4096) in (b"\r\n", b"\n"):
            return
    raise Refused(400, "the body broke off, or is not chunked as it says")
