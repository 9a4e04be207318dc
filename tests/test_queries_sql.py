"""What the SQL view and the list of moves ask: a gap, what args say of copies."""

from pathlib import Path

import pytest
from device_store import device_store
from store_build import ask

from npuview.queries.rows import CopySizesRow
from npuview.queries.rows_timeline import GapRow


def test_a_gap_is_found_by_its_id(tmp_path: Path) -> None:
    builder = device_store(tmp_path, planes=True)
    builder.add("gap", gap_id=4, device_id=0, kind="device", step=1, ts=130, dur=70)
    store = builder.build()
    assert ask(store, "gap", gap_id=4) == [GapRow(4, 0, 0, "device", 1, 130, 70)]
    assert ask(store, "gap", gap_id=5) == []


@pytest.mark.parametrize(
    ("args", "known"),
    [
        (
            '{"data size(Byte)": 19267584, "memcpy direction": "host to device"}',
            (19267584, "host to device"),
        ),
        (
            '{"size(B)": 256, "bandwidth(GB/s)": 1.5, "operation": "device to host"}',
            (256, "device to host"),
        ),
        ('{"bytes": 512, "kind": "HtoD"}', (512, "HtoD")),
        ('{"kind": "HtoD"}', (None, "HtoD")),
        ('{"bytes": "many", "kind": "HtoD"}', (None, "HtoD")),
        ('{"Task Id": 7}', None),
        ("{broken", None),
        ("[1]", None),
    ],
)
def test_the_args_of_a_copy_say_how_much_went_where(
    args: str, known: tuple[int | None, str] | None, tmp_path: Path
) -> None:
    builder = device_store(tmp_path, planes=False)
    builder.add(
        "slice",
        slice_id=50,
        track_id=1,
        ts=700,
        dur=5,
        name="MEMCPY_ASYNC",
        class_="copy",
        task_type="SDMA_SQE",
        stream_id=2,
        step=1,
        arg_set_id=9,
    )
    builder.add("slice_arg", arg_set_id=9, args=args)
    expected = [] if known is None else [CopySizesRow(50, *known)]
    assert ask(builder.build(), "copy_sizes", step=1) == expected


def test_sizes_are_of_the_rank_and_step_that_are_asked_for(tmp_path: Path) -> None:
    builder = device_store(tmp_path, planes=False)
    builder.add(
        "slice",
        slice_id=50,
        track_id=1,
        ts=700,
        dur=5,
        name="M",
        class_="copy",
        step=1,
        arg_set_id=9,
    )
    builder.add("slice_arg", arg_set_id=9, args='{"bytes": 5}')
    store = builder.build()
    assert ask(store, "copy_sizes", rank=0) == [CopySizesRow(50, 5, None)]
    assert ask(store, "copy_sizes", rank=1) == []
    assert ask(store, "copy_sizes", step=2) == []
