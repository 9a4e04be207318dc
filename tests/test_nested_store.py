"""A whole store is the same with the pass in C and without it."""

from pathlib import Path
from typing import Any

import pytest
from conftest import Ingested

from npuview.ingest.derive import nested
from npuview.ingest.errors import UnsupportedProfile
from npuview.ingest.pipeline import open_store

pytestmark = pytest.mark.skipif(nested.NEST is None, reason="the C module is not built")

RANKS = [f"level{level}/rank{rank}_ascend_pt" for level in (0, 1, 2) for rank in (0, 1)]

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FILES = [
    f"{path.parent.name}/{path.name}"
    for path in sorted(DATA.glob("*/*.*"))
    if path.parent.name in {"chrome", "gpu"}
]


def tables(source: Path, cache: Path) -> dict[str, list[tuple[Any, ...]]]:
    store = Ingested(open_store(source, cache_dir=cache))
    names = [name for (name,) in store.rows("SELECT table_name FROM duckdb_tables()")]
    assert {"slice", "flow", "lod", "lane_part"} <= set(names)
    return {name: store.rows(f'FROM "{name}"') for name in names}


def assert_same(source: Path, folder: Path, patch: pytest.MonkeyPatch) -> None:
    in_c = tables(source, folder / "c")
    patch.setattr(nested, "NEST", None)
    by_sets = tables(source, folder / "sets")
    assert in_c.keys() == by_sets.keys()
    for name in in_c:
        assert in_c[name] == by_sets[name], name


def test_the_store_of_the_sample_is_the_same_without_c(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_same(sample, tmp_path, monkeypatch)


@pytest.mark.shared
@pytest.mark.parametrize("name", RANKS)
def test_the_store_of_a_real_profile_is_the_same_without_c(
    name: str, shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_same(shared_data / "torch_npu" / name, tmp_path, monkeypatch)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["msprof_2023", "mindspore", *FILES])
def test_the_store_of_another_producer_is_the_same_without_c(
    name: str, shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        assert_same(shared_data / name, tmp_path, monkeypatch)
    except UnsupportedProfile as error:
        pytest.skip(str(error))
