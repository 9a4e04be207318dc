"""What typed SQL may be, and what it cannot reach."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_build import three_ranks

from npuview.ingest.store import Store
from npuview.queries.errors import QueryError
from npuview.queries.gate import statement_text
from npuview.queries.session import Engine, Session

ATTACKS = [
    # Reading what is not the store's.
    "FROM read_text('{secret}')",
    "FROM read_csv('{secret}')",
    "FROM read_blob('{secret}')",
    "FROM read_json('{secret}')",
    "FROM '{secret}'",
    "FROM read_parquet('{parquet}')",
    "FROM '{parquet}'",
    "FROM parquet_metadata('{parquet}')",
    "FROM glob('{outside}/*')",
    "FROM sniff_csv('{secret}')",
    "FROM query('FROM read_text(''{secret}'')')",
    "FROM query_table('{secret}')",
    "SELECT getenv('HOME')",
    "FROM python_variable",
    # Writing and settings behind a SELECT.
    "WITH a AS (INSERT INTO slice VALUES (1)) SELECT 1",
    "WITH a AS (DELETE FROM rank0.slice) SELECT 1",
    "WITH a AS (UPDATE rank0.slice SET ts = 0) SELECT 1",
    "FROM enable_logging()",
    "FROM enable_logging(storage = 'file', storage_path = '{outside}')",
    "FROM enable_logging(storage = 'stdout')",
    "EXPLAIN ANALYZE COPY slice TO '{outside}/x.csv'",
    "EXPLAIN (ANALYZE) COPY slice TO '{outside}/x.csv'",
    "/* /* */ EXPLAIN SELECT 1 -- */ EXPLAIN ANALYZE COPY slice TO '{outside}/x.csv'",
    # Statements that are none.
    "COPY slice TO '{outside}/x.csv'",
    "COPY slice TO '{index}'",
    "COPY (SELECT 1) TO '{index}' (USE_TMP_FILE FALSE)",
    "EXPORT DATABASE '{outside}/x'",
    "IMPORT DATABASE '{outside}/x'",
    "ATTACH '{outside}/new.duckdb'",
    "ATTACH ':memory:' AS m",
    "DETACH rank0",
    "USE rank0",
    "INSTALL httpfs",
    "LOAD httpfs",
    "UPDATE EXTENSIONS",
    "SET threads = 1",
    "SET enable_external_access = TRUE",
    "SET memory_limit = '100GB'",
    "RESET memory_limit",
    "PRAGMA database_list",
    "PRAGMA enable_profiling",
    "CALL enable_logging('file')",
    "CREATE TABLE t AS SELECT 1",
    "CREATE TEMP TABLE slice AS SELECT 1",
    "CREATE OR REPLACE VIEW slice AS SELECT 1",
    "CREATE MACRO f() AS 1",
    "CREATE SECRET s (TYPE s3)",
    "DROP VIEW slice",
    "DROP TABLE rank0.slice",
    "ALTER TABLE rank0.slice ADD COLUMN x INTEGER",
    "INSERT INTO rank0.slice (ts) VALUES (1)",
    "UPDATE rank0.slice SET ts = 0",
    "DELETE FROM rank0.slice",
    "MERGE INTO rank0.slice USING slice ON FALSE WHEN NOT MATCHED THEN INSERT",
    "TRUNCATE rank0.slice",
    "BEGIN",
    "CHECKPOINT",
    "VACUUM",
    "ANALYZE",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "COMMENT ON VIEW slice IS 'x'",
    "SELECT 1; SELECT 2",
    "SELECT 1; COPY slice TO '{outside}/x.csv'",
    "",
    ";",
    "-- nothing",
    ";COPY slice TO '{outside}/x.csv'",
    ";SELECT 1;; SELECT 2",
    "/* ; */ ; -- ;\n; COPY (SELECT 1) TO '{outside}/x.csv';",
    "SELECT '\ud800'",
    "SELECT 1 \0",
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return three_ranks(tmp_path_factory.mktemp("session"))


@pytest.fixture(scope="module", params=["index", "parquet"])
def session(request: pytest.FixtureRequest, store: Store) -> Iterator[Session]:
    engine: Engine = request.param
    with Session(store, engine=engine, threads=2) as opened:
        yield opened


def files_of(directory: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("outside")
    (directory / "secret.csv").write_text("word\ncanary\n")
    pq.write_table(pa.table({"word": ["canary"]}), directory / "secret.parquet")
    return directory


@pytest.mark.parametrize("attack", ATTACKS)
def test_typed_sql_reads_and_writes_nothing_but_the_store(
    attack: str, session: Session, store: Store, outside: Path
) -> None:
    python_variable = [("canary",)]
    assert python_variable
    before = files_of(outside) | files_of(store.path)
    text = attack
    for name, path in (
        ("secret", outside / "secret.csv"),
        ("parquet", outside / "secret.parquet"),
        ("outside", outside),
        ("index", store.ranks[0].index),
    ):
        text = text.replace(f"{{{name}}}", str(path))
    with pytest.raises(QueryError):
        session.sql(text)
    assert files_of(outside) | files_of(store.path) == before
    assert session.sql("SELECT count(*) FROM slice").rows == [(12,)]


@pytest.mark.parametrize(
    "text",
    [";SELECT 1", " ;;\n; SELECT 1;;", "/* ; */;-- ;\nSELECT 1 -- ;", "-- é\n;\nSELECT 1;--;\n;"],
)
def test_semicolons_around_a_statement_are_no_statements(text: str, session: Session) -> None:
    assert session.sql(text).rows == [(1,)]
    assert session.arrow(session.prepare(text)).read_all().num_rows == 1
    assert session.sql(text.replace("1", "[1]")).rows == [("[1]",)]
    wrapped = f"SELECT * FROM (\n{statement_text(text)}\n)"
    assert session.sql(wrapped).rows == [(1,)]


@given(st.text(alphabet="; \n-/*'\"a1é", max_size=30))
def test_to_cut_semicolons_twice_cuts_no_more_and_lines_keep_their_numbers(text: str) -> None:
    cut = statement_text(text)
    assert statement_text(cut) == cut
    assert text.count("\n") >= cut.count("\n")
    body = cut.lstrip("\n")
    assert not body.strip() or text.index(body) >= 0


def test_an_error_tells_the_line_that_was_typed(session: Session) -> None:
    with pytest.raises(QueryError, match=r"LINE 3: *nothing") as caught:
        session.sql(";SELECT\n  1,\n  nothing\nFROM slice")
    assert "DESCRIBE" not in str(caught.value)


def test_a_refusal_says_what_to_do_instead(session: Session) -> None:
    for text, words in (
        ("COPY slice TO 'x'", "--format and -o"),
        ("PIVOT slice ON name USING sum(dur)", r"ON column IN"),
        ("SELECT 1; SELECT 2", "one statement at a time; here are 2"),
        ("", "write SELECT"),
        ("SELECT " + "1 + " * 20_000 + "1", "80,008 bytes of SQL; at most 65,536"),
    ):
        with pytest.raises(QueryError, match=words):
            session.sql(text)


def test_even_without_the_gate_nothing_outside_is_reached(
    session: Session, store: Store, outside: Path
) -> None:
    before = files_of(outside) | files_of(store.path)
    for sql in (
        f"COPY (SELECT 1) TO '{outside}/x.csv'",
        f"COPY (SELECT 1) TO '{store.ranks[0].index}' (USE_TMP_FILE FALSE)",
        f"ATTACH '{outside}/new.duckdb'",
        f"EXPORT DATABASE '{outside}/x'",
        f"FROM read_text('{outside}/secret.csv')",
        "SET enable_external_access = TRUE",
        "SET lock_configuration = FALSE",
        "SET memory_limit = '100GB'",
        "INSTALL httpfs",
    ):
        with pytest.raises(duckdb.Error):
            session.cursor().execute(sql)
    assert files_of(outside) | files_of(store.path) == before
