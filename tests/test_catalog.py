"""The catalogue: the laws that every question keeps, and presets that people write."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import get_args, get_type_hints

import duckdb
import pytest
from store_build import ROW_MODULES, StoreBuilder, row_type

from npuview.ingest.errors import UsageError
from npuview.ingest.schema import TABLES
from npuview.ingest.store import Store
from npuview.queries.catalog import (
    Catalog,
    checked_query,
    load_catalog,
    project_presets,
    shipped_queries,
    user_presets,
)
from npuview.queries.engine import connect, lock
from npuview.queries.errors import QueryError
from npuview.queries.patterns import VIEW
from npuview.queries.query import Parameter, ParameterType, Query
from npuview.queries.result import described
from npuview.queries.session import Session
from npuview.queries.views import create_macros, empty_views, macros, shared_views

SQL_FOLDER = Path(__file__).parents[1] / "queries" / "sql"
PYTHON_TYPES = {
    "BIGINT": int,
    "INTEGER": int,
    "SMALLINT": int,
    "DOUBLE": float,
    "VARCHAR": str,
    "BOOLEAN": bool,
}
SAMPLES: dict[ParameterType | None, object] = {
    "BIGINT": 3,
    "BOOLEAN": True,
    "DOUBLE": 0.5,
    "INTEGER": 3,
    "VARCHAR": "a",
}

GOOD = """-- title:   Long slices
-- about:   Slices that take
--          long.
-- param:   min_dur BIGINT = 10  shortest, ns
-- columns: slice_id BIGINT, dur BIGINT
-- needs:   slice
SELECT slice_id, dur FROM slice WHERE dur >= $min_dur ORDER BY ALL
"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return StoreBuilder(tmp_path_factory.mktemp("empty")).rank(0).build()


@pytest.fixture(scope="module")
def schema() -> duckdb.DuckDBPyConnection:
    connection = connect(threads=1)
    for statement in empty_views():
        connection.execute(statement)
    lock(connection)
    return connection


@pytest.fixture(scope="module")
def tables(schema: duckdb.DuckDBPyConnection) -> Iterator[duckdb.DuckDBPyConnection]:
    """The same names as tables: of a view DuckDB names what it is made of."""
    with duckdb.connect() as connection:
        for name in (*TABLES, VIEW, *shared_views()):
            columns = schema.execute(f'DESCRIBE "{name}"').fetchall()
            listed = ", ".join(f'"{column[0]}" {column[1]}' for column in columns)
            connection.execute(f'CREATE TABLE "{name}" ({listed})')
        for statement in create_macros():
            connection.execute(statement)
        yield connection


def needed(query: Query) -> dict[str, object]:
    return {one.name: SAMPLES[one.type] for one in query.params if one.required}


def presets(directory: Path, **files: str) -> Path:
    directory.mkdir(exist_ok=True)
    for name, text in files.items():
        (directory / f"{name}.sql").write_text(text)
    return directory


def problem(directory: Path, text: str) -> str:
    catalog = load_catalog(user=presets(directory, mine=text))
    [only] = catalog.problems
    return str(only).removeprefix(str(directory))


@pytest.mark.parametrize("name", shipped_queries())
def test_the_header_of_a_shipped_question_is_what_duckdb_makes_of_it(
    name: str, schema: duckdb.DuckDBPyConnection
) -> None:
    query = shipped_queries()[name]
    assert query.title
    assert query.about
    assert query.columns
    assert all(parameter.about for parameter in query.params)
    assert checked_query(schema, query.sql, f"{name}.sql", "shipped") == query
    values = query.bind(needed(query))
    assert described(schema, query.sql, values, name) == query.columns


@pytest.mark.parametrize("name", shipped_queries())
def test_a_shipped_question_needs_the_tables_that_it_names(
    name: str, tables: duckdb.DuckDBPyConnection
) -> None:
    query = shipped_queries()[name]
    text = query.sql
    for parameter in query.params:
        value = SAMPLES[parameter.type]
        literal = f"'{value}'" if isinstance(value, str) else str(value)
        text = re.sub(rf"\${parameter.name}\b", literal, text)
    assert set(query.needs) == tables.get_table_names(text)


