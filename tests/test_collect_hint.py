"""Hints as text: what to collect, in lines that a program or a shell takes."""

import ast
import json
import shlex
from pathlib import Path

import pytest
from build import torch_profile
from command_line import Run

from npuview.tui.collect.configuration import USUAL_SCHEDULE, whole
from npuview.tui.collect.hints import MAKERS, Hint, Maker, hints

DOCUMENTED = {
    "torch_npu": {
        "profile": {
            *("activities", "schedule", "on_trace_ready", "record_shapes", "profile_memory"),
            *("with_stack", "with_modules", "with_flops", "experimental_config"),
        },
        "_ExperimentalConfig": {
            *("export_type", "profiler_level", "mstx", "mstx_domain_include"),
            *("mstx_domain_exclude", "aic_metrics", "l2_cache", "op_attr", "data_simplification"),
            *("record_op_args", "gc_detect_threshold", "host_sys", "sys_io"),
            "sys_interconnection",
        },
    },
    "mindspore": {
        "profile": {
            *("activities", "with_stack", "profile_memory", "data_process", "parallel_strategy"),
            *("start_profile", "hbm_ddr", "pcie", "sync_enable", "record_shapes", "schedule"),
            *("on_trace_ready", "experimental_config"),
        },
        "_ExperimentalConfig": {
            *("profiler_level", "aic_metrics", "l2_cache", "mstx", "data_simplification"),
            *("export_type", "mstx_domain_include", "mstx_domain_exclude", "sys_io"),
            *("sys_interconnection", "host_sys"),
        },
    },
}
"""Arguments in the makers' own references."""

OPTIONS = {
    *("--output", "--task-time", "--ascendcl", "--runtime-api", "--aic-metrics", "--l2"),
    *("--msproftx", "--sys-hardware-mem", "--host-sys", "--sys-interconnection-profiling"),
    "--sys-io-profiling",
}
CLASSES = {"torch_npu": "AiCMetrics", "mindspore": "AicoreMetrics"}

EVERY = tuple(hints().values())


@pytest.mark.parametrize("maker", [one for one in MAKERS if one != "msprof"])
@pytest.mark.parametrize("asked", [[hint] for hint in EVERY] + [list(EVERY)])
def test_a_configuration_is_python_with_documented_arguments(
    asked: list[Hint], maker: Maker
) -> None:
    module = ast.parse("\n".join(whole(asked, maker)))
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call)]
    for name, known in DOCUMENTED[maker].items():
        for call in calls:
            if ast.unparse(call.func) == f"{maker}.profiler.{name}":
                assert {one.arg for one in call.keywords} <= known
    text = ast.unparse(module)
    if calls:
        assert f"{maker}.profiler.profile(" in text
    assert not any(name in text for other, name in CLASSES.items() if other != maker)


@pytest.mark.parametrize("asked", [[hint] for hint in EVERY] + [list(EVERY)])
def test_a_command_of_msprof_has_documented_options_each_once(asked: list[Hint]) -> None:
    for line in whole(asked, "msprof"):
        if not line.startswith("#"):
            program, *options, application = shlex.split(line)
            names = [option.partition("=")[0] for option in options]
            assert (program, application) == ("msprof", "APPLICATION")
            assert set(names) <= OPTIONS
            assert len(names) == len(set(names))


def test_several_questions_get_the_most_that_one_of_them_needs() -> None:
    asked = [hints()[name] for name in ("copies", "planes", "load", "threads", "lines")]
    text = "\n".join(whole(asked, "torch_npu", {"wait": 1, "active": 3}))
    assert "profiler_level=torch_npu.profiler.ProfilerLevel.Level2," in text
    assert text.count("HostSystem.CPU") == 1
    assert "torch_npu.profiler.HostSystem.OSRT]" in text
    assert "schedule=torch_npu.profiler.schedule(wait=1, active=3)," in text
    assert "--host-sys=cpu,mem,disk,network,osrt" in whole(asked, "msprof")[0]


def test_without_a_schedule_of_its_own_it_is_the_usual_one() -> None:
    text = "\n".join(whole([hints()["lines"]], "mindspore"))
    assert all(f"{name}={count}" in text for name, count in USUAL_SCHEDULE.items())


def test_the_list_names_every_question(run: Run) -> None:
    ran = run("collect-hint")
    assert [line.split()[0] for line in ran.lines if not line.startswith(" ")] == list(hints())


@pytest.mark.parametrize("name", sorted(hints()))
def test_a_question_is_answered_for_each_profiler(run: Run, name: str) -> None:
    ran = run("collect-hint", name)
    assert (ran.status, ran.err) == (0, "")
    assert all(any(maker in line for line in ran.lines) for maker in MAKERS)


def test_a_question_wins_over_a_folder_of_its_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory").mkdir()
    monkeypatch.chdir(tmp_path)
    assert hints()["memory"].question in run("collect-hint", "memory").out


def test_a_word_that_is_neither_gets_a_suggestion(run: Run) -> None:
    ran = run("collect-hint", "spacings")
    assert ran.status == 2
    assert "spacings: neither a question nor a profile; did you mean spacing?" in ran.err


def test_a_profile_is_told_what_it_leaves_open_with_its_own_schedule(
    run: Run, sample: Path
) -> None:
    ran = run("collect-hint", sample)
    assert ran.status == 0
    assert "ranks     7 of 8 ranks are not in this data" in ran.out
    assert "schedule(skip_first=10, wait=0, warmup=2, active=4, repeat=1)" in ran.out
    # What collecting distorts is not asked for in the same run.
    assert ran.out.index("gc_detect_threshold=1") < ran.out.index("A run of its own, for host")
    assert "msprof" not in ran.out


def test_other_formats_have_a_row_for_each_open_question(run: Run, sample: Path) -> None:
    rows = json.loads(run("collect-hint", sample, "--format", "json").out)
    assert [row["name"] for row in rows] == ["ranks", "host", "gc"]
    assert "gc_detect_threshold=1" in rows[2]["collect"]


def test_ranks_that_leave_the_same_open_are_told_together(run: Run, tmp_path: Path) -> None:
    for rank in (0, 1):
        profile = torch_profile(tmp_path / "run", rank=rank, world_size=2)
        profile.trace.kernel("a", 0, 10)
        profile.write()
    ran = run("collect-hint", tmp_path / "run")
    assert ran.out.count("garbage collection was not recorded") == 1
    assert "(rank" not in ran.out


def test_a_trace_of_another_program_was_collected_in_no_known_way(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    trace.write_text('[{"ph":"X","name":"a","ts":0,"dur":1,"pid":1,"tid":1}]')
    ran = run("collect-hint", trace)
    assert (ran.status, ran.out) == (0, "")
    assert "no Ascend profile" in ran.err
