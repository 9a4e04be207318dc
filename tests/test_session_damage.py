"""A store that is damaged or was changed by somebody: what a session says and refuses."""

from dataclasses import replace
from pathlib import Path

import duckdb
import msgspec
import pytest
from store_build import StoreBuilder, three_ranks

from npuview.ingest.errors import StoreError
from npuview.ingest.store import INDEX, MANIFEST, Store, describe_files, write_manifest
from npuview.queries.engine import connect
from npuview.queries.session import Engine, Session
from npuview.queries.sources import Opening, attach_indexes


def changed(path: Path, *statements: str) -> Store:
    """Change the index of a store's first rank and its manifest, as somebody else could."""
    store = three_ranks(path)
    rank = store.ranks[0]
    with duckdb.connect(str(rank.index)) as connection:
        for statement in statements:
            connection.execute(statement)
    files = {**rank.manifest.files, INDEX: describe_files(rank.path)[INDEX]}
    manifest = msgspec.structs.replace(rank.manifest, files=files)
    write_manifest(rank.path / MANIFEST, manifest)
    return Store.open(store.path)


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


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        (["DROP TABLE gap"], "holds no table gap"),
        (["DROP TABLE summary_op_statistic"], "holds no table summary_op_statistic"),
        (["ALTER TABLE gap DROP COLUMN cause"], "table gap has other columns"),
        (["ALTER TABLE gap ADD COLUMN more INTEGER"], "table gap has other columns"),
        (["ALTER TABLE gap ALTER cause TYPE BLOB"], "table gap has other columns"),
        (["INSERT INTO profile (rank) VALUES (5)"], "is not of rank 0"),
        (["DROP TABLE gap", "CREATE VIEW gap AS FROM slice"], "holds no table gap"),
        (["CREATE SCHEMA s", "CREATE TABLE s.gap AS FROM gap", "DROP TABLE gap"], "no table gap"),
    ],
)
def test_an_index_that_does_not_hold_what_it_promises_is_named_with_the_cure(
    statements: list[str], said: str, tmp_path: Path
) -> None:
    store = changed(tmp_path, *statements)
    cure = r"npuview ingest --force PATH"
    with pytest.raises(StoreError, match=rf"rank=0.index\.duckdb: .*{said}.*{cure}"):
        Session(store)


@pytest.mark.parametrize("name", ["gap", "summary_op_statistic"])
def test_a_view_in_an_index_reads_and_runs_nothing(name: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("word\ncanary\n")
    view = f"CREATE VIEW {name} AS FROM '{secret}'"
    store = changed(tmp_path, f"DROP TABLE {name}", view)
    # Whoever read it would say so.
    secret.unlink()
    with pytest.raises(StoreError, match=rf"holds no table {name}"):
        Session(store)


@pytest.mark.parametrize("engine", ["index", "parquet"])
def test_a_table_that_only_the_manifest_has_is_named(engine: Engine, tmp_path: Path) -> None:
    store = three_ranks(tmp_path)
    rank = store.ranks[0]
    manifest = msgspec.structs.replace(
        rank.manifest, tables={**rank.manifest.tables, "summary_gone": 1}
    )
    store = replace(store, ranks=(replace(rank, manifest=manifest), *store.ranks[1:]))
    with (
        pytest.raises(StoreError, match=r"summary_gone.*--force PATH"),
        Session(store, engine=engine) as session,
    ):
        session.sql("SELECT 1")


@pytest.mark.parametrize("engine", ["index", "parquet"])
def test_damage_anywhere_in_a_store_is_named_with_the_cure(engine: Engine, tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    for number in range(3000):
        builder.add("slice", slice_id=number, track_id=1, ts=number, dur=1, name=f"op {number}")
    store = builder.build()
    file = store.ranks[0].index if engine == "index" else store.ranks[0].parquet("slice")
    content = file.read_bytes()
    said: list[str] = []
    for place in range(0, len(content), len(content) // 40):
        damaged = bytearray(content)
        damaged[place : place + 64] = bytes(byte ^ 0x5A for byte in damaged[place : place + 64])
        file.write_bytes(damaged)
        try:
            with Session(store, engine=engine, threads=1) as session:
                session.sql("FROM slice")
        except StoreError as error:
            said.append(str(error))
    assert len(said) > 5
    assert all(str(store.path) in one for one in said)
    assert all("npuview ingest --force PATH" in one for one in said)


def test_files_are_out_of_reach_before_anything_of_an_index_is_read(tmp_path: Path) -> None:
    store = three_ranks(tmp_path)
    with connect(threads=1) as connection:
        attach_indexes(connection, {"main": Opening(store.ranks)})
        with pytest.raises(duckdb.PermissionException):
            connection.execute(f"FROM read_text('{store.path}/manifest.json')")
