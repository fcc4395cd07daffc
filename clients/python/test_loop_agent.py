"""Tests of loop_agent without the service: a scripted transport, and servers on loopback that misbehave. Nothing here waits for time."""

from __future__ import annotations

import base64
import email.utils
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import socket
import tempfile
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union
from unittest import mock

import loop_agent
from loop_agent import Answer, LoopAgent, LoopAgentError, Request, WebhookError, verify_webhook

ID = "task_0123456789abcdef"
TASK: Dict[str, Any] = {"id": ID, "status": "completed", "pending": None, "version": 7}
NOW = 1_800_000_000.0


def answer(status: int = 200, body: Any = TASK, **headers: str) -> Answer:
    content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"x-request-id": "req_1", **names}, iter([content]))


def problem(status: int, code: str, **headers: str) -> Answer:
    return answer(status, {"status": status, "code": code, "title": "t", "detail": f"about {code}"}, **headers)


Step = Union[Answer, Exception]


class Script:
    """A transport that gives what it is told, in order, and keeps what it was asked."""

    def __init__(self, *steps: Step) -> None:
        self.steps = list(steps)
        self.requests: List[Request] = []
        self.slept: List[float] = []

    def __call__(self, request: Request) -> Answer:
        self.requests.append(request)
        step = self.steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step

    def agent(self, **options: Any) -> LoopAgent:
        arguments: Dict[str, Any] = {"transport": self, "sleep": self.slept.append, "random": lambda: 1.0, "now": lambda: NOW}
        return LoopAgent(**{**arguments, **options})

    def sent(self) -> List[Tuple[str, str, Any]]:
        """Method, path and JSON of each request."""
        base = "http://127.0.0.1:8787"
        return [(r.method, r.url[len(base) :], json.loads(r.body) if r.body else None) for r in self.requests]

    def keys(self) -> List[Optional[str]]:
        return [request.headers.get("idempotency-key") for request in self.requests]


def caught(call: Callable[[], Any]) -> LoopAgentError:
    try:
        call()
    except LoopAgentError as error:
        return error
    raise AssertionError("no LoopAgentError was raised")


