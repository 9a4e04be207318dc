"""``npuview check``: thresholds, noise, exit statuses, and what CI reads."""

import csv
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from command_line import Run, damaged_profile
from hypothesis import given
from hypothesis import strategies as st
from made_up import MadeUp
from pair_build import MS, Made, maker, stepped

from npuview.ingest.errors import UsageError
from npuview.ingest.read.op_statistic import OperatorSum, is_op_statistic, read_op_statistic
from npuview.queries.judgement import judged, load_thresholds, metric_named, share_typed

HEAD = "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us)\n"


@pytest.fixture(scope="module")
def made(made_up: MadeUp) -> Made:
    return maker(made_up)


def table_of(store_path: Path) -> Path:
    """Return the op_statistic.csv of the profile that a store was made from."""
    manifest = json.loads((store_path / "manifest.json").read_text())
    return Path(manifest["source"]) / "ASCEND_PROFILER_OUTPUT" / "op_statistic.csv"


def test_a_better_run_passes_and_a_worse_one_does_not(made: Made, run: Run, tmp_path: Path) -> None:
    slow, fast = made("host_bound").path, made("pipelined").path
    run("baseline", "save", "fast", fast)
    run("baseline", "save", "slow", slow)
    passed = run("check", fast, "--against", "slow")
    assert (passed.status, passed.lines) == (
        0,
        ["ok          period: 410 ms -> 368 ms, -10.2 %; at most +5.0 %, noise up to 4.10 ms"],
    )
    out = tmp_path / "out.xml"
    failed = run("check", slow, "--against", "fast", "--metric", "period,wait_peer,idle",
                 "--junit", out)  # fmt: skip
    assert failed.status == 1
    assert [line.split()[:2] for line in failed.lines] == [
        ["REGRESSION", "period:"],
        ["ok", "waiting_peer:"],
        ["REGRESSION", "idle:"],
    ]
    suite = ET.parse(out).getroot()  # noqa: S314 - our own file
    assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuites", "3", "2")
    cases = suite.findall("./testsuite/testcase")
    assert [case.get("name") for case in cases] == ["period", "waiting_peer", "idle"]
    failure = cases[0].find("failure")
    assert failure is not None
    assert failure.text is not None
    assert failure.text.startswith("period: 368 ms -> 410 ms, +11.4 %; at most +5.0 %")
    assert cases[1].find("failure") is None


def test_noise_is_no_regression(tmp_path: Path, run: Run) -> None:
    base = stepped(tmp_path / "a", {"computing": [100, 90, 110, 95]}).path
    test = stepped(tmp_path / "b", {"computing": [108, 98, 120, 104]}).path
    assert run("check", test, "--against", base).status == 0
    steady = stepped(tmp_path / "c", {"computing": [95] * 4}).path
    higher = stepped(tmp_path / "d", {"computing": [104] * 4}).path
    assert run("check", higher, "--against", steady).status == 1
    assert run("check", higher, "--against", steady, "--max-regression", "10%").status == 0


def test_the_same_job_run_again_passes(made: Made, run: Run) -> None:
    ran = run("check", made("healthy", 7).path, "--against", made("healthy").path,
              "--metric", "period,computing,idle,gaps", "--max-regression", "0%")  # fmt: skip
    assert ran.status == 0


def test_too_few_steps_are_judged_neither_way(tmp_path: Path, run: Run) -> None:
    base = stepped(tmp_path / "a", {"computing": [10] * 2}).path
    test = stepped(tmp_path / "b", {"computing": [99] * 5}).path
    ran = run("check", test, "--against", base)
    assert (ran.status, "nothing could be judged" in ran.err) == (1, True)
    assert ran.lines[0].startswith("unknown     period: 10.0 ms -> 99.0 ms")
    assert "2 and 5 steps: noise takes 3 on each side" in ran.lines[0]


