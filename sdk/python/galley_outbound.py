"""Requests to the hosts of the manifest, `Plugin(…, hosts=["open.example.com"])`, by HTTPS. The world imports
`galley:outbound/outbound@1.1.0`, and the operator approves each host."""

import json
from typing import Any, NamedTuple

from componentize_py_types import Err, Ok
from galley_answers import Problem
from wit_world.imports import outbound as _outbound


class Outgoing(NamedTuple):
    """A request; `path` begins with `/`, and `headers` are pairs."""

    host: str
    path: str
    method: str = "GET"
    headers: list[tuple[str, str]] = []
    body: bytes = b""


class Answer(NamedTuple):
    """An answer, whatever its status; the names of headers are in lower case."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


def fetch(outgoing: Outgoing) -> Answer:
    """Waits for the answer, ten seconds at most. A `Problem` where there is none."""
    try:
        return _answer(_outbound.fetch(_request(outgoing)))
    except Err as error:
        raise Problem(error.value) from None


def fetch_all(*outgoing: Outgoing) -> list[Answer | Problem]:
    """Sends up to 16 requests, which overlap. What came of each is in its place."""
    found = _outbound.fetch_all([_request(one) for one in outgoing])
    return [_answer(one.value) if isinstance(one, Ok) else Problem(one.value) for one in found]


def _answer(response: Any) -> Answer:
    return Answer(response.status, response.headers, response.body)


def _request(outgoing: Outgoing) -> Any:
    host, path, method, headers, body = outgoing
    return _outbound.Request(host, method, path, headers, body)