class Verbs(unittest.TestCase):
    """Each verb sends the method, path and body of the contract."""

    def check(self, call: Callable[[LoopAgent], Any], method: str, path: str, body: Any = None, given: Any = TASK) -> Request:
        script = Script(answer(200, given))
        call(script.agent())
        self.assertEqual(script.sent(), [(method, path, body)])
        return script.requests[0]

    def test_tasks(self) -> None:
        task = f"/tasks/{ID}"
        self.check(lambda a: a.create("x", rounds=0), "POST", "/tasks", {"goal": "x", "rounds": 0})
        self.check(lambda a: a.create({"goal": "x"}, include="settings"), "POST", "/tasks?include=settings", {"goal": "x"})
        self.check(lambda a: a.dry_run("x"), "POST", "/tasks/dry-run", {"goal": "x"})
        self.check(lambda a: a.get(ID), "GET", task)
        self.check(lambda a: a.get(TASK), "GET", task)
        self.check(lambda a: a.step(ID, rounds=3, max_ms=100), "POST", f"{task}/step", {"rounds": 3, "max_ms": 100})
        self.check(lambda a: a.input(ID, "go", rounds=2), "POST", f"{task}/input", {"input": "go", "rounds": 2})
        self.check(lambda a: a.input(ID, {"input": "go"}), "POST", f"{task}/input", {"input": "go"})
        self.check(lambda a: a.budget(ID, steps=5), "POST", f"{task}/budget", {"add": {"steps": 5}})
        self.check(lambda a: a.change(ID, title="t"), "PATCH", task, {"title": "t"})
        self.check(lambda a: a.pause(ID), "POST", f"{task}/pause", {})
        self.check(lambda a: a.resume(ID), "POST", f"{task}/resume", {})
        self.check(lambda a: a.cancel(ID), "POST", f"{task}/cancel", {})
        self.check(lambda a: a.fork(ID, 3, drive="manual"), "POST", f"{task}/fork", {"at": 3, "drive": "manual"})
        self.check(lambda a: a.retry(ID), "POST", f"{task}/retry", {})
        self.check(lambda a: a.replay(ID), "POST", f"{task}/replay", {})
        self.check(lambda a: a.delete(ID), "DELETE", task)
        self.check(lambda a: a.end_links(ID), "DELETE", f"{task}/links")
        self.check(lambda a: a.tools.of_task(ID), "GET", f"{task}/tools")

    def test_the_rest_of_the_service(self) -> None:
        self.check(lambda a: a.schedules.put("d", cron="0 9 * * *", task={"goal": "x"}), "PUT", "/schedules/d",
                   {"cron": "0 9 * * *", "task": {"goal": "x"}})
        self.check(lambda a: a.schedules.get("d"), "GET", "/schedules/d")
        self.check(lambda a: a.schedules.delete("d"), "DELETE", "/schedules/d")
        self.check(lambda a: a.schedules.pause("d"), "POST", "/schedules/d/pause", {})
        self.check(lambda a: a.schedules.resume("d"), "POST", "/schedules/d/resume", {})
        self.check(lambda a: a.schedules.run("d"), "POST", "/schedules/d/run", {})
        put = self.check(lambda a: a.agents.put("s", goal="x", etag='"1;a"'), "PUT", "/agents/s", {"goal": "x"})
        self.assertEqual(put.headers["if-match"], '"1;a"')
        new = self.check(lambda a: a.agents.put("s", {"goal": "x"}, new=True), "PUT", "/agents/s", {"goal": "x"})
        self.assertEqual(new.headers["if-none-match"], "*")
        self.check(lambda a: a.agents.get("s@3"), "GET", "/agents/s%403")
        self.check(lambda a: a.agents.create("s@3", {"a": 1}, drive="background"), "POST", "/agents/s%403/tasks",
                   {"input": {"a": 1}, "drive": "background"})
        gone = self.check(lambda a: a.agents.delete("s", etag='"1;a"'), "DELETE", "/agents/s")
        self.assertEqual(gone.headers["if-match"], '"1;a"')
        self.check(lambda a: a.agents.delete("s", force=True), "DELETE", "/agents/s?force=true")
        self.check(lambda a: a.secrets.put("s", "v", ["h"]), "PUT", "/secrets/s", {"value": "v", "hosts": ["h"]})
        self.check(lambda a: a.secrets.get("s"), "GET", "/secrets/s")
        self.check(lambda a: a.secrets.delete("s"), "DELETE", "/secrets/s")
        self.check(lambda a: a.admin.create_tenant("t", limits={"open_tasks": 5}), "POST", "/admin/tenants",
                   {"name": "t", "limits": {"open_tasks": 5}})
        self.check(lambda a: a.admin.get_tenant("t"), "GET", "/admin/tenants/t")
        self.check(lambda a: a.admin.change_tenant("t", disabled=True), "PATCH", "/admin/tenants/t", {"disabled": True})
        self.check(lambda a: a.admin.delete_tenant("t"), "DELETE", "/admin/tenants/t")
        self.check(lambda a: a.admin.deployment(), "GET", "/admin/deployment")
        self.check(lambda a: a.admin.create_key(tenant="t", scopes=["admin"]), "POST", "/admin/keys",
                   {"tenant": "t", "scopes": ["admin"]})
        self.check(lambda a: a.admin.get_key("key_1"), "GET", "/admin/keys/key_1")
        self.check(lambda a: a.admin.rotate_key("key_1", grace_s=60), "POST", "/admin/keys/key_1/rotate", {"grace_s": 60})
        self.check(lambda a: a.admin.revoke_key("key_1"), "DELETE", "/admin/keys/key_1")
        self.check(lambda a: a.deliveries.redeliver("m_1"), "POST", "/webhooks/deliveries/m_1/redeliver", {})
        self.check(lambda a: a.webhooks.test("https://x.example"), "POST", "/webhooks/test", {"url": "https://x.example"})
        self.check(lambda a: a.tools.list(), "GET", "/tools")
        self.check(lambda a: a.tools.preview([1]), "POST", "/tools/preview", {"tools": [1]})
        self.check(lambda a: a.tools.call([1], "n", {"a": 2}), "POST", "/tools/call",
                   {"tools": [1], "name": "n", "arguments": {"a": 2}})
        self.check(lambda a: a.command("/help"), "POST", "/commands", {"command": "/help"})
        self.check(lambda a: a.models(), "GET", "/models")
        self.check(lambda a: a.limits(), "GET", "/limits")
        self.check(lambda a: a.usage(group_by="model"), "GET", "/usage?group_by=model")
        self.check(lambda a: a.telemetry.put("https://c/"), "PUT", "/telemetry", {"endpoint": "https://c/"})
        self.check(lambda a: a.telemetry.get(), "GET", "/telemetry")
        self.check(lambda a: a.telemetry.delete(), "DELETE", "/telemetry")
        self.check(lambda a: a.health(), "GET", "/health")
        self.check(lambda a: a.delegations.get("d_1"), "GET", "/delegations/d_1")
        self.check(lambda a: a.delegations.claim("d_1", "me", lease_s=60), "POST", "/delegations/d_1/claim",
                   {"worker": "me", "lease_s": 60})
        self.check(lambda a: a.delegations.report("d_1", status="done", text="x"), "POST", "/delegations/d_1/report",
                   {"status": "done", "text": "x"})
        page = {"data": [], "has_more": False, "next_cursor": None}
        listed = self.check(lambda a: list(a.delegations.list(status="pending", wait=9)), "GET", "/delegations?status=pending",
                            given=page)
        self.assertEqual(listed.headers["prefer"], "wait=9")
        self.check(lambda a: list(a.delegations.list(pool="gpu")), "GET", "/delegations?pool=gpu", given=page)
        self.check(lambda a: a.request("GET", "/health", query={}), "GET", "/health")

    def test_lists_go_through_all_pages(self) -> None:
        lists: List[Tuple[Callable[[LoopAgent], Iterator[Any]], str]] = [
            (lambda a: a.list(limit=2), "/tasks"),
            (lambda a: a.journal(ID, limit=2), f"/tasks/{ID}/journal"),
            (lambda a: a.export(ID, limit=2), f"/tasks/{ID}/export"),
            (lambda a: a.past_events(ID, limit=2), f"/tasks/{ID}/events"),
            (lambda a: a.list_files(ID, limit=2), f"/tasks/{ID}/files"),
            (lambda a: a.schedules.list(limit=2), "/schedules"),
            (lambda a: a.schedules.runs("d", limit=2), "/schedules/d/runs"),
            (lambda a: a.secrets.list(limit=2), "/secrets"),
            (lambda a: a.admin.list_tenants(limit=2), "/admin/tenants"),
            (lambda a: a.admin.list_keys(limit=2), "/admin/keys"),
            (lambda a: a.admin.audit(limit=2), "/admin/audit"),
            (lambda a: a.agents.list(limit=2), "/agents"),
            (lambda a: a.agents.versions("s", limit=2), "/agents/s/versions"),
            (lambda a: a.deliveries.list(limit=2), "/webhooks/deliveries"),
            (lambda a: a.delegations.pools(limit=2), "/pools"),
        ]
        for call, path in lists:
            with self.subTest(path):
                script = Script(
                    answer(200, {"data": [1, 2], "has_more": True, "next_cursor": "2"}),
                    answer(200, {"data": [], "has_more": True, "next_cursor": "3"}),
                    answer(200, {"data": [3], "has_more": False, "next_cursor": None}),
                )
                self.assertEqual(list(call(script.agent())), [1, 2, 3])
                self.assertEqual([sent[1] for sent in script.sent()],
                                 [f"{path}?limit=2", f"{path}?limit=2&after=2", f"{path}?limit=2&after=3"])

    def test_a_list_ends_where_its_cursor_stays(self) -> None:
        page = {"data": [1], "has_more": True, "next_cursor": "2"}
        script = Script(answer(200, page), answer(200, page))
        self.assertEqual(list(script.agent().list()), [1, 1])

    def test_filters_of_a_list(self) -> None:
        script = Script(answer(200, {"data": [], "has_more": False, "next_cursor": None}))
        self.assertEqual(list(script.agent().list(status="paused", metadata={"team": "a b"}, q="ü")), [])
        self.assertEqual(script.sent()[0][1], "/tasks?status=paused&q=%C3%BC&metadata.team=a+b")

    def test_headers(self) -> None:
        request = self.check(lambda a: a.step(ID, wait=5), "POST", f"/tasks/{ID}/step", {})
        self.assertEqual(request.headers["prefer"], "wait=5")
        self.assertEqual(request.headers["authorization"], "Bearer dev-key")
        self.assertEqual(request.headers["content-type"], "application/json")
        self.assertNotIn("accept-language", request.headers)
        script = Script(answer())
        script.agent(language="zh").get(ID)
        self.assertEqual(script.requests[0].headers["accept-language"], "zh")

    def test_the_plan_is_changed_at_the_version_that_was_seen(self) -> None:
        request = self.check(lambda a: a.change_plan(TASK, [{"title": "a"}]), "PATCH", f"/tasks/{ID}/plan", {"items": [{"title": "a"}]})
        self.assertEqual(request.headers["if-match"], '"7"')
        request = self.check(lambda a: a.change_plan(ID, [], version=3), "PATCH", f"/tasks/{ID}/plan", {"items": []})
        self.assertEqual(request.headers["if-match"], '"3"')
        script = Script()
        with self.assertRaisesRegex(ValueError, "version"):
            script.agent().change_plan(ID, [])
        self.assertEqual(script.requests, [])

    def test_an_answer_names_the_question_that_is_open(self) -> None:
        asking = {**TASK, "status": "input_required", "pending": {"kind": "question", "request_id": "q_2"}}
        script = Script(answer(200, asking), answer())
        script.agent().answer(ID, "45 minutes", rounds=2)
        self.assertEqual(script.sent(), [
            ("GET", f"/tasks/{ID}", None),
            ("POST", f"/tasks/{ID}/input", {"input": "45 minutes", "request_id": "q_2", "rounds": 2}),
        ])
        paused = {**TASK, "status": "paused", "pending": {"kind": "resume", "request_id": "r"}}
        for task in (TASK, paused):
            self.assertEqual(caught(lambda: Script(answer(200, task)).agent().answer(ID, "x")).code, "nothing_asked")

    def test_names_stay_one_segment(self) -> None:
        self.check(lambda a: a.get("a/../b?c#d"), "GET", "/tasks/a%2F..%2Fb%3Fc%23d")
        for name in ("", ".", ".."):
            with self.subTest(name), self.assertRaises(ValueError):
                Script().agent().delete(name)

    def test_the_files_of_a_task(self) -> None:
        script = Script(answer(201), answer(200, b"x"), answer(204, None))
        agent = script.agent()
        agent.put_file(ID, "a.csv", b"")
        agent.get_file(ID, "a.csv")
        agent.delete_file(ID, "a.csv")
        self.assertEqual(script.sent(), [(method, f"/tasks/{ID}/files/a.csv", None) for method in ("PUT", "GET", "DELETE")])

    def test_a_request_of_ones_own_has_a_key_and_may_have_no_answer(self) -> None:
        script = Script(ConnectionResetError(), answer(200), answer(204, None), answer(304, None))
        agent = script.agent()
        self.assertEqual(agent.request("POST", f"/tasks/{ID}/step?include=settings", {"rounds": 1}, query={"include": None}), TASK)
        self.assertIsNone(agent.request("DELETE", f"/tasks/{ID}"))
        self.assertIsNone(agent.request("GET", f"/tasks/{ID}", headers={"If-None-Match": '"7"'}))
        first, second, *others = script.keys()
        self.assertEqual((first, others), (second, [None, None]))
        self.assertIsNotNone(first)

    def test_a_request_of_ones_own_is_checked(self) -> None:
        for path in ("tasks", "/a b", "/a#b", "/a\r\nx: y"):
            with self.subTest(path), self.assertRaises(ValueError):
                Script().agent().request("GET", path)

    def test_what_an_agent_is_made_of_is_checked(self) -> None:
        for url in ("ftp://x", "127.0.0.1:8787", "http://", "http://u:p@x", "http://x?a=1", "http://x#a", "http://x y", "http://x:99999"):
            with self.subTest(url), self.assertRaises(ValueError):
                LoopAgent(url)
        for key in ("", "a b", "a\r\nx: y", "ключ"):
            with self.subTest(key), self.assertRaises(ValueError):
                LoopAgent(key=key)
        with self.assertRaises(ValueError):
            LoopAgent(language="zh\r\nx: y")
        self.assertNotIn("sk-secret", repr(LoopAgent(key="sk-secret")))

    def test_a_path_of_the_url_is_kept(self) -> None:
        script = Script(answer())
        script.agent(url="https://x.example/agent/").health()
        self.assertEqual(script.requests[0].url, "https://x.example/agent/health")


