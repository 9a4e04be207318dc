"""A whole store is the same with the parts in C and without any of them."""

from pathlib import Path

import pytest
from store_content import content

from npuview.ingest.compiled import VARIABLE, has_scanner
from npuview.ingest.derive import device_states, nested
from npuview.ingest.pipeline import open_store
from npuview.queries.session import Session

pytestmark = pytest.mark.skipif(
    nested.NEST is None or device_states.SWEEP is None or not has_scanner(),
    reason="the C modules are not built",
)

RANKS = [f"level{level}/rank{rank}_ascend_pt" for level in (0, 1, 2) for rank in (0, 1)]

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
NO_TIMELINE = "google_cloud_trace.json"
FILES = [
    f"{path.parent.name}/{path.name}"
    for path in sorted(DATA.glob("*/*.*"))
    if path.parent.name in {"chrome", "gpu"} and path.name != NO_TIMELINE
]


def all_of(source: Path, cache: Path) -> dict[str, object]:
    store = open_store(source, cache_dir=cache).store
    found: dict[str, object] = dict(content(store))
    assert {"slice", "flow", "counter", "lod", "lane_part", "gap"} <= set(found)
    with Session(store, threads=1) as session:
        # Of each block the args of events that the scanner left come last.
        found["slice_arg"] = session.sql("FROM slice_arg ORDER BY ALL").rows
    return found


def assert_same(source: Path, folder: Path, patch: pytest.MonkeyPatch) -> None:
    in_c = all_of(source, folder / "c")
    patch.setenv(VARIABLE, "off")
    # These two were looked for when they were imported.
    patch.setattr(nested, "NEST", None)
    patch.setattr(device_states, "SWEEP", None)
    in_python = all_of(source, folder / "python")
    assert in_c == in_python


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
    assert_same(shared_data / name, tmp_path, monkeypatch)
