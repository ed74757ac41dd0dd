"""Statements on the plugin's own database, with their rows."""

import struct
from functools import lru_cache
from typing import Any

from componentize_py_types import Err
from galley_answers import Problem, Response
from wit_world.imports import sql as _sql


def query(sql: str, *params: Any) -> list[tuple]:
    """The rows of one statement that reads."""
    try:
        return _rows(_sql.query(sql, [_value(param) for param in params]))
    except Err as error:
        raise Problem(error.value) from None


def listing(name: str, columns: str, rest: str, *params: Any) -> Response:
    """The answer `{name: [{…}, …]}` with the rows of `SELECT columns rest`, which the database makes: the quickest way to answer
    many rows. A column is a name, or an expression with `AS name`. At most 1 MiB."""
    try:
        # One cell: the number of columns, its kind and its length stand before it.
        return Response(200, _sql.query(_as_json(name, columns, rest), [_value(param) for param in params])[9:])
    except Err as error:
        raise Problem(error.value) from None


@lru_cache
def _as_json(name: str, columns: str, rest: str) -> str:
    names = [column.split()[-1] for column in columns.split(",")]
    row = ", ".join(f"'{column}', {column}" for column in names)
    return f"SELECT json_object('{name}', json_group_array(json_object({row}))) FROM (SELECT {columns} {rest})"


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