class Files(unittest.TestCase):
    def test_put_and_get(self) -> None:
        script = Script(answer(201, {"name": "a.csv"}), answer(200, b"\x00\xff"))
        agent = script.agent()
        self.assertEqual(agent.put_file(ID, "a.csv", "ä,b\n"), {"name": "a.csv"})
        self.assertEqual(agent.get_file(ID, "a.csv"), b"\x00\xff")
        put, get = script.requests
        self.assertEqual((put.method, put.body), ("PUT", "ä,b\n".encode()))
        self.assertTrue(put.url.endswith(f"/tasks/{ID}/files/a.csv"))
        self.assertNotIn("idempotency-key", put.headers)
        self.assertEqual(get.headers["accept"], "*/*")

    def test_a_task_with_its_files_is_one_form(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "b.csv")
            path.write_bytes(b"\r\n--\xff")
            script = Script(answer(503, {"code": "unavailable"}), answer(201))
            script.agent().create("x", files={"a.csv": b"1\r\n", 'q".csv': "t", "b.csv": path}, mode="autonomous")
        first, second = script.requests
        self.assertEqual(first.body, second.body)
        self.assertEqual(script.keys()[0], script.keys()[1])
        kind, _, boundary = first.headers["content-type"].partition("; boundary=")
        self.assertEqual(kind, "multipart/form-data")
        parts = (first.body or b"").split(f"--{boundary}".encode())
        self.assertEqual((parts[0], parts[-1]), (b"", b"--\r\n"))
        heads = [part.partition(b"\r\n\r\n") for part in parts[1:-1]]
        self.assertEqual([content[:-2] for _, _, content in heads],
                         [b'{"goal":"x","mode":"autonomous"}', b"1\r\n", b"t", b"\r\n--\xff"])
        names = [head.split(b"\r\n")[1] for head, _, _ in heads]
        self.assertEqual(names, [
            b'content-disposition: form-data; name="task"',
            b'content-disposition: form-data; name="file"; filename="a.csv"',
            b'content-disposition: form-data; name="file"; filename="q%22.csv"',
            b'content-disposition: form-data; name="file"; filename="b.csv"',
        ])


