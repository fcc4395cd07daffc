"""What a run has left in its directory: `result.json` and its charts.

Everything there was made by code that nobody trusts, and nothing of it runs any more. Only plain files with one name are read, by a
descriptor that follows no link and waits for no pipe, and never more of them than the limits say.
"""
import base64
import itertools
import json
import os
import re
import stat

PNG_HEAD, PNG_TAIL = b"\x89PNG\r\n\x1a\n", b"IEND\xaeB`\x82"
ENTRIES_MAX = 10_000
TYPES = {".png": "image/png", ".svg": "image/svg+xml"}


def collect(directory, dataset, limits):
    """`(results, charts, flaw, notes)`: a flaw makes the run a failed one, a note only says what was left out."""
    try:
        where = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None, [], "nothing is kept, the working directory is no longer one that can be read", []
    try:
        results, flaw = results_in(where, limits["results"])
        charts, notes = charts_in(where, dataset, limits)
        return results, charts, flaw, notes
    finally:
        os.close(where)


def results_in(where, most):
    data, flaw = read(where, "result.json", most)
    if data is None:
        return None, flaw
    try:
        return strict(data.decode("utf-8")), None
    except (ValueError, RecursionError) as error:
        return None, f"result.json is not kept, it is no JSON: {str(error)[:200]}"


def strict(text):
    """NaN and Infinity, which Python writes and JSON does not know, become null."""
    odd = []
    value = json.loads(text, parse_constant=odd.append)
    return json.dumps(value, ensure_ascii=False, allow_nan=False) if odd else text


def charts_in(where, dataset, limits):
    charts, notes, room = [], [], limits["charts_bytes"]
    names = sorted((name for name in entries(where) if name != dataset and suffix(name) in TYPES), key=in_order)
    for name in names[: limits["charts"]]:
        data, flaw = read(where, name, room)
        if data is not None and not is_image(data, suffix(name)):
            flaw, data = f"{name} is not kept, it is no whole image", None
        if data is None:
            notes.append(flaw)
            continue
        room -= len(data)
        content = base64.b64encode(data).decode("ascii")
        charts.append({"name": name, "content_type": TYPES[suffix(name)], "base64": content})
    if len(names) > limits["charts"]:
        notes.append(f"only the first {limits['charts']} of {len(names)} charts are kept")
    return charts, notes


def entries(where):
    with os.scandir(where) as listed:
        names = [entry.name for entry in itertools.islice(listed, ENTRIES_MAX)]
    return [name for name in names if re.fullmatch(r"[^\x00-\x1f\x7f\ud800-\udfff]{1,128}", name)]


def suffix(name):
    return os.path.splitext(name)[1].lower()


def in_order(name):
    """result.png, then by name as people count: chart-2 before chart-10."""
    parts = [(0, int(part), "") if part.isascii() and part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name)]
    return name != "result.png", parts


def is_image(data, kind):
    if kind == ".png":
        return data.startswith(PNG_HEAD) and data.rstrip(b"\0\n").endswith(PNG_TAIL)
    try:
        text = data.decode("utf-8")
    except ValueError:
        return False
    return "<svg" in text[:4096] and text.rstrip().endswith("</svg>")


def read(where, name, most):
    """`(bytes, None)`, `(None, why not)`, or `(None, None)` where there is no such file."""
    try:
        opened = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=where)
    except FileNotFoundError:
        return None, None
    except OSError:
        return None, f"{name} is not kept, it is no plain file"
    try:
        seen = os.fstat(opened)
        if not stat.S_ISREG(seen.st_mode) or seen.st_nlink != 1:
            return None, f"{name} is not kept, it is no plain file"
        if seen.st_size > most:
            return None, f"{name} is not kept, it has {seen.st_size} bytes, at most {most} are taken"
        with os.fdopen(os.dup(opened), "rb") as file:
            return file.read(most), None
    finally:
        os.close(opened)
