"""The reference code runner: docs/code-runner.md over plain HTTP, with Python's standard library alone.

    python3 runner/server.py

A line `{"ready": "http://…"}` on stdout says that it listens.
"""
import hmac
import json
import os
import re
import signal
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import linux  # noqa: E402
from asked import Refused, asked_run, body_of, chunks_of  # noqa: E402
from datasets import Datasets, is_id  # noqa: E402
from runs import Busy, Runs, job  # noqa: E402
from settings import DATASET_BYTES_MAX, TIMEOUT_MAX_S, read_settings  # noqa: E402

RUN_BYTES_MAX = 2 * 1024 * 1024
# Each holds a thread: more than this at once is nobody's honest work.
CONNECTIONS_MAX = 64
IDLE_S = 20


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = IDLE_S
    server_version, sys_version = "loop-agent-runner", ""

    def do_GET(self):
        self.answered(lambda: self.health())

    def do_POST(self):
        self.answered(lambda: self.run())

    def do_PUT(self):
        self.answered(lambda: self.put())

    def answered(self, work):
        try:
            self.admit()
            self.say(*work())
        except Refused as refused:
            self.say(refused.status, {"error": refused.message}, refused.headers)
            self.let_go()
        except (ConnectionError, socket.timeout):
            self.close_connection = True
        except Exception as error:  # noqa: BLE001 – the caller gets no trace, the log does
            self.log_error("failed: %r", error)
            self.say(500, {"error": "the runner failed"})

    def admit(self):
        secret = self.server.settings.secret
        given = self.headers.get("authorization", "")
        if secret and not hmac.compare_digest(given.encode("utf-8", "replace"), f"Bearer {secret}".encode()):
            raise Refused(401, "the secret is missing or wrong", {"www-authenticate": "Bearer"})

    def health(self):
        if self.path != "/health":
            raise Refused(404, "there is GET /health, POST /run and PUT /datasets/<id>")
        return 200, self.server.health

    def put(self):
        of = self.path[len("/datasets/") :] if self.path.startswith("/datasets/") else ""
        if not is_id(of):
            raise Refused(404, "a dataset is PUT at /datasets/<id>, an id of 1 to 128 letters, digits, _ or -")
        self.server.datasets.take(of, chunks_of(self, DATASET_BYTES_MAX))
        return 204, None

    def run(self):
        if self.path != "/run":
            raise Refused(404, "there is GET /health, POST /run and PUT /datasets/<id>")
        asked = asked_run(body_of(self, RUN_BYTES_MAX))
        if asked["dataset"] is None:
            return self.ran(asked, None)
        with self.server.datasets.hold(asked["dataset"]["id"]) as path:
            if path is None:
                return 409, {"missing": [asked["dataset"]["id"]]}
            return self.ran(asked, {"name": asked["dataset"]["name"], "path": path})

    def ran(self, asked, dataset):
        try:
            answer = self.server.runs.run(job(asked["code"], asked["timeout_s"], dataset, asked["results"]))
        except Busy:
            raise Refused(503, "as many runs as allowed are under way", {"retry-after": "5"}) from None
        if answer["status"] == "lost":
            raise RuntimeError(answer["stderr"])
        return 200, answer

    def say(self, status, value, headers=None):
        body = b"" if value is None else json.dumps(value, ensure_ascii=False).encode("utf-8")
        self.send_response(status)
        # One request a connection: none is closed while another request is under way on it.
        self.send_header("connection", "close")
        for name, text in (headers or {}).items():
            self.send_header(name, text)
        if value is not None:
            self.send_header("content-type", "application/json; charset=utf-8")
            self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def let_go(self):
        """After a refusal the rest of a request is not worth reading; a little is, or the answer is lost with the connection."""
        try:
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(1)
            for _ in range(64):
                if not self.connection.recv(65_536):
                    return
        except OSError:
            pass

    def log_message(self, format, *args):
        """One line a request, to stderr; control characters in a path are not passed on to a terminal."""
        line = re.sub(r"[^\x20-\x7e]", "?", format % args)
        sys.stderr.write(f"{self.log_date_time_string()} {line}\n")


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, settings):
        self.settings = settings
        self.datasets = Datasets(os.path.join(settings.data_dir, "datasets"), settings.datasets_bytes)
        self.runs = Runs(settings)
        self.health = health_of(self.runs, settings)
        self.connections = threading.BoundedSemaphore(CONNECTIONS_MAX)
        self.address_family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
        super().__init__((settings.host, settings.port), Handler)

    def process_request(self, request, client_address):
        if not self.connections.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.connections.release()


def health_of(runs, settings):
    apart = "isolated" if runs.isolated else "open"
    limits = {"timeout_s": TIMEOUT_MAX_S, "dataset_bytes": DATASET_BYTES_MAX, "parallel": settings.parallel, **settings.limits}
    return {"version": 1, "language": "python", **runs.machine, "files": apart, "processes": apart, "limits": limits}


def main():
    os.umask(0o077)
    # Code that runs as the same user must not read the secret out of this process.
    linux.prctl(linux.DUMPABLE, 0)
    try:
        server = Server(read_settings(os.environ))
    except (ValueError, OSError) as error:
        sys.exit(f"the runner does not start: {error}")
    if not server.runs.isolated:
        why = server.runs.why_open
        sys.stderr.write(f"warning: no isolation here ({why}): code sees what files its user may read; network: {server.health['network']}\n")
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    host = f"[{settings_host}]" if ":" in (settings_host := server.settings.host) else settings_host
    print(json.dumps({"ready": f"http://{host}:{server.server_address[1]}", "network": server.health["network"]}), flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