class Retries(unittest.TestCase):
    def test_a_post_is_repeated_under_one_key(self) -> None:
        script = Script(
            ConnectionResetError("cut"),
            problem(429, "rate_limited"),
            answer(502, b"<html>"),
            problem(503, "shutting_down"),
            answer(201),
        )
        self.assertEqual(script.agent().create("x"), TASK)
        self.assertEqual(len(script.requests), 5)
        self.assertEqual(len(set(script.keys())), 1)
        self.assertRegex(script.keys()[0] or "", r"^[0-9a-f-]{36}$")
        self.assertEqual(len({request.body for request in script.requests}), 1)
        self.assertEqual(script.slept, [0.5, 1.0, 2.0, 4.0])

    def test_two_posts_have_two_keys_and_a_given_key_is_sent(self) -> None:
        script = Script(answer(), answer(), answer())
        agent = script.agent()
        agent.step(ID)
        agent.step(ID)
        agent.step(ID, idempotency_key="mine")
        first, second, third = script.keys()
        self.assertNotEqual(first, second)
        self.assertEqual(third, "mine")
        for key in ("", "a b", "x" * 256, "a\nb"):
            with self.subTest(key), self.assertRaises(ValueError):
                agent.step(ID, idempotency_key=key)

    def test_each_status_and_code(self) -> None:
        cases = [
            (429, "rate_limited", True), (429, "too_many_watchers", True), (429, "quota_exceeded", False),
            (502, "x", True), (503, "unavailable", True), (503, "not_configured", False), (504, "x", True),
            (409, "task_busy", True), (409, "request_in_progress", True), (409, "lease_lost", True),
            (409, "task_ended", False), (409, "question_settled", False), (409, "delegation_claimed", False),
            (400, "invalid_json", False), (401, "unauthorized", False), (404, "task_not_found", False),
            (422, "validation_failed", False), (500, "internal_error", False), (507, "storage_full", False),
        ]
        for status, code, is_repeated in cases:
            with self.subTest(code=code, status=status):
                script = Script(problem(status, code), answer())
                agent = script.agent()
                if is_repeated:
                    self.assertEqual(agent.step(ID), TASK)
                else:
                    error = caught(lambda: agent.step(ID))
                    self.assertEqual((error.status, error.code), (status, code))
                self.assertEqual(len(script.requests), 2 if is_repeated else 1)

    def test_it_gives_up_with_the_last_error(self) -> None:
        script = Script(*[problem(503, "unavailable") for _ in range(3)])
        error = caught(lambda: script.agent(retries=2).step(ID))
        self.assertEqual((error.status, error.code, error.detail, error.request_id), (503, "unavailable", "about unavailable", "req_1"))
        self.assertEqual(error.key, script.keys()[0])
        self.assertEqual(len(script.requests), 3)
        lost = Script(*[TimeoutError("timed out") for _ in range(3)])
        error = caught(lambda: lost.agent(retries=2).step(ID))
        self.assertEqual((error.status, error.code, error.key), (0, "timeout", lost.keys()[0]))
        self.assertIsInstance(error.__cause__, TimeoutError)

    def test_jitter_halves_a_wait_at_most_and_no_wait_grows_for_ever(self) -> None:
        for chance, wanted in ((0.0, [0.25, 0.5, 1.0, 2.0, 4.0, 4.0]), (1.0, [0.5, 1.0, 2.0, 4.0, 8.0, 8.0])):
            script = Script(*[problem(503, "unavailable") for _ in range(6)], answer())
            script.agent(retries=6, random=lambda: chance).get(ID)
            self.assertEqual(script.slept, wanted)

    def test_retry_after_in_seconds_or_as_a_date(self) -> None:
        cases: List[Tuple[str, float]] = [
            ("7", 7), ("60", 60), (email.utils.formatdate(NOW + 9, usegmt=True), 9), (email.utils.formatdate(NOW - 9, usegmt=True), 0.5),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 0.5), ("0", 0.5), ("soon", 0.5), ("-1", 0.5), ("1.5", 0.5), ("٣", 0.5),
        ]
        for value, wanted in cases:
            with self.subTest(value):
                script = Script(problem(429, "rate_limited", retry_after=value), answer())
                script.agent().get(ID)
                self.assertEqual(script.slept, [wanted])

    def test_a_longer_wait_than_max_wait_is_not_begun(self) -> None:
        for value in ("61", "999999999999", email.utils.formatdate(NOW + 61, usegmt=True)):
            with self.subTest(value):
                script = Script(problem(429, "tenant_budget_exceeded", retry_after=value))
                self.assertEqual(caught(lambda: script.agent().step(ID)).code, "tenant_budget_exceeded")
                self.assertEqual((script.slept, len(script.requests)), ([], 1))

    def test_a_delete_whose_answer_was_lost_is_done(self) -> None:
        script = Script(ConnectionResetError(), problem(404, "task_not_found"))
        script.agent().delete(ID)
        self.assertEqual(len(script.requests), 2)
        for first in ([], [problem(503, "unavailable")]):
            other = Script(*first, problem(404, "task_not_found"))
            self.assertEqual(caught(lambda: other.agent().delete(ID)).code, "task_not_found")

    def test_a_test_delivery_is_not_sent_twice(self) -> None:
        for step in (ConnectionResetError(), answer(502, b"")):
            script = Script(step)
            caught(lambda: script.agent().webhooks.test("https://x.example"))
            self.assertEqual(len(script.requests), 1)
        script = Script(problem(429, "rate_limited", retry_after="1"), answer(200, {"ok": True}))
        self.assertEqual(script.agent().webhooks.test("https://x.example"), {"ok": True})


