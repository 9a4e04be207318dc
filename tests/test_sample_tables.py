"""The tables of the made-up profile agree with its timeline and look like real ones."""

import json
from collections import Counter, defaultdict
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_profile import REAL, TARGETED, Sample, length, ns, span

from npuview.ingest.sample.overlap import Interval, union
from npuview.ingest.sample.tables import decimal, instant

CRLF = {"kernel_details", "memory_record", "operator_memory", "step_trace_time"}
INSTANTS = {"Start Time(us)", "Timestamp(us)", "Allocation Time(us)", "Release Time(us)"}


@pytest.fixture(scope="module", params=TARGETED)
def sample(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Sample:
    name: str = request.param
    return Sample(tmp_path_factory.mktemp(name), name)


def test_the_rows_of_kernel_details_are_the_slices_of_the_timeline(sample: Sample) -> None:
    slices = Counter(
        (event["name"], *span(event)) for event in (*sample.kernels(), *sample.collectives())
    )
    rows = Counter(
        (
            row["Name"],
            ns(row["Start Time(us)"]),
            ns(row["Start Time(us)"]) + ns(row["Duration(us)"]),
        )
        for row in sample.rows("kernel_details")
    )
    assert rows == slices
    assert max(rows.values()) == 1


def test_a_kernel_belongs_to_the_step_whose_device_range_holds_it(sample: Sample) -> None:
    ranges = sample.device_ranges()
    numbers = [step["name"].partition("#")[2] for step in sample.steps()]
    for row in sample.rows("kernel_details"):
        start = ns(row["Start Time(us)"])
        assert row["Step Id"] == next(
            number for number, (lo, hi) in zip(numbers, ranges, strict=True) if lo <= start < hi
        )


def test_waiting_before_a_kernel_is_the_gap_to_the_row_before(sample: Sample) -> None:
    rows = sample.rows("kernel_details")
    assert ns(rows[0]["Wait Time(us)"]) == 0
    for before, row in pairwise(rows):
        end = ns(before["Start Time(us)"]) + ns(before["Duration(us)"])
        assert ns(row["Wait Time(us)"]) == max(0, ns(row["Start Time(us)"]) - end)


def test_the_pipes_of_a_kernel_fit_into_its_core_time(sample: Sample) -> None:
    cores = {"AI_CORE": "aic", "AI_VECTOR_CORE": "aiv", "MIX_AIV": "aiv"}
    checked = 0
    for row in sample.rows("kernel_details"):
        if core := cores.get(row["Accelerator Core"]):
            total = ns(row["aicore_time(us)" if core == "aic" else "aiv_time(us)"])
            assert 0 < total <= ns(row["Duration(us)"])
            pipe = "mac" if core == "aic" else "mte2"
            share = ns(row[f"{core}_{pipe}_time(us)"]) / total
            assert share == pytest.approx(float(row[f"{core}_{pipe}_ratio"]), abs=0.001)
            checked += 1
    assert checked > 200


def test_op_statistic_sums_the_kernels(sample: Sample) -> None:
    sums: Counter[tuple[str, str]] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    for row in sample.rows("kernel_details"):
        if row["Accelerator Core"] != "COMMUNICATION":
            key = row["Type"], row["Accelerator Core"]
            sums[key] += ns(row["Duration(us)"])
            counts[key] += 1
    rows = sample.rows("op_statistic")
    totals = {(row["OP Type"], row["Core Type"]): ns(row["Total Time(us)"]) for row in rows}
    assert totals == dict(sums)
    assert {(row["OP Type"], row["Core Type"]): int(row["Count"]) for row in rows} == dict(counts)
    assert sum(float(row["Ratio(%)"]) for row in rows) == pytest.approx(100, abs=0.02)


def test_api_statistic_sums_the_calls(sample: Sample) -> None:
    sums: Counter[tuple[str, str]] = Counter()
    for call in sample.slices("CANN"):
        sums[call["args"]["level"], call["name"].partition("@")[2]] += ns(call["dur"])
    rows = sample.rows("api_statistic")
    assert {(row["Level"], row["API Name"]): ns(row["Time(us)"]) for row in rows} == dict(sums)


def test_step_trace_time_sums_the_overlap_lane(sample: Sample) -> None:
    ranges = sample.device_ranges()
    lane = sample.slices("Overlap Analysis")
    rows = sample.rows("step_trace_time")
    assert [row["Step"] for row in rows] == ["12", "13", "14", "15"]
    counted = 0
    for step, row, (lo, hi) in zip(sample.steps(), rows, ranges, strict=True):
        mine = [event for event in lane if lo <= ns(event["ts"]) < hi]
        counted += len(mine)
        sums: Counter[str] = Counter()
        for event in mine:
            sums[event["name"]] += ns(event["dur"])
        for name, total in sums.items():
            assert abs(ns(row[name]) - total) <= 1
        apart = sums["Communication(Not Overlapped)"]
        assert ns(row["Overlapped"]) == sums["Communication"] - apart
        assert ns(row["Communication(Not Overlapped and Exclude Receive)"]) == apart
        spans = [span(event) for event in mine]
        assert ns(row["Stage"]) == max(end for _, end in spans) - min(start for start, _ in spans)
        busy = min(ns(event["ts"]) for event in mine if event["name"] != "Free")
        assert ns(row["Preparing"]) == busy - ns(step["ts"])
    assert counted == len(lane)


def test_communication_json_tells_what_the_timeline_shows(sample: Sample) -> None:
    timing = json.loads((sample.output / "communication.json").read_bytes())
    matrix = json.loads((sample.output / "communication_matrix.json").read_bytes())
    elapsed = {
        name.partition("@")[0]: ns(
            Decimal(str(info["Communication Time Info"]["Elapse Time(ms)"])) * 1000
        )
        for step in timing.values()
        for name, info in step["collective"].items()
        if name != "Total Op Info"
    }
    assert elapsed == {whole["name"]: ns(whole["dur"]) for whole in sample.collectives()}
    for step, parts in timing.items():
        total = parts["collective"]["Total Op Info"]["Communication Bandwidth Info"]
        names = [name for name in matrix[step]["collective"] if "-total@" in name]
        links = matrix[step]["collective"][names[0]]
        moved = sum(link["Transit Size(MB)"] for peer, link in links.items() if peer != "0-0")
        assert moved == pytest.approx(total["HCCS"]["Transit Size(MB)"])


def test_operator_details_has_a_row_for_every_operator(sample: Sample) -> None:
    operators = [
        event
        for event in sample.slices("Python")
        if event["cat"] == "cpu_op" and not event["name"].startswith("ProfilerStep")
    ]
    rows = sample.rows("operator_details")
    assert Counter(row["Name"] for row in rows) == Counter(event["name"] for event in operators)
    device = sum(ns(row["Device Self Duration(us)"]) for row in rows)
    tasks = [*sample.kernels(), *sample.copies()]
    assert device == sum(ns(task["dur"]) for task in tasks)
    host = sum(ns(row["Host Self Duration(us)"]) for row in rows)
    lanes: defaultdict[int, list[Interval]] = defaultdict(list)
    for operator in operators:
        lanes[operator["tid"]].append(span(operator))
    assert host == sum(length(union(spans)) for spans in lanes.values())


def test_memory_tables_agree(sample: Sample) -> None:
    levels: defaultdict[str, dict[int, Decimal]] = defaultdict(dict)
    for row in sample.rows("memory_record"):
        if row["Total Allocated(MB)"]:
            at = ns(row["Timestamp(us)"])
            levels[row["Component"]][at] = Decimal(row["Total Allocated(MB)"])
    engine = next(iter(levels["GE"].values()))
    for at, allocated in levels["PTA"].items():
        assert levels["PTA+GE"][at] == allocated + engine
    for row in sample.rows("operator_memory"):
        taken = ns(row["Allocation Time(us)"])
        assert levels["PTA"][taken] == Decimal(row["Allocation Total Allocated(MB)"])
        if row["Release Time(us)"]:
            assert ns(row["Duration(us)"]) == ns(row["Release Time(us)"]) - taken > 0
        else:
            assert row["Duration(us)"] == ""


def test_lines_end_and_instants_are_marked_as_the_profilers_do(sample: Sample) -> None:
    for file in sample.output.glob("*.csv"):
        first = file.read_bytes().partition(b"\n")[0]
        assert first.endswith(b"\r") == (file.stem in CRLF)
        for row in sample.rows(file.stem):
            for column in INSTANTS & row.keys():
                assert row[column] == "" or row[column].endswith("\t")


@pytest.mark.shared
@pytest.mark.skipif(not REAL.is_dir(), reason="the real profiles are not here")
def test_tables_look_like_those_of_a_real_profile(sample: Sample) -> None:
    renamed = {"Block Dim": "Block Num", "Mix Block Dim": "Mix Block Num"}
    real = REAL / "level1" / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    files = sorted(real.glob("*.csv"))
    assert len(files) == 9
    for file in files:
        line = file.read_bytes().partition(b"\n")[0]
        ours = (sample.output / file.name).read_bytes().partition(b"\n")[0]
        assert line.endswith(b"\r") == ours.endswith(b"\r")
        columns = [renamed.get(name, name) for name in line.decode().strip().split(",")]
        added = [name for name in ours.decode().strip().split(",") if name != "Device_id"]
        assert added == columns


@given(st.integers(0, 10**18))
def test_lengths_and_instants_are_written_exactly(ns: int) -> None:
    assert Decimal(decimal(ns)) * 1000 == ns
    assert Decimal(instant(ns)) * 1000 == ns
    assert instant(ns).endswith("\t")
