"""A session: views over ranks, both engines, cancelling, and what it cannot reach."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal

import duckdb
import pyarrow as pa
import pytest
from store_build import identifier, three_ranks

from npuview.ingest.errors import Interrupted, UsageError
from npuview.ingest.schema import TABLES
from npuview.ingest.store import Store
from npuview.queries.errors import QueryCancelled, QueryError, engine_errors
from npuview.queries.query import AnswerColumn, Parameter, Query
from npuview.queries.result import BATCH_CHARACTERS
from npuview.queries.session import BATCH_ROWS, Engine, Session

ENDLESS = "SELECT count(*) FROM range(1000000000000) AS t(i) WHERE i % 7 = 3"
SLEEPS_WHEN_BOUND = "SELECT * FROM range(sleep_ms(60000)::BIGINT)"
DEAF_WHEN_BOUND = f"SELECT {'a.' * 20_000}a"
"""A name of so many parts keeps the binder from hearing anything."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return three_ranks(tmp_path_factory.mktemp("session"))


@pytest.fixture(scope="module", params=["index", "parquet"])
def session(request: pytest.FixtureRequest, store: Store) -> Iterator[Session]:
    engine: Engine = request.param
    with Session(store, engine=engine, threads=2) as opened:
        yield opened


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


def test_rows_with_long_text_come_in_small_batches(session: Session) -> None:
    stream = session.stream(session.prepare("SELECT repeat('x', 100_000) FROM range(1000)"))
    sizes = [len(batch) for batch in stream]
    assert sum(sizes) == 1000
    assert max(sizes) * 100_000 <= BATCH_CHARACTERS
    short = session.stream(session.prepare("SELECT 'x' FROM range(100_000)"))
    assert max(len(batch) for batch in short) == BATCH_ROWS


def test_an_answer_for_which_there_is_no_memory_is_ours() -> None:
    with pytest.raises(QueryError, match=r"^mine: .*more memory"), engine_errors("mine"):
        raise MemoryError


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


def test_questions_import_neither_textual_nor_pyarrow(store: Store) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from npuview.ingest.store import Store\n"
        "from npuview.queries import catalog, session\n"
        "from npuview.queries import rows, rows_collection, rows_stall, rows_timeline\n"
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


@pytest.mark.parametrize(
    ("method", "sql"),
    [
        *((method, ENDLESS) for method in ("run", "stream", "arrow")),
        *((method, SLEEPS_WHEN_BOUND) for method in ("run", "stream", "arrow")),
        ("run", DEAF_WHEN_BOUND),
    ],
)
def test_the_interrupt_key_ends_a_question_at_once(method: str, sql: str, store: Store) -> None:
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
        f"        opened.{method}(opened.prepare({sql!r}))\n"
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
