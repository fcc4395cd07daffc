"""A client of loop-agent for Python 3.9 and newer. It needs the standard library and nothing else.

Answers are plain dicts, as the service sends them. A refusal is a LoopAgentError. Times, sleep, randomness and the network come in as
arguments of LoopAgent, so a test needs no network and no waiting.
"""

# An answer is what the service says it is: the types below name its members, and nothing checks them.
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import base64
import binascii
import contextlib
import email.utils
import hashlib
import hmac
import http.client
import json
import os
import random as random_module
import re
import ssl
import time
import uuid
from dataclasses import dataclass
from datetime import timezone
from typing import (
    Any,
    Callable,
    Dict,
    Generator,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypedDict,
    Union,
)
from urllib.parse import quote, urlencode, urlsplit

__all__ = [
    "Answer",
    "Event",
    "File",
    "LoopAgent",
    "LoopAgentError",
    "Request",
    "Task",
    "Webhook",
    "WebhookError",
    "http_transport",
    "verify_webhook",
]
__version__ = "0.1.0"

Json = Dict[str, Any]


class Task(TypedDict, total=False):
    """The members of a task that most programs read; the contract in openapi.yaml lists all of them."""

    id: str
    mode: str
    goal: str
    status: str
    stop_reason: Optional[str]
    plan: Json
    last_thought: Optional[Json]
    budget: Json
    step_count: int
    counters: Json
    pending: Optional[Json]
    result: Optional[Json]
    error: Optional[Json]
    handover: Optional[Json]
    slice: Optional[Json]
    retry_after_ms: Optional[int]
    settings: Json
    tools: List[str]
    drive: str
    callback_url: Optional[str]
    metadata: Dict[str, str]
    title: Optional[str]
    forked_from: Optional[Json]
    version: int
    created_at: str
    updated_at: str


class Event(TypedDict):
    """What happened in a task. `seq` counts from 1 without a gap."""

    seq: int
    type: str
    at: str
    task_id: str
    payload: Json


class File(TypedDict):
    """A file of a task."""

    name: str
    content_type: str
    size: int
    url: str
    created_at: str


class Webhook(TypedDict):
    """The body of a callback."""

    type: str
    timestamp: str
    data: Json


#: A task is named by its id, or by an answer that shows it.
TaskRef = Union[str, Mapping[str, Any]]
#: A text is stored as UTF-8; a path is read.
Content = Union[bytes, bytearray, str, "os.PathLike[str]"]

ENDED = frozenset({"completed", "failed", "canceled"})
#: The service does nothing more until its client does something.
_SETTLED = ENDED | {"input_required", "paused"}

#: Conflicts that pass by themselves.
_RETRYABLE_CONFLICTS = frozenset({"task_busy", "request_in_progress", "lease_lost"})
_RETRYABLE_STATUSES = frozenset({429, 502, 503, 504})
#: These stay until a person does something, so a repetition would change nothing.
_FINAL_CODES = frozenset({"quota_exceeded", "not_configured"})
#: The service or a proxy may have done the work before these. Other retryable answers say that nothing was done.
_AMBIGUOUS_STATUSES = frozenset({502, 504})

_BACKOFF_FIRST_S = 0.5
_BACKOFF_MAX_S = 8.0
_POLL_FIRST_S = 0.2
_POLL_MAX_S = 2.0
#: The service sends a comment every 15 s, so a longer silence is a connection that is lost.
_STREAM_SILENCE_S = 45.0
_ANSWER_BYTES_MAX = 64 * 1024 * 1024
_LINE_BYTES_MAX = 1024 * 1024
_EVENT_BYTES_MAX = 4 * 1024 * 1024
_READ_BYTES = 64 * 1024
_SHOWN_CHARACTERS = 200

_VISIBLE_ASCII = re.compile(r"[\x21-\x7e]{1,512}")
_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e]{1,255}")
_NETWORK_ERRORS = (OSError, http.client.HTTPException)


class LoopAgentError(Exception):
    """The service refused a request, or gave no usable answer.

    status      the HTTP status; 0: there was no answer
    code        the stable code of the problem. Codes of this client: network_error and timeout (no whole answer came), redirect_refused, not_json,
                bad_stream, answer_too_large, nothing_asked, and http_error for an answer that is no problem document
    detail      what is wrong, as a sentence
    problem     the whole problem document, or None
    request_id  the X-Request-Id of the answer, or None
    key         the Idempotency-Key of the request, or None. Send the same request under it again to repeat it safely
    """

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        problem: Optional[Json] = None,
        request_id: Optional[str] = None,
        key: Optional[str] = None,
    ) -> None:
        super().__init__(status, code, detail, problem, request_id, key)
        self.status = status
        self.code = code
        self.detail = detail
        self.problem = problem
        self.request_id = request_id
        self.key = key

    def __str__(self) -> str:
        errors = (self.problem or {}).get("errors")
        fields = [f"{one.get('pointer') or '/'}: {one.get('message')}" for one in errors or [] if isinstance(one, dict)]
        return "; ".join([f"{self.status} {self.code}: {self.detail}", *fields])


class WebhookError(Exception):
    """A message that is not to be trusted. `check` names what failed: id, timestamp, secret, signature or body."""

    def __init__(self, check: str, detail: str) -> None:
        super().__init__(check, detail)
        self.check = check
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.check}: {self.detail}"


