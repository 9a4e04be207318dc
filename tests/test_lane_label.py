"""Labels of lanes: the place, a letter, and what is on them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.draw.lane_label import lane_label
from npuview.tui.draw.safe_text import cell_len, clean


@pytest.mark.parametrize(
    ("kind", "stream_id", "part", "thread_name", "wide", "narrow"),
    [
        ("stream", 2, "cube", "Stream 2", "s2 C cube", "s2 C"),
        ("stream", 2, "waiting", "Stream 2", "s2 w waiting", "s2 w"),
        ("stream", 4, "transfer", "Stream 4", "s4 x transfer", "s4 x"),
        ("stream", 123, "transfer", "Stream 123", "s123 x", "s123 x"),
        ("stream", 2, "control", "Stream 2", "s2 control", "s2 ctl"),
        ("stream", 2, None, "Stream 2", "s2", "s2"),
        ("stream", None, "cube", "Stream", "C Stream", "C S…eam"),
        ("python", None, None, None, "host  python", "host"),
        ("cann", None, None, "sync", "cann  sync", "c.sync"),
        ("python", None, None, "Thread 15112", "host  Thr…5112", "host"),
        ("gap", None, None, "Gaps", "   · gaps", "   ·"),
        ("flow", None, None, None, "      flow", "flow"),
        ("device", None, None, "Device", "Device", "Device"),
        ("group", None, None, "hccl_world", "N hccl_world", "N h…rld"),
    ],
)
def test_a_label_says_where_and_what(
    kind: str,
    stream_id: int | None,
    part: str | None,
    thread_name: str | None,
    wide: str,
    narrow: str,
) -> None:
    assert lane_label(kind, stream_id, part, thread_name, 14).rstrip() == wide
    assert lane_label(kind, stream_id, part, thread_name, 7).rstrip() == narrow


@given(
    st.sampled_from(["stream", "python", "cann", "gap", "group", "plane", "counter"]),
    st.none() | st.integers(0, 2**63),
    st.sampled_from([None, "cube", "waiting", "control"]),
    st.none() | st.text(),
    st.integers(0, 20),
)
def test_a_label_is_exactly_as_wide_as_its_column(
    kind: str, stream_id: int | None, part: str | None, thread_name: str | None, width: int
) -> None:
    label = lane_label(kind, stream_id, part, thread_name, width)
    assert cell_len(label) == width
    assert clean(label) == label
