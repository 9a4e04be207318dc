"""``npuview sql``, ``presets`` and ``schema``: questions in SQL and what they are asked of."""

import re
from pathlib import Path

import click

from ...ingest.errors import UsageError
from ...ingest.schema import COLLECTIVE, SLICE, SUMMARY_PREFIX, TABLES
from ...ingest.table import Column, Table, quoted
from ...queries.catalog import (
    CHECK_MEMORY_BYTES,
    Catalog,
    load_catalog,
    project_presets,
    user_presets,
)
from ...queries.engine import connect
from ...queries.pair import pair_queries
from ...queries.query import AnswerColumn, Query, closest
from ...queries.session import Session
from ...queries.views import empty_views, shared_views
from ..draw.safe_text import encodable
from ..text.columns import Answer
from ..text.destination import Destination
from ..text.narration import note
from ..text.output import write_answer, write_lines, write_text
from ..text.table_text import Style
from .asking import Asked, ask
from .opening import damage_status, session_on
from .options import Presentation, Source, destination_options, presentation_options, source_options
from .profile_command import SqlCommand
from .questions import LISTINGS

ROWS_OF_A_TABLE = 1_000
"""Rows of a table from SQL; the formats for programs have all of them."""

MAIN_COLUMNS = {
    "chain": ("role", "distance", "name", "dur", "ts", "thread_name", "slice_id"),
    **{listing.query: listing.table for listing in LISTINGS.values()},
}
"""By preset: columns that a table shows first, so that they stay where room is short."""

OF_TWO = "compare"
"""Where questions of two runs are listed; a preset's name has no slash."""

TEXT_WIDTH = 100
LONGEST_LIST = 140
"""Cells from which the list of presets has room for a sentence about each."""

PRESET_COLUMNS = (
    AnswerColumn("name", "VARCHAR"),
    AnswerColumn("title", "VARCHAR"),
    AnswerColumn("params", "VARCHAR"),
    AnswerColumn("origin", "VARCHAR"),
    AnswerColumn("about", "VARCHAR"),
)
SCHEMA_COLUMNS = (
    AnswerColumn("table", "VARCHAR"),
    AnswerColumn("column", "VARCHAR"),
    AnswerColumn("type", "VARCHAR"),
    AnswerColumn("about", "VARCHAR"),
)


@click.command("sql", cls=SqlCommand)
@source_options
@click.argument("text", required=False, metavar="[SELECT…]")
@click.option("--preset", "name", metavar="NAME", help="Run this preset instead of SQL.")
@click.option(
    "-p",
    "--param",
    "given",
    multiple=True,
    metavar="KEY=VALUE",
    help="Value of a parameter; empty for all. May be repeated.",
)
@presentation_options
def sql_command(
    source: Source,
    presentation: Presentation,
    text: str | None,
    name: str | None,
    given: tuple[str, ...],
) -> int:
    """Ask in SQL, or run a preset.

    The statement reads the tables of npuview schema and nothing else. Parameters are
    written $name and given with -p name=value.
    """
    if (text is None) == (name is None):
        raise UsageError('give either SQL, such as "SELECT count(*) FROM slice", or --preset NAME')
    params = dict(_pair(one) for one in given)
    with session_on(source) as session:
        asked = _asked(session, source, text, name)
        question = Asked(asked, params, _main_first(asked), _style(asked), ROWS_OF_A_TABLE)
        ask(session, question, presentation)
        return damage_status(session, allow_damaged=source.allow_damaged)


def _asked(session: Session, source: Source, text: str | None, name: str | None) -> Query:
    if text is not None:
        return session.prepare(text)
    return _catalog(source.path)[name or ""]


def _main_first(query: Query) -> tuple[str, ...]:
    """Return all columns of a preset, the main ones first; none for its own order."""
    main = () if query.origin == "typed" else MAIN_COLUMNS.get(query.name, ())
    rest = (column.name for column in query.columns if column.name not in main)
    return (*main, *rest) if main else ()


def _style(query: Query) -> Style:
    # Only of a question's own columns do we know what they mean.
    return Style(plain=query.origin == "typed")


