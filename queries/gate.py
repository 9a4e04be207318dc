"""What people may ask in SQL: one statement that only reads.

This is the second fence. The first is the session itself, which can reach no file
but the store's and can write none.
"""

from dataclasses import dataclass
from typing import Final

import duckdb

from .errors import QueryError

MOST_SQL_BYTES: Final = 64 << 10

_ADVICE: Final = {
    "MULTI": "a PIVOT needs its values: PIVOT … ON column IN (…)",
    "SET": "settings are fixed",
    "PRAGMA": "settings are fixed; DESCRIBE and SHOW TABLES list what there is",
    "CALL": "procedures are not available; table functions are: SELECT * FROM …",
    "COPY": "nothing can be written here; --format and -o write an answer to a file",
    "EXPORT": "nothing can be written here; --format and -o write an answer to a file",
    "ATTACH": "only the opened store can be read",
    "LOAD": "extensions are not available",
}


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that passed: its text without semicolons around it, its parameters."""

    text: str
    parameters: frozenset[str]
    explains: bool = False


def read_only_statement(
    connection: duckdb.DuckDBPyConnection, text: str, name: str = "sql"
) -> Statement:
    """Check that a text is exactly one statement that only reads.

    Allowed are SELECT with everything that is one (FROM first, VALUES, TABLE, DESCRIBE,
    SHOW, SUMMARIZE, UNPIVOT, PIVOT with its values) and EXPLAIN of those. Raises
    QueryError saying what is not allowed.
    """
    body = statement_text(_bounded(text, name))
    found = _parsed(connection, body, name)
    if not found:
        raise QueryError("there is no statement; write SELECT …", name)
    if len(found) > 1:
        raise QueryError(f"one statement at a time; here are {len(found)}", name)
    [(kind, parameters)] = found
    if kind == "EXPLAIN":
        # EXPLAIN ANALYZE runs what it explains, whatever that is.
        explained = _parsed(connection, _explained(body), name)
        if [inner for inner, _ in explained] != ["SELECT"]:
            raise QueryError("EXPLAIN works for a SELECT only", name)
    elif kind != "SELECT":
        advice = _ADVICE.get(kind, "the store is only read")
        raise QueryError(f"{kind} is not allowed: {advice}", name)
    return Statement(body, parameters, explains=kind == "EXPLAIN")


def statement_text(text: str) -> str:
    """Return a text without the semicolons before its first and behind its last statement.

    What stands before the one or behind the other (comments) goes with them. Lines
    keep their numbers. What is left of one statement may stand in brackets that are
    on lines of their own, or behind DESCRIBE.
    """
    encoded = text.encode()
    starts = _token_starts(text)
    begin, end = 0, len(encoded)
    for at in starts:
        if encoded[at : at + 1] != b";":
            break
        begin = at + 1
    for at in reversed(starts):
        if at < begin or encoded[at : at + 1] != b";":
            break
        end = at
    return "\n" * encoded.count(b"\n", 0, begin) + encoded[begin:end].decode()


def _bounded(text: str, name: str) -> str:
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise QueryError("the text holds half a surrogate pair", name) from error
    if size > MOST_SQL_BYTES:
        raise QueryError(f"{size:,} bytes of SQL; at most {MOST_SQL_BYTES:,} are read", name)
    if "\0" in text:
        raise QueryError("the text holds a NUL character", name)
    return text


def _parsed(
    connection: duckdb.DuckDBPyConnection, text: str, name: str
) -> list[tuple[str, frozenset[str]]]:
    try:
        return [
            (one.type.name, frozenset(one.named_parameters))
            for one in connection.extract_statements(text)
        ]
    except duckdb.InterruptException:
        raise
    except duckdb.ParserException as error:
        raise QueryError(str(error), name) from error
    except Exception as error:
        # The parser knows statements that its own Python layer has no name for.
        raise QueryError("this kind of statement is not allowed", name) from error


def _explained(text: str) -> str:
    """Return what an EXPLAIN explains: the text behind its own words and options.

    The cuts come from DuckDB's tokens: comments may be nested and hide words.
    """
    encoded = text.encode()
    starts = _token_starts(text)
    words = [encoded[at : at + len(b"EXPLAIN")].upper() for at in starts[:2]]
    if len(words) < 2 or words[0] != b"EXPLAIN":
        return ""
    if words[1] == b"ANALYZE":
        return encoded[starts[1] + len(b"ANALYZE") :].decode()
    if words[1].startswith(b"("):
        closing = [at for at in starts if encoded[at : at + 1] == b")"]
        return encoded[closing[0] + 1 :].decode() if closing else ""
    return encoded[starts[1] :].decode()


def _token_starts(text: str) -> list[int]:
    """Return where tokens other than comments start, in bytes of UTF-8."""
    return [at for at, kind in duckdb.tokenize(text) if not str(kind).endswith("comment")]
