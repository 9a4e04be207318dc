"""Iterations where the profiler marks no steps: what marks them instead, and what they are for."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from build import KERNEL_DETAILS, ProfileBuilder, TraceBuilder, torch_profile
from conftest import Ingest, Ingested
from hypothesis import assume, given
from hypothesis import strategies as st

from npuview.ingest.derive.repeats import LEAST_ITERATIONS, Repeats, find_iterations

MS = 1_000_000
STEPS = "SELECT step, source, kind, inferred, ts, dur, device_ts, device_dur FROM step ORDER BY ts"
KINDS = "SELECT kind, tokens FROM step ORDER BY ts"
Built = Callable[[TraceBuilder], Ingested]


@pytest.fixture
def built(tmp_path: Path, ingest: Ingest) -> Built:
    return lambda trace: ingest(trace.write(tmp_path / "trace_view.json"))


def launched(trace: TraceBuilder, name: str, launch: int, ts: int, dur: int) -> None:
    key = len(trace.events) + 1
    trace.launch(trace.kernel(name, ts, dur, connection_id=key), launch, 1)


def in_ranges(trace: TraceBuilder, *names: str, cat: str = "cpu_op") -> None:
    """Add a range of 50 at each hundred, and the kernel that is launched in it and runs for 30."""
    for place, name in enumerate(names):
        ts = 100 * place
        trace.host_thread().slice(name, ts, 50, cat=cat)
        launched(trace, "MatMul", ts + 10, ts + 40, 30)


def tiled(source: str, kind: str, count: int) -> list[tuple[object, ...]]:
    """Return the steps that ``in_ranges`` makes: each ends with its device work."""
    ends = [0, *(100 * place + 70 for place in range(count))]
    return [
        (
            place + 1,
            source,
            kind,
            False,
            ends[place],
            ends[place + 1] - ends[place],
            100 * place + 40,
            30,
        )
        for place in range(count)
    ]


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["execute_model"] * 4, "iteration"),
        (["execute_new_0_cached_8"] * 4, "decode"),
        ([f"execute_context_0(0)_generation_{n}({n})" for n in (8, 8, 7, 7)], "decode"),
        (["serve/worker.py(310): execute_model"] * 4, "iteration"),
        (["my iteration 1", "my iteration 2", "my iteration 3"], "iteration"),
    ],
)
def test_ranges_of_the_program_that_repeat_are_iterations(
    built: Built, names: list[str], kind: str
) -> None:
    trace = TraceBuilder()
    in_ranges(trace, *names)
    assert built(trace).rows(STEPS) == tiled("annotation", kind, len(names))


def test_ranges_of_mstx_are_iterations(built: Built) -> None:
    trace = TraceBuilder()
    lane = trace.lane("msproftx", 7, pid=99)
    for ts in (0, 100, 200):
        lane.slice("whatever", ts, 50)
        launched(trace, "MatMul", ts + 10, ts + 40, 30)
    assert built(trace).rows(STEPS) == tiled("mstx", "iteration", 3)


def test_the_profiler_is_trusted_more_than_a_range(built: Built) -> None:
    trace = TraceBuilder()
    trace.step(7, 0, 400)
    in_ranges(trace, *["execute_model"] * 4)
    assert [row[:3] for row in built(trace).rows(STEPS)] == [(7, "profiler_step", "train")]


def test_a_range_in_which_little_is_launched_is_no_iteration(built: Built) -> None:
    trace = TraceBuilder()
    in_ranges(trace, *["log step"] * 3)
    for ts in range(1000, 5000, 1000):
        launched(trace, f"k{ts}", ts, ts + 10, 30)
    assert [row[1] for row in built(trace).rows(STEPS)] == ["run"]


def test_operators_of_the_framework_are_no_iterations(built: Built) -> None:
    trace = TraceBuilder()
    in_ranges(trace, *["aten::iter"] * 3, *["Optimizer.step#AdamW"] * 3)
    # One kernel again and again is no iteration either.
    assert built(trace).rows("SELECT source FROM step") == [("run",)]


def test_of_nested_ranges_the_outer_one_is_the_iteration(built: Built) -> None:
    trace = TraceBuilder()
    in_ranges(trace, *["execute_model"] * 3)
    for ts in (0, 100, 200):
        trace.host_thread().slice("execute_model", ts + 5, 20, cat="cpu_op")
    assert len(built(trace).rows(STEPS)) == 3


def test_what_is_launched_between_two_ranges_is_of_no_iteration(built: Built) -> None:
    trace = TraceBuilder()
    in_ranges(trace, *["execute_model"] * 3)
    launched(trace, "Sample", 75, 80, 10)
    store = built(trace)
    assert store.rows("SELECT name, step FROM kernel WHERE name = 'Sample'") == [("Sample", None)]
    assert store.rows(STEPS) == tiled("annotation", "iteration", 3)


def replayed(trace: TraceBuilder, ts: int, model: int, *kernels: str) -> None:
    """Replay a graph: one call launches all kernels."""
    key = len(trace.events) + 1
    call = trace.launch(key, ts, 20, name="AscendCL@aclmdlRIExecuteAsync", flow=False)
    for place, name in enumerate(kernels):
        task = trace.task(
            name,
            ts + 30 + 10 * place,
            5,
            stream=2,
            task_type="AI_CORE",
            connection_id=key,
            args={"Model Id": model},
        )
        trace.flow("HostToDevice", call, task, id=str(key << 32))


def test_each_replay_of_a_graph_is_an_iteration_whichever_graph_it_is(built: Built) -> None:
    trace = TraceBuilder()
    for ts, model in enumerate((46, 46, 47, 47, 46)):
        replayed(trace, 100 * ts, model, "a", "b")
    rows = built(trace).rows("SELECT source, host_ts, host_dur, device_ts FROM step ORDER BY ts")
    assert rows == [("graph_replay", 100 * n, 20, 100 * n + 30) for n in range(5)]


def test_graphs_that_always_follow_each_other_are_pieces_of_one_iteration(built: Built) -> None:
    trace = TraceBuilder()
    for ts in range(12):
        replayed(trace, 100 * ts, 46 + ts % 3, "a", "b")
    rows = built(trace).rows("SELECT source, host_ts, host_dur FROM step ORDER BY ts")
    assert rows == [("graph_replay", 300 * n, 220) for n in range(4)]


def test_kernels_that_repeat_are_iterations_by_conclusion(built: Built) -> None:
    trace = TraceBuilder()
    ends = [0]
    for step in range(4):
        for place, name in enumerate(
            ("norm", "mul", "norm", "mul", "add", "NormGrad", "sub", "cast")
        ):
            trace.kernel(name, 1000 * step + 100 * place, 40 + 7 * step)
        ends.append(1000 * step + 740 + 7 * step)
    assert built(trace).rows(STEPS) == [
        (n + 1, "pattern", "train", True, ends[n], ends[n + 1] - ends[n], 1000 * n, 740 + 7 * n)
        for n in range(4)
    ]


names = st.integers(0, 6)


def is_power(word: Sequence[int]) -> bool:
    """Tell whether a word is a shorter one several times."""
    size = len(word)
    return any(
        size % part == 0 and list(word) == list(word[:part]) * (size // part)
        for part in range(1, size)
    )


@given(word=st.lists(names, min_size=2, max_size=48), times=st.integers(LEAST_ITERATIONS, 24))
def test_kernels_that_repeat_are_cut_where_they_begin_anew(word: list[int], times: int) -> None:
    assume(not is_power(word))
    found = find_iterations(pa.array(word * times)).places
    assert found == [(len(word) * n, len(word) * (n + 1)) for n in range(times)]


@given(seed=st.integers(), size=st.integers(60, 400), most=st.integers(2, 9))
def test_kernels_in_no_order_have_no_iterations(seed: int, size: int, most: int) -> None:
    random = Random(seed)  # noqa: S311 - made-up kernels
    drawn = [random.randrange(most) for _ in range(size)]
    assert find_iterations(pa.array(drawn)).places == []


def test_layers_are_no_iterations() -> None:
    layer = ["norm", "qkv", "attend", "out", "add", "up", "down"]
    word = ["embed", *layer * 32, "head", "sample"]
    found = find_iterations(pa.array(word * 10)).places
    assert found == [(len(word) * n, len(word) * (n + 1)) for n in range(10)]


def test_iterations_of_two_kinds_take_turns() -> None:
    def model(attention: str) -> list[str]:
        return ["embed", *["norm", attention, "mul", "add"] * 8, "sample"]

    decode, prefill = model("IncreFlashAttention"), [*model("PromptFlashAttention"), "extra"]
    order = [prefill, *[decode] * 5, prefill, *[decode] * 9, prefill, prefill, *[decode] * 4]
    ends = [0]
    for one in order:
        ends.append(ends[-1] + len(one))
    found = find_iterations(pa.array([name for one in order for name in one])).places
    assert found == [*pairwise(ends)]


def test_an_iteration_that_is_cut_off_is_none() -> None:
    word = ["a", "b", "c", "d", "e"]
    assert find_iterations(pa.array(["x", "y", *word * 6, *word[:3]])).places == [
        (2 + 5 * n, 7 + 5 * n) for n in range(6)
    ]


@given(
    layer=st.lists(names, min_size=2, max_size=12),
    layers=st.integers(LEAST_ITERATIONS, 40),
    before=st.integers(1, 9),
    after=st.integers(1, 9),
)
def test_layers_of_a_single_iteration_are_not_taken_for_iterations(
    layer: list[int], layers: int, before: int, after: int
) -> None:
    assume(not is_power(layer))
    # What begins and ends the model comes once.
    once = [*range(100, 100 + before)], [*range(200, 200 + after)]
    found = find_iterations(pa.array([*once[0], *layer * layers, *once[1]]))
    assert found == Repeats([], found.doubt)
    assert "layers" in found.doubt or len(layer) < 8


@given(
    part=st.lists(names, min_size=2, max_size=20),
    parts=st.integers(2, 8),
    end=st.integers(1, 6),
    times=st.integers(2, 9),
)
def test_parts_of_an_iteration_are_not_taken_for_iterations(
    part: list[int], parts: int, end: int, times: int
) -> None:
    word = [*part * parts, *range(100, 100 + end)]
    found = find_iterations(pa.array(word * times)).places
    whole = [(len(word) * n, len(word) * (n + 1)) for n in range(times)]
    assert found == ([] if times < LEAST_ITERATIONS else whole)


def served(kinds: Sequence[int], blocks: int) -> list[list[int]]:
    """Return the kernels of iterations of several kinds of one model, which share begin and end."""
    return [[100, *[10 * kind, 10 * kind + 1, 3] * blocks, 101] for kind in kinds]


@given(
    kinds=st.lists(st.sampled_from([1, 1, 1, 2]), min_size=4, max_size=40),
    blocks=st.integers(2, 12),
    noise=st.lists(st.integers(0, 400), max_size=4),
)
def test_iterations_of_a_server_begin_and_end_where_some_do_or_are_none(
    kinds: list[int], blocks: int, noise: list[int]
) -> None:
    drawn = [one for iteration in served(kinds, blocks) for one in iteration]
    for place in noise:
        # A kernel of something else, such as of moving a block of the cache.
        drawn.insert(place % len(drawn), 900)
    found = find_iterations(pa.array(drawn)).places
    assert all(start < end for start, end in found)
    assert [end for _, end in found[:-1]] == [start for start, _ in found[1:]]
    # Never through the middle of a layer: each has whole models, but for the noise.
    whole = [
        sum(one != 900 for one in drawn[start:end]) % len(served([1], blocks)[0])
        for start, end in found
    ]
    assert not any(whole)


@given(blocks=st.lists(st.integers(1, 30), min_size=4, max_size=20))
def test_iterations_that_grow_are_never_taken_for_one(blocks: list[int]) -> None:
    word = [100, 1, 2, 3]
    drawn = [one for count in sorted(blocks) for one in [*word, *[7, 8] * count, 101]]
    starts = [place for place, one in enumerate(drawn) if one == 100]
    for start, end in find_iterations(pa.array(drawn)).places:
        assert sum(start <= place < end for place in starts) <= 1


def test_doubts_are_told_where_a_profile_is_described(built: Built) -> None:
    trace = TraceBuilder()
    names = ["embed", *["norm", "qkv", "attend", "out", "add", "up", "act", "down"] * 12, "sample"]
    for place, name in enumerate(names):
        trace.kernel(name, 100 * place, 40)
    store = built(trace)
    assert store.rows("SELECT source FROM step") == [("run",)]
    assert store.noticed() == {"repeats_are_no_steps": 1}


def server(parent: Path, *iterations: Sequence[tuple[str, str, str]]) -> ProfileBuilder:
    """Build a server's profile: for each iteration its kernels as type, inputs and outputs."""
    profile = torch_profile(parent)
    rows: list[dict[str, object]] = []
    in_ranges(profile.trace, *["execute_model"] * len(iterations))
    for place, kernels in enumerate(iterations):
        for number, (type_, inputs, outputs) in enumerate(kernels):
            ts = 100 * place + 72 + number
            launched(profile.trace, type_, 100 * place + 12, ts, 1)
            rows.append(
                {
                    "Name": type_,
                    "Type": type_,
                    "Accelerator Core": "AI_CORE",
                    "Start Time(us)": f"0.{ts:03d}",
                    "Duration(us)": "0.001",
                    "Input Shapes": f'"{inputs}"',
                    "Output Shapes": f'"{outputs}"',
                }
            )
    profile.csv("kernel_details", KERNEL_DETAILS, rows)
    return profile