def test_thresholds_come_from_a_file(made: Made, run: Run, tmp_path: Path) -> None:
    slow, fast = made("host_bound").path, made("pipelined").path
    file = tmp_path / "limits.toml"
    file.write_text('[metrics]\nperiod = "12%"\nwait_peer = 0.01\n')
    ran = run("check", slow, "--against", fast, "--threshold", file, "--format", "json")
    told = {row["name"]: (row["threshold_share"], row["outcome"]) for row in json.loads(ran.out)}
    assert (ran.status, told) == (0, {"period": (0.12, "ok"), "waiting_peer": (0.01, "ok")})
    file.write_text('max_regression = "1%"\n[operators]\nMatMulV3 = "50%"\n"*" = 0.0\n')
    ran = run("check", fast, "--against", slow, "--threshold", file, "--format", "json")
    limits = {row["name"]: row["threshold_share"] for row in json.loads(ran.out)}
    assert (limits["MatMulV3 (AI_CORE)"], limits["Add (AI_VECTOR_CORE)"]) == (0.5, 0.0)
    assert not any("COMMUNICATION" in name for name in limits)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("periods = 1", "periods: no such key"),
        ("[metrics]\nperid = 1", "no metric 'perid'; did you mean period?"),
        ('[metrics]\nperiod = "x"', "metrics.period: 'x' is no share"),
        ("[operators]\nA = true", "operators.A: True is no share"),
        ("metrics = 3", "metrics: 3 is no table"),
        ("max_regression = -1", "max_regression: -1 is no share"),
        ("max_regression = 1" + "0" * 400, "0 is no share"),
        ("max_regression = 1" + "0" * 5_000, "is no TOML: a number has too many digits"),
        ("[", "is no TOML"),
    ],
)
def test_a_broken_file_of_thresholds_is_told_by_key(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "limits.toml").write_text(text)
    with pytest.raises(UsageError) as raised:
        load_thresholds(tmp_path / "limits.toml")
    assert str(raised.value).startswith(f"{tmp_path / 'limits.toml'}:")
    assert said in str(raised.value)


def test_a_new_operator_is_a_regression_where_the_step_is_worse_and_nobody_allows_it(
    made: Made, run: Run, tmp_path: Path
) -> None:
    def outcome(path: Path, *words: str | Path) -> tuple[int, dict[str, str]]:
        ran = run("check", path, "--against", made("transposes").path, "--metric", "operators",
                  "--op-prefix", "TransposeCast", "--format", "json", *words)  # fmt: skip
        [row] = json.loads(ran.out)
        return ran.status, {key: row[key] for key in ("outcome", "reason")}

    slower, faster = made("fused_slower").path, made("transposes_fused").path
    assert outcome(slower) == (1, {"outcome": "regression", "reason": "new_in_worse_step"})
    assert outcome(faster) == (0, {"outcome": "new", "reason": "new"})
    limits = tmp_path / "limits.toml"
    limits.write_text('[operators]\nTransposeCast = "60%"\n')
    allowed = outcome(slower, "--threshold", limits)
    assert allowed == (0, {"outcome": "new", "reason": "new"})