class Errors(unittest.TestCase):
    def test_a_problem_document(self) -> None:
        body = {"code": "validation_failed", "status": 422, "detail": "no", "errors": [{"pointer": "/goal", "message": "is missing"}]}
        error = caught(lambda: Script(answer(422, body)).agent().create(""))
        self.assertEqual((error.status, error.code, error.detail, error.problem), (422, "validation_failed", "no", body))
        self.assertEqual(str(error), "422 validation_failed: no; /goal: is missing")

    def test_an_answer_that_is_no_json(self) -> None:
        for body in (b"<html>" + b"x" * 300, b"", b"[1]", b'"x"', b"\xff", b"[" * 100_000):
            with self.subTest(body[:10]):
                error = caught(lambda: Script(answer(200, body)).agent().get(ID))
                self.assertEqual((error.status, error.code, error.request_id), (200, "not_json", "req_1"))
                shown = body[:200].decode("utf-8", "replace")
                self.assertEqual(error.detail, f"the answer is no JSON object: {shown}")

    def test_an_error_without_a_problem_document(self) -> None:
        error = caught(lambda: Script(answer(418, b"tea\npot")).agent().get(ID))
        self.assertEqual((error.code, error.detail, error.problem), ("http_error", "tea pot", None))

    def test_no_error_shows_the_key(self) -> None:
        for step in (problem(401, "unauthorized"), answer(200, b"x"), answer(302, b"", location="http://x")):
            error = caught(lambda: Script(step).agent(key="sk-secret").get(ID))
            self.assertNotIn("sk-secret", f"{error} {error!r} {vars(error)}")

    def test_an_answer_is_bounded(self) -> None:
        script = Script(answer(200, b"x" * 100))
        with mock.patch.object(loop_agent, "_ANSWER_BYTES_MAX", 99):
            self.assertEqual(caught(lambda: script.agent().get_file(ID, "a.csv")).code, "answer_too_large")


class Driving(unittest.TestCase):
    def task(self, status: str, advanced: bool = True, **more: Any) -> Answer:
        return answer(200, {**TASK, "status": status, "slice": {"advanced": advanced}, **more})

    def test_run_steps_a_task_to_its_end(self) -> None:
        asking = self.task("input_required", pending={"kind": "question", "request_id": "q"})
        script = Script(self.task("running"), self.task("running"), asking, self.task("running"), self.task("completed"))
        shown = list(script.agent().run("x", rounds=2, answer=lambda task: "yes"))
        self.assertEqual([task["status"] for task in shown], ["running", "running", "input_required", "running", "completed"])
        self.assertEqual([sent[1:] for sent in script.sent()], [
            ("/tasks", {"goal": "x", "rounds": 0}),
            (f"/tasks/{ID}/step", {"rounds": 2}),
            (f"/tasks/{ID}/step", {"rounds": 2}),
            (f"/tasks/{ID}/input", {"input": "yes", "request_id": "q", "rounds": 2}),
            (f"/tasks/{ID}/step", {"rounds": 2}),
        ])
        self.assertEqual(script.slept, [])

    def test_run_ends_where_the_task_waits(self) -> None:
        for status in ("input_required", "paused", "failed", "canceled"):
            with self.subTest(status):
                shown = list(Script(self.task(status)).agent().run("x"))
                self.assertEqual([task["status"] for task in shown], [status])

    def test_steps_reads_the_task_first(self) -> None:
        script = Script(self.task("running"), self.task("completed"))
        shown = list(script.agent().steps({**TASK, "status": "paused"}, rounds=9))
        self.assertEqual([task["status"] for task in shown], ["completed"])
        self.assertEqual([sent[1:] for sent in script.sent()], [(f"/tasks/{ID}", None), (f"/tasks/{ID}/step", {"rounds": 9})])

    def test_run_waits_as_long_as_the_task_says(self) -> None:
        script = Script(self.task("running", retry_after_ms=3000), self.task("completed"))
        self.assertEqual(len(list(script.agent().run("x"))), 2)
        self.assertEqual(script.slept, [3.0])
        late = Script(self.task("running", retry_after_ms=61_000))
        self.assertEqual(len(list(late.agent().run("x"))), 1)
        self.assertEqual(late.slept, [])

    def test_run_gives_up_when_nothing_advances(self) -> None:
        script = Script(*[self.task("running", advanced=False) for _ in range(20)])
        self.assertEqual(len(list(script.agent(retries=3).run("x"))), 5)
        self.assertEqual(script.slept, [1.0, 2.0, 4.0])

    def test_run_looks_at_a_task_that_waits_for_a_worker(self) -> None:
        waits = [self.task("waiting_external", advanced=False, version=3) for _ in range(9)]
        script = Script(*waits, self.task("running", version=4), self.task("completed", version=5))
        shown = list(script.agent(retries=2).run("x"))
        self.assertEqual([task["status"] for task in shown], ["waiting_external", "running", "completed"])
        self.assertEqual(script.slept, [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0, 8.0, 8.0])

    def test_run_is_for_manual_tasks(self) -> None:
        with self.assertRaisesRegex(ValueError, "wait"):
            next(Script().agent().run("x", drive="background"))

    def test_wait_looks_until_the_task_has_settled(self) -> None:
        script = Script(answer(200, {**TASK, "status": "running"}, etag='"3"'), answer(304, None), answer(200, TASK))
        self.assertEqual(script.agent().wait(ID), TASK)
        self.assertEqual([request.headers.get("if-none-match") for request in script.requests], [None, '"3"', '"3"'])
        self.assertEqual([round(slept, 3) for slept in script.slept], [0.2, 0.3])
        for status in ("failed", "canceled", "input_required", "paused"):
            self.assertEqual(Script(self.task(status)).agent().wait(ID)["status"], status)
        others = Script(*[self.task(status) for status in ("queued", "running", "waiting_external", "completed")])
        self.assertEqual(others.agent().wait(ID)["status"], "completed")

    def test_wait_looks_ever_more_rarely(self) -> None:
        script = Script(*[self.task("running") for _ in range(9)], self.task("completed"))
        script.agent().wait(ID)
        self.assertEqual(script.slept[-2:], [2.0, 2.0])

    def test_wait_ends_after_its_time(self) -> None:
        clock = [0.0]
        script = Script(*[answer(200, {**TASK, "status": "running"}) for _ in range(20)])
        agent = script.agent(clock=lambda: clock[0], sleep=lambda s: clock.__setitem__(0, clock[0] + s))
        with self.assertRaisesRegex(TimeoutError, "still running after 1"):
            agent.wait(ID, timeout=1)
        self.assertAlmostEqual(clock[0], 1.0)


def frames(seqs: range, ended: bool = True) -> bytes:
    events = "".join(
        f"id: {seq}\nevent: plan_created\ndata: {json.dumps(event(seq), ensure_ascii=False)}\n\n" for seq in seqs
    )
    end = 'retry: 600000\nevent: end\ndata: {"status": "completed"}\n\n' if ended else ""
    return f"retry: 2000\n\n: still here\n\n{events}{end}".encode()


def event(seq: int) -> Dict[str, Any]:
    return {"seq": seq, "type": "plan_created", "at": "t", "task_id": ID, "payload": {"text": "买牛奶 🥛"}}