FUSED = "FusedInferAttentionScore"


def test_attention_and_embedding_tell_the_kind_and_the_tokens(
    tmp_path: Path, ingest: Ingest
) -> None:
    embed = ("GatherV2", "32000,64;1,512", "1,512,64")
    profile = server(
        tmp_path,
        [embed, ("PromptFlashAttention", "1,512,64", "1,512,64")],
        [("IncreFlashAttention", "8,1,64", "8,1,64")],
        [("IncreFlashAttention", "8,1,64", "8,1,64"), (FUSED, "1,8,300,64", "1,8,300,64")],
        [(FUSED, "8,1,64", "8,1,64")],
        [(FUSED, "8,4,1,64", "8,4,1,64")],
        # Tokens and heads, or a batch and a length: the layout is not told.
        [(FUSED, "300,8,64", "300,8,64")],
        [("FlashAttentionScore", "1,4,64", "1,4,64"), ("FlashAttentionScoreGrad", "", "")],
    )
    assert ingest(profile.write()).rows(KINDS) == [
        ("prefill", 512),
        ("decode", 8),
        ("mixed", 8),
        ("decode", 8),
        ("decode", 8),
        ("iteration", None),
        ("train", None),
    ]


def test_the_name_of_the_range_tells_kind_and_tokens_where_kernels_do_not(built: Built) -> None:
    trace = TraceBuilder()
    in_ranges(
        trace,
        "execute_context_1(512)_generation_0(0)",
        "execute_context_0(0)_generation_8(8)",
        "execute_context_1(100)_generation_7(7)",
    )
    assert built(trace).rows(KINDS) == [("prefill", 512), ("decode", 8), ("mixed", 107)]


