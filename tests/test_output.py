"""Answers in every format, tables in every width, and where they are written."""

import csv
import io
import json
import os
import stat
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from npuview.ingest.errors import NpuviewError, UsageError
from npuview.queries.query import AnswerColumn as Column
from npuview.tui.draw.numbers import NOT_MEASURED
from npuview.tui.text.columns import Answer, Kind, kind_of
from npuview.tui.text.destination import Destination, Format, format_of
from npuview.tui.text.output import write_answer, write_lines
from npuview.tui.text.table_text import Style, draw
from npuview.tui.text.terminal import Terminal, terminal_of

OPERATORS = (
    Column("name", "VARCHAR"),
    Column("count", "BIGINT"),
    Column("total", "HUGEINT"),
    Column("share", "DOUBLE"),
    Column("slice_id", "BIGINT"),
)
ROWS = [
    ("MatMul", 1721, 79_089_520, 0.747, 1 << 40),
    ("矩阵\x1b[31m", 3, 706_000, 0.0001, None),
]


def written(
    tmp_path: Path, format_: Format, columns: Sequence[Column], rows: Sequence[tuple[object, ...]]
) -> bytes:
    file = tmp_path / f"answer.{format_}"
    write_answer(Answer(tuple(columns), iter(rows)), Destination(format_, file))
    return file.read_bytes()


def lines_of(
    columns: Sequence[Column],
    rows: Sequence[tuple[object, ...]],
    width: int | None = None,
    style: Style | None = None,
) -> list[str]:
    return draw(columns, rows, Terminal(width), style).lines


def test_a_table_has_readable_values_and_no_control_characters() -> None:
    assert lines_of(OPERATORS, ROWS) == [
        "name       count     total    share       slice_id",
        "MatMul     1,721   79.1 ms   74.7 %  1099511627776",
        f"矩阵␛[31m      3    706 µs   <0.1 %              {NOT_MEASURED}",
    ]


def test_a_table_in_a_pipe_has_no_colour_and_no_width(tmp_path: Path) -> None:
    name = "x" * 300
    text = written(tmp_path, "table", [Column("name", "VARCHAR")], [(name,)])
    assert text == b"name\n" + name.encode() + b"\n"


def test_compared_times_keep_one_unit() -> None:
    columns = [Column("step", "INTEGER"), Column("dur", "BIGINT")]
    rows = [(1, 410_100_000), (2, 8_349_999)]
    assert lines_of(columns, rows, style=Style(compared=True)) == [
        "step       dur",
        "   1  410.1 ms",
        "   2    8.3 ms",
    ]


def test_instants_are_places_from_the_start_and_whole_ns_without_one() -> None:
    columns = [Column("ts", "BIGINT")]
    assert lines_of(columns, [(1_041_041_234,)], style=Style(origin_ns=1_000_000_000))[1] == (
        "+41.041 ms"
    )
    assert lines_of(columns, [(1_041_041_234,)])[1] == "1041041234"


@pytest.mark.parametrize(
    ("name", "type_", "kind"),
    [
        ("dur", "BIGINT", Kind.TIME),
        ("wait_ns", "BIGINT", Kind.TIME),
        ("computing", "BIGINT", Kind.TIME),
        ("avg", "DOUBLE", Kind.TIME),
        ("total", "DECIMAL(38,0)", Kind.TIME),
        ("launch_ts", "BIGINT", Kind.INSTANT),
        ("bytes", "BIGINT", Kind.SIZE),
        ("count", "BIGINT", Kind.COUNT),
        ("share", "DOUBLE", Kind.SHARE),
        ("aiv_vec_ratio", "DOUBLE", Kind.SHARE),
        ("spread", "DOUBLE", Kind.TIMES),
        ("spread", "BIGINT", Kind.PLAIN),
        ("inferred", "BOOLEAN", Kind.FLAG),
        ("step", "INTEGER", Kind.PLAIN),
        ("slice_id", "BIGINT", Kind.PLAIN),
        ("value", "DOUBLE", Kind.PLAIN),
        ("name", "VARCHAR", Kind.TEXT),
        ("total", "VARCHAR", Kind.TEXT),
    ],
)
def test_the_naming_of_the_store_says_what_a_column_means(
    name: str, type_: str, kind: Kind
) -> None:
    assert kind_of(Column(name, type_)) is kind


def test_where_room_is_short_names_are_stacked_then_text_gives_way() -> None:
    columns = [
        Column("name", "VARCHAR"),
        Column("communication_not_overlapped", "BIGINT"),
        Column("dur", "BIGINT"),
    ]
    rows = [("aclnnFlashAttentionScore", 101_963_203, 5_000)]
    assert lines_of(columns, rows, 42) == [
        "                   communication",
        "                             not",
        "name                  overlapped       dur",
        "FlashAtt…ionScore         102 ms   5.00 µs",
    ]


