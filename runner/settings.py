"""What the environment says, read once; anything that is not understood is a reason not to start."""
import os
import re
from dataclasses import dataclass

MB = 1024 * 1024
# Of one dataset, as in the contract.
DATASET_BYTES_MAX = 50 * MB
# The longest a request may ask for, in seconds.
TIMEOUT_MAX_S = 30


@dataclass(frozen=True)
class Settings:
    host: str
    port: int
    secret: str
    data_dir: str
    python: str
    # What is tried, the first that works is taken.
    isolation: tuple
    # Runs at the same time, and how long another waits for its turn, in seconds.
    parallel: int
    queue_s: int
    # Where it is started as root: runs get this user and those after it, one each.
    uid: int
    # Of all that is kept of datasets; the least recently used goes first.
    datasets_bytes: int
    limits: dict


def read_settings(env):
    number = lambda name, otherwise, least, most: whole(env, name, otherwise, least, most)  # noqa: E731
    secret = env.get("RUNNER_SECRET", "")
    if secret and not re.fullmatch(r"[\x21-\x7e]{16,512}", secret):
        raise ValueError("RUNNER_SECRET must be 16 to 512 visible ASCII characters")
    return Settings(
        host=env.get("RUNNER_HOST") or "127.0.0.1",
        port=number("RUNNER_PORT", 8790, 0, 65_535),
        secret=secret,
        data_dir=os.path.abspath(env.get("RUNNER_DATA_DIR") or os.path.join(".data", "runner")),
        python=env.get("RUNNER_PYTHON") or "",
        isolation=isolation_in(env),
        parallel=number("RUNNER_PARALLEL", max(1, min(4, os.cpu_count() or 1)), 1, 64),
        queue_s=number("RUNNER_QUEUE_S", 5, 0, 10),
        uid=number("RUNNER_UID", 60_800, 1, 65_000),
        datasets_bytes=number("RUNNER_DATASETS_MB", 1024, 50, 1_000_000) * MB,
        limits={
            "memory": number("RUNNER_MEMORY_MB", 1024, 64, 65_536) * MB,
            "disk": number("RUNNER_DISK_MB", 256, 1, 4096) * MB,
            "processes": number("RUNNER_PROCESSES", 32, 1, 1024),
            "output": 64 * 1024,
            "results": 256 * 1024,
            "charts": 8,
            "charts_bytes": 4 * MB,
        },
    )


def isolation_in(env):
    required, off = (env.get(name, "") not in ("", "0") for name in ("RUNNER_REQUIRE_ISOLATION", "RUNNER_NO_ISOLATION"))
    if required and off:
        raise ValueError("RUNNER_REQUIRE_ISOLATION and RUNNER_NO_ISOLATION are not both possible")
    return (True,) if required else (False,) if off else (True, False)


def whole(env, name, otherwise, least, most):
    text = env.get(name) or str(otherwise)
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not least <= int(text) <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most}")
    return int(text)
