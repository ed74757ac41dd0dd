"""What handlers answer and what goes wrong."""

from typing import Any

_JSON = [("content-type", "application/json")]


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


class Response:
    """An answer that is not JSON, or has headers of its own."""

    # The host reads it like the generated `response`: making one of each would cost every request some microseconds.
    __slots__ = ("status", "body", "headers", "tail")

    def __init__(self, status: int, body: bytes, headers: list[tuple[str, str]] = _JSON) -> None:
        self.status, self.body, self.headers, self.tail = status, body, headers, None
