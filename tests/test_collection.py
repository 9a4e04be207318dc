"""How a profile was collected, and what would collect more."""

import json
import re

import pytest

from npuview.queries.catalog import shipped_queries
from npuview.queries.rows import HealthRow, ProfilesRow
from npuview.queries.views import shared_views
from npuview.tui.collect.hints import MAKERS, hints
from npuview.tui.overview.collection import (
    OF_THE_TIMELINE,
    cut_off_timelines,
    overhead,
    remedy,
    splits_collectives,
    switches_on,
)


def profile(producer: str = "torch_npu", level: str | None = None, **on: object) -> ProfilesRow:
    return ProfilesRow(
        rank=0,
        rank_known=True,
        world_size=None,
        device_id=None,
        host=None,
        producer=producer,
        versions="{}",
        level=level,
        switches=json.dumps(on),
        name="made-up",
        path="made-up",
        clock="epoch",
        clock_offset=None,
        ts=None,
        dur=None,
    )


def test_everything_that_cannot_be_told_has_a_hint() -> None:
    sql = shared_views()["missing"] + shipped_queries()["untold"].sql
    named = set(re.findall(r"(?:SELECT|UNION ALL\s+SELECT) (?:\w+\.)?rank,\s+'(\w+)'", sql))
    assert {"planes", "memory", "gc", "ranks"} <= named <= set(hints())


@pytest.mark.parametrize("producer", MAKERS)
@pytest.mark.parametrize("missing", sorted(hints()))
def test_the_line_is_of_the_profiler_that_wrote_the_profile(missing: str, producer: str) -> None:
    line = remedy(missing, profile(producer))
    assert line is not None
    others = set(MAKERS) - {producer}
    assert not any(f"{other}." in line or f"{other} --" in line for other in others)


def test_a_trace_of_another_program_has_no_remedy() -> None:
    assert remedy("memory", profile("chrome")) is None


@pytest.mark.parametrize(
    ("missing", "given"),
    [
        ("planes", profile(level="Level1")),
        ("cann", profile(level="Level2")),
        ("memory", profile(profile_memory=True)),
        ("units", profile(_aic_metrics="ACL_AICORE_PIPE_UTILIZATION")),
        ("python", profile(activities=["ProfilerActivity.CPU"])),
        ("lines", profile(with_stack=True)),
        ("gc", profile(_gc_detect_threshold=1)),
        ("copies", profile(level="Level2")),
        ("streams", profile(activities=["ProfilerActivity.CPU", "ProfilerActivity.NPU"])),
    ],
)
def test_a_switch_that_was_on_is_not_asked_for_again(missing: str, given: ProfilesRow) -> None:
    assert (remedy(missing, given) or "").startswith("was collected")
    assert (remedy(missing, profile()) or "").startswith("to collect it: ")


def test_what_a_cut_off_timeline_lost_is_not_collected_by_a_switch() -> None:
    finding = HealthRow(0, "import", "data_loss", "trace_view.json", "truncated", 1, 8192, None)
    other = finding._replace(name="event_malformed", rank=1)
    cut_off = cut_off_timelines([finding, other])
    said = {missing: remedy(missing, profile(), cut_off) for missing in hints()}
    export = "the timeline is cut off at byte 8,192: export the profile again"
    assert {missing for missing, line in said.items() if line == export} == OF_THE_TIMELINE
    assert said["memory"] == "to collect it: profile_memory=True"
    assert (remedy("cann", profile()._replace(rank=1), cut_off) or "").startswith("to collect")
    assert remedy("cann", profile("chrome"), cut_off) is None


@pytest.mark.parametrize(
    ("given", "switch"),
    [
        (profile(level="Level0"), "Level1"),
        (profile("mindspore"), "Level1"),
        (profile("msprof"), "--task-time=l1"),
        (profile(level="Level1"), ""),
        (profile("chrome"), ""),
    ],
)
def test_the_switch_that_splits_collectives_is_named_unless_it_was_on(
    given: ProfilesRow, switch: str
) -> None:
    assert splits_collectives(given) == switch


def test_other_units_do_not_stand_for_the_pipes() -> None:
    line = remedy("units", profile(level="Level1", _aic_metrics="ACL_AICORE_L0B_AND_WIDTH"))
    assert line is not None
    assert "AiCMetrics.PipeUtilization" in line


def test_switches_are_those_that_were_on() -> None:
    text = json.dumps(
        {
            "with_stack": True,
            "_l2_cache": False,
            "_aic_metrics": "ACL_AICORE_NONE",
            "_export_type": ["text"],
            "aicpu": "on",
            "l2": "off",
            "_gc_detect_threshold": 0,
            "freq": 0,
        }
    )
    assert switches_on(text) == {
        "with_stack": "True",
        "export_type": "text",
        "aicpu": "on",
        "gc_detect_threshold": "0",
    }


@pytest.mark.parametrize("text", [None, "", "not json", "[]"])
def test_without_readable_switches_none_were_on(text: str | None) -> None:
    assert switches_on(text) == {}
    assert overhead(text, None).sentence == ""


def test_what_slows_the_host_and_what_spaces_kernels_is_told_apart() -> None:
    on = json.dumps({"record_shapes": True, "_aic_metrics": "ACL_AICORE_PIPE_UTILIZATION"})
    assert overhead(on, "Level2").sentence == (
        "host times are inflated by record_shapes, Level2; kernels may be spaced by aic_metrics"
    )
