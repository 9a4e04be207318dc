"""The comment at the head of a question's file: what it asks for and answers.

    -- title:   Longest gaps
    -- about:   Intervals in which nothing runs, longest first.
    -- param:   step INTEGER = NULL  only this step
    -- columns: step INTEGER, ts BIGINT, dur BIGINT
    -- needs:   gap

A line without a key goes on with the one above it. A parameter without a default
has to be given; ``<= 1`` after it is the most that it may be, ``of one|other`` are
the only words that there are for it.
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from ..ingest.errors import UsageError
from .errors import PresetError
from .query import PARAMETER_TYPES, AnswerColumn, Parameter, closest

KEYS: Final = ("title", "about", "param", "columns", "needs")

_KEY_LINE: Final = re.compile(r"--\s*([A-Za-z_]+):(?:\s+(.*))?")
_MORE_LINE: Final = re.compile(r"--\s{2,}(\S.*)")
_PARAMETER: Final = re.compile(
    r"(?P<name>[a-z_][a-z0-9_]*)\s+(?P<type>[A-Za-z]+)"
    r"(?:\s*=\s*(?P<default>'(?:[^']|'')*'|\S+))?(?:\s*<=\s*(?P<most>[0-9.]+))?"
    r"(?:\s+of\s+(?P<words>\w+(?:\|\s?\w+)+))?"
    r"(?:\s{2,}(?P<about>.*))?"
)
_COLUMN_COMMA: Final = re.compile(r",(?![^(]*\))")
_COLUMN: Final = re.compile(r"(?P<name>\"[^\"]+\"|\w+)\s+(?P<type>[A-Za-z]\S*(?: \S+)*)")


@dataclass(slots=True)
class Header:
    """What a header says; ``lines`` holds the line on which each part stands."""

    title: str = ""
    about: str = ""
    params: list[Parameter] = field(default_factory=list[Parameter])
    columns: list[AnswerColumn] = field(default_factory=list[AnswerColumn])
    needs: list[str] = field(default_factory=list[str])
    lines: dict[str, int] = field(default_factory=dict[str, int])


def read_header(text: str, file: Path | str) -> Header:
    """Read the header of a question's text.

    Raises PresetError naming file and line for a key, parameter or column that
    cannot be read.
    """
    header = Header()
    for key, value, line in _entries(text, file):
        header.lines.setdefault(key, line)
        match key:
            case "param":
                parameter = _parameter(value, file, line)
                if any(known.name == parameter.name for known in header.params):
                    raise PresetError(f"parameter {parameter.name} is declared twice", file, line)
                header.params.append(parameter)
                header.lines[f"${parameter.name}"] = line
            case "columns":
                header.columns += [_column(part, file, line) for part in _parts(value)]
            case "needs":
                header.needs += [part.strip() for part in value.split(",") if part.strip()]
            case "title":
                header.title = value
            case _:
                header.about = f"{header.about} {value}".strip()
    return header


def _entries(text: str, file: Path | str) -> list[tuple[str, str, int]]:
    """Return key, value and line of each entry of the leading comment."""
    entries: list[tuple[str, str, int]] = []
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped.startswith("--"):
            if stripped:
                break
            continue
        if found := _KEY_LINE.fullmatch(stripped):
            key = found[1].lower()
            if key not in KEYS:
                like = closest(key, dict.fromkeys(KEYS))
                hint = f"; did you mean {like}?" if like else f"; there are {', '.join(KEYS)}"
                raise PresetError(f"unknown key {key!r} in the header{hint}", file, number)
            entries.append((key, (found[2] or "").strip(), number))
        elif (more := _MORE_LINE.fullmatch(stripped)) and entries:
            key, value, first = entries[-1]
            entries[-1] = (key, f"{value} {more[1]}".strip(), first)
    return entries


def _parameter(value: str, file: Path | str, line: int) -> Parameter:
    found = _PARAMETER.fullmatch(value)
    if found is None:
        raise PresetError(
            f"cannot read parameter {value!r}; write: name TYPE = default  meaning", file, line
        )
    type_ = found["type"].upper()
    if type_ not in PARAMETER_TYPES:
        raise PresetError(
            f"parameter {found['name']}: no type {type_}; there are {', '.join(PARAMETER_TYPES)}",
            file,
            line,
        )
    if found["words"] and type_ != "VARCHAR":
        raise PresetError(f"parameter {found['name']}: only a VARCHAR is of words", file, line)
    free = Parameter(
        found["name"],
        type_,
        (found["about"] or "").strip(),
        required=found["default"] is None,
        most=float(found["most"]) if found["most"] else None,
        words=tuple(word.strip() for word in (found["words"] or "").split("|") if word),
    )
    if free.required or found["default"].upper() == "NULL":
        return free
    text = found["default"]
    if text.startswith("'"):
        text = text[1:-1].replace("''", "'")
    try:
        default = free.value(text)
    except UsageError as error:
        raise PresetError(str(error), file, line) from error
    return replace(free, default=default)


def _parts(value: str) -> list[str]:
    return [part.strip() for part in _COLUMN_COMMA.split(value) if part.strip()]


def _column(part: str, file: Path | str, line: int) -> AnswerColumn:
    found = _COLUMN.fullmatch(part)
    if found is None:
        raise PresetError(f"cannot read column {part!r}; write: name TYPE", file, line)
    return AnswerColumn(found["name"].strip('"'), found["type"])