@dataclass(frozen=True)
class Request:
    """One HTTP request. `streamed`: `timeout` bounds each silence, and not the whole answer."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: Optional[bytes]
    timeout: float
    streamed: bool = False


@dataclass(frozen=True)
class Answer:
    """One HTTP answer. The names of `headers` are in lower case. `chunks` raises when the body is cut."""

    status: int
    headers: Mapping[str, str]
    chunks: Iterator[bytes]
    close: Callable[[], None] = lambda: None


Transport = Callable[[Request], Answer]


class _Received(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class LoopAgent:
    """The verbs of loop-agent. An object holds no connection, so it needs no closing and may be shared by threads.

    url        where the service is; a path in it is kept
    key        the API key; it is sent to this address only
    language   of problems and texts, such as "zh"; None: English
    retries    how often a request is repeated, always under the same Idempotency-Key
    timeout    seconds for one answer
    max_wait   a Retry-After of more seconds ends the request with its error
    transport  sends one Request and gives its Answer. The default follows no redirect and heeds no proxy variable of the environment
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8787",
        key: str = "dev-key",
        language: Optional[str] = None,
        retries: int = 4,
        timeout: float = 120,
        max_wait: float = 60,
        *,
        transport: Optional[Transport] = None,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random_module.random,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._base = _base_url(url)
        if not _VISIBLE_ASCII.fullmatch(key):
            raise ValueError("key must be 1 to 512 visible ASCII characters")
        if language is not None and not re.fullmatch(r"[A-Za-z0-9,;=.* -]{1,100}", language):
            raise ValueError('language must be a value of Accept-Language, such as "zh"')
        self._headers = {"authorization": f"Bearer {key}", "user-agent": f"loop-agent-python/{__version__}"}
        if language is not None:
            self._headers["accept-language"] = language
        self._retries = retries
        self._timeout = timeout
        self._max_wait = max_wait
        self._transport = transport or http_transport
        self._sleep = sleep
        self._random = random
        self._clock = clock
        self._now = now
        # The resources of the service: a new one is a class below and a line here.
        self.agents = Agents(self)
        self.schedules = Schedules(self)
        self.secrets = Secrets(self)
        self.telemetry = Telemetry(self)
        self.deliveries = Deliveries(self)
        self.webhooks = Webhooks(self)
        self.tools = Tools(self)
        self.delegations = Delegations(self)
        self.admin = Admin(self)

    # Making tasks

    def create(
        self,
        goal_or_body: Union[str, Mapping[str, Any]],
        *,
        files: Optional[Mapping[str, Content]] = None,
        include: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **members: Any,
    ) -> Task:
        """Makes a task, plans it, and advances it by one slice. `files`: its files by name, which are stored before it begins."""
        body = _body_of("goal", goal_or_body, members)
        query = {"include": include}
        if files is None:
            return self._json("POST", "/tasks", body, query=query, idempotency_key=idempotency_key)
        content, content_type = _multipart(body, files)
        return self._json("POST", "/tasks", query=query, content=content, content_type=content_type, idempotency_key=idempotency_key)

    def dry_run(
        self, goal_or_body: Union[str, Mapping[str, Any]], *, idempotency_key: Optional[str] = None, **members: Any
    ) -> Json:
        """Plans only: the plan, the worst case and the expected cost. No task is stored."""
        return self._json("POST", "/tasks/dry-run", _body_of("goal", goal_or_body, members), idempotency_key=idempotency_key)

    def fork(self, task: TaskRef, at: int, *, idempotency_key: Optional[str] = None, **members: Any) -> Task:
        """Makes a task from the past of another one, up to the row `at` of its journal."""
        return self._post(task, "/fork", {"at": at, **members}, idempotency_key)

    def retry(self, task: TaskRef, *, idempotency_key: Optional[str] = None, **members: Any) -> Task:
        """Makes an ended task again."""
        return self._post(task, "/retry", members, idempotency_key)

    # Reading tasks

    def get(self, task: TaskRef, *, include: Optional[str] = None) -> Task:
        return self._json("GET", _task_path(task), query={"include": include})

    def list(
        self,
        *,
        status: Optional[str] = None,
        mode: Optional[str] = None,
        outcome: Optional[str] = None,
        q: Optional[str] = None,
        agent: Optional[str] = None,
        forked_from: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        include: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Task]:
        """All tasks that fit, newest first. `limit` is the size of a page; pages are fetched as they are needed."""
        labels = {f"metadata.{name}": value for name, value in (metadata or {}).items()}
        query = {"status": status, "mode": mode, "outcome": outcome, "q": q, "agent": agent, "forked_from": forked_from, "include": include}
        return self._pages("/tasks", {**query, **labels}, limit)

    def journal(self, task: TaskRef, *, redact: Optional[str] = None, limit: Optional[int] = None) -> Iterator[Json]:
        """Every effect of the task, with its cost and outcome."""
        return self._pages(_task_path(task, "/journal"), {"redact": redact}, limit)

    def export(self, task: TaskRef, *, limit: Optional[int] = None) -> Iterator[Json]:
        """The rows of the journal as they are stored."""
        return self._pages(_task_path(task, "/export"), {}, limit)

    def replay(self, task: TaskRef, *, idempotency_key: Optional[str] = None) -> Json:
        """Checks each row of the journal against what was decided."""
        return self._post(task, "/replay", {}, idempotency_key)

    # Driving tasks

    def step(
        self,
        task: TaskRef,
        *,
        rounds: Optional[int] = None,
        max_ms: Optional[int] = None,
        wait: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Task:
        """Advances the task by one slice. `wait`: seconds to wait while the task is busy, at most 30."""
        body = _without_none({"rounds": rounds, "max_ms": max_ms})
        return self._post(task, "/step", body, idempotency_key, wait)

    def input(
        self,
        task: TaskRef,
        text_or_body: Union[str, Mapping[str, Any]],
        *,
        wait: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        **members: Any,
    ) -> Task:
        """Says something to the task: an answer, a remark, "continue", or a slash command."""
        return self._post(task, "/input", _body_of("input", text_or_body, members), idempotency_key, wait)

    def answer(
        self,
        task: TaskRef,
        text: str,
        *,
        request_id: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        **members: Any,
    ) -> Task:
        """Answers what the task asks, and nothing else: a question that has changed meanwhile is refused as `question_settled`."""
        if request_id is None:
            shown = task if isinstance(task, Mapping) and "pending" in task else self.get(task)
            request_id = _asked(shown)
        if request_id is None:
            raise LoopAgentError(0, "nothing_asked", "the task asks nothing; input() says something to it all the same")
        return self.input(task, text, request_id=request_id, idempotency_key=idempotency_key, **members)

    def budget(
        self, task: TaskRef, add: Optional[Mapping[str, Any]] = None, *, idempotency_key: Optional[str] = None, **axes: Any
    ) -> Task:
        """Adds to the budget: `budget(id, steps=10)`."""
        return self._post(task, "/budget", {"add": {**(add or {}), **axes}}, idempotency_key)

    def change_plan(
        self,
        task: TaskRef,
        items: Sequence[Mapping[str, Any]],
        *,
        version: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Task:
        """Replaces the items that are not finished, at the version that you have seen: that of `task`, if it is an answer."""
        if version is None and isinstance(task, Mapping):
            version = task.get("version")
        if version is None:
            raise ValueError("change_plan needs the version of the task that you have seen: pass the task, or version=")
        return self._patch(_task_path(task, "/plan"), {"items": [*items]}, version, idempotency_key)

    def change(
        self,
        task: TaskRef,
        body: Optional[Mapping[str, Any]] = None,
        *,
        version: Optional[int] = None,
        idempotency_key: Optional[str] = None,
        **members: Any,
    ) -> Task:
        """Changes drive, callback_url, metadata or title; with `version` only at that version."""
        return self._patch(_task_path(task), {**(body or {}), **members}, version, idempotency_key)

    def pause(self, task: TaskRef, *, idempotency_key: Optional[str] = None) -> Task:
        return self._post(task, "/pause", {}, idempotency_key)

    def resume(self, task: TaskRef, *, idempotency_key: Optional[str] = None) -> Task:
        return self._post(task, "/resume", {}, idempotency_key)

    def cancel(self, task: TaskRef, *, idempotency_key: Optional[str] = None) -> Task:
        return self._post(task, "/cancel", {}, idempotency_key)

    def delete(self, task: TaskRef) -> None:
        """Deletes everything that is stored for the task."""
        self._none("DELETE", _task_path(task))

    def end_links(self, task: TaskRef) -> None:
        """Ends all links of the task that were made before."""
        self._none("DELETE", _task_path(task, "/links"))

    def run(
        self,
        goal_or_body: Union[str, Mapping[str, Any]],
        *,
        rounds: int = 1,
        answer: Optional[Callable[[Task], Optional[str]]] = None,
        files: Optional[Mapping[str, Content]] = None,
        idempotency_key: Optional[str] = None,
        **members: Any,
    ) -> Generator[Task, None, Task]:
        """Makes a task and steps it to its end; gives the task after each request. See steps()."""
        body = _body_of("goal", goal_or_body, members)
        if body.get("drive") == "background":
            raise ValueError('run() steps a task by itself; with drive="background" use create() and wait()')
        task = self.create(body, files=files, idempotency_key=idempotency_key, rounds=0)
        yield task
        return (yield from self._steps_from(task, rounds, answer))

    def steps(
        self, task: TaskRef, *, rounds: int = 1, answer: Optional[Callable[[Task], Optional[str]]] = None
    ) -> Generator[Task, None, Task]:
        """Reads a task and steps it until it has ended, has paused or asks something; gives it after each request, and returns the last one.

        `answer` is called with a task that asks something, and gives the text of the answer. Without it, or with None, the steps end there.
        They also end when the task wants to be left alone for longer than `max_wait`.
        """
        return (yield from self._steps_from(self.get(task), rounds, answer))

    def _steps_from(
        self, task: Task, rounds: int, answer: Optional[Callable[[Task], Optional[str]]]
    ) -> Generator[Task, None, Task]:
        shown, idle = task, 0
        while shown["status"] not in ENDED and shown["status"] != "paused":
            if shown["status"] == "input_required":
                text = answer(shown) if answer is not None else None
                if text is None:
                    return shown
                shown = self.answer(shown, text, rounds=rounds)
            else:
                # What waits for a report or a tool may wait for days; anything else that does not advance is given up.
                is_outside = shown["status"] == "waiting_external"
                wait_s = (shown.get("retry_after_ms") or 0) / 1000
                if not is_outside and (wait_s > self._max_wait or idle > self._retries):
                    return shown
                pause = max(wait_s, self._backoff(idle) if idle > 0 or is_outside else 0)
                if pause > 0:
                    self._sleep(pause)
                before, shown = shown, self.step(shown, rounds=rounds)
                if is_outside and shown.get("version") == before.get("version"):
                    idle += 1
                    continue
            advanced = (shown.get("slice") or {}).get("advanced") is True
            idle = 0 if advanced else idle + 1
            yield shown
        return shown

    def wait(self, task: TaskRef, timeout: Optional[float] = None) -> Task:
        """Waits until the task has ended, has paused or asks something, whoever works it off. Raises TimeoutError after `timeout` seconds."""
        end = None if timeout is None else self._clock() + timeout
        path, status, delay = _task_path(task), "unknown", _POLL_FIRST_S
        etag: Optional[str] = None
        while True:
            headers: Dict[str, str] = {} if etag is None else {"if-none-match": etag}
            received = self._send("GET", path, headers=headers)
            if received.status != 304:
                shown: Task = self._parsed(received, None)  # type: ignore[assignment]
                if shown["status"] in _SETTLED:
                    return shown
                etag, status = received.headers.get("etag"), shown["status"]
            if end is not None:
                left = end - self._clock()
                if left <= 0:
                    raise TimeoutError(f"the task is still {status} after {timeout} s")
                delay = min(delay, left)
            self._sleep(delay)
            delay = min(delay * 1.5, _POLL_MAX_S)

    # Events

    def events(self, task: TaskRef, after: Optional[int] = None, *, words: bool = False) -> Generator[Event, None, str]:
        """The events of a task as they happen, each once; returns the last status when the task has ended.

        It begins after the event with the seq `after`. A connection that is cut is opened again behind the last event. `words`: gives
        `thought_delta` too, which has no seq and may come again after a cut.
        """
        last, failures, again_s = after or 0, 0, 0.0
        while True:
            cut = _Cut(None, 0.0)
            with contextlib.closing(self._event_messages(task, last, failures)) as messages:
                for message in messages:
                    if isinstance(message, _Cut):
                        cut = message
                        break
                    if message.kind == "retry":
                        again_s = min(message.retry_ms / 1000, self._max_wait)
                        continue
                    failures = 0
                    if message.kind == "comment":
                        continue
                    event = _event_object(message.data)
                    if message.event == "end":
                        return str(event.get("status"))
                    seq = event.get("seq")
                    if isinstance(seq, int) and seq > last:
                        last = seq
                        yield event  # type: ignore[misc]
                    elif seq is None and words:
                        yield event  # type: ignore[misc]
            if failures >= self._retries:
                raise cut.error if isinstance(cut.error, LoopAgentError) else _network_error(cut.error, None)
            self._sleep(max(cut.delay, again_s, self._backoff(failures)))
            failures += 1

    def past_events(self, task: TaskRef, *, limit: Optional[int] = None) -> Iterator[Event]:
        """The events so far."""
        return self._pages(_task_path(task, "/events"), {}, limit)

    def _event_messages(self, task: TaskRef, last: int, failures: int) -> Generator[Union[_Message, _Cut], None, None]:
        """The messages of one connection, and at its end why it was cut, if that is known."""
        headers = {"accept": "text/event-stream", "cache-control": "no-cache"}
        if last > 0:
            headers["last-event-id"] = str(last)
        request = self._request("GET", _task_path(task, "/events"), headers=headers, streamed=True)
        try:
            with contextlib.closing(self._transport(request)) as answer:
                if answer.status != 200:
                    error = self._error_of(_received(answer), None)
                    yield _Cut(error, self._delay(error, answer.headers, failures))
                    return
                _expect_event_stream(answer)
                yield from _sse_messages(answer.chunks)
        except ssl.SSLCertVerificationError as cause:
            raise _network_error(cause, None) from cause
        except _NETWORK_ERRORS as cause:
            yield _Cut(cause, 0.0)

    # Files

    def put_file(self, task: TaskRef, name: str, content: Content, *, content_type: Optional[str] = None) -> File:
        """Stores a file for the task, in place of one of this name."""
        path = _task_path(task, f"/files/{_segment(name)}")
        return self._json("PUT", path, content=_bytes_of(content), content_type=content_type)

    def get_file(self, task: TaskRef, name: str) -> bytes:
        return self._send("GET", _task_path(task, f"/files/{_segment(name)}"), headers={"accept": "*/*"}).body

    def list_files(self, task: TaskRef, *, limit: Optional[int] = None) -> Iterator[File]:
        return self._pages(_task_path(task, "/files"), {}, limit)

    def delete_file(self, task: TaskRef, name: str) -> None:
        self._none("DELETE", _task_path(task, f"/files/{_segment(name)}"))

    # The service

    def command(self, command: str, *, task_id: Optional[str] = None, idempotency_key: Optional[str] = None) -> Json:
        """Runs a slash command, such as `/todo list`, without a model."""
        body = _without_none({"command": command, "task_id": task_id})
        return self._json("POST", "/commands", body, idempotency_key=idempotency_key)

    def models(self) -> Json:
        """The models that a task may name."""
        return self._json("GET", "/models")

    def limits(self) -> Json:
        """The limits of the tenant and of the key, and what is used of them."""
        return self._json("GET", "/limits")

    def usage(self, **query: Any) -> Json:
        """What the tenant has used: `usage(**{"from": "2026-03-01"}, group_by="day,model")`."""
        return self._json("GET", "/usage", query=query)

    def health(self) -> Json:
        """Whether the service works, and which model answers."""
        return self._json("GET", "/health")

    def request(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Any route that has no verb here, with the same key, retries and errors. None: the answer has no body."""
        if not re.fullmatch(r"/[!-\"$-~]*", path):
            raise ValueError('path must begin with "/" and have visible ASCII characters only, without "#"')
        key = self._key_for(method, idempotency_key)
        lower = {name.lower(): value for name, value in (headers or {}).items()}
        received = self._send(method, path, body, query=query, headers=lower, key=key)
        return None if received.status in (204, 304) else self._parsed(received, key)

    # How requests are sent

    def _json(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        content: Optional[bytes] = None,
        content_type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        repeatable: bool = True,
    ) -> Any:
        key = self._key_for(method, idempotency_key)
        received = self._send(
            method,
            path,
            body,
            query=query,
            headers=headers,
            content=content,
            content_type=content_type,
            key=key,
            repeatable=repeatable,
        )
        return self._parsed(received, key)

    def _none(
        self, method: str, path: str, query: Optional[Mapping[str, Any]] = None, headers: Optional[Mapping[str, str]] = None
    ) -> None:
        self._send(method, path, query=query, headers=headers)

    def _post(
        self, task: TaskRef, suffix: str, body: Mapping[str, Any], idempotency_key: Optional[str], wait: Optional[int] = None
    ) -> Any:
        headers = {} if wait is None else {"prefer": f"wait={int(wait)}"}
        return self._json("POST", _task_path(task, suffix), body, headers=headers, idempotency_key=idempotency_key)

    def _patch(self, path: str, body: Mapping[str, Any], version: Optional[int], idempotency_key: Optional[str]) -> Any:
        headers = {} if version is None else {"if-match": f'"{int(version)}"'}
        return self._json("PATCH", path, body, headers=headers, idempotency_key=idempotency_key)

    def _pages(
        self, path: str, query: Mapping[str, Any], limit: Optional[int], headers: Optional[Mapping[str, str]] = None
    ) -> Iterator[Any]:
        after: Any = None
        while True:
            page = self._json("GET", path, query={**query, "limit": limit, "after": after}, headers=headers)
            yield from page["data"]
            before, after = after, page.get("next_cursor")
            # A cursor that stays where it is would make this loop endless.
            if not page.get("has_more") or after is None or after == before:
                return

    def _key_for(self, method: str, given: Optional[str]) -> Optional[str]:
        if method not in ("POST", "PATCH"):
            return None
        if given is not None and not _IDEMPOTENCY_KEY.fullmatch(given):
            raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters")
        return given or str(uuid.uuid4())

    def _request(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        content: Optional[bytes] = None,
        content_type: Optional[str] = None,
        key: Optional[str] = None,
        streamed: bool = False,
    ) -> Request:
        sent = {**self._headers, "accept": "application/json", **(headers or {})}
        if body is not None:
            content, content_type = _json_bytes(body), "application/json"
        if content_type is not None:
            sent["content-type"] = content_type
        if key is not None:
            sent["idempotency-key"] = key
        asked = urlencode(_without_none(query or {}))
        url = f"{self._base}{path}{('&' if '?' in path else '?') if asked else ''}{asked}"
        return Request(method, url, sent, content, _STREAM_SILENCE_S if streamed else self._timeout, streamed)

    def _send(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        content: Optional[bytes] = None,
        content_type: Optional[str] = None,
        key: Optional[str] = None,
        repeatable: bool = True,
    ) -> _Received:
        """`repeatable`: False where the service knows no key, and a request that may have been done must not be done again."""
        request = self._request(
            method, path, body, query=query, headers=headers, content=content, content_type=content_type, key=key
        )
        attempt, may_be_done = 0, False
        while True:
            try:
                answer = self._transport(request)
                received = _received(answer)
            except _NETWORK_ERRORS as cause:
                if attempt >= self._retries or not repeatable or isinstance(cause, ssl.SSLCertVerificationError):
                    raise _network_error(cause, key) from cause
                may_be_done = True
                delay = self._backoff(attempt)
            else:
                if 200 <= received.status < 300 or (received.status == 304 and "if-none-match" in request.headers):
                    return received
                # The first DELETE was done, although its answer was lost.
                if method == "DELETE" and received.status == 404 and may_be_done:
                    return received
                error = self._error_of(received, key)
                is_ambiguous = received.status in _AMBIGUOUS_STATUSES
                if attempt >= self._retries or (is_ambiguous and not repeatable):
                    raise error
                may_be_done = may_be_done or is_ambiguous
                delay = self._delay(error, received.headers, attempt)
            self._sleep(delay)
            attempt += 1

    def _delay(self, error: LoopAgentError, headers: Mapping[str, str], attempt: int) -> float:
        """Seconds until the next try. Raises the error if there is to be none."""
        if not _is_retryable(error):
            raise error
        asked = _retry_after(headers.get("retry-after"), self._now())
        if asked is not None and asked > self._max_wait:
            raise error
        return max(asked or 0, self._backoff(attempt))

    def _backoff(self, attempt: int) -> float:
        """Exponential, with a random half, so that many clients do not come again at the same moment."""
        longest = min(_BACKOFF_MAX_S, _BACKOFF_FIRST_S * 2 ** min(attempt, 10))
        return min(self._max_wait, longest * (0.5 + self._random() / 2))

    def _error_of(self, received: _Received, key: Optional[str]) -> LoopAgentError:
        status, headers, body = received
        request_id = headers.get("x-request-id")
        if 300 <= status < 400:
            place = _shown(headers.get("location", ""))
            detail = f'the service redirects to "{place}"; a redirect is not followed, because the key goes to no other address'
            return LoopAgentError(status, "redirect_refused", detail, None, request_id, key)
        problem = _json_object(body)
        if problem is not None and isinstance(problem.get("code"), str):
            detail = str(problem.get("detail") or problem.get("title") or "")
            return LoopAgentError(status, problem["code"], detail, problem, request_id, key)
        shown = _shown(body.decode("utf-8", "replace"))
        return LoopAgentError(status, "http_error", shown or "the answer has no text", None, request_id, key)

    def _parsed(self, received: _Received, key: Optional[str]) -> Json:
        value = _json_object(received.body)
        if value is None:
            shown = _shown(received.body.decode("utf-8", "replace"))
            request_id = received.headers.get("x-request-id")
            raise LoopAgentError(received.status, "not_json", f"the answer is no JSON object: {shown}", None, request_id, key)
        return value


class _Resource:
    """A part of the service with verbs of its own."""

    def __init__(self, agent: LoopAgent) -> None:
        self._agent = agent


class Agents(_Resource):
    """What tasks have in common, under a name, in versions. A name may have a version behind it: `support@3`."""

    def put(self, name: str, body: Optional[Mapping[str, Any]] = None, *, etag: Optional[str] = None, new: bool = False,
            **members: Any) -> Json:
        """Puts the next version, unless the newest says the same. `etag`: only over that version. `new`: only if there is none."""
        return self._agent._json("PUT", self._path(name), {**(body or {}), **members}, headers=_condition(etag, new))

    def get(self, name: str) -> Json:
        return self._agent._json("GET", self._path(name))

    def list(self, *, limit: Optional[int] = None) -> Iterator[Json]:
        return self._agent._pages("/agents", {}, limit)

    def versions(self, name: str, *, limit: Optional[int] = None) -> Iterator[Json]:
        """Newest first."""
        return self._agent._pages(self._path(name, "/versions"), {}, limit)

    def create(self, name: str, input: Optional[Mapping[str, Any]] = None, *, include: Optional[str] = None,
               idempotency_key: Optional[str] = None, **members: Any) -> Task:
        """Makes a task by the agent: `create("support", {"ticket": "…"})`."""
        body = {**_without_none({"input": input}), **members}
        path = self._path(name, "/tasks")
        return self._agent._json("POST", path, body, query={"include": include}, idempotency_key=idempotency_key)

    def delete(self, name: str, *, force: bool = False, etag: Optional[str] = None) -> None:
        """`force`: also while tasks of it are open, which keep what it said. `etag`: only that version."""
        self._agent._none("DELETE", self._path(name), {"force": "true"} if force else None, _condition(etag, False))

    @staticmethod
    def _path(name: str, suffix: str = "") -> str:
        return f"/agents/{_segment(name)}{suffix}"


class Schedules(_Resource):
    """Tasks that are made at times."""

    def put(self, name: str, body: Optional[Mapping[str, Any]] = None, **members: Any) -> Json:
        """Makes or replaces a schedule: `put("daily", cron="0 9 * * *", task={"goal": "…"})`."""
        return self._agent._json("PUT", self._path(name), {**(body or {}), **members})

    def get(self, name: str) -> Json:
        return self._agent._json("GET", self._path(name))

    def list(self, *, limit: Optional[int] = None) -> Iterator[Json]:
        return self._agent._pages("/schedules", {}, limit)

    def delete(self, name: str) -> None:
        self._agent._none("DELETE", self._path(name))

    def pause(self, name: str) -> Json:
        return self._agent._json("POST", self._path(name, "/pause"), {})

    def resume(self, name: str) -> Json:
        return self._agent._json("POST", self._path(name, "/resume"), {})

    def run(self, name: str, *, idempotency_key: Optional[str] = None) -> Json:
        """Makes one task of it now."""
        return self._agent._json("POST", self._path(name, "/run"), {}, idempotency_key=idempotency_key)

    def runs(self, name: str, *, limit: Optional[int] = None) -> Iterator[Json]:
        """What became of each tick, newest first."""
        return self._agent._pages(self._path(name, "/runs"), {}, limit)

    @staticmethod
    def _path(name: str, suffix: str = "") -> str:
        return f"/schedules/{_segment(name)}{suffix}"


class Secrets(_Resource):
    """Values for the headers of tools. No answer shows a value."""

    def put(self, name: str, value: str, hosts: Sequence[str]) -> Json:
        return self._agent._json("PUT", f"/secrets/{_segment(name)}", {"value": value, "hosts": [*hosts]})

    def get(self, name: str) -> Json:
        return self._agent._json("GET", f"/secrets/{_segment(name)}")

    def list(self, *, limit: Optional[int] = None) -> Iterator[Json]:
        return self._agent._pages("/secrets", {}, limit)

    def delete(self, name: str) -> None:
        self._agent._none("DELETE", f"/secrets/{_segment(name)}")


class Admin(_Resource):
    """Tenants, their keys and the log of who changed them: for ADMIN_KEY, and within one tenant for its keys with the scope `admin`."""

    def create_tenant(self, name: str, *, limits: Optional[Mapping[str, Any]] = None, idempotency_key: Optional[str] = None) -> Json:
        body = {"name": name, "limits": {**(limits or {})}}
        return self._agent._json("POST", "/admin/tenants", body, idempotency_key=idempotency_key)

    def get_tenant(self, tenant: str) -> Json:
        return self._agent._json("GET", f"/admin/tenants/{_segment(tenant)}")

    def list_tenants(self, *, limit: Optional[int] = None) -> Iterator[Json]:
        return self._agent._pages("/admin/tenants", {}, limit)

    def change_tenant(self, tenant: str, *, idempotency_key: Optional[str] = None, **members: Any) -> Json:
        """`disabled` and `limits`; what is left out stays as it is."""
        return self._agent._json("PATCH", f"/admin/tenants/{_segment(tenant)}", members, idempotency_key=idempotency_key)

    def delete_tenant(self, tenant: str) -> None:
        """Only a disabled tenant. Its name stays taken."""
        self._agent._none("DELETE", f"/admin/tenants/{_segment(tenant)}")

    def create_key(self, *, idempotency_key: Optional[str] = None, **members: Any) -> Json:
        """`tenant`, `name`, `scopes`, `limits`, `expires_at` or `expires_in_s`. The answer has the key, this once."""
        return self._agent._json("POST", "/admin/keys", members, idempotency_key=idempotency_key)

    def get_key(self, id: str) -> Json:
        return self._agent._json("GET", f"/admin/keys/{_segment(id)}")

    def list_keys(self, *, tenant: Optional[str] = None, limit: Optional[int] = None) -> Iterator[Json]:
        return self._agent._pages("/admin/keys", {"tenant": tenant}, limit)

    def rotate_key(self, id: str, *, idempotency_key: Optional[str] = None, **members: Any) -> Json:
        """`grace_s`, `expires_at` or `expires_in_s`. The answer has the new key, this once."""
        return self._agent._json("POST", f"/admin/keys/{_segment(id)}/rotate", members, idempotency_key=idempotency_key)

    def revoke_key(self, id: str) -> None:
        self._agent._none("DELETE", f"/admin/keys/{_segment(id)}")

    def audit(self, *, tenant: Optional[str] = None, action: Optional[str] = None, limit: Optional[int] = None) -> Iterator[Json]:
        return self._agent._pages("/admin/audit", {"tenant": tenant, "action": action}, limit)

    def deployment(self) -> Json:
        """What is bound, whether it answers, and what that switches on."""
        return self._agent._json("GET", "/admin/deployment")


class Telemetry(_Resource):
    """Where the spans of the tenant's tasks are sent."""

    def put(self, endpoint: str, **members: Any) -> Json:
        return self._agent._json("PUT", "/telemetry", {"endpoint": endpoint, **members})

    def get(self) -> Json:
        return self._agent._json("GET", "/telemetry")

    def delete(self) -> None:
        self._agent._none("DELETE", "/telemetry")


class Deliveries(_Resource):
    """Callbacks that were given up, or that nobody wants any more."""

    def list(self, *, status: Optional[str] = None, limit: Optional[int] = None) -> Iterator[Json]:
        return self._agent._pages("/webhooks/deliveries", {"status": status}, limit)

    def redeliver(self, id: str, *, idempotency_key: Optional[str] = None) -> Json:
        path = f"/webhooks/deliveries/{_segment(id)}/redeliver"
        return self._agent._json("POST", path, {}, idempotency_key=idempotency_key)


class Webhooks(_Resource):
    def test(self, url: str) -> Json:
        """Sends one signed test delivery to an address, and shows what came back. It is not repeated when its answer is lost."""
        return self._agent._json("POST", "/webhooks/test", {"url": url}, repeatable=False)


class Tools(_Resource):
    """What models may call."""

    def list(self) -> Json:
        """The built-in tools."""
        return self._agent._json("GET", "/tools")

    def of_task(self, task: TaskRef) -> Json:
        """The tools of a task, with the state of their sources."""
        return self._agent._json("GET", _task_path(task, "/tools"))

    def preview(self, tools: Sequence[Any], **members: Any) -> Json:
        """What a task with these tools would be offered."""
        return self._agent._json("POST", "/tools/preview", {"tools": [*tools], **members})

    def call(
        self,
        tools: Sequence[Any],
        name: str,
        arguments: Optional[Mapping[str, Any]] = None,
        *,
        idempotency_key: Optional[str] = None,
        **members: Any,
    ) -> Json:
        """Tries one tool once, outside of any task."""
        body = {"tools": [*tools], "name": name, **_without_none({"arguments": arguments}), **members}
        return self._agent._json("POST", "/tools/call", body, idempotency_key=idempotency_key)


class Delegations(_Resource):
    """Commands for a program that takes the work of `orchestrator`."""

    def list(
        self,
        *,
        status: Optional[str] = None,
        pool: Optional[str] = None,
        wait: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Iterator[Json]:
        """`pool`: as a task names it in `worker_pool`; None is the default pool. `wait`: seconds to wait for a command, if there is none."""
        headers = {} if wait is None else {"prefer": f"wait={int(wait)}"}
        return self._agent._pages("/delegations", {"status": status, "pool": pool}, limit, headers)

    def pools(self, *, limit: Optional[int] = None) -> Iterator[Json]:
        """The default pool, and the pools that tasks name as `worker_pool`."""
        return self._agent._pages("/pools", {}, limit)

    def get(self, id: str) -> Json:
        return self._agent._json("GET", self._path(id))

    def claim(self, id: str, worker: str, *, lease_s: Optional[int] = None, idempotency_key: Optional[str] = None) -> Json:
        """Leases the command to one worker; the same name again renews the lease."""
        body = _without_none({"worker": worker, "lease_s": lease_s})
        return self._agent._json("POST", self._path(id, "/claim"), body, idempotency_key=idempotency_key)

    def report(
        self, id: str, body: Optional[Mapping[str, Any]] = None, *, idempotency_key: Optional[str] = None, **members: Any
    ) -> Json:
        report = {**(body or {}), **members}
        return self._agent._json("POST", self._path(id, "/report"), report, idempotency_key=idempotency_key)

    @staticmethod
    def _path(id: str, suffix: str = "") -> str:
        return f"/delegations/{_segment(id)}{suffix}"


# Webhooks


def verify_webhook(
    headers: Mapping[str, Any],
    body: Union[bytes, str],
    secret: Union[str, Sequence[str]],
    now: Optional[float] = None,
    tolerance: float = 300,
) -> Webhook:
    """The message of a callback, if it is signed with the secret (Standard Webhooks); otherwise raises WebhookError.

    `body` is the body as it came, before any parsing. `secret` is `whsec_…`; several secrets may be given while one is being replaced.
    A message may come again: compare `webhook-id` with those that you have had.
    """
    secrets = [_secret_bytes(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not secrets:
        raise WebhookError("secret", "no secret is given")
    lower = {str(name).lower(): value for name, value in headers.items()}
    message_id, sent_at, signatures = (_header(lower, check) for check in ("id", "timestamp", "signature"))
    if not re.fullmatch(r"[0-9]{1,12}", sent_at):
        raise WebhookError("timestamp", "webhook-timestamp is not a number of seconds")
    age = (time.time() if now is None else now) - int(sent_at)
    if age > tolerance:
        raise WebhookError("timestamp", f"the message is {age:.0f} s old; at most {tolerance:.0f} are allowed")
    if age < -tolerance:
        raise WebhookError("timestamp", f"the message is {-age:.0f} s ahead of the clock; at most {tolerance:.0f} are allowed")
    raw = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    signed = f"{message_id}.{sent_at}.".encode("utf-8") + raw
    expected = [base64.b64encode(hmac.new(one, signed, hashlib.sha256).digest()) for one in secrets]
    given = [one[3:].encode("utf-8") for one in signatures.split(" ") if one.startswith("v1,")]
    # A list, so that every pair is compared and the time tells nothing.
    if not any([hmac.compare_digest(one, other) for one in given for other in expected]):
        raise WebhookError("signature", "no signature of version v1 fits the secret and the body")
    message = _json_object(raw)
    if message is None:
        raise WebhookError("body", "the body is no JSON object")
    return message  # type: ignore[return-value]


def _secret_bytes(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :], validate=True) if secret.startswith("whsec_") else b""
    except (binascii.Error, ValueError):
        key = b""
    # An empty secret would let anybody sign.
    if not 24 <= len(key) <= 64:
        raise WebhookError("secret", "the secret must be whsec_ and 24 to 64 bytes in base64")
    return key


def _header(lower: Mapping[str, Any], check: str) -> str:
    value = lower.get(f"webhook-{check}")
    if isinstance(value, (list, tuple)) and len(value) == 1:
        value = value[0]
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if not isinstance(value, str) or value == "":
        raise WebhookError(check, f"there is no header webhook-{check}, or more than one")
    return value


# The network


def http_transport(request: Request) -> Answer:
    """Sends one request on a connection of its own. http.client follows no redirect and reads no proxy variable of the environment."""
    parts = urlsplit(request.url)
    make = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = make(parts.hostname or "", parts.port, timeout=request.timeout)
    deadline = None if request.streamed else time.monotonic() + request.timeout
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    try:
        try:
            connection.request(request.method, target, request.body, dict(request.headers))
        except (BrokenPipeError, ConnectionResetError):
            # The service may refuse a body before it has read it; then its answer is there all the same.
            if connection.sock is None:
                raise
        sock = connection.sock
        response = connection.getresponse()
    except BaseException:
        connection.close()
        raise

    def close() -> None:
        response.close()
        connection.close()

    def chunks() -> Iterator[bytes]:
        # None: the length is not known, or the body comes in chunks, whose end http.client checks.
        left = response.length
        while left != 0:
            if deadline is not None:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    raise TimeoutError(f"the answer took more than {request.timeout} s")
                if sock is not None and sock.fileno() != -1:
                    sock.settimeout(remaining)
            piece = response.read1(_READ_BYTES if left is None else min(_READ_BYTES, left))
            if not piece:
                if left is not None:
                    raise http.client.IncompleteRead(b"", left)
                return
            if left is not None:
                left -= len(piece)
            yield piece

    headers = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, headers, chunks(), close)


def _received(answer: Answer) -> _Received:
    try:
        body = bytearray()
        for chunk in answer.chunks:
            body += chunk
            if len(body) > _ANSWER_BYTES_MAX:
                detail = f"the answer has more than {_ANSWER_BYTES_MAX} bytes"
                raise LoopAgentError(answer.status, "answer_too_large", detail, None, answer.headers.get("x-request-id"))
        return _Received(answer.status, answer.headers, bytes(body))
    finally:
        answer.close()


def _network_error(cause: Optional[BaseException], key: Optional[str]) -> LoopAgentError:
    if cause is None:
        return LoopAgentError(0, "network_error", "the stream ended before the task, again and again", None, None, key)
    code = "timeout" if isinstance(cause, TimeoutError) or "timed out" in str(cause) else "network_error"
    detail = _shown(str(cause)) or type(cause).__name__
    return LoopAgentError(0, code, f"no answer came: {detail}", None, None, key)


def _is_retryable(error: LoopAgentError) -> bool:
    if error.status == 409:
        return error.code in _RETRYABLE_CONFLICTS
    return error.status in _RETRYABLE_STATUSES and error.code not in _FINAL_CODES


def _retry_after(value: Optional[str], now: float) -> Optional[float]:
    """Seconds, from seconds or an HTTP date. None: it is not there, or cannot be read."""
    text = (value or "").strip()
    if re.fullmatch(r"[0-9]{1,12}", text):
        return float(text)
    try:
        date = email.utils.parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max(0.0, date.timestamp() - now)


# Server-Sent Events


class _Message(NamedTuple):
    """`kind`: event, comment or retry."""

    kind: str
    event: str = ""
    data: bytes = b""
    retry_ms: int = 0


class _Cut(NamedTuple):
    """Why a stream was interrupted, and the seconds for which the service asks. None: it just ended."""

    error: Optional[Exception]
    delay: float


def _sse_messages(chunks: Iterable[bytes]) -> Iterator[_Message]:
    """The messages of a stream. One that is not ended by an empty line was cut, and is not given."""
    event, size = "", 0
    data: List[bytes] = []
    for line in _sse_lines(chunks):
        if line == b"":
            if data:
                yield _Message("event", event, b"\n".join(data))
            event, data, size = "", [], 0
            continue
        if line.startswith(b":"):
            yield _Message("comment")
            continue
        name, _, value = line.partition(b":")
        if value.startswith(b" "):
            value = value[1:]
        if name == b"data":
            size += len(value) + 1
            if size > _EVENT_BYTES_MAX:
                raise LoopAgentError(200, "bad_stream", f"an event has more than {_EVENT_BYTES_MAX} bytes")
            data.append(value)
        elif name == b"event":
            event = value.decode("utf-8", "replace")
        elif name == b"retry" and re.fullmatch(rb"[0-9]{1,9}", value):
            yield _Message("retry", retry_ms=int(value))


_LINE_END = re.compile(rb"\r\n|\n|\r")


def _sse_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Whole lines, without their ends. Each byte is looked at once, however the stream is cut into chunks."""
    rest = bytearray()
    is_first, after_cr = True, False
    for chunk in chunks:
        if not chunk:
            continue
        # A line feed that was parted from its carriage return ends no second line.
        start = 1 if after_cr and chunk[:1] == b"\n" else 0
        after_cr = False
        for end in _LINE_END.finditer(chunk, start):
            _append_bounded(rest, chunk[start : end.start()])
            line = bytes(rest)
            rest.clear()
            start = end.end()
            after_cr = end.group() == b"\r" and start == len(chunk)
            if is_first:
                is_first = False
                line = line[3:] if line.startswith(b"\xef\xbb\xbf") else line
            yield line
        _append_bounded(rest, chunk[start:])


def _append_bounded(line: bytearray, piece: bytes) -> None:
    if len(line) + len(piece) > _LINE_BYTES_MAX:
        raise LoopAgentError(200, "bad_stream", f"a line of the stream has more than {_LINE_BYTES_MAX} bytes")
    line += piece


def _expect_event_stream(answer: Answer) -> None:
    media = answer.headers.get("content-type", "").split(";")[0].strip().lower()
    if media != "text/event-stream":
        received = _received(answer)
        shown = _shown(received.body.decode("utf-8", "replace"))
        request_id = answer.headers.get("x-request-id")
        raise LoopAgentError(200, "bad_stream", f"the answer is no stream of events: {shown}", None, request_id)


def _event_object(data: bytes) -> Json:
    value = _json_object(data)
    if value is None:
        raise LoopAgentError(200, "not_json", f"an event is no JSON object: {_shown(data.decode('utf-8', 'replace'))}")
    return value


# Small helpers


def _base_url(url: str) -> str:
    parts = urlsplit(url)
    is_plain = parts.username is None and parts.password is None and not parts.query and not parts.fragment
    if parts.scheme not in ("http", "https") or not parts.hostname or not is_plain or not _VISIBLE_ASCII.fullmatch(url):
        raise ValueError('url must be http or https with a host, such as "http://127.0.0.1:8787"')
    parts.port  # Raises a ValueError for a port that is none.
    return url.rstrip("/")


def _segment(name: str) -> str:
    """One segment of a path. A name of dots would lead to another route."""
    if not isinstance(name, str) or name in ("", ".", ".."):
        raise ValueError(f"{name!r} is no name or id")
    return quote(name, safe="")


def _task_path(task: TaskRef, suffix: str = "") -> str:
    return f"/tasks/{_segment(task if isinstance(task, str) else task['id'])}{suffix}"


def _body_of(member: str, text_or_body: Union[str, Mapping[str, Any]], members: Mapping[str, Any]) -> Json:
    if isinstance(text_or_body, str):
        return {member: text_or_body, **members}
    return {**text_or_body, **members}


def _asked(task: Mapping[str, Any]) -> Optional[str]:
    pending = task.get("pending") or {}
    request_id = pending.get("request_id") if task.get("status") == "input_required" else None
    return request_id if isinstance(request_id, str) else None


def _without_none(members: Mapping[str, Any]) -> Json:
    return {name: value for name, value in members.items() if value is not None}


def _condition(etag: Optional[str], new: bool) -> Dict[str, str]:
    return {**({} if etag is None else {"if-match": etag}), **({"if-none-match": "*"} if new else {})}


def _json_bytes(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")


def _json_object(data: bytes) -> Optional[Json]:
    try:
        value = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _shown(text: str) -> str:
    """The beginning of a text of the other side, on one line."""
    return "".join(sign if sign.isprintable() else " " for sign in text[:_SHOWN_CHARACTERS])


def _bytes_of(content: Content) -> bytes:
    if isinstance(content, str):
        return content.encode("utf-8")
    if isinstance(content, (bytes, bytearray)):
        return bytes(content)
    with open(content, "rb") as file:
        return file.read()


def _multipart(task: Json, files: Mapping[str, Content]) -> Tuple[bytes, str]:
    """A form with the task as JSON and then its files. The boundary is random, so no content can contain it by intent."""
    boundary = f"loop-agent-{uuid.uuid4().hex}"
    parts = [b'content-disposition: form-data; name="task"\r\ncontent-type: application/json\r\n\r\n' + _json_bytes(task)]
    for name, content in files.items():
        # As browsers write names, so that a quotation mark ends nothing.
        escaped = name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        head = f'content-disposition: form-data; name="file"; filename="{escaped}"\r\ncontent-type: application/octet-stream\r\n\r\n'
        parts.append(head.encode("utf-8") + _bytes_of(content))
    line = f"--{boundary}".encode("ascii")
    body = b"".join(line + b"\r\n" + part + b"\r\n" for part in parts) + line + b"--\r\n"
    return body, f"multipart/form-data; boundary={boundary}"
