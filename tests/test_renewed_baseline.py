"""Baselines stay useful when a later npuview stores other columns."""

from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest
import store_build
from command_line import Run
from pair_build import stepped

from npuview.ingest import publish, reduced_store, renewed_baseline, store
from npuview.ingest.baseline import baseline_root
from npuview.ingest.schema import SCHEMA_VERSION
from npuview.ingest.store import MANIFEST, StoredFile, content_hash


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a version of npuview that stores tables otherwise."""
    for module in (publish, reduced_store, renewed_baseline, store, store_build):
        monkeypatch.setattr(module, "SCHEMA_VERSION", SCHEMA_VERSION + 1)


def with_other_columns(place: Path) -> None:
    """Let the steps of a baseline have a column less and another more, as an old one has."""
    [directory] = place.glob("*/rank=0")
    file = directory / "step.parquet"
    steps = pq.ParquetFile(file).read()
    steps = steps.drop_columns(["preparing"]).append_column("fame", steps["step"])
    pq.write_table(steps, file)
    manifest = msgspec.json.decode((directory / MANIFEST).read_bytes())
    known = StoredFile(file.stat().st_size, content_hash(file))
    manifest["files"][file.name] = msgspec.to_builtins(known)
    (directory / MANIFEST).write_bytes(msgspec.json.encode(manifest))


def test_a_baseline_of_an_earlier_version_keeps_its_figures(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {"computing": [9, 10, 11, 9], "idle": [4, 4, 5, 4]}
    now = {"computing": [9, 10, 11, 9], "idle": [1, 1, 1, 1]}
    run("baseline", "save", "old", stepped(tmp_path / "a", before).path)
    words = ("--by", "state,cause", "--format", "csv")
    as_saved = run("diff", "old", stepped(tmp_path / "b", now).path, *words).out
    with_other_columns(baseline_root() / "old")
    later(monkeypatch)
    test = stepped(tmp_path / "later" / "b", now).path
    ran = run("diff", "old", test, *words)
    assert (ran.status, ran.out) == (0, as_saved)
    assert "the baseline old is of an earlier version: kept anew with its figures" in ran.err
    again = run("diff", "old", test, *words)
    assert (again.status, again.out) == (0, as_saved)
    assert "earlier" not in again.err
    assert run("check", test, "--against", "old").status == 0


def test_a_baseline_whose_figures_mean_something_else_says_how_to_save_it_again(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = stepped(tmp_path / "a", {"computing": [9] * 3}).path
    run("baseline", "save", "old", base)
    later(monkeypatch)
    monkeypatch.setattr(renewed_baseline, "COMPARABLE_SINCE", SCHEMA_VERSION + 1)
    ran = run("check", stepped(tmp_path / "b", {"computing": [9] * 3}).path, "--against", "old")
    assert (ran.status, ran.out) == (1, "")
    assert "npuview baseline save old" in ran.err
    assert "PATH" not in ran.err


def test_a_damaged_baseline_is_not_kept_anew(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("baseline", "save", "old", stepped(tmp_path / "a", {"computing": [9] * 3}).path)
    [file] = (baseline_root() / "old").glob("*/rank=0/ledger.parquet")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    later(monkeypatch)
    ran = run("check", stepped(tmp_path / "b", {"computing": [9] * 3}).path, "--against", "old")
    assert ran.status == 1
    assert "content differs from what was written" in ran.err
    assert file.exists()