def test_where_room_is_shorter_the_bar_goes_then_columns_but_never_names_and_the_measure() -> None:
    columns = [
        Column("step", "INTEGER"),
        Column("prev_name", "VARCHAR"),
        Column("bytes", "BIGINT"),
        Column("dur", "BIGINT"),
        Column("wait_ns", "BIGINT"),
        Column("name", "VARCHAR"),
    ]
    names = [f"hcom_allReduce__586_{at}_1" for at in (0, 3)]
    rows = [(50, names[0], 16, 79_000_000, 1_000_000, name) for name in names]
    style = Style(bar="dur")
    heads = {
        width: draw(columns, rows, Terminal(width), style).lines[0].split()
        for width in (85, 72, 60)
    }
    all_heads = ["step", "prev_name", "bytes", "dur", "wait_ns", "name"]
    assert heads[85] == heads[72] == all_heads
    assert heads[60] == ["step", "prev_name", "bytes", "dur", "name"]
    assert "█" in draw(columns, rows, Terminal(85), style).lines[1]
    assert "█" not in draw(columns, rows, Terminal(72), style).lines[1]
    narrow = draw(columns, rows, Terminal(40), style)
    assert narrow.lines[0].split() == ["prev_name", "dur", "name"]
    assert narrow.left_out == ("step", "bytes", "wait_ns")


@given(st.integers(40, 160), st.integers(0, 9))
def test_shortened_names_that_differ_at_their_end_still_differ(width: int, number: int) -> None:
    columns = [Column("name", "VARCHAR"), Column("dur", "BIGINT"), Column("next_name", "VARCHAR")]
    one, other = f"hcom_allReduce__586_{number}_1", f"hcom_allReduce__586_{number + 1}_1"
    lines = lines_of(columns, [(one, 1, "x" * 60), (other, 1, "x" * 60)], width)
    assert lines[1] != lines[2]


def test_a_sentence_gives_way_at_its_end() -> None:
    columns = [Column("about", "VARCHAR"), Column("name", "VARCHAR")]
    rows = [("The levels at which cells are stored, finest first", "cell_levels")]
    assert lines_of(columns, rows, 40)[1] == "The levels at which cells …  cell_levels"


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("t.csv", "csv"),
        ("t.JSON", "json"),
        ("a.csv.parquet", "parquet"),
        ("t.txt", "table"),
        ("csv", "table"),
        ("-", "table"),
    ],
)
def test_a_file_name_says_its_format(name: str, format_: Format) -> None:
    assert format_of(Path(name)) == format_


def test_columns_without_room_are_left_out_from_the_right_and_named() -> None:
    columns = [Column(f"dur_{at}_ns", "BIGINT") for at in range(8)]
    drawing = draw(columns, [(10**6,) * 8], Terminal(40))
    assert drawing.left_out == ("dur_4_ns", "dur_5_ns", "dur_6_ns", "dur_7_ns")
    assert max(map(len, drawing.lines)) <= 40


def test_the_columns_without_room_are_named_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("npuview.tui.text.destination.terminal_of", lambda *_, **__: Terminal(40))  # pyright: ignore[reportUnknownLambdaType] any arguments
    columns = [Column(f"dur_{at}_ns", "BIGINT") for at in range(8)]
    write_answer(Answer(tuple(columns), [(10**6,) * 8]), Destination())
    assert "no room for dur_4_ns, dur_5_ns" in capsys.readouterr().err


@given(
    st.lists(st.tuples(st.text(max_size=60), st.integers(0, 10**12), st.text(max_size=60))),
    st.integers(40, 160),
)
def test_no_line_of_a_table_is_wider_than_the_terminal(
    rows: list[tuple[str, int, str]], width: int
) -> None:
    columns = [Column("name", "VARCHAR"), Column("dur", "BIGINT"), Column("type", "VARCHAR")]
    lines = lines_of(columns, rows, width)
    assert len(lines) == len(rows) + 1
    assert all(cell_len(line) <= width and line == line.rstrip() for line in lines)


def test_a_bar_stands_right_of_its_number_on_a_terminal_only() -> None:
    columns = [Column("dur", "BIGINT"), Column("name", "VARCHAR")]
    rows = [(4_000_000, "a"), (1_000_000, "b")]
    style = Style(bar="dur")
    assert lines_of(columns, rows, 80, style)[1:] == [
        " 4.00 ms  ████████  a",
        " 1.00 ms  ██        b",
    ]
    assert lines_of(columns, rows, None, style)[1:] == [" 4.00 ms  a", " 1.00 ms  b"]


