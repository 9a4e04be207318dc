"""Runs of operators that one kernel could replace, and what may be in the way of it."""

import re
from pathlib import Path

import pytest
from concluded import Conclude
from finding_build import RunBuilder, found, named
from fusion_build import ATTENTION, FUSION_OP, US, Stream, candidates, only
from hypothesis import given, settings
from hypothesis import strategies as st
from store_build import StoreBuilder, ask

from npuview.ingest.errors import UsageError
from npuview.queries.errors import QueryError
from npuview.queries.patterns import SHIPPED, load_patterns
from npuview.queries.rows_cores import FusedOperatorsRow


@pytest.mark.parametrize(
    "types",
    [
        ATTENTION,
        ("MatMulV3", "SoftmaxV2", "MatMulV2"),
        ("BatchMatMulV2", "RealDiv", "Add", "Cast", "SoftmaxV2", "Cast", "TransData", "MatMul"),
    ],
)
def test_attention_in_pieces_is_found_with_what_may_stand_between(
    types: tuple[str, ...], tmp_path: Path
) -> None:
    store = Stream(tmp_path).run("Relu", *types, "Relu").store()
    row = only(store, pattern="attention")
    assert (row.types, row.members, row.count_) == (" > ".join(types), len(types), 1)
    assert (row.total, row.gap_ns) == (len(types) * 10 * US, (len(types) - 1) * 2 * US)
    assert row.longest_kernel_id == 2


@pytest.mark.parametrize(
    "types",
    [
        ("MatMulV3", "Relu", "SoftmaxV2", "MatMulV3"),
        ("MatMulV3", "SoftmaxV2"),
        ("SoftmaxV2", "MatMulV3"),
        ("MatMulV3", "SoftmaxGrad", "MatMulV3"),
    ],
)
def test_what_only_looks_like_attention_is_not(types: tuple[str, ...], tmp_path: Path) -> None:
    assert candidates(Stream(tmp_path).run(*types).store(), pattern="attention") == []


def test_members_of_two_streams_or_steps_are_no_run(tmp_path: Path) -> None:
    stream = Stream(tmp_path).run("MatMulV3", "SoftmaxV2", step=1).run("MatMulV3", step=2)
    stream.run("MatMulV3", "SoftmaxV2", stream=3).run("MatMulV3", stream=4)
    assert candidates(stream.store(), pattern="attention") == []


def test_runs_follow_each_other_and_do_not_share_members(tmp_path: Path) -> None:
    store = Stream(tmp_path).run(*ATTENTION * 3, step=1).run(*ATTENTION, step=2).store()
    row = only(store, pattern="attention")
    assert (row.count_, row.total) == (4, 160 * US)
    assert only(store, pattern="attention", step=2).count_ == 1


def test_what_lies_far_apart_is_no_run(tmp_path: Path) -> None:
    store = Stream(tmp_path).run(*ATTENTION, after_us=400).store()
    assert candidates(store, pattern="attention") == []
    assert only(store, pattern="attention", most_gap=1_200 * US).gap_ns == 1_200 * US


def test_bytes_are_those_that_members_write_for_each_other_and_read_again(tmp_path: Path) -> None:
    row = only(Stream(tmp_path).run(*ATTENTION).store(), pattern="attention")
    assert row.bytes == 3 * 2 * 32 * 32 * 784 * 128 * 2
    assert (row.sized, row.fp32, row.beside) == (1, 0, 0)


def test_without_shapes_bytes_are_not_known(tmp_path: Path) -> None:
    nothing = dict.fromkeys(("output_shapes", "output_dtypes", "output_formats"))
    row = only(Stream(tmp_path).run(*ATTENTION, **nothing).store(), pattern="attention")
    assert (row.bytes, row.sized) == (None, 0)


@pytest.mark.parametrize(
    ("tensor", "fp32", "unaligned"),
    [
        (("8,128", "FLOAT", "ND"), 1, 0),
        (("8,100", "FLOAT", "ND"), 1, 1),
        (("8,256", "DT_BF16", "ND"), 0, 0),
        (("8,128", "FLOAT16", "ND"), 0, 1),
        # A format of blocks aligns whatever its last number is.
        (("8,16,16,16", "FLOAT16", "FRACTAL_NZ"), 0, 0),
    ],
)
def test_what_may_be_in_the_way_is_counted(
    tensor: tuple[str, str, str], fp32: int, unaligned: int, tmp_path: Path
) -> None:
    row = only(Stream(tmp_path).run(*ATTENTION, tensor=tensor).store(), pattern="attention")
    assert (row.fp32, row.unaligned) == (fp32, unaligned)


def test_a_run_beside_another_stream_says_that_fusing_may_cost(tmp_path: Path) -> None:
    stream = Stream(tmp_path).run(*ATTENTION).run("Relu", stream=3, after_us=15)
    stream.run(*ATTENTION, after_us=100)
    row = only(stream.store(), pattern="attention")
    assert (row.count_, row.beside) == (2, 1)