def stream(*chunks: Union[bytes, Exception]) -> Answer:
    def given() -> Iterator[bytes]:
        for chunk in chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    return Answer(200, {"content-type": "text/event-stream"}, given())


def followed(events: Iterator[Any]) -> Tuple[List[int], Any]:
    """The seqs, and what the generator returns."""
    seqs: List[int] = []
    while True:
        try:
            one = next(events)
        except StopIteration as stop:
            return seqs, stop.value
        assert one == event(one["seq"])
        seqs.append(one["seq"])


class Events(unittest.TestCase):
    def test_a_stream_that_is_cut_at_any_byte_gives_each_event_once(self) -> None:
        whole = frames(range(1, 4))
        ends = [len(frames(range(1, seq + 1), ended=False)) for seq in range(1, 4)]
        for cut in range(len(whole)):
            last = sum(end <= cut for end in ends)
            # The server goes on one event before the one that the client names.
            script = Script(stream(whole[:cut], ConnectionResetError("cut")), stream(frames(range(max(1, last), 4))))
            seqs, status = followed(script.agent().events(ID))
            self.assertEqual((cut, seqs, status), (cut, [1, 2, 3], "completed"))
            named = [request.headers.get("last-event-id") for request in script.requests]
            self.assertEqual((cut, named), (cut, [None, str(last) if last > 0 else None]))

    def test_a_stream_in_pieces_of_any_size(self) -> None:
        for ends in (b"\n", b"\r\n", b"\r"):
            # Without its first field this event would be no event.
            first = f"data: {json.dumps(event(1))}\n\n".encode()
            whole = b"\xef\xbb\xbf" + (first + frames(range(2, 3))).replace(b"\n", ends)
            for size in (1, 2, 3, 7, len(whole)):
                pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
                seqs, status = followed(Script(stream(*pieces)).agent().events(ID))
                self.assertEqual((ends, size, seqs, status), (ends, size, [1, 2], "completed"))

    def test_it_begins_after_the_event_that_is_named(self) -> None:
        script = Script(stream(frames(range(3, 5))))
        self.assertEqual(followed(script.agent().events(ID, after=2))[0], [3, 4])
        self.assertEqual(script.requests[0].headers["last-event-id"], "2")
        self.assertEqual(script.requests[0].headers["accept"], "text/event-stream")
        self.assertTrue(script.requests[0].streamed)

    def test_it_waits_before_it_comes_again_and_gives_up_at_last(self) -> None:
        script = Script(*[stream(b"retry: 3000\n\n") for _ in range(5)])
        error = caught(lambda: followed(script.agent().events(ID)))
        self.assertEqual((error.status, error.code), (0, "network_error"))
        self.assertEqual(script.slept, [3.0, 3.0, 3.0, 4.0])

    def test_each_sign_of_life_begins_the_count_anew(self) -> None:
        script = Script(*[stream(b": still here\n\n") for _ in range(9)], stream(frames(range(1, 2))))
        self.assertEqual(followed(script.agent(retries=1).events(ID)), ([1], "completed"))

    def test_a_refusal_ends_it_and_a_busy_service_does_not(self) -> None:
        self.assertEqual(caught(lambda: followed(Script(problem(404, "task_not_found")).agent().events(ID))).code, "task_not_found")
        script = Script(problem(429, "too_many_watchers", retry_after="15"), stream(frames(range(1, 2))))
        self.assertEqual(followed(script.agent().events(ID)), ([1], "completed"))
        self.assertEqual(script.slept, [15.0])
        late = Script(problem(429, "too_many_watchers", retry_after="61"))
        self.assertEqual(caught(lambda: followed(late.agent().events(ID))).code, "too_many_watchers")

    def test_words_are_given_only_when_they_are_wanted(self) -> None:
        delta = b'event: thought_delta\ndata: {"type": "thought_delta", "text": "a"}\n\n'
        whole = delta + frames(range(1, 2))
        self.assertEqual(followed(Script(stream(whole)).agent().events(ID))[0], [1])
        types = [one["type"] for one in Script(stream(whole)).agent().events(ID, words=True)]
        self.assertEqual(types, ["thought_delta", "plan_created"])

    def test_a_line_and_an_event_are_bounded(self) -> None:
        endless = stream(*[b"data: "], *[b"x" * 65_536 for _ in range(20)])
        self.assertEqual(caught(lambda: followed(Script(endless).agent().events(ID))).code, "bad_stream")
        lines = stream(*[b"data: " + b"x" * 65_536 + b"\n" for _ in range(80)])
        self.assertEqual(caught(lambda: followed(Script(lines).agent().events(ID))).code, "bad_stream")

    def test_a_line_of_the_greatest_length_is_read_in_pieces_of_one_byte(self) -> None:
        text = json.dumps({**event(1), "payload": {"text": "x" * 1_048_000}})
        self.assertLess(len(text), 1024 * 1024 - 6)
        whole = f"data: {text}\n\n".encode() + frames(range(2, 3))
        pieces = [whole[at : at + 1] for at in range(len(whole))]
        given = list(Script(stream(*pieces)).agent().events(ID))
        self.assertEqual([one["seq"] for one in given], [1, 2])

    def test_what_is_no_stream_is_an_error(self) -> None:
        page = Answer(200, {"content-type": "text/html"}, iter([b"<html>"]))
        self.assertEqual(caught(lambda: followed(Script(page).agent().events(ID))).code, "bad_stream")
        broken = stream(b"data: {\n\n")
        self.assertEqual(caught(lambda: followed(Script(broken).agent().events(ID))).code, "not_json")

    def test_an_error_of_the_reader_is_not_taken_for_a_cut(self) -> None:
        events = Script(stream(frames(range(1, 4)))).agent().events(ID)
        next(events)
        with self.assertRaises(ConnectionResetError):
            events.throw(ConnectionResetError("of the reader"))

    def test_leaving_early_closes_the_connection(self) -> None:
        closed: List[bool] = []
        given = Answer(200, {"content-type": "text/event-stream"}, iter([frames(range(1, 4))]), lambda: closed.append(True))
        events = Script(given).agent().events(ID)
        next(events)
        self.assertEqual(closed, [])
        events.close()
        self.assertEqual(closed, [True])


SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
OTHER = "whsec_" + base64.b64encode(bytes(range(1, 33))).decode()
BODY = '{"type":"task.completed","timestamp":"t","data":{"goal":"买牛奶 🥛"}}'.encode()