def test_a_server_has_kinds_where_a_step_has_phases(built: Built) -> None:
    trace = TraceBuilder()
    in_ranges(trace, *["execute_new_0_cached_4"] * 3)
    phases = built(trace).rows("SELECT DISTINCT phase FROM ledger ORDER BY phase")
    assert phases == [("decode",), ("lead_in",)]


def pausing(trace: TraceBuilder, name: str = "execute_new_0_cached_4") -> None:
    """Add ten iterations of 2 ms, one after the other but for 200 ms before the sixth."""
    for number in range(10):
        ts = 2 * MS * number + (200 * MS if number > 4 else 0)
        trace.host_thread().slice(name, ts, MS, cat="cpu_op")
        launched(trace, "MatMul", ts + MS // 2, ts + MS, MS)


def causes(store: Ingested) -> dict[str, int]:
    return dict(
        store.rows("SELECT cause, sum(dur)::BIGINT FROM stall WHERE state = 'idle' GROUP BY cause")
    )


def test_a_server_without_a_request_has_no_work(built: Built) -> None:
    trace = TraceBuilder()
    pausing(trace)
    assert causes(built(trace))["no_work"] == 200 * MS


@pytest.mark.parametrize(("name", "told"), [("execute_new_0_cached_4", 1), ("train iter", 0)])
def test_a_server_without_a_request_at_the_end_is_told(built: Built, name: str, told: int) -> None:
    trace = TraceBuilder()
    pausing(trace, name)
    trace.host_thread().slice("queue.py(171): get", 220 * MS, 300 * MS, cat="python_function")
    store = built(trace)
    assert store.noticed() == ({"no_iteration_at_the_end": 1} if told else {})
    if told:
        sample = "SELECT sample FROM import_stat"
        assert store.rows(sample) == [("no_work: 300.000 ms without an iteration",)]


def test_a_host_that_works_between_two_iterations_has_work(built: Built) -> None:
    trace = TraceBuilder()
    pausing(trace)
    # The first 50 ms it waits in a queue, then it decides slowly.
    trace.host_thread().slice("queue.py(171): get", 12 * MS, 50 * MS, cat="python_function")
    trace.host_thread().slice("serve/scheduler.py(75): schedule", 62 * MS, 140 * MS)
    found = causes(built(trace))
    assert found["host_framework"] >= 140 * MS
    assert found["no_work"] == 50 * MS


def test_training_that_stands_still_is_not_without_work(built: Built) -> None:
    trace = TraceBuilder()
    pausing(trace, "train iter")
    assert "no_work" not in causes(built(trace))