@pytest.mark.parametrize(
    ("pattern", "types"),
    [
        ("rms_norm", ("Cast", "Pow", "ReduceMean", "Adds", "Rsqrt", "Mul", "Cast", "Mul")),
        ("add_rms_norm", ("Add", "RmsNorm")),
        ("swiglu", ("Swish", "Mul")),
        ("swiglu", ("Sigmoid", "Mul", "Mul")),
        ("rotary", ("Mul", "Slice", "Neg", "Slice", "ConcatD", "Mul", "Add")),
        ("gelu", ("Pow", "Muls", "Add", "Muls", "Tanh", "Adds", "Mul")),
        ("adam", ("Lerp", "Mul", "Addcmul", "Sqrt", "RealDiv", "Adds", "Addcdiv")),
        ("masked_softmax", ("Muls", "MaskedFill", "SoftmaxV2")),
        ("layout", ("Transpose", "Cast")),
    ],
)
def test_every_shipped_pattern_finds_its_pieces(
    pattern: str, types: tuple[str, ...], tmp_path: Path
) -> None:
    row = only(Stream(tmp_path).run("Relu", *types, "Relu").store(), pattern=pattern)
    assert row.types == " > ".join(types)


LETTERS = {"m": "MatMulV3", "s": "SoftmaxV2", "c": "Cast", "r": "Relu"}