def test_the_ascii_level_has_only_ascii() -> None:
    drawing = draw(OPERATORS, ROWS, Terminal(100, ascii_level=True), Style(bar="total"))
    assert all(line.isascii() for line in drawing.lines)
    assert "706 us" in drawing.lines[2]


def test_a_table_of_no_rows_has_its_head() -> None:
    assert lines_of(OPERATORS, []) == ["name  count  total  share  slice_id"]


def test_csv_has_true_text_whole_ns_and_crlf(tmp_path: Path) -> None:
    text = written(tmp_path, "csv", OPERATORS, ROWS).decode()
    assert text.endswith("\r\n")
    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        ["name", "count", "total", "share", "slice_id"],
        ["MatMul", "1721", "79089520", "0.747", str(1 << 40)],
        ["矩阵\x1b[31m", "3", "706000", "0.0001", ""],
    ]


def test_csv_quotes_separators_quotes_and_line_breaks(tmp_path: Path) -> None:
    rows = [('a,"b"\nc', True, Decimal("1E+3"))]
    columns = [Column("x", "VARCHAR"), Column("y", "BOOLEAN"), Column("z", "DECIMAL(5,0)")]
    assert written(tmp_path, "csv", columns, rows) == (b'x,y,z\r\n"a,""b""\nc",true,1000\r\n')


def test_csv_tells_empty_text_from_null(tmp_path: Path) -> None:
    columns = [Column("x", "VARCHAR"), Column("y", "VARCHAR")]
    assert written(tmp_path, "csv", columns, [("", None), (None, "")]) == (b'x,y\r\n"",\r\n,""\r\n')


@given(st.lists(st.tuples(st.text(st.characters(codec="utf-8")), st.integers()), min_size=1))
def test_what_is_written_as_csv_is_read_again(rows: list[tuple[str, int]]) -> None:
    from npuview.tui.text.output_csv import write_rows  # noqa: PLC0415 under test, apart from files

    file = io.BytesIO()
    write_rows(Answer((Column("x", "VARCHAR"), Column("y", "BIGINT")), rows), file)
    found = list(csv.reader(io.StringIO(file.getvalue().decode(), newline="")))
    assert found[1:] == [[text, str(number)] for text, number in rows]


@pytest.mark.parametrize("format_", ["csv", "json", "parquet"])
def test_names_that_are_not_utf_8_are_written_all_the_same(format_: Format, tmp_path: Path) -> None:
    content = written(tmp_path, format_, [Column("x", "VARCHAR")], [("bad\udcff",)])
    assert "bad\ufffd".encode() in content


def test_an_answer_that_fails_leaves_standard_output_open(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    def rows() -> Iterator[tuple[object, ...]]:
        yield (1,)
        raise NpuviewError("no more")

    for format_ in ("csv", "json"):
        with pytest.raises(NpuviewError, match="no more"):
            write_answer(Answer((Column("a", "BIGINT"),), rows()), Destination(format_))
    write_lines(["after"], Destination())
    assert capfdbinary.readouterr().out.endswith(b"after\n")


def test_json_is_an_array_of_objects_with_whole_integers(tmp_path: Path) -> None:
    assert json.loads(written(tmp_path, "json", OPERATORS, ROWS)) == [
        dict(zip([column.name for column in OPERATORS], row, strict=True)) for row in ROWS
    ]


@given(st.integers(-(10**38), 10**38), st.decimals(allow_nan=False, allow_infinity=False))
def test_json_keeps_every_digit_of_integers_and_decimals(whole: int, exact: Decimal) -> None:
    from npuview.tui.text.output_json import write_rows  # noqa: PLC0415 under test, apart from files

    file = io.BytesIO()
    columns = (Column("whole", "HUGEINT"), Column("exact", "DECIMAL(38,10)"))
    write_rows(Answer(columns, [(whole, exact)]), file)
    found = json.loads(file.getvalue(), parse_float=Decimal)
    assert found == [{"whole": whole, "exact": exact}]


def test_json_of_no_rows_is_an_empty_array(tmp_path: Path) -> None:
    assert written(tmp_path, "json", OPERATORS, []) == b"[]\n"


def test_json_has_no_number_for_nan_and_keeps_columns_of_one_name(tmp_path: Path) -> None:
    columns = [Column("a", "DOUBLE"), Column("a", "BIGINT"), Column("b", "BLOB")]
    assert json.loads(written(tmp_path, "json", columns, [(float("nan"), 2, b"\x01")])) == [
        {"a": None, "a_1": 2, "b": "01"}
    ]


def test_parquet_has_the_types_of_the_answer(tmp_path: Path) -> None:
    written(tmp_path, "parquet", OPERATORS, ROWS)
    table = pq.read_table(tmp_path / "answer.parquet")
    assert table.schema.field("count").type == pa.int64()
    assert table.schema.field("total").type == pa.decimal128(38, 0)
    assert [tuple(row.values()) for row in table.to_pylist()] == ROWS


def test_parquet_says_which_column_cannot_hold_a_value(tmp_path: Path) -> None:
    with pytest.raises(NpuviewError, match="column total"):
        written(tmp_path, "parquet", [Column("total", "HUGEINT")], [(10**38,)])
    assert list(tmp_path.iterdir()) == []


def test_parquet_is_not_written_to_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with pytest.raises(UsageError, match="-o FILE"):
        write_answer(Answer(OPERATORS, ROWS), Destination("parquet"))


def test_programs_get_bytes_on_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_answer(Answer((Column("a", "BIGINT"),), [(1,)]), Destination("json"))
    assert json.loads(capfdbinary.readouterr().out) == [{"a": 1}]


def test_a_failing_answer_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "answer.csv"
    file.write_text("before")

    def rows() -> Iterator[tuple[object, ...]]:
        yield ROWS[0]
        raise NpuviewError("no more")

    with pytest.raises(NpuviewError, match="no more"):
        write_answer(Answer(OPERATORS, rows()), Destination("csv", file))
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_a_written_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        written(tmp_path, "csv", OPERATORS, ROWS)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "answer.csv").stat().st_mode) == 0o640


