"""Build tiny stores on disk from rows, for tests that ask questions of a store.

A test names the columns that matter; all others are NULL::

    store = (
        StoreBuilder(tmp_path)
        .rank(0)
        .add("track", track_id=1, kind="stream", sort_order=1)
        .add("slice", slice_id=1, track_id=1, ts=10, dur=5, name="MatMul", class_="compute")
        .build()
    )

What ingest stores of tables that a test fills, such as the usual launch, is derived as ingest
does unless the test gives it.

Identifiers are written as small numbers and moved into the rank's own range
(``ordinal << 40 | n``); ``identifier`` says which number that is. Every table of
``schema.TABLES`` is in the store, empty where nothing was added.

``ask`` answers one of npuview's questions on both engines and checks that they agree.
"""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from npuview.ingest import derive
from npuview.ingest.publish import Construction, construction
from npuview.ingest.schema import ID_BITS, SCHEMA_VERSION, SUMMARY_PREFIX, TABLES
from npuview.ingest.store import (
    INDEX,
    RankManifest,
    RankStore,
    Store,
    describe_files,
)
from npuview.ingest.table import Column, Table, create_statement, quoted
from npuview.ingest.vocabulary import COLLECTIVE_CORES
from npuview.queries import (
    rows,
    rows_collection,
    rows_communication,
    rows_cores,
    rows_memory,
    rows_moving,
    rows_operators,
    rows_stall,
    rows_timeline,
)
from npuview.queries.catalog import shipped_queries
from npuview.queries.session import Session

Value = str | int | float | bool | None

ROW_MODULES = (
    rows,
    rows_collection,
    rows_communication,
    rows_cores,
    rows_memory,
    rows_moving,
    rows_operators,
    rows_stall,
    rows_timeline,
)
"""Where the row types of the questions are."""

ARROW_TYPES: dict[str, pa.DataType] = {
    "BIGINT": pa.int64(),
    "BOOLEAN": pa.bool_(),
    "DOUBLE": pa.float64(),
    "INTEGER": pa.int32(),
    "SMALLINT": pa.int16(),
    "VARCHAR": pa.string(),
}

STORED_IDS = frozenset(
    {
        "allocation_id",
        "arg_set_id",
        "call_slice_id",
        "collective_id",
        "dst_slice_id",
        "dst_track_id",
        "enqueue_slice_id",
        "evidence_slice_id",
        "gap_id",
        "held_slice_id",
        "host_slice_id",
        "kernel_id",
        "launch_slice_id",
        "next_slice_id",
        "operator_slice_id",
        "parent_id",
        "prev_slice_id",
        "producer_slice_id",
        "record_slice_id",
        "root_slice_id",
        "series_id",
        "slice_id",
        "line_slice_id",
        "stall_id",
        "src_slice_id",
        "src_track_id",
        "sync_slice_id",
        "top_slice_id",
        "track_id",
    }
)
"""Columns whose values are unique in a store, unlike device, stream and task numbers."""


def row_type(question: str) -> type[Any]:
    """Return the NamedTuple of a question's rows: ``gap_summary`` has GapSummaryRow."""
    name = "".join(word.capitalize() for word in question.split("_")) + "Row"
    return next(getattr(module, name) for module in ROW_MODULES if hasattr(module, name))


def ask(store: Store, question: str, **params: object) -> list[Any]:
    """Return the rows of a question's answer, the same on both engines."""
    query = shipped_queries()[question]
    index, record = _sessions(store.path)
    answer = index.run(query, params)
    assert record.run(query, params) == answer
    return answer.as_(row_type(question))


@lru_cache(maxsize=1)
def _sessions(path: Path) -> tuple[Session, Session]:
    store = Store.open(path)
    return Session(store, threads=1), Session(store, engine="parquet", threads=2)


def identifier(ordinal: int, number: int) -> int:
    """Return the identifier that a small number has in the rank of that ordinal."""
    return ordinal << ID_BITS | number


@dataclass(slots=True)
class _Rank:
    rank: int
    ordinal: int
    rows: dict[str, list[dict[str, Value]]] = field(
        default_factory=lambda: {name: [] for name in TABLES}
    )
    summaries: dict[str, Table] = field(default_factory=dict[str, Table])