def test_a_gate_speaks_chinese_to_people_and_the_same_as_ever_to_programs(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = stepped(tmp_path / "a", {"computing": [10] * 3}).path
    test = stepped(tmp_path / "b", {"computing": [12] * 3}).path
    english = run("check", test, "--against", base, "--format", "csv").out
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    [line] = run("check", test, "--against", base).lines
    outcome, _, told = line.partition("period")
    assert (outcome, "10.0 ms -> 12.0 ms" in told) == ("劣化        ", True)
    assert "上限 +5.0 %" in told
    assert run("check", test, "--against", base, "--format", "csv").out == english
    few = stepped(tmp_path / "c", {"computing": [12] * 2}).path
    assert "3 个与 2 个迭代" in run("check", few, "--against", base).out


def test_a_plain_table_of_operators_is_a_baseline(made: Made, run: Run, tmp_path: Path) -> None:
    slower, parts = made("fused_slower").path, made("transposes").path
    table = table_of(parts)
    same = run("check", parts, "--against", table, "--format", "json")
    judgements = json.loads(same.out)
    assert same.status == 0
    assert {row["outcome"] for row in judgements} == {"ok"}
    assert {row["change_share"] for row in judgements} == {0.0}
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        name = f"{row['OP Type']} ({row['Core Type']}) calls"
        assert [one["base"] for one in judgements if one["name"] == name] == [int(row["Count"])]
    assert run("check", slower, "--against", table).status == 0
    # Half of the file's time is what the other half takes now.
    halved = tmp_path / "old.csv"
    cells = [
        f"0,{type_},{core},{count},{float(total) / 2},0,0"
        for type_, core, count, total in (
            (row["OP Type"], row["Core Type"], row["Count"], row["Total Time(us)"]) for row in rows
        )
    ]
    halved.write_text(HEAD + "\n".join(cells))
    worse = run("check", parts, "--against", halved, "--op-prefix", "MatMul")
    assert worse.status == 1
    assert [line.split(":")[0].split()[-1] for line in worse.lines] == ["calls", "total", "mean"]
    assert [line[:10].strip() for line in worse.lines] == ["ok", "REGRESSION", "REGRESSION"]
    assert run("check", parts, "--against", table, "--metric", "period").status == 2


def test_rows_of_devices_are_summed_and_times_read_exactly(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text(HEAD + "0,Add,AIV,2,0.003\n1,Add,AIV,3,1e3\n\n0,Mul,,1,5.5\n")
    assert is_op_statistic(file)
    assert read_op_statistic(file) == [
        OperatorSum("Add", "AIV", 5, 1_000_003),
        OperatorSum("Mul", None, 1, 5_500),
    ]


def test_ends_of_lines_of_any_system_are_read(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    for end in ("\n", "\r\n", "\r"):
        file.write_bytes((HEAD + "0,Add,AIV,2,0.003\n").replace("\n", end).encode())
        assert is_op_statistic(file)
        assert read_op_statistic(file) == [OperatorSum("Add", "AIV", 2, 3)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "needs the columns"),
        ("OP Type,Count\nAdd,1\n", "needs the columns"),
        (HEAD + "0,Add,AIV,many,1.0\n", ":2: cannot be read"),
        (HEAD + "0,Add\n", ":2: cannot be read: too few cells"),
        (HEAD + "0,Add,AIV,-1,1.0\n", ":2: cannot be read: no type, or figures"),
        (HEAD + "0,Add,AIV,1,-1.0\n", ":2: cannot be read: no type, or figures"),
        (HEAD + "0,,AIV,1,1.0\n", ":2: cannot be read: no type, or figures"),
        (HEAD + f"0,Add,AIV,{'9' * 400},1.0\n", ":2: cannot be read: not a"),
        (HEAD + f"0,Add,AIV,{2**62},1.0\n" * 2, ":3: cannot be read: no type, or figures"),
    ],
)
def test_a_table_that_cannot_be_read_is_told_by_its_line(
    text: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(UsageError, match=said):
        read_op_statistic(tmp_path / "x.csv")


def test_lost_data_keep_their_status_where_nothing_is_worse(tmp_path: Path, run: Run) -> None:
    damaged = damaged_profile(tmp_path / "damaged")
    kernels = damaged / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv"
    kernels.write_text(
        "Name,Type,Accelerator Core,Start Time(us),Duration(us)\nAdd,Add,AIV,1.000,0.500\n"
    )
    table = tmp_path / "x.csv"
    table.write_text(HEAD + "0,Add,AIV,1,1.0\n")
    assert run("check", damaged, "--against", table).status == 3
    assert run("check", damaged, "--against", table, "--allow-damaged").status == 0


def test_a_table_without_an_operator_of_the_run_judges_nothing(tmp_path: Path, run: Run) -> None:
    store = stepped(tmp_path / "a", {"computing": [9] * 3}).path
    for rows in ("", "0,Relu,AIV,1,1.0\n"):
        (tmp_path / "x.csv").write_text(HEAD + rows)
        ran = run("check", store, "--against", tmp_path / "x.csv")
        assert ran.status == 1
        assert "nothing could be judged" in ran.err


def test_wrong_words_are_wrong_usage(tmp_path: Path, run: Run) -> None:
    store = stepped(tmp_path / "a", {"computing": [9] * 3}).path
    assert run("check", store).status == 2
    assert run("check", store, "--against", "nothing").status == 2
    assert run("check", store, "--against", store, "--metric", "perid").status == 2
    assert run("check", store, "--against", store, "--max-regression", "much").status == 2
    assert metric_named("wait_peer") == "waiting_peer"


@given(st.integers(0, 10**12), st.integers(0, 10**12), st.floats(0, 1), st.integers(0, 10**10))
def test_a_regression_passes_its_threshold_and_the_noise(
    base: int, test: int, threshold: float, noise: int
) -> None:
    one = judged("metric", "period", "ns", base, test, threshold, noise)
    worse = test - base > noise and test - base > threshold * base
    assert (one.outcome == "regression") == worse
    assert judged("metric", "period", "ns", test, base, threshold, noise).outcome == "ok" or (
        base > test
    )


def test_shares_are_typed_both_ways() -> None:
    assert [share_typed(text) for text in ("5%", " 5 % ", "0.05", 0.05)] == [0.05] * 4
    for wrong in ("", "%", "nan", "-1%", "x"):
        with pytest.raises(ValueError, match=r".*"):
            share_typed(wrong)


def test_what_neither_run_has_cannot_be_judged() -> None:
    one = judged("metric", "gaps", "ns", None, None, 0.05)
    assert (one.outcome, one.reason) == ("unknown", "neither_run")
    assert judged("metric", "gaps", "ns", 5 * MS, None, 0.05).reason == "one_run"
