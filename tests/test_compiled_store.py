"""A whole store is the same with the parts in C and without any of them."""

from pathlib import Path

import pytest
from conftest import Ingest
from made_up import MadeUp
from read_rows import reference_rows, scanned_rows
from store_content import content_of

from npuview.ingest.compiled import VARIABLE, has_scanner
from npuview.ingest.derive import device_states, nested
from npuview.ingest.notice import ImportLog
from npuview.ingest.pipeline import open_store
from npuview.ingest.read.source import TimelineSource
from npuview.ingest.store import Store
from npuview.queries.session import Session

pytestmark = pytest.mark.skipif(
    nested.NEST is None or device_states.SWEEP is None or not has_scanner(),
    reason="the C modules are not built",
)

RANKS = [f"level{level}/rank{rank}_ascend_pt" for level in (0, 1, 2) for rank in (0, 1)]

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
NO_TIMELINE = "google_cloud_trace.json"
FILES = [
    path
    for path in sorted(DATA.glob("*/*.*"))
    if path.parent.name in {"chrome", "gpu"} and path.name != NO_TIMELINE
]
LONG_BYTES = 64 << 10
"""Shorter files have odd events but little to derive: what is read of them says all."""


def named(*, long: bool) -> list[str]:
    """Return the files that are as long as that, or those that are not."""
    return [
        f"{path.parent.name}/{path.name}"
        for path in FILES
        if (path.stat().st_size >= LONG_BYTES) is long
    ]


def all_of(store: Store) -> dict[str, object]:
    with Session(store, threads=1) as session:
        found: dict[str, object] = dict(content_of(session, session.tables))
        assert {"slice", "flow", "counter", "lod", "lane_part", "gap"} <= set(found)
        # Of each block the args of events that the scanner left come last.
        found["slice_arg"] = session.sql("FROM slice_arg ORDER BY ALL").rows
    return found


def assert_same(built: Store, source: Path, cache: Path, patch: pytest.MonkeyPatch) -> None:
    """Check that the store of a source, which is built with C, is the same without it."""
    in_c = all_of(built)
    patch.setenv(VARIABLE, "off")
    # These two were looked for when they were imported.
    patch.setattr(nested, "NEST", None)
    patch.setattr(device_states, "SWEEP", None)
    assert in_c == all_of(open_store(source, cache_dir=cache).store)


def test_the_store_of_the_sample_is_the_same_without_c(
    made_up: MadeUp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_same(made_up().store, made_up().profile, tmp_path, monkeypatch)


@pytest.mark.shared
@pytest.mark.parametrize("name", RANKS)
def test_the_store_of_a_real_profile_is_the_same_without_c(
    name: str,
    shared_data: Path,
    real: Ingest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = shared_data / "torch_npu" / name
    assert_same(real(source).store, source, tmp_path, monkeypatch)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["msprof_2023", "mindspore", *named(long=True)])
def test_the_store_of_another_producer_is_the_same_without_c(
    name: str,
    shared_data: Path,
    real: Ingest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = shared_data / name
    assert_same(real(source).store, source, tmp_path, monkeypatch)


@pytest.mark.shared
@pytest.mark.parametrize("name", named(long=False))
def test_what_is_read_of_a_short_file_is_the_same_without_c(name: str, shared_data: Path) -> None:
    text = b"".join(TimelineSource(shared_data / name, name, ImportLog()).chunks())
    read = reference_rows(text)
    assert read.slices or read.counters or read.notices
    assert scanned_rows(text) == read