@click.command("presets")
@click.argument("name", required=False, metavar="[NAME]")
@click.option(
    "--for",
    "profile",
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH",
    help="Also the presets in the folder that holds PATH.",
)
@destination_options
def presets_command(name: str | None, profile: Path | None, destination: Destination) -> int:
    """List the presets, or show the SQL of one.

    Questions of two runs are asked with npuview diff --by; npuview presets compare lists
    them, and their SQL is shown by names such as compare/operators.

    Files *.sql in $XDG_CONFIG_HOME/npuview/presets are presets too, and for a profile
    PATH those of .npuview/presets in the folder that holds PATH.
    """
    catalog = _catalog(profile)
    of_two = {f"{OF_TWO}/{one}": query for one, query in pair_queries().items()}
    if name == OF_TWO and name not in catalog.queries:
        rows = [(key, *_preset_row(query)[1:], query.about) for key, query in of_two.items()]
        write_answer(Answer(PRESET_COLUMNS, rows), destination)
        return 0
    if name in of_two:
        write_text(of_two[name].sql, destination)
        return 0
    if name is not None:
        write_text(catalog[name].sql, destination)
        return 0
    if destination.format == "table":
        wide = (destination.terminal.width or LONGEST_LIST) >= LONGEST_LIST
        columns = PRESET_COLUMNS if wide else PRESET_COLUMNS[:-1]
        rows = [(*_preset_row(query), _first_sentence(query.about)) for query in catalog]
        rows = [row[: len(columns)] for row in rows]
    else:
        columns, rows = PRESET_COLUMNS, [(*_preset_row(query), query.about) for query in catalog]
    write_answer(Answer(columns, rows), destination)
    for problem in catalog.problems:
        # Further lines quote the file, which may be a link to what is not for every eye.
        note(f"not usable: {str(problem).partition(chr(10))[0]}")
    return 0


@click.command("schema")
@click.argument("name", required=False, metavar="[TABLE]")
@destination_options
def schema_command(name: str | None, destination: Destination) -> int:
    """Show the tables and views of a store, or the columns of one.

    The CSV files of a profile are further tables named summary_<file>; npuview sql
    PATH "SHOW TABLES" lists those that a store has.
    """
    tables = _readable_tables()
    chosen = list(tables.values()) if name is None else [_table(name, tables)]
    if destination.format == "table":
        write_lines(_schema_lines(chosen, destination, columns=name is not None), destination)
        return 0
    rows = [
        (table.name, column.name, column.type, column.about)
        for table in chosen
        for column in table.columns
    ]
    write_answer(Answer(SCHEMA_COLUMNS, rows), destination)
    return 0


def _schema_lines(tables: list[Table], destination: Destination, *, columns: bool) -> list[str]:
    terminal = destination.terminal
    width = terminal.width or TEXT_WIDTH
    formatter = click.HelpFormatter(width=width, max_width=width)
    if columns:
        [table] = tables
        formatter.write_text(f"{table.name}: {table.about}")
        formatter.write_paragraph()
        formatter.write_dl([(f"{one.name} {one.type}", one.about) for one in table.columns])
    else:
        others = (f"{SUMMARY_PREFIX}NAME", "A CSV file of the profile, under its own columns.")
        formatter.write_dl([*((table.name, table.about) for table in tables), others])
    return [terminal.text(line) for line in formatter.getvalue().splitlines()]


def _readable_tables() -> dict[str, Table]:
    """Return what a question can read: the tables and the views made of them."""
    tables = dict(TABLES)
    # A column of that name means there what it means here.
    abouts = {column.name: column.about for column in (*COLLECTIVE.columns, *SLICE.columns)}
    with connect(threads=1, memory_bytes=CHECK_MEMORY_BYTES) as connection:
        for statement in empty_views():
            connection.execute(statement)
        for name, sql in shared_views().items():
            described = connection.execute(f"DESCRIBE {quoted(name)}").fetchall()
            columns = [
                Column(str(row[0]), str(row[1]), abouts.get(row[0], "")) for row in described
            ]
            tables[name] = Table(name, _comment_above(sql), tuple(columns))
    return tables


def _comment_above(sql: str) -> str:
    """Return the comment at the head of a view's file as one line."""
    above = re.match(r"(?:--.*\n)*", sql)
    lines = above[0].splitlines() if above else []
    return " ".join(" ".join(line.removeprefix("--") for line in lines).split())


def _table(name: str, tables: dict[str, Table]) -> Table:
    if name in tables:
        return tables[name]
    like = closest(name, tables)
    hint = f"did you mean {like}?" if like else f"there are: {', '.join(tables)}"
    raise UsageError(f"no table {name!r}; {hint}")


def _catalog(profile: Path | None) -> Catalog:
    return load_catalog(
        user=user_presets(), project=None if profile is None else project_presets(profile)
    )


def _preset_row(query: Query) -> tuple[object, ...]:
    params = ", ".join(
        one.name if one.required else f"{one.name}={'' if one.default is None else one.default}"
        for one in query.params
    )
    origin = f"{query.origin}, replaces npuview's" if query.replaces else query.origin
    return query.name, query.title, params, origin


def _first_sentence(about: str) -> str:
    return re.split(r"(?<=\.)\s", about, maxsplit=1)[0]


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise UsageError(f"-p {text}: write it as KEY=VALUE")
    if text != encodable(text):
        raise UsageError(f"-p {text}: is not UTF-8, as all text of a profile is")
    return name, value