def test_a_file_that_is_there_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "answer.csv"
    file.touch(mode=0o600)
    written(tmp_path, "csv", OPERATORS, ROWS)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("is_there", [True, False])
def test_a_link_is_written_through(tmp_path: Path, *, is_there: bool) -> None:
    (tmp_path / "real").mkdir()
    target = tmp_path / "real" / "target.csv"
    if is_there:
        target.write_text("before")
    link = tmp_path / "answer.csv"
    link.symlink_to("real/target.csv")
    assert written(tmp_path, "csv", OPERATORS, ROWS) == target.read_bytes()
    assert link.is_symlink()
    assert list(target.parent.iterdir()) == [target]


def test_a_link_to_itself_is_named(tmp_path: Path) -> None:
    (tmp_path / "answer.csv").symlink_to("answer.csv")
    with pytest.raises(NpuviewError, match=r"answer\.csv: cannot be written"):
        written(tmp_path, "csv", OPERATORS, ROWS)


def test_a_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "answer.csv"
    file.write_text("before")
    file.chmod(0o444)

    def access(path: Path, mode: int) -> bool:
        # What a user gets who, unlike the one of a container, is not root.
        return bool(Path(path).stat().st_mode & stat.S_IWUSR) or mode != os.W_OK

    monkeypatch.setattr("os.access", access)
    with pytest.raises(NpuviewError, match="cannot be written: Permission denied"):
        written(tmp_path, "csv", OPERATORS, ROWS)
    assert file.read_text() == "before"


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    file = tmp_path / "absent" / "answer.csv"
    with pytest.raises(NpuviewError, match=r"answer\.csv: cannot be written: No such file"):
        write_answer(Answer(OPERATORS, ROWS), Destination("csv", file))


def test_a_device_is_written_and_not_replaced() -> None:
    write_lines(["gone"], Destination(file=Path(os.devnull)))
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


class Screen(io.StringIO):
    encoding = "utf-8"  # pyright: ignore[reportAssignmentType, reportIncompatibleVariableOverride] as a terminal has it

    def isatty(self) -> bool:
        return True


def test_colours_need_a_terminal_that_wants_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert terminal_of(Screen()).color
    assert not terminal_of(io.StringIO()).color
    monkeypatch.setenv("NO_COLOR", "1")
    assert not terminal_of(Screen()).color
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not terminal_of(Screen()).color


def test_the_width_is_the_terminals_and_a_pipe_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "97")
    assert terminal_of(Screen()).width == 97
    assert terminal_of(io.StringIO()).width is None


def test_a_stream_that_is_not_unicode_gets_ascii() -> None:
    assert terminal_of(io.TextIOWrapper(io.BytesIO(), encoding="latin-1")).ascii_level
    assert not terminal_of(io.TextIOWrapper(io.BytesIO(), encoding="UTF-8")).ascii_level