@settings(max_examples=30, deadline=None)
@given(lines=st.lists(st.text("mscr", max_size=12), min_size=1, max_size=3))
def test_runs_are_those_of_a_regular_expression_over_each_stream(
    lines: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    stream = Stream(tmp_path_factory.mktemp("lines"))
    for number, line in enumerate(lines):
        stream.run(*(LETTERS[letter] for letter in line), stream=number)
    rows = candidates(stream.store(), pattern="attention")
    runs = {
        (number, " > ".join(LETTERS[letter] for letter in run))
        for number, line in enumerate(lines)
        for run in re.findall("mc*sc*m", line)
    }
    assert {(row.stream_id, row.types) for row in rows} == runs
    assert sum(row.count_ for row in rows) == sum(
        len(re.findall("mc*sc*m", line)) for line in lines
    )


def test_a_user_adds_changes_and_leaves_out_patterns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "npuview"
    folder.mkdir()
    (folder / "patterns.toml").write_text(
        '[types]\nours = ["Our*"]\n'
        '[[patterns]]\nname = "ours"\nsteps = "ours ours+"\nfused = "it\'s one"\n'
        '[[patterns]]\nname = "layout"\noff = true\n'
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    store = Stream(tmp_path / "s").run("OurA", "OurB", "OurA", "Cast", "Cast").store()
    row = only(store)
    assert (row.pattern, row.fused, row.members) == ("ours", "it's one", 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "patterns.toml"),
        ('[[patterns]]\nname = "a"\nsteps = "matmull"', "no word 'matmull' under"),
        ('[[patterns]]\nname = "a"\nsteps = "matmul & add"', "neither a word nor"),
        ('[[patterns]]\nname = "a"\nsteps = "(matmul"', "no regular expression"),
        ('[[patterns]]\nname = "a"\nsteps = "matmul*"', "where nothing is"),
        ('[[patterns]]\nname = "a"\nsteps = "matmul*+ add"', "'*+' repeats what is repeated"),
        (f'[[patterns]]\nname = "a"\nsteps = "{"(" * 9_000}matmul{")" * 9_000}"', "too deeply"),
        ("x = " + "9" * 5_000, "a number has too many digits"),
        (
            (
                f"types.a = {[f'T{at}' for at in range(9_000)]}"
                '\npatterns = [{name = "a", steps = "a a a a a a a a"}]'
            ),
            "more than 65,536 types and signs",
        ),
        ('[types]\na = ["%"]\n[[patterns]]\nname = "a"\nsteps = "a"', "'%' is no operator type"),
        ('[types]\na = []\n[[patterns]]\nname = "a"\nsteps = "a"', "names no operator type"),
        ('[[patterns]]\nname = "a"\nstep = "matmul"', "step"),
    ],
)
def test_a_broken_file_of_patterns_is_told_by_name_and_only_who_asks_for_them_fails(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "npuview" / "patterns.toml"
    file.parent.mkdir()
    file.write_text(text)
    with pytest.raises(UsageError, match=re.escape(said)):
        load_patterns(file)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    store = Stream(tmp_path / "s").run(*ATTENTION).store()
    assert ask(store, "aicore")
    with pytest.raises(QueryError, match=re.escape(said)) as caught:
        candidates(store)
    # One sentence: the question, the file and what is wrong, nothing of the engine.
    assert str(caught.value).startswith(f"fusion_candidates: {file}")
    assert "Error" not in str(caught.value)


def test_more_types_than_one_plane_of_unicode_has_letters_are_told_apart(tmp_path: Path) -> None:
    stream = Stream(tmp_path).run(*ATTENTION)
    # Letters of two halves, which are no text, begin after some 50,000 of them.
    store = stream.run(*(f"T{at}" for at in range(60_000))).store()
    assert only(store).types == " > ".join(ATTENTION)


def test_shipped_patterns_say_what_could_run_instead() -> None:
    patterns = load_patterns()
    assert next(iter(patterns)).name == "attention"
    assert all(one.fused for one in patterns)
    assert SHIPPED.is_file()


def test_layout_operators_of_different_tensors_side_by_side_are_no_run(tmp_path: Path) -> None:
    def turned(stream: Stream, read: str, wrote: str) -> None:
        stream.run("TransData", input_shapes=f'"{read}"', output_shapes=f'"{wrote}"')

    stream = Stream(tmp_path)
    # A batch and the weights for it, each once; then a tensor that is turned back and forth,
    # seen with one more axis the third time; then another weight.
    turned(stream, "32,3,224,224", "32,1,224,224,8")
    turned(stream, "64,3,11,11", "121,4,16,8")
    turned(stream.run("Conv2D"), "32,24,13,13,8", "32,192,13,13")
    turned(stream, "32,192,13,13", "32,24,13,13,8")
    turned(stream, "32,24,1,13,13,8", "32,192,13,13")
    turned(stream, "384,192,3,3", "216,24,16,8")
    row = only(stream.store(), pattern="layout")
    assert (row.members, row.count_, row.total, row.gap_ns) == (3, 1, 30 * US, 4 * US)
    assert row.longest_kernel_id == 4


def test_without_shapes_layout_operators_are_a_run_by_their_types(tmp_path: Path) -> None:
    unknown = dict.fromkeys(("input_shapes", "output_shapes"))
    row = only(Stream(tmp_path).run("Cast", "Transpose", **unknown).store(), pattern="layout")
    assert (row.members, row.bytes) == (2, None)


def test_other_patterns_may_read_what_an_earlier_member_wrote(tmp_path: Path) -> None:
    store = Stream(tmp_path).run(*ATTENTION, input_shapes='"7,7"').store()
    assert only(store, pattern="attention").members == len(ATTENTION)


def test_attention_in_pieces_is_a_finding_with_its_stake(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    for type_ in ATTENTION:
        run.kernel(type_, 4, stream_id=2, aic_mac_ratio=0.25)
    one = named(found(run.build()), "unfused_attention")
    # A quarter of the time multiplies: a fused kernel has to do that too.
    assert (one.ns, one.share, one.inferred) == (12_000_000, 0.12, True)
    assert len(one.evidence) == 4
    assert one.values["types"] == " > ".join(ATTENTION)


def test_the_made_up_attention_is_found_with_what_is_in_its_way(conclude: Conclude) -> None:
    job = conclude("unfused_attention")
    row = only(job.store, pattern="attention")
    calls = job.truth.varied[0]
    pieces = [call.tasks[2:] for call in calls]
    assert (row.count_, row.fp32, row.unaligned) == (len(calls),) * 3
    assert row.total == sum(task.dur for run in pieces for task in run)
    assert row.gap_ns == sum(
        run[-1].end - run[0].ts - sum(task.dur for task in run) for run in pieces
    )


def test_made_up_transposes_are_found_as_chains(conclude: Conclude) -> None:
    job = conclude("transposes")
    rows = candidates(job.store, pattern="layout")
    layout = [
        task
        for call in job.truth.varied[0]
        for task in call.tasks
        if task.kernel is not None and task.kernel.type in {"Transpose", "Cast"}
    ]
    assert sum(row.total for row in rows) == sum(task.dur for task in layout)
    assert candidates(conclude("transposes_fused").store, pattern="layout") == []


def test_what_the_graph_engine_fused_stands_beside_the_kernels_of_its_name(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    for step, count, total in ((1, 2, 10 * US), (2, 1, 4 * US)):
        builder.add(
            "operator_total",
            name="conv_relu",
            type="Conv2D",
            core="AI_CORE",
            step=step,
            count=count,
            total=total,
        )
    builder.summary(
        "fusion_op",
        FUSION_OP,
        [
            ("resnet", "conv_relu", "conv;relu;", "1.5"),
            ("resnet", "never_ran", "add;mul;cast", "N/A"),
        ],
    )
    assert ask(builder.build(), "fused_operators") == [
        FusedOperatorsRow(0, "resnet", "conv_relu", "conv;relu", 2, 1536, "Conv2D", 3, 14 * US),
        FusedOperatorsRow(0, "resnet", "never_ran", "add;mul;cast", 3, None, None, None, None),
    ]


def test_without_a_file_of_fused_operators_there_are_none(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0)
    builder.add("operator_total", name="a", type="Add", core="AIV", count=1, total=1)
    assert ask(builder.build(), "fused_operators") == []
