"""A session: views over ranks, both engines, cancelling, and what it cannot reach."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from store_build import StoreBuilder, identifier

from npuview.ingest.errors import Interrupted, StoreError, UsageError
from npuview.ingest.schema import TABLES
from npuview.ingest.store import Store
from npuview.queries.errors import QueryCancelled, QueryError
from npuview.queries.query import AnswerColumn, Parameter, Query
from npuview.queries.session import Engine, Session

ENDLESS = "SELECT count(*) FROM range(1000000000000) AS t(i) WHERE i % 7 = 3"


def three_ranks(path: Path) -> Store:
    builder = StoreBuilder(path)
    for rank in (0, 3, 7):
        builder.rank(rank)
        for number in range(4):
            builder.add(
                "slice",
                slice_id=number,
                track_id=1,
                ts=100 * rank + number,
                dur=10,
                name=f"op {number}",
                class_="compute",
                arg_set_id=number,
            )
            builder.add("slice_arg", arg_set_id=number, args=f'{{"rank": {rank}}}')
    builder.rank(0).summary("op_statistic", {"OP Type": "VARCHAR", "Count": "BIGINT"}, [("Add", 2)])
    builder.rank(7).summary(
        "op_statistic", {"OP Type": "VARCHAR", "Ratio(%)": "DOUBLE"}, [("Mul", 1.5)]
    )
    builder.rank(3).summary("with_rank", {"rank": "INTEGER", "x": "BIGINT"}, [(42, 1)])
    return builder.build()


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


def stopped(ask: Callable[[], object], stop: Callable[[], None], threads: int = 1) -> list[object]:
    """Ask on other threads, stop until they end; return the errors that they raised."""
    errors: list[object] = []

    def work() -> None:
        try:
            ask()
        except BaseException as error:  # noqa: BLE001 - the test looks at whatever it is
            errors.append(error)

    workers = [threading.Thread(target=work, daemon=True) for _ in range(threads)]
    for worker in workers:
        worker.start()
    give_up = time.monotonic() + 20
    while any(worker.is_alive() for worker in workers):
        assert time.monotonic() < give_up, "it goes on"
        time.sleep(0.1)
        stop()
    return errors


def test_a_table_is_the_union_of_all_ranks(session: Session) -> None:
    answer = session.sql("SELECT rank, count(*), min(slice_id) FROM slice GROUP BY ALL ORDER BY 1")
    assert answer.rows == [(0, 4, 0), (3, 4, identifier(1, 0)), (7, 4, identifier(2, 0))]


def test_chosen_ranks_are_the_only_ones_there(store: Store) -> None:
    with Session(store, ranks=[7, 3]) as session:
        assert session.sql("SELECT DISTINCT rank FROM slice ORDER BY 1").rows == [(3,), (7,)]


def test_a_rank_that_is_not_there_is_named_with_those_that_are(store: Store) -> None:
    with pytest.raises(UsageError, match=r"no rank 5 .*there are 0, 3, 7"):
        Session(store, ranks=[0, 5])


def test_every_table_of_the_schema_is_there_though_empty(session: Session) -> None:
    for table in TABLES.values():
        columns = session.sql(f'FROM "{table.name}" LIMIT 0').columns
        assert [c.name for c in columns][: len(table.columns)] == list(table.column_names)
        assert [c.type for c in columns][: len(table.columns)] == [c.type for c in table.columns]


def test_a_slice_knows_its_end(session: Session) -> None:
    assert session.sql("SELECT end_ts - ts FROM slice LIMIT 1").rows == [(10,)]


def test_summary_tables_of_some_ranks_are_joined_by_the_names_of_their_columns(
    session: Session,
) -> None:
    answer = session.sql("FROM summary_op_statistic ORDER BY rank")
    assert [c.name for c in answer.columns] == ["rank", "OP Type", "Count", "Ratio(%)"]
    assert answer.rows == [(0, "Add", 2, None), (7, "Mul", None, 1.5)]


def test_a_summary_table_keeps_a_rank_column_of_its_own(session: Session) -> None:
    assert session.sql("FROM summary_with_rank").rows == [(42, 1)]


def test_args_are_read_from_the_record_when_a_question_names_them(session: Session) -> None:
    answer = session.sql(
        "SELECT args FROM Slice_Arg JOIN slice USING (arg_set_id) WHERE rank = 3 AND name = 'op 2'"
    )
    assert answer.rows == [('{"rank": 3}',)]


def test_args_can_be_asked_for_on_the_cursor_of_a_thread(session: Session) -> None:
    session.need("slice_arg")
    session.need("slice")
    found = session.cursor().execute("SELECT count(*) FROM slice_arg").fetchall()
    assert found == [(12,)]


def test_a_damaged_page_of_args_is_refused(tmp_path: Path) -> None:
    store = three_ranks(tmp_path)
    file = store.ranks[0].parquet("slice_arg")
    content = bytearray(file.read_bytes())
    place = content.rindex(b"\x28\xb5\x2f\xfd") + 12  # behind a zstd frame's head
    content[place] ^= 0xFF
    file.write_bytes(content)
    with Session(store) as session, pytest.raises(StoreError, match="npuview ingest --force"):
        session.sql("SELECT max(args) FROM slice_arg")


def test_an_index_that_is_no_database_is_named(tmp_path: Path) -> None:
    store = three_ranks(tmp_path)
    store.ranks[1].index.write_bytes(b"no database" * 1000)
    with pytest.raises(StoreError, match=r"rank=3.index\.duckdb.*npuview ingest --force"):
        Session(store)


def test_two_sessions_may_read_one_store(store: Store) -> None:
    with Session(store) as one, Session(store) as other:
        assert one.sql("FROM slice").rows == other.sql("FROM slice").rows


def test_an_answer_has_names_types_and_python_values(session: Session) -> None:
    answer = session.sql(
        "SELECT 1::BIGINT AS a, 'x' AS b, 1.5::DOUBLE AS c, TRUE AS d, 1.25 AS e, NULL AS f,"
        " 170141183460469231731687303715884105727::HUGEINT AS g"
    )
    assert answer.columns == (
        AnswerColumn("a", "BIGINT"), AnswerColumn("b", "VARCHAR"), AnswerColumn("c", "DOUBLE"),
        AnswerColumn("d", "BOOLEAN"), AnswerColumn("e", "DECIMAL(3,2)"),
        AnswerColumn("f", "VARCHAR"), AnswerColumn("g", "HUGEINT"),
    )  # fmt: skip
    assert answer.rows == [(1, "x", 1.5, True, Decimal("1.25"), None, 2**127 - 1)]


def test_values_without_an_exact_python_word_come_as_text_in_order(session: Session) -> None:
    answer = session.sql(
        "SELECT i, [i] AS l, DATE '2026-01-02' AS d, 'infinity'::TIMESTAMP AS t, {'k': i} AS s,"
        " now() AS n, '\\xAA'::BLOB AS b FROM range(3) AS r(i) ORDER BY i DESC;"
    )
    assert [row[:5] for row in answer.rows] == [
        (i, f"[{i}]", "2026-01-02", "infinity", f"{{'k': {i}}}") for i in (2, 1, 0)
    ]
    assert {column.type for column in answer.columns[1:]} == {"VARCHAR"}


def test_every_type_that_duckdb_has_can_be_answered(session: Session) -> None:
    answer = session.sql("FROM test_all_types()")
    assert len(answer.rows) == 3
    kinds = {type(value) for row in answer.rows for value in row}
    assert kinds <= {bool, int, float, str, Decimal, type(None)}


def test_two_columns_of_one_name_stay_two(session: Session) -> None:
    answer = session.sql("SELECT 1.5 AS a, [2.5] AS a")
    assert [c.name for c in answer.columns] == ["a", "a"]
    assert answer.rows == [(Decimal("1.5"), "[2.5]")]


def test_describe_show_summarize_values_and_explain_are_answered(session: Session) -> None:
    for sql in (
        "DESCRIBE slice",
        "SHOW TABLES",
        "SUMMARIZE slice",
        "VALUES (1), (2)",
        "FROM slice",
        "TABLE slice",
        "EXPLAIN SELECT 1",
        "EXPLAIN ANALYZE SELECT count(*) FROM slice",
        "PIVOT slice ON name IN ('op 1', 'op 2') USING sum(dur)",
        "WITH a AS (SELECT 1 AS x) SELECT x FROM a -- the end",
    ):
        assert session.sql(sql).rows, sql


def test_a_limit_says_that_there_is_more(session: Session) -> None:
    short = session.sql("SELECT slice_id FROM slice ORDER BY slice_id", limit=3)
    assert (short.rows, short.truncated) == ([(0,), (1,), (2,)], True)
    assert not session.sql("SELECT slice_id FROM slice", limit=12).truncated


def test_an_answer_that_was_cut_is_not_in_the_way_of_the_next(session: Session) -> None:
    for _ in range(2):
        assert session.sql("FROM range(100000)", limit=1).truncated
        assert session.sql("SELECT count(*) FROM slice_arg").rows == [(12,)]


def test_parameters_of_typed_sql_are_bound_and_all_needed(session: Session) -> None:
    answer = session.sql("SELECT count(*) FROM slice WHERE rank = $rank", {"rank": 3})
    assert answer.rows == [(4,)]
    with pytest.raises(UsageError, match="needs a value for: rank"):
        session.sql("SELECT count(*) FROM slice WHERE rank = $rank")
    with pytest.raises(UsageError, match="'rnk'; did you mean rank"):
        session.sql("SELECT $rank", {"rnk": 3})


def test_an_error_of_the_engine_names_the_question(session: Session) -> None:
    query = Query("mine", "SELECT nothing FROM slice")
    with pytest.raises(QueryError, match=r"^mine: .*nothing") as caught:
        session.run(query)
    assert caught.value.name == "mine"
    assert caught.value.exit_code == 1
    assert isinstance(caught.value.__cause__, duckdb.Error)


def test_a_table_that_the_profile_lacks_is_named(session: Session) -> None:
    query = Query("mine", "FROM summary_l2_cache", needs=("summary_l2_cache",), origin="user")
    with pytest.raises(QueryError, match="this profile has no table summary_l2_cache"):
        session.run(query)


def test_a_stream_gives_batches_while_other_questions_are_asked(session: Session) -> None:
    query = session.prepare("SELECT slice_id FROM slice ORDER BY slice_id")
    stream = session.stream(query, batch_rows=5)
    assert stream.columns == (AnswerColumn("slice_id", "BIGINT"),)
    sizes: list[int] = []
    for batch in stream:
        sizes.append(len(batch))
        assert session.sql("SELECT 1").rows == [(1,)]
    assert sizes == [5, 5, 2]


def test_an_error_in_the_middle_of_a_stream_is_ours(session: Session) -> None:
    sql = "SELECT CASE WHEN i < 50000 THEN i ELSE error('broken') END FROM range(100000) AS t(i)"
    with pytest.raises(QueryError, match="broken"):
        list(session.stream(session.prepare(sql), batch_rows=100))


def test_arrow_keeps_the_types_of_the_engine(session: Session) -> None:
    query = session.prepare("SELECT slice_id, name, [ts] AS l FROM slice ORDER BY 1")
    table = session.arrow(query, batch_rows=5).read_all()
    assert table.schema.types == [pa.int64(), pa.string(), pa.list_(pa.int64())]
    assert table.column("slice_id").to_pylist()[:5] == [0, 1, 2, 3, identifier(1, 0)]


def test_arrow_reads_with_parameters_and_from_the_record(session: Session) -> None:
    query = session.prepare("SELECT args FROM slice_arg WHERE arg_set_id = $id")
    table = session.arrow(query, {"id": identifier(2, 1)}).read_all()
    assert table.to_pylist() == [{"args": '{"rank": 7}'}]


def test_an_error_while_arrow_is_read_is_ours(session: Session) -> None:
    sql = "SELECT CASE WHEN i < 90000 THEN i ELSE error('broken') END FROM range(100000) AS t(i)"
    with pytest.raises(QueryError, match="broken"):
        session.arrow(session.prepare(sql), batch_rows=1000).read_all()


def test_interrupting_stops_what_runs_and_nothing_that_is_asked_later(session: Session) -> None:
    [error] = stopped(lambda: session.sql(ENDLESS), session.interrupt)
    assert isinstance(error, QueryCancelled)
    assert isinstance(error, Interrupted)
    assert error.exit_code == 130
    assert session.sql("SELECT 1").rows == [(1,)]


def test_interrupting_reaches_the_questions_of_all_threads(session: Session) -> None:
    errors = stopped(lambda: session.sql(ENDLESS), session.interrupt, threads=2)
    assert [type(error) for error in errors] == [QueryCancelled, QueryCancelled]


def test_a_stream_that_is_interrupted_between_two_batches_ends(session: Session) -> None:
    stream = iter(session.stream(session.prepare("FROM range(100000)"), batch_rows=100))
    next(stream)
    session.interrupt()
    with pytest.raises(QueryCancelled):
        list(stream)


def test_an_answer_that_is_made_but_not_read_is_stopped_too(session: Session) -> None:
    stream = iter(session.stream(session.prepare("FROM range(10)"), batch_rows=4))
    next(stream)
    session.interrupt()
    with pytest.raises(QueryCancelled):
        next(stream)


def test_each_thread_has_a_cursor_of_its_own(session: Session) -> None:
    cursors: list[duckdb.DuckDBPyConnection] = []
    thread = threading.Thread(target=lambda: cursors.append(session.cursor()))
    thread.start()
    thread.join()
    assert cursors[0] is not session.cursor()
    assert session.cursor() is session.cursor()


def test_closing_stops_what_runs_and_refuses_more(store: Store) -> None:
    session = Session(store)
    [error] = stopped(lambda: session.sql(ENDLESS), session.close)
    assert isinstance(error, QueryCancelled)
    with pytest.raises(QueryError, match="closed"):
        session.sql("SELECT 1")


def test_memory_and_threads_can_be_bounded(store: Store) -> None:
    with Session(store, memory_bytes=64 << 20, threads=1) as session:
        [settings] = session.sql(
            "SELECT current_setting('threads'), current_setting('memory_limit')"
        ).rows
        assert settings == (1, "64.0 MiB")
        with pytest.raises(QueryError, match="Out of Memory"):
            session.sql("SELECT count(DISTINCT hash(i)) FROM range(20000000) AS t(i)")
        assert session.sql("SELECT 1").rows == [(1,)]


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
    "SELECT '\ud800'",
    "SELECT 1 \0",
]


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


def test_questions_import_neither_textual_nor_pyarrow(store: Store) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from npuview.ingest.store import Store\n"
        "from npuview.queries import catalog, rows, rows_timeline, session\n"
        f"with session.Session(Store.open(Path({str(store.path)!r}))) as opened:\n"
        "    queries = catalog.shipped_queries()\n"
        "    for name in ('overview', 'tracks', 'cell_levels'):\n"
        "        opened.run(queries[name])\n"
        "    opened.run(queries['slice'], {'slice_id': 1})\n"
        "    opened.run(queries['cells'], {'level': 4})\n"
        "found = {'textual', 'pyarrow', 'orjson', 'numpy', 'pandas'} & set(sys.modules)\n"
        "assert not found, found\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("method", ["run", "stream", "arrow"])
def test_the_interrupt_key_ends_a_question_at_once(method: str, store: Store) -> None:
    program = (
        "import os, signal, sys, threading\n"
        "from pathlib import Path\n"
        "from npuview.ingest.store import Store\n"
        "from npuview.queries.session import Session\n"
        "def press() -> None:\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        f"with Session(Store.open(Path({str(store.path)!r}))) as opened:\n"
        "    threading.Timer(0.5, press).start()\n"
        "    try:\n"
        f"        opened.{method}(opened.prepare({ENDLESS!r}))\n"
        "    except KeyboardInterrupt:\n"
        "        assert opened.sql('SELECT 1').rows == [(1,)]\n"
        "        sys.exit(130)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 130, done.stderr


def test_a_parameter_without_a_type_takes_values_as_they_are() -> None:
    free = Parameter("x", None)
    assert [free.value(given) for given in (1, "1", 1.5, True, None, "")] == [
        1, "1", 1.5, True, None, None,
    ]  # fmt: skip
