"""Galley's plugins in Python: routes, JSON and SQL. `template/app.py` beside it shows each of them in use.

A handler gets a `Request` and returns what becomes JSON, `None` (204) or a `Response`. An exception that it does not catch is
a 500 whose traceback goes to the server's log, with the request's id. Everything else of the contract is in the generated
module `wit_world.imports`, as far as the plugin's world imports it. `galley_config` and `galley_outbound` are the helpers of two of
these: settings, and requests to other hosts.
"""

import json
from typing import Any, Callable
from urllib.parse import parse_qsl

from componentize_py_types import Err
from galley_answers import Problem, Refused, Response
from galley_sql import batch, listing, query
from wit_world.imports import galley_http_types as _http

__all__ = ["Plugin", "Problem", "Refused", "Request", "Response", "batch", "listing", "query"]

Handle = Callable[["Request"], Any]


class Request:
    """One request. The host keeps it, and is asked for what a handler uses of it; its methods are those of `request` in
    `galley:http`, as `request.host.id()`."""

    def __init__(self, host: _http.Request, names: list[str]) -> None:
        self.host, self.names = host, names

    @property
    def params(self) -> dict[str, str]:
        """The values of the route's `{parameters}`."""
        return dict(zip(self.names, self.host.params()))

    @property
    def query(self) -> dict[str, str]:
        """The parameters behind the `?`."""
        return dict(parse_qsl(self.host.query(), keep_blank_values=True))

    @property
    def project(self) -> str:
        """The project that a `project:…` guard found."""
        return self.host.project() or ""

    def json(self) -> dict[str, Any]:
        """The body, which has to be an object. Can be taken once."""
        try:
            body = json.loads(self.host.take_body())
        except ValueError as error:
            raise Refused(400, f"The body is not JSON: {error}") from None
        if not isinstance(body, dict):
            raise Refused(400, "The body must be a JSON object")
        return body


class Plugin:
    """What the server knows of the plugin (`manifest`, see wit/README.md), and its handlers."""

    def __init__(self, slot: str, version: str, **manifest: Any) -> None:
        self.manifest: dict[str, Any] = {"slot": slot, "version": version, "routes": [], "migrations": []} | manifest
        self.handlers: list[tuple[Handle, list[str]]] = []
        self.jobs: dict[str, Callable[[], None]] = {}

    def migration(self, version: int, sql: str, postgres: str | None = None) -> None:
        """Adds a step to the plugin's tables: 1, 2, 3 …, never changed once it ran. `postgres` is the step on PostgreSQL, where it is
        another one; a plugin that is for both says `engines=["sqlite", "postgres"]`."""
        own = {} if postgres is None else {"postgres": {"sql": postgres}}
        self.manifest["migrations"].append({"version": version, "sql": sql} | own)

    def route(self, method: str, path: str, **route: Any) -> Callable[[Handle], Handle]:
        """The handler of a route; `guard` and what else a route has stand in wit/README.md."""

        def add(handle: Handle) -> Handle:
            self.manifest["routes"].append({"method": method, "path": path} | route)
            names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
            self.handlers.append((handle, names))
            return handle

        return add

    def job(self, name: str, **times: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
        """A function that runs by itself: `every="6h"`, or `cron="0 9 * * 1"` in UTC."""

        def add(run: Callable[[], None]) -> Callable[[], None]:
            self.manifest.setdefault("jobs", []).append({"name": name} | times)
            self.jobs[name] = run
            return run

        return add

    def export_jobs(self) -> type:
        """What a plugin with jobs exports as well: `Jobs = plugin.export_jobs()`. Its world says
        `export galley:plugin/jobs@1.1.0`."""
        from wit_world.imports import errors

        plugin = self

        class Jobs:
            def run(self, job: Any) -> None:
                try:
                    plugin.jobs[job.name()]()
                except (Refused, Problem) as failed:
                    raise Err(errors.Problem(getattr(failed, "code", "failed"), str(failed))) from None

        return Jobs

    def export(self) -> type:
        """What the plugin exports: `Handler = plugin.export()`."""
        plugin = self

        class Handler:
            def describe(self) -> bytes:
                return json.dumps(plugin.manifest).encode()

            def handle(self, request: _http.Request) -> Response:
                handle, names = plugin.handlers[request.route()]
                try:
                    answer = handle(Request(request, names))
                except Refused as refused:
                    answer = _json(refused.status, {"error": refused.message})
                if answer is None:
                    answer = Response(204, b"", [])
                elif not isinstance(answer, Response):
                    answer = _json(200, answer)
                return answer

        return Handler


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _json(status: int, value: Any) -> Response:
    return Response(status, _encode(value).encode())
