"""``npuview sql``, ``presets`` and ``schema``: questions in SQL and what they are asked of."""

from pathlib import Path

import click

from ...ingest.errors import UsageError
from ...ingest.schema import SUMMARY_PREFIX, TABLES, Table
from ...queries.catalog import Catalog, load_catalog, project_presets, user_presets
from ...queries.query import AnswerColumn, Query, closest
from ...queries.session import Session
from ..columns import Answer
from ..draw.safe_text import clean
from ..output import Destination, note, write_answer, write_lines
from ..table_text import Style
from .asking import Asked, ask
from .opening import damage_status, session_on
from .options import Presentation, Source, destination_options, presentation_options, source_options

ROWS_OF_A_TABLE = 1_000
"""Rows of a table from SQL; the formats for programs have all of them."""

TEXT_WIDTH = 100

PRESET_COLUMNS = (
    AnswerColumn("name", "VARCHAR"),
    AnswerColumn("title", "VARCHAR"),
    AnswerColumn("params", "VARCHAR"),
    AnswerColumn("origin", "VARCHAR"),
)
SCHEMA_COLUMNS = (
    AnswerColumn("table", "VARCHAR"),
    AnswerColumn("column", "VARCHAR"),
    AnswerColumn("type", "VARCHAR"),
    AnswerColumn("about", "VARCHAR"),
)


@click.command("sql")
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
        ask(session, Asked(asked, params, style=_style(asked), rows=ROWS_OF_A_TABLE), presentation)
        return damage_status(session, allow_damaged=source.allow_damaged)


def _asked(session: Session, source: Source, text: str | None, name: str | None) -> Query:
    if text is not None:
        return session.prepare(text)
    return _catalog(source.path)[name or ""]


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
    help="Also the presets that lie beside this profile.",
)
@destination_options
def presets_command(name: str | None, profile: Path | None, destination: Destination) -> int:
    """List the presets, or show the SQL of one.

    Files *.sql in $XDG_CONFIG_HOME/npuview/presets and in .npuview/presets beside a
    profile are presets too.
    """
    catalog = _catalog(profile)
    if name is not None:
        write_lines((clean(line) for line in catalog[name].sql.splitlines()), destination)
        return 0
    rows = [_preset_row(query) for query in catalog]
    write_answer(Answer(PRESET_COLUMNS, rows), destination)
    for problem in catalog.problems:
        note(f"not usable: {problem}")
    return 0


@click.command("schema")
@click.argument("name", required=False, metavar="[TABLE]")
@destination_options
def schema_command(name: str | None, destination: Destination) -> int:
    """Show the tables of a store, or the columns of one.

    The CSV files of a profile are further tables named summary_<file>; npuview sql
    PATH "SHOW TABLES" lists those that a store has.
    """
    chosen = list(TABLES.values()) if name is None else [_table(name)]
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


def _table(name: str) -> Table:
    if name in TABLES:
        return TABLES[name]
    like = closest(name, TABLES)
    hint = f"did you mean {like}?" if like else f"there are: {', '.join(TABLES)}"
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


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise UsageError(f"-p {text}: write it as KEY=VALUE")
    return name, value