@pytest.mark.parametrize("name", shipped_queries())
def test_a_shipped_question_has_a_row_type_with_its_columns(name: str) -> None:
    query = shipped_queries()[name]
    fields = get_type_hints(row_type(name))
    assert [field.rstrip("_") for field in fields] == [column.name for column in query.columns]
    for column, hint in zip(query.columns, fields.values(), strict=True):
        named = {one for one in get_args(hint) if one is not type(None)} or {hint}
        assert named == {PYTHON_TYPES[column.type]}, column
        assert isinstance(hint, type | UnionType)


def test_every_row_type_belongs_to_a_shipped_question() -> None:
    named = {row_type(name).__name__ for name in shipped_queries()}
    assert named == {
        name for module in ROW_MODULES for name in vars(module) if name.endswith("Row")
    }


@pytest.mark.parametrize("name", shipped_queries())
def test_a_shipped_question_is_asked_in_a_test_of_its_own(name: str) -> None:
    """A test may ask through a builder it shares with another file of tests."""
    here = Path(__file__).parent
    files = (file for kind in ("test_queries_*.py", "*_build.py") for file in here.glob(kind))
    assert any(f'"{name}"' in file.read_text() for file in files)


@pytest.mark.parametrize("engine", ["index", "parquet"])
def test_every_shipped_question_is_answered_on_an_empty_store(engine: str, empty: Store) -> None:
    with Session(empty, engine="parquet" if engine == "parquet" else "index") as session:
        for query in shipped_queries().values():
            answer = session.run(query, needed(query))
            assert answer.rows == [], query.name
            assert [c.name for c in answer.columns] == [c.name for c in query.columns]


def test_sql_files_keep_to_80_columns() -> None:
    for file in SQL_FOLDER.rglob("*.sql"):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            assert len(line) <= 80, f"{file.name}:{number}"


@pytest.mark.parametrize("name", macros())
def test_a_macro_says_what_it_is_and_is_found_by_the_name_of_its_file(
    name: str, schema: duckdb.DuckDBPyConnection
) -> None:
    text = macros()[name]
    assert text.startswith("-- ")
    [(database, kind)] = schema.execute(
        "SELECT database_name, function_type FROM duckdb_functions()"
        " WHERE function_name = $1 AND NOT internal",
        [name],
    ).fetchall()
    assert (database, kind) == ("memory", "table_macro" if " AS TABLE" in text else "macro")


def test_a_preset_of_the_user_stands_beside_the_shipped_ones(tmp_path: Path) -> None:
    catalog = load_catalog(user=presets(tmp_path, longest=GOOD))
    query = catalog["longest"]
    assert catalog.problems == ()
    assert (query.origin, query.replaces) == ("user", False)
    assert (query.title, query.about) == ("Long slices", "Slices that take long.")
    assert query.params == (Parameter("min_dur", "BIGINT", "shortest, ns", 10),)
    assert query.needs == ("slice",)
    assert {one.origin for one in catalog} == {"shipped", "user"}
    assert [one.name for one in catalog] == sorted(one.name for one in catalog)