def signature(secret: str = SECRET, body: bytes = BODY, id: str = "task_a_12", at: int = int(NOW)) -> str:
    key = base64.b64decode(secret[6:])
    return "v1," + base64.b64encode(hmac.new(key, f"{id}.{at}.".encode() + body, hashlib.sha256).digest()).decode()


def signed(signatures: str, at: Any = int(NOW), **more: Any) -> Dict[str, Any]:
    return {"Webhook-Id": "task_a_12", "webhook-timestamp": str(at), "WEBHOOK-SIGNATURE": signatures, **more}


class Webhooks(unittest.TestCase):
    def check(self, **arguments: Any) -> str:
        """The check that failed."""
        given: Dict[str, Any] = {"headers": signed(signature()), "body": BODY, "secret": SECRET, "now": NOW}
        with self.assertRaises(WebhookError) as failed:
            verify_webhook(**{**given, **arguments})
        self.assertTrue(str(failed.exception).startswith(f"{failed.exception.check}: "))
        return failed.exception.check

    def test_a_vector_of_the_specification(self) -> None:
        headers = {
            "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "webhook-timestamp": "1614265330",
            "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        }
        message = verify_webhook(headers, '{"test": 2432232314}', "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", now=1614265330)
        self.assertEqual(message, {"test": 2432232314})

    def test_a_message_that_is_signed(self) -> None:
        for headers in (
            signed(signature()),
            signed(f"{signature(OTHER)} {signature()}"),
            signed(f"v1a,xyz v2,abc {signature()}"),
            {name: [value] for name, value in signed(signature()).items()},
            {name: value.encode() for name, value in signed(signature()).items()},
        ):
            self.assertEqual(verify_webhook(headers, BODY, SECRET, now=NOW)["data"], {"goal": "买牛奶 🥛"})
        self.assertEqual(verify_webhook(signed(signature()), BODY.decode(), [OTHER, SECRET], now=NOW)["type"], "task.completed")

    def test_the_time_is_held_to_its_bounds(self) -> None:
        for off in (-300, 300):
            self.assertEqual(verify_webhook(signed(signature()), BODY, SECRET, now=NOW + off)["timestamp"], "t")
        for off in (-301, 301):
            self.assertEqual(self.check(now=NOW + off), "timestamp")
        self.assertEqual(self.check(now=NOW + 6, tolerance=5), "timestamp")
        for at in ("", "soon", "1.5", "-1", "+1", "٣", "1" * 13):
            with self.subTest(at):
                self.assertEqual(self.check(headers=signed(signature(), at=at)), "timestamp")

    def test_the_clock_is_that_of_the_machine_by_default(self) -> None:
        with mock.patch.object(time, "time", lambda: NOW + 100):
            self.assertEqual(verify_webhook(signed(signature()), BODY, SECRET)["timestamp"], "t")
        with mock.patch.object(time, "time", lambda: NOW + 1000), self.assertRaises(WebhookError):
            verify_webhook(signed(signature()), BODY, SECRET)

    def test_what_was_changed_is_refused(self) -> None:
        self.assertEqual(self.check(body=BODY.replace(b"{", b"{ ", 1)), "signature")
        self.assertEqual(self.check(headers=signed(signature(), **{"Webhook-Id": "task_a_13"})), "signature")
        self.assertEqual(self.check(headers=signed(signature(), at=int(NOW) + 1)), "signature")
        self.assertEqual(self.check(secret=OTHER), "signature")
        for text in ("v1,", "v1", signature()[3:], f"v2,{signature()[3:]}", signature()[:-1], f"{signature()},", "v1,ü"):
            with self.subTest(text):
                self.assertEqual(self.check(headers=signed(text)), "signature")

    def test_each_bit_of_a_signature_counts(self) -> None:
        good = signature()
        for at in range(3, len(good) - 1):
            bad = f"{good[:at]}{'A' if good[at] != 'A' else 'B'}{good[at + 1:]}"
            self.assertEqual(self.check(headers=signed(bad)), "signature")

    def test_what_is_missing_is_named(self) -> None:
        for name, check in (("Webhook-Id", "id"), ("webhook-timestamp", "timestamp"), ("WEBHOOK-SIGNATURE", "signature")):
            headers = {one: value for one, value in signed(signature()).items() if one != name}
            self.assertEqual(self.check(headers=headers), check)
            self.assertEqual(self.check(headers={**headers, name: ["a", "b"]}), check)

    def test_a_secret_that_cannot_be_one(self) -> None:
        short = "whsec_" + base64.b64encode(bytes(23)).decode()
        long = "whsec_" + base64.b64encode(bytes(65)).decode()
        secrets: List[Any] = ["", "whsec_", SECRET[6:], "whsec_%%%%", "whsec_ü", short, long, []]
        for secret in secrets:
            with self.subTest(secret):
                self.assertEqual(self.check(secret=secret), "secret")

    def test_a_body_that_is_signed_and_no_object(self) -> None:
        self.assertEqual(self.check(body=b"[]", headers=signed(signature(body=b"[]"))), "body")


class Server:
    """A server on loopback; `reply` writes the whole answer to each request."""

    def __init__(self, reply: Callable[[BaseHTTPRequestHandler, int], None]) -> None:
        self.seen: List[Tuple[str, str, Dict[str, str]]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                self.rfile.read(length)
                outer.seen.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}))
                self.close_connection = True
                reply(self, len(outer.seen))

            do_GET = do_POST = do_PUT = do_DELETE = handle_one

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> "Server":
        self.thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def write(handler: BaseHTTPRequestHandler, head: str, body: bytes = b"") -> None:
    handler.wfile.write(head.replace("\n", "\r\n").encode() + b"\r\n" + body)
    handler.wfile.flush()


def agent_at(url: str, slept: Optional[List[float]] = None, **options: Any) -> LoopAgent:
    waits: List[float] = [] if slept is None else slept
    return LoopAgent(url, "sk-secret", sleep=waits.append, random=lambda: 1.0, **options)