class StoreBuilder:
    """Collects the rows of a store rank by rank; rows go to the rank named last."""

    def __init__(self, path: Path, *, source: str = "made-up") -> None:
        self._path = path / "store"
        self._source = Path(source)
        self._ranks: dict[int, _Rank] = {}
        self._current: _Rank | None = None

    def rank(self, rank: int) -> "StoreBuilder":
        """Go on with a rank; its ordinal is the order in which ranks are first named."""
        self._current = self._ranks.setdefault(rank, _Rank(rank, len(self._ranks)))
        return self

    def add(self, table: str, **values: Value) -> "StoreBuilder":
        """Add a row. A column that is a Python keyword takes an underscore: ``class_``.

        The columns ``rank`` and ``end_ts``, where there are, are filled in unless given.
        """
        return self._add(TABLES[table], values)

    def summary(
        self, name: str, columns: Mapping[str, str], rows: Iterable[Sequence[Value]] = ()
    ) -> "StoreBuilder":
        """Add the table ``summary_<name>`` with these columns (name: DuckDB type) and rows."""
        current = self._current_rank()
        table = Table(
            SUMMARY_PREFIX + name,
            "",
            tuple(Column(column, type_, "") for column, type_ in columns.items()),
        )
        current.summaries[table.name] = table
        current.rows[table.name] = [dict(zip(table.column_names, row, strict=True)) for row in rows]
        return self

    def build(self) -> Store:
        """Write the store and open it."""
        if not self._ranks:
            self.rank(0)
        with construction(self._path) as site:
            ranks = [_write_rank(site, rank) for rank in self._ranks.values()]
            site.publish(self._source, ranks)
        return Store.open(self._path)

    def _current_rank(self) -> _Rank:
        if self._current is None:
            self.rank(0)
        assert self._current is not None
        return self._current

    def _add(self, table: Table, values: dict[str, Value]) -> "StoreBuilder":
        current = self._current_rank()
        row = {name.rstrip("_"): value for name, value in values.items()}
        unknown = row.keys() - set(table.column_names)
        if unknown:
            raise KeyError(f"{table.name} has no column {sorted(unknown)}")
        if "rank" in table.column_names:
            row.setdefault("rank", current.rank)
        ts, dur = row.get("ts"), row.get("dur")
        if "end_ts" in table.column_names and isinstance(ts, int) and isinstance(dur, int):
            row.setdefault("end_ts", ts + dur)
        for name in STORED_IDS & row.keys():
            value = row[name]
            if isinstance(value, int) and value < 1 << ID_BITS:
                row[name] = identifier(current.ordinal, value)
        current.rows[table.name].append(row)
        return self


def three_ranks(path: Path) -> Store:
    """Write a store of three ranks with args and CSV tables that differ between them."""
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


def _write_rank(site: Construction, rank: _Rank) -> RankStore:
    built = site.begin(rank.rank)
    tables = {**TABLES, **rank.summaries}
    for name, content in _without_rows().items():
        (built / name).write_bytes(content)
    with duckdb.connect(str(built / INDEX)) as connection:
        # One transaction writes to disk once.
        connection.begin()
        for table in rank.summaries.values():
            connection.execute(create_statement(table))
        filled = [table for table in tables.values() if rank.rows[table.name]]
        for table in filled:
            if table.indexed:
                _fill(connection, table, _arrow(table, rank.rows[table.name]))
            else:
                _record_unindexed(table, rank.rows[table.name], built)
        _derive(connection, rank)
        sizes = {name: len(rank.rows[name]) for name in tables}
        # What was derived has rows that nobody added.
        sizes |= connection.execute(
            " UNION ALL ".join(
                f"SELECT '{table.name}', count(*) FROM {quoted(table.name)}"
                for table in tables.values()
                if table.indexed
            )
        ).fetchall()
        for name, table in tables.items():
            if table.indexed and (sizes[name] or name in rank.summaries):
                _record(connection, name, built)
        connection.commit()
    manifest = RankManifest(
        schema_version=SCHEMA_VERSION,
        rank=rank.rank,
        ordinal=rank.ordinal,
        name=f"rank{rank.rank}",
        fingerprint="made-up",
        files=describe_files(built),
        tables=sizes,
    )
    return site.finish(built, manifest)