def test_a_preset_is_answered_like_any_question(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    for number, dur in enumerate((5, 10, 50)):
        builder.add("slice", slice_id=number, track_id=1, ts=0, dur=dur, name="a")
    query = load_catalog(user=presets(tmp_path / "presets", mine=GOOD))["mine"]
    with Session(builder.build()) as session:
        assert session.run(query).rows == [(1, 10), (2, 50)]
        assert session.run(query, {"min_dur": "11"}).rows == [(2, 50)]


def test_a_preset_without_a_header_is_named_after_its_file(tmp_path: Path) -> None:
    query = load_catalog(user=presets(tmp_path, mine="FROM slice SELECT name;"))["mine"]
    assert (query.title, query.params, query.needs) == ("mine", (), ())
    assert query.columns == ()


def test_a_preset_over_the_tables_of_csv_files_waits_for_its_profile(tmp_path: Path) -> None:
    text = '-- columns: n BIGINT\n-- needs: summary_l2_cache\nSELECT "x" FROM summary_l2_cache'
    query = load_catalog(user=presets(tmp_path, mine=text))["mine"]
    assert [(c.name, c.type) for c in query.columns] == [("n", "BIGINT")]


def test_the_users_file_wins_over_a_shipped_question_and_is_marked(tmp_path: Path) -> None:
    shipped = shipped_queries()["peers"]
    text = shipped.sql.replace("ORDER BY wait_ns DESC", "ORDER BY times_last DESC")
    query = load_catalog(user=presets(tmp_path, peers=text))["peers"]
    assert (query.origin, query.replaces, query.sql) == ("user", True, text)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("longest BIGINT", "most BIGINT", "must answer the same columns: rank INTEGER"),
        ("-- param:   step INTEGER", "-- param:   step BIGINT", "must take the same parameters"),
    ],
)
def test_a_file_that_replaces_a_question_must_fit_where_that_is_used(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    text = shipped_queries()["peers"].sql.replace(old, new).replace("AS longest", "AS most")
    if "most BIGINT" not in text:
        text = text.replace("AS most", "AS longest")
    catalog = load_catalog(user=presets(tmp_path, peers=text))
    assert said in str(catalog.problems[0])
    assert catalog.queries["peers"].origin == "shipped"


def test_a_project_takes_no_place_of_another(tmp_path: Path) -> None:
    user = presets(tmp_path / "user", mine=GOOD)
    sql = shipped_queries()["peers"].sql
    project = presets(tmp_path / "project", mine=GOOD, peers=sql, theirs=GOOD)
    catalog = load_catalog(user=user, project=project)
    assert catalog["theirs"].origin == "project"
    assert catalog["mine"].origin == "user"
    assert catalog["peers"].origin == "shipped"
    assert [Path(one.file).stem for one in catalog.problems] == ["mine", "peers"]
    assert all("is taken" in str(one) for one in catalog.problems)


def test_broken_presets_are_reported_and_hide_no_other(tmp_path: Path) -> None:
    directory = presets(tmp_path, bad="SELEC 1", good=GOOD, worse="-- titel: x\nSELECT 1")
    catalog = load_catalog(user=directory)
    assert catalog["good"].origin == "user"
    assert len(catalog.problems) == 2
    with pytest.raises(UsageError, match=r"preset bad cannot be used: .*bad\.sql:1: "):
        _ = catalog["bad"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ":1: mine: there is no statement"),
        ("SELECT 1; SELECT 2", ":1: mine: one statement at a time"),
        ("COPY slice TO 'x'", ":1: mine: COPY is not allowed"),
        ("EXPLAIN SELECT 1", ":1: EXPLAIN is no question"),
        ("SELECT\n  $a\n", ":2: $a is not declared; write -- param: a TYPE"),
        ("\n-- param: a BIGINT = 1\nSELECT 1", ":2: parameter a is declared but $a is not used"),
        ("-- param: a BIGINT\n-- param: a DOUBLE\nSELECT $a", ":2: parameter a is declared twice"),
        ("-- param: a DATE = 1\nSELECT $a", ":1: parameter a: no type DATE; there are BIGINT"),
        ("-- param: a\nSELECT $a", ":1: cannot read parameter 'a'"),
        ("-- param: a BIGINT = x\nSELECT $a", ":1: parameter a: 'x' is no BIGINT"),
        ("-- title: x\n-- colums: a BIGINT\nSELECT 1", ":2: unknown key 'colums' in the header;"),
        ("-- columns: a\nSELECT 1 AS a", ":1: cannot read column 'a'"),
        ("-- needs: slices\nSELECT 1", ":1: there is no table slices; did you mean slice?"),
        ("SELECT '" + "x" * 70_000 + "'", ":1: longer than 65,536 bytes"),
    ],
)
def test_a_broken_preset_is_told_by_file_line_and_cure(
    text: str, said: str, tmp_path: Path
) -> None:
    found = problem(tmp_path, text)
    assert found.startswith(f"/mine.sql{said}"), found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("-- columns: a BIGINT\nSELECT 1 AS a", "answers a INTEGER; its header says a BIGINT"),
        ("-- columns: b INTEGER\nSELECT 1 AS a", "answers a INTEGER; its header says b"),
        ("-- title: t\n;SELECT nothing FROM slice", r"(?s)nothing.*LINE 2: SELECT nothing"),
        ("SELECT 1,\n  nothing FROM slice", r"(?s)nothing.*LINE 2:   nothing"),
        ("FROM read_text('/etc/hostname')", "Permission Error"),
    ],
)
@pytest.mark.parametrize("method", ["run", "stream", "arrow"])
def test_what_a_preset_answers_is_held_against_its_header_when_it_is_asked(
    method: str, text: str, said: str, empty: Store, tmp_path: Path
) -> None:
    catalog = load_catalog(user=presets(tmp_path, mine=text))
    assert catalog.problems == ()
    with Session(empty) as session, pytest.raises(QueryError, match=said) as caught:
        getattr(session, method)(catalog["mine"])
    assert "DESCRIBE" not in str(caught.value)


