"""Galley's plugins in Python: routes, JSON and SQL. `template/app.py` beside it shows each of them in use.

A handler gets a `Request` and returns what becomes JSON, `None` (204) or a `Response`. An exception that it does not catch is
a 500 whose traceback goes to the server's log, with the request's id. Everything else of the contract is in the generated
module `wit_world.imports`, as far as the plugin's world imports it.
"""

import json
import struct
from typing import Any, Callable, NamedTuple
from urllib.parse import parse_qsl

from componentize_py_types import Err
from wit_world.imports import galley_http_types as _http
from wit_world.imports import sql as _sql

Handle = Callable[["Request"], Any]


class Refused(Exception):
    """An answer with `status` and `{"error": message}`."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class Problem(Exception):
    """What the host refused or could not do; `code` is one of those in the interface's documentation."""

    def __init__(self, problem: Any) -> None:
        super().__init__(f"{problem.code}: {problem.message}")
        self.code = problem.code


class Response(NamedTuple):
    """An answer that is not JSON, or has headers of its own."""

    status: int
    body: bytes
    headers: list[tuple[str, str]] = [("content-type", "application/json")]


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

    def migration(self, version: int, sql: str) -> None:
        """Adds a step to the plugin's tables: 1, 2, 3 …, never changed once it ran."""
        self.manifest["migrations"].append({"version": version, "sql": sql})

    def route(self, method: str, path: str, **route: Any) -> Callable[[Handle], Handle]:
        """The handler of a route; `guard` and what else a route has stand in wit/README.md."""

        def add(handle: Handle) -> Handle:
            self.manifest["routes"].append({"method": method, "path": path} | route)
            names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
            self.handlers.append((handle, names))
            return handle

        return add

    def export(self) -> type:
        """What the plugin exports: `Handler = plugin.export()`."""
        plugin = self

        class Handler:
            def describe(self) -> bytes:
                return json.dumps(plugin.manifest).encode()

            def handle(self, request: _http.Request) -> _http.Response:
                handle, names = plugin.handlers[request.route()]
                try:
                    answer = handle(Request(request, names))
                except Refused as refused:
                    answer = _json(refused.status, {"error": refused.message})
                if answer is None:
                    answer = Response(204, b"", [])
                elif not isinstance(answer, Response):
                    answer = _json(200, answer)
                return _http.Response(answer.status, answer.headers, answer.body, None)

        return Handler


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _json(status: int, value: Any) -> Response:
    return Response(status, _encode(value).encode())


def query(sql: str, *params: Any) -> list[tuple]:
    """The rows of one statement that reads."""
    try:
        return _rows(_sql.query(sql, [_value(param) for param in params]))
    except Err as error:
        raise Problem(error.value) from None


def listing(name: str, columns: str, rest: str, *params: Any) -> Response:
    """The answer `{name: [{…}, …]}` with the rows of `SELECT columns rest`, which the database makes: the quickest way to answer
    many rows. A column is a name, or an expression with `AS name`. At most 1 MiB."""
    names = [column.split()[-1] for column in columns.split(",")]
    row = ", ".join(f"'{column}', {column}" for column in names)
    sql = f"SELECT json_object('{name}', json_group_array(json_object({row}))) FROM (SELECT {columns} {rest})"
    try:
        # One cell: the number of columns, its kind and its length stand before it.
        return Response(200, _sql.query(sql, [_value(param) for param in params])[9:])
    except Err as error:
        raise Problem(error.value) from None


def batch(*steps: tuple, publish: list = []) -> list[list[tuple]]:
    """Runs statements, each with its parameters behind it, in one transaction, and gives the rows of each."""
    try:
        made = [_sql.Step(sql, [_value(param) for param in params], None) for sql, *params in steps]
        return [_rows(rows) for rows in _sql.batch(made, publish)]
    except Err as error:
        raise Problem(error.value) from None


_KINDS = {int: _sql.Value_Integer, bool: _sql.Value_Integer, float: _sql.Value_Real}
_KINDS |= {str: _sql.Value_Text, bytes: _sql.Value_Blob}


def _value(value: Any) -> Any:
    return _sql.Value_Null() if value is None else _KINDS[type(value)](value)


_length, _integer, _real = (struct.Struct(kind).unpack_from for kind in ("<I", "<q", "<d"))


def _rows(packed: bytes) -> list[tuple]:
    """Unpacks rows, as `galley:sql` describes them."""
    cells, at, end = [], 4, len(packed)
    while at < end:
        tag, start = packed[at], at + 5
        if tag > 2:
            at = start + _length(packed, at + 1)[0]
            cells.append(packed[start:at].decode() if tag == 3 else packed[start:at])
        elif tag:
            cells.append((_integer if tag == 1 else _real)(packed, at + 1)[0])
            at += 9
        else:
            cells.append(None)
            at += 1
    columns = _length(packed)[0]
    return list(zip(*[iter(cells)] * columns)) if columns else []