@cache
def _without_rows() -> Mapping[str, bytes]:
    """Return the files of a rank whose tables are empty: what each store begins with."""
    with tempfile.TemporaryDirectory() as folder:
        built = Path(folder)
        with duckdb.connect(str(built / INDEX)) as connection:
            connection.begin()
            for table in TABLES.values():
                if table.indexed:
                    connection.execute(create_statement(table))
                    _record(connection, table.name, built)
                else:
                    _record_unindexed(table, [], built)
            connection.commit()
        return {file.name: file.read_bytes() for file in built.iterdir()}


def _record(connection: duckdb.DuckDBPyConnection, name: str, built: Path) -> None:
    """Write a table of the index to its file of the record."""
    file = built / f"{name}.parquet"
    connection.execute(f"COPY {quoted(name)} TO '{file}' (COMPRESSION zstd)")


def _record_unindexed(table: Table, rows: list[dict[str, Value]], built: Path) -> None:
    """Write a table that only the record has, with the checksums of pages, which DuckDB lacks."""
    file = built / f"{table.name}.parquet"
    pq.write_table(_arrow(table, rows), file, compression="zstd", write_page_checksum=True)


def _derive(connection: duckdb.DuckDBPyConnection, rank: _Rank) -> None:
    """Store of the rows that were added what ingest stores of them, by its own SELECTs."""
    if rank.rows["counter"]:
        connection.execute(f"CREATE TEMP VIEW frequency AS {_select('frequency')}")
        connection.execute("""
            UPDATE kernel SET mhz = (SELECT arg_max(mhz, ts) FROM frequency WHERE ts <= kernel.ts)
            WHERE mhz IS NULL
              AND upper(core) IN ('AI_CORE', 'AI_VECTOR_CORE', 'AIV', 'MIX_AIC', 'MIX_AIV')
        """)
    if rank.rows["operator_total"] and not rank.rows["operator_usual"]:
        _insert(connection, "operator_usual", rank)
    if rank.rows["kernel"]:
        connection.execute(
            f"""
            UPDATE kernel SET shape_id = alike.shape_id
            FROM (
              SELECT kernel_id, {rank.ordinal << ID_BITS} + dense_rank() OVER (ORDER BY (
                name, type, core, block_num, input_shapes, input_dtypes, input_formats,
                output_shapes, output_dtypes, output_formats
              )) - 1 AS shape_id
              FROM kernel
            ) AS alike
            WHERE alike.kernel_id = kernel.kernel_id
            """
        )
        for name in ("kernel_shape", "layout_call", "aicpu_call", "last_launch"):
            _insert(connection, name, rank)
    if not rank.rows["launch_link"]:
        return
    connection.execute("""
        CREATE TEMP VIEW placed AS SELECT slice_id, class, task_type FROM slice;
        CREATE TEMP VIEW word AS SELECT DISTINCT task_type AS code, task_type AS text FROM slice
    """)
    for name in ("launch_pace", "queue_gap"):
        if not rank.rows[name]:
            _insert(connection, name, rank)


def _insert(connection: duckdb.DuckDBPyConnection, name: str, rank: _Rank) -> None:
    text = _select(name)
    known = {"rank": rank.rank, "collective_cores": list(COLLECTIVE_CORES)}
    named = {key: value for key, value in known.items() if f"${key}" in text}
    connection.execute(f"INSERT INTO {name} {text}", named)


@cache
def _select(name: str) -> str:
    return resources.files(derive).joinpath(f"{name}.sql").read_text("utf-8")


def _arrow(table: Table, rows: list[dict[str, Value]]) -> pa.Table:
    fields = pa.schema([(column.name, ARROW_TYPES[column.type]) for column in table.columns])
    return pa.Table.from_pylist(rows, schema=fields)


def _fill(connection: duckdb.DuckDBPyConnection, table: Table, rows: pa.Table) -> None:
    order = "ORDER BY " + ", ".join(map(quoted, table.order)) if table.order else ""
    connection.register("added", rows)
    connection.execute(f"INSERT INTO {quoted(table.name)} FROM added {order}")
    connection.unregister("added")