def test_a_preset_may_begin_and_end_with_semicolons(empty: Store, tmp_path: Path) -> None:
    text = "-- columns: a INTEGER\n; ;SELECT 1 AS a; -- end\n;"
    query = load_catalog(user=presets(tmp_path, mine=text))["mine"]
    with Session(empty) as session:
        assert session.run(query).rows == [(1,)]


@pytest.mark.parametrize(
    "source", ["range(sleep_ms(86400000))", "range(len(md5(repeat('x', 1500000000))))"]
)
def test_no_work_of_a_preset_is_done_while_it_is_loaded(source: str, tmp_path: Path) -> None:
    texts = [f"SELECT * FROM {source}", f"-- columns: a BIGINT\n;SELECT * FROM {source}"]
    project = presets(tmp_path, one=texts[0], two=texts[1])
    begun = time.monotonic()
    catalog = load_catalog(project=project)
    assert time.monotonic() - begun < 1
    assert (catalog["one"].origin, catalog["two"].origin) == ("project", "project")


def test_a_file_that_replaces_a_question_and_names_no_columns_has_to_answer_its_columns(
    empty: Store, tmp_path: Path
) -> None:
    params = ("rank INTEGER", "step INTEGER", "from_ts BIGINT", "to_ts BIGINT")
    heads = "".join(f"-- param: {one} = NULL\n" for one in params)
    text = f"{heads}SELECT $rank, $step, $from_ts, $to_ts"
    query = load_catalog(user=presets(tmp_path, peers=text))["peers"]
    assert query.columns == shipped_queries()["peers"].columns
    with Session(empty) as session, pytest.raises(QueryError, match="its header says rank INTEGER"):
        session.run(query)


def test_a_negative_limit_is_no_number_of_rows() -> None:
    with pytest.raises(UsageError, match="limit: -1 is no number of rows"):
        shipped_queries()["gaps"].bind({"limit": "-1"})


def test_a_preset_that_is_not_utf_8_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "mine.sql").write_bytes(b"SELECT 1\n-- \xff")
    [only] = load_catalog(user=tmp_path).problems
    assert (only.line, "not UTF-8" in str(only)) == (2, True)


def test_a_preset_that_cannot_be_read_or_is_no_file_does_no_harm(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.sql")
    (tmp_path / "folder.sql").mkdir()
    (tmp_path / "gone.sql").symlink_to(tmp_path / "nowhere.sql")
    assert load_catalog(user=tmp_path, project=tmp_path / "absent").problems == ()


def test_directories_of_presets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert user_presets() == tmp_path / "npuview" / "presets"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_presets() == tmp_path / ".config" / "npuview" / "presets"
    assert project_presets(tmp_path / "run") == tmp_path / ".npuview" / "presets"


def test_a_mistaken_name_gets_the_one_that_was_meant() -> None:
    catalog = Catalog(shipped_queries())
    with pytest.raises(UsageError, match="no preset 'gapss'; did you mean gaps"):
        _ = catalog["gapss"]
    with pytest.raises(UsageError, match="npuview presets lists them"):
        _ = catalog["zzzzzzzz"]