class OverTheNetwork(unittest.TestCase):
    def test_a_redirect_is_not_followed_and_no_other_host_gets_the_key(self) -> None:
        with Server(lambda handler, _: write(handler, "HTTP/1.1 200 OK\ncontent-length: 2\n", b"{}")) as other:
            for status in (301, 302, 303, 307, 308):
                place = f"{other.url}/stolen?{status}"
                with Server(lambda handler, _: write(handler, f"HTTP/1.1 {status} Moved\nlocation: {place}\ncontent-length: 0\n")) as server:
                    for call in (lambda a: a.get(ID), lambda a: a.create("x"), lambda a: followed(a.events(ID))):
                        error = caught(lambda: call(agent_at(server.url)))
                        self.assertEqual((error.status, error.code), (status, "redirect_refused"))
                        self.assertIn(place, error.detail)
                    self.assertEqual(len(server.seen), 3)
            self.assertEqual(other.seen, [])

    def test_no_proxy_of_the_environment_is_asked(self) -> None:
        with Server(lambda handler, _: write(handler, "HTTP/1.1 200 OK\ncontent-length: 2\n", b"{}")) as proxy:
            with Server(lambda handler, _: write(handler, 'HTTP/1.1 200 OK\ncontent-length: 7\n', b'{"a":1}')) as server:
                names = ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY")
                with mock.patch.dict(os.environ, {**{name: proxy.url for name in names}, "no_proxy": ""}):
                    self.assertEqual(agent_at(server.url).health(), {"a": 1})
            self.assertEqual(proxy.seen, [])

    def test_a_retry_after_over_the_network(self) -> None:
        def reply(handler: BaseHTTPRequestHandler, count: int) -> None:
            if count == 1:
                write(handler, "HTTP/1.1 503 No\nretry-after: 3\ncontent-length: 0\n")
            else:
                write(handler, "HTTP/1.1 200 OK\ncontent-length: 2\n", b"{}")

        slept: List[float] = []
        with Server(reply) as server:
            self.assertEqual(agent_at(server.url, slept).create("x"), {})
            keys = {headers["idempotency-key"] for _, _, headers in server.seen}
        self.assertEqual((slept, len(keys)), ([3.0], 1))

    def test_an_answer_that_is_cut_is_asked_for_again_at_every_byte(self) -> None:
        whole = b'{"id":"\xc3\xbc"}'
        forms = {
            "length": (f"HTTP/1.1 200 OK\ncontent-length: {len(whole)}\n", whole),
            "chunks": ("HTTP/1.1 200 OK\ntransfer-encoding: chunked\n", b"%x\r\n%s\r\n0\r\n\r\n" % (len(whole), whole)),
        }
        for name, (head, body) in forms.items():
            # Each cut answer is followed by a whole one. The empty line at the end of the chunks adds nothing to the answer.
            cuts = range(len(body) - (0 if name == "length" else 4))

            def reply(handler: BaseHTTPRequestHandler, count: int) -> None:
                write(handler, head, body[: cuts[count // 2]] if count % 2 == 1 else body)

            with Server(reply) as server:
                for cut in cuts:
                    self.assertEqual((name, cut, agent_at(server.url).get(ID)), (name, cut, {"id": "ü"}))
                self.assertEqual(len(server.seen), 2 * len(cuts))

    def test_events_over_the_network_are_cut_at_every_byte(self) -> None:
        whole = frames(range(1, 3))
        head = "HTTP/1.1 200 OK\ncontent-type: text/event-stream\n"
        for is_chunked in (False, True):

            def reply(handler: BaseHTTPRequestHandler, count: int) -> None:
                is_cut = count % 2 == 1
                part = whole[: count // 2] if is_cut else frames(range(int(handler.headers.get("last-event-id") or 0) + 1, 3))
                if not is_chunked:
                    return write(handler, f"{head}connection: close\n", part)
                chunk = b"%x\r\n%s\r\n" % (len(part), part) if part else b""
                write(handler, f"{head}transfer-encoding: chunked\n", chunk + (b"" if is_cut else b"0\r\n\r\n"))

            with Server(reply) as server:
                for cut in range(len(whole)):
                    result = followed(agent_at(server.url).events(ID))
                    self.assertEqual((is_chunked, cut, result), (is_chunked, cut, ([1, 2], "completed")))
                self.assertEqual(len(server.seen), 2 * len(whole))

    def test_a_service_that_is_not_there(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
            slept: List[float] = []
            error = caught(lambda: agent_at(url, slept, retries=2).create("x"))
        self.assertEqual((error.status, error.code, slept), (0, "network_error", [0.5, 1.0]))
        self.assertIsNotNone(error.key)

    def test_an_answer_that_never_comes_or_drips_is_given_up_in_time(self) -> None:
        over = threading.Event()

        def drip(handler: BaseHTTPRequestHandler, _: int) -> None:
            write(handler, "HTTP/1.1 200 OK\ncontent-length: 9\n", b"{")
            over.wait()

        times = iter([0.0, 1.0, 1000.0])
        def silence(_: BaseHTTPRequestHandler, __: int) -> None:
            over.wait()

        for reply, patch in (
            (silence, mock.patch.object(time, "monotonic", lambda: 0.0)),
            (drip, mock.patch.object(time, "monotonic", lambda: next(times))),
        ):
            with Server(reply) as server:
                agent = agent_at(server.url, retries=0, timeout=0.1 if reply is not drip else 100)
                try:
                    with patch:
                        error = caught(lambda: agent.get(ID))
                finally:
                    over.set()
            over.clear()
            self.assertEqual((error.status, error.code), (0, "timeout"))

    def test_a_refusal_reaches_a_client_whose_body_is_not_taken(self) -> None:
        body = b'{"code":"file_too_large","detail":"no"}'
        listener = socket.create_server(("127.0.0.1", 0))

        def serve() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"HTTP/1.1 413 No\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body))

        send = http.client.HTTPConnection.send

        def broken(connection: http.client.HTTPConnection, data: Any) -> None:
            if data == b"the body":
                raise BrokenPipeError
            send(connection, data)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            with mock.patch.object(http.client.HTTPConnection, "send", broken):
                url = f"http://127.0.0.1:{listener.getsockname()[1]}"
                error = caught(lambda: agent_at(url, retries=0).put_file(ID, "a.csv", b"the body"))
        finally:
            thread.join()
            listener.close()
        self.assertEqual((error.status, error.code), (413, "file_too_large"))

    def test_bytes_come_and_go_as_they_are(self) -> None:
        content = bytes(range(256)) * 1000
        head = f"HTTP/1.1 200 OK\ncontent-length: {len(content)}\n"
        with Server(lambda handler, _: write(handler, head, content)) as server:
            self.assertEqual(agent_at(server.url).get_file(ID, "a.bin"), content)


if __name__ == "__main__":
    unittest.main()
