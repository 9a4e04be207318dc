import csv
import gzip
import io
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npuview.ingest.errors import IngestError
from npuview.ingest.notice import ImportLog, Notice
from npuview.ingest.profile import TableFile
from npuview.ingest.read.csv_blocks import BLOCK_BYTES
from npuview.ingest.read.memory_samples import read_memory_samples
from npuview.ingest.read.step_figures import read_step_figures
from npuview.ingest.read.summaries import read_summary, summary_batches


def table_file(folder: Path, *contents: str | bytes) -> TableFile:
    paths: list[Path] = []
    for number, content in enumerate(contents):
        path = folder / f"table_slice_{number}.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        paths.append(path)
    return TableFile("table", "summary", tuple(paths))


def summary(folder: Path, *contents: str | bytes) -> tuple[pa.Table, list[Notice]]:
    log = ImportLog()
    return read_summary(table_file(folder, *contents), folder, log), list(log)


def column(folder: Path, *cells: str) -> tuple[str, list[object]]:
    text = "a,b\n" + "".join(f"{cell},x\n" for cell in cells)
    table, noticed = summary(folder, text)
    assert noticed == []
    return str(table.schema.field("a").type), table["a"].to_pylist()


@pytest.mark.parametrize(
    ("cells", "type_", "values"),
    [
        (["1", " 2\t", "-3"], "int64", [1, 2, -3]),
        (["1", "N/A", "-", "", "nan"], "int64", [1, None, None, None, None]),
        (["1.5", "2", "-"], "decimal128(38, 1)", [Decimal("1.5"), Decimal(2), None]),
        (
            ["1782114242842466.760\t", "0.001"],
            "decimal128(38, 3)",
            [Decimal("1782114242842466.760"), Decimal("0.001")],
        ),
        (["18446744073709551615", "1"], "decimal128(38, 0)", [Decimal(2**64 - 1), Decimal(1)]),
        (["1e-05", "2.5"], "decimal128(38, 5)", [Decimal("0.00001"), Decimal("2.5")]),
        (["0.00000000000000000012", "1"], "double", [1.2e-19, 1.0]),
        (["1e300", "1"], "double", [1e300, 1.0]),
        (["1e400", "1"], "string", ["1e400", "1"]),
        (["host", "0", "-"], "string", ["host", "0", "-"]),
        (["N/A", "", "x"], "string", [None, None, "x"]),
        (["N/A", ""], "string", [None, None]),
        (["0x10", "1"], "string", ["0x10", "1"]),
        (["1_000", "2"], "string", ["1_000", "2"]),
    ],
)
def test_a_column_has_the_narrowest_exact_type(
    tmp_path: Path, cells: list[str], type_: str, values: list[object]
) -> None:
    assert column(tmp_path, *cells) == (type_, values)


@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60
)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 18).flatmap(
                lambda places: st.decimals(-(10**15), 10**15, places=places)
            ),
            st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_what_a_csv_writer_wrote_is_what_is_read(
    tmp_path: Path, rows: list[tuple[Decimal, str]]
) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["number", "Call Stack"])
    writer.writerows((f"{number:f}", f"<{text}>") for number, text in rows)
    table, noticed = summary(tmp_path, out.getvalue())
    assert noticed == []
    assert table["number"].to_pylist() == [number for number, _ in rows]
    assert table["Call Stack"].to_pylist() == [f"<{text}>" for _, text in rows]


def test_cells_hold_line_ends_and_lines_may_end_either_way(tmp_path: Path) -> None:
    text = 'Name,Call Stack,Count\r\nadd,"x.py(1): f;\r\ny.py(2): g, h",2\nmul,,3\r\n'
    table, noticed = summary(tmp_path, text)
    assert noticed == []
    assert table.to_pylist() == [
        {"Name": "add", "Call Stack": "x.py(1): f;\r\ny.py(2): g, h", "Count": 2},
        {"Name": "mul", "Call Stack": None, "Count": 3},
    ]


def test_shapes_lose_their_own_quotes(tmp_path: Path) -> None:
    table, _ = summary(tmp_path, 'Input Shapes,Name\n"""32,3;3""","say ""hi"""\n"""; ; ;""",b\n')
    assert table["Input Shapes"].to_pylist() == ["32,3;3", "; ; ;"]
    assert table["Name"].to_pylist() == ['say "hi"', "b"]


def test_repeated_and_empty_headers_name_every_column(tmp_path: Path) -> None:
    header = "A,Reduce Start(us),Reduce Duration(us),Reduce Start(us),Reduce Duration(us),,a"
    table, _ = summary(tmp_path, f"\ufeff{header}\n1,2,3,4,5,6,7\n")
    assert table.column_names == [
        "A",
        "Reduce Start(us)",
        "Reduce Duration(us)",
        "Reduce Start(us) 2",
        "Reduce Duration(us) 2",
        "column 6",
        "a 2",
    ]
    assert list(table.to_pylist()[0].values()) == [1, 2, 3, 4, 5, 6, 7]


def test_a_duration_that_wrapped_around_is_unknown_and_counted(tmp_path: Path) -> None:
    table, noticed = summary(
        tmp_path, "Reduce Start(us),Reduce Duration(us)\n5.5,1.25\n6.5,18446744073709000.616\n"
    )
    assert table["Reduce Duration(us)"].to_pylist() == [Decimal("1.250"), None]
    assert [(one.name, one.severity, one.count, one.first_offset) for one in noticed] == [
        ("value_wrapped", "info", 1, 3)
    ]


def test_rows_that_do_not_fit_are_left_out_and_counted(tmp_path: Path) -> None:
    table, noticed = summary(tmp_path, 'a,b\n1,"x\ny"\n2\n3,z\n4,5,6\n7,w\n8')
    assert table.to_pylist() == [{"a": 1, "b": "x\ny"}, {"a": 3, "b": "z"}, {"a": 7, "b": "w"}]
    assert noticed == [
        Notice("table_slice_0.csv", "row_malformed", "data_loss", 3, first_offset=3, sample="2")
    ]


MARKS = "pid,tid,category,message,domain\n"


@given(st.lists(st.lists(st.text("ab 0.=", max_size=4), min_size=1, max_size=4), max_size=30))
@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60
)
def test_a_message_with_commas_is_put_together_in_its_place(
    tmp_path: Path, messages: list[list[str]]
) -> None:
    rows = [f"1,{place},c,<{','.join(parts)}>,d\n" for place, parts in enumerate(messages)]
    table, noticed = summary(tmp_path, MARKS + "".join(rows))
    assert noticed == []
    expected = [(place, f"<{','.join(parts)}>", "d") for place, parts in enumerate(messages)]
    found = table.to_pylist()
    assert [(row["tid"], row["message"], row["domain"]) for row in found] == expected


def test_a_cut_row_among_messages_is_counted_and_moves_nothing(tmp_path: Path) -> None:
    rows = ["1,1,c,a,d", "1,2,c,b,e,d", "1,3", "1,4,c,f,d", "1,5,c,g,h,d"]
    table, noticed = summary(tmp_path, MARKS + "\n".join(rows))
    assert table["tid"].to_pylist() == [1, 2, 4, 5]
    assert [(one.name, one.first_offset) for one in noticed] == [("row_malformed", 4)]


def test_bytes_that_are_no_utf_8_are_shown_and_counted(tmp_path: Path) -> None:
    text = b"a,b\n1,\xff\xfe\n\xff\n2,\\x " + "\u52a0".encode() + b"\n"
    table, noticed = summary(tmp_path, text)
    assert table.to_pylist() == [{"a": 1, "b": "\\xff\\xfe"}, {"a": 2, "b": "\\x \u52a0"}]
    assert {one.name: one.count for one in noticed} == {"text_repaired": 3, "row_malformed": 1}


def test_parts_are_read_one_after_another_under_all_their_headers(tmp_path: Path) -> None:
    table, noticed = summary(tmp_path, "a,b\n1,x\n", "b,c\ny,2\n", "a,b\n0.5,z\n")
    assert noticed == []
    assert table.to_pylist() == [
        {"a": Decimal("1.0"), "b": "x", "c": None},
        {"a": None, "b": "y", "c": 2},
        {"a": Decimal("0.5"), "b": "z", "c": None},
    ]


@pytest.mark.parametrize("content", ["", "\n", "a,b", "a,b\n"])
def test_a_file_without_rows_is_an_empty_table(tmp_path: Path, content: str) -> None:
    table, noticed = summary(tmp_path, content)
    assert (table.num_rows, noticed) == (0, [])


def test_a_file_that_is_gone_is_an_error_that_names_it(tmp_path: Path) -> None:
    file = TableFile("gone", "summary", (tmp_path / "gone.csv",))
    with pytest.raises(IngestError, match=r"gone\.csv: No such file"):
        read_summary(file, tmp_path, ImportLog())


def test_a_big_table_is_read_block_by_block_with_one_type_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = "{},N/A," + "x" * 100 + "\n"
    count = 3 * BLOCK_BYTES // len(row)
    text = "a,b,c\n" + "".join(row.format(number) for number in range(count)) + "0.5,1,y\n2\n"
    file = table_file(tmp_path, text)
    whole = read_summary(file, tmp_path, ImportLog())
    monkeypatch.setattr("npuview.ingest.read.summaries._KEPT_BYTES", 0)
    log = ImportLog()
    schema, batches = summary_batches(file, tmp_path, log)
    assert [str(field.type) for field in schema] == ["decimal128(38, 1)", "int64", "string"]
    parts = list(batches)
    assert len(parts) > 2
    assert pa.Table.from_batches(parts, schema).equals(whole)
    assert [(one.name, one.count, one.first_offset) for one in log] == [
        ("row_malformed", 1, count + 3)
    ]


def test_step_figures_are_nanoseconds_and_a_blank_step_is_none(tmp_path: Path) -> None:
    header = (
        "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,"
        "Stage,Bubble,Communication(Not Overlapped and Exclude Receive),Preparing\r\n"
    )
    rows = "0,10,8827.472999999998,0.0005,1,2,3,116251.25,0,7,17483.75\r\n,,0.0015,,N/A,x,,,,,\r\n"
    log = ImportLog()
    table = read_step_figures(table_file(tmp_path, header + rows), tmp_path, log)
    first, second = table.to_pylist()
    assert first == {
        "device_id": 0,
        "step": 10,
        "computing": 8_827_473,
        "communication": 2000,
        "communication_not_overlapped": 0,
        "overlapped": 1000,
        "free": 3000,
        "stage": 116_251_250,
        "bubble": 0,
        "preparing": 17_483_750,
    }
    assert {name: value for name, value in second.items() if value is not None} == {"computing": 2}
    assert [(one.name, one.first_offset, one.sample) for one in log] == [
        ("cell_malformed", 3, "communication: x")
    ]


MEMORY_RECORD = "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\n"
MSPROF_MEMORY_RECORD = (
    "Device_id,Component,Timestamp(us),Total Allocated(KB),Total Reserved(KB),Device\n"
)


def samples(folder: Path, text: str) -> tuple[list[tuple[object, ...]], list[Notice]]:
    log = ImportLog()
    table = read_memory_samples(table_file(folder, text), folder, log)
    return [tuple(row.values()) for row in table.to_pylist()], list(log)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            MEMORY_RECORD + "PTA,1736405443756384.100\t,,2,NPU:0\n",
            [("NPU:0", "PTA", "reserved", 1736405443756384100, 2097152.0)],
        ),
        (
            MSPROF_MEMORY_RECORD + "0,GE,1.5,1,2048,NPU:0\n",
            [
                ("0", "GE", "allocated", 1500, 1024.0),
                ("0", "GE", "reserved", 1500, 2097152.0),
            ],
        ),
        (
            "Device_id,event,ddr(KB),hbm(KB),memory(KB),timestamp(us)\n0,APP,0,1.5,N/A,2\n",
            [("0", "APP", "ddr", 2000, 0.0), ("0", "APP", "hbm", 2000, 1536.0)],
        ),
        ("Component,Timestamp(us),Total Reserved(MB),Device\nSLOG,1,-1,NPU:0\n", []),
        (
            "Component,Timestamp(us),Total Reserved(MB)\nSLOG,1,1\n",
            [(None, "SLOG", "reserved", 1000, 1048576.0)],
        ),
    ],
)
def test_memory_is_bytes_whatever_the_unit_of_its_header(
    tmp_path: Path, text: str, expected: list[tuple[object, ...]]
) -> None:
    assert samples(tmp_path, text) == (expected, [])


def test_memory_without_a_unit_is_counted_and_not_guessed(tmp_path: Path) -> None:
    rows, noticed = samples(tmp_path, "Component,Timestamp(us),Total Reserved\nGE,1,5\nGE,2,6\n")
    assert rows == []
    assert [(one.name, one.severity, one.count) for one in noticed] == [
        ("unit_unknown", "data_loss", 2)
    ]


NUMBERS = st.one_of(
    st.integers(-(1 << 80), 1 << 80).map(str),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.from_regex(
        r"[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,25})?", fullmatch=True
    ),
    st.sampled_from(["1e99999999999999999999", "1e-99999999999999999999", "0e999999999999", "1."]),
)


@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150
)
@given(st.lists(NUMBERS, min_size=1, max_size=6))
def test_any_numbers_of_any_size_are_read_without_a_crash(tmp_path: Path, cells: list[str]) -> None:
    table, noticed = summary(tmp_path, "a,b(us)\n" + "".join(f"{cell},{cell}\n" for cell in cells))
    assert table.num_rows == len(cells)
    assert {one.name for one in noticed} <= {"value_wrapped"}
    assert table["a"].null_count == 0


def test_an_exponent_that_no_number_has_makes_the_column_text(tmp_path: Path) -> None:
    huge = "1e99999999999999999999"
    assert column(tmp_path, huge, "1") == ("string", [huge, "1"])


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["5", "18446744073709000"], [5, None]),
        (["5", "18446744073709000", "0.00000000000000000001"], [5.0, None, 1e-20]),
        (["9223372036854775"], [9223372036854775]),
    ],
)
def test_a_wrapped_time_is_unknown_in_a_column_of_any_type(
    tmp_path: Path, cells: list[str], expected: list[object]
) -> None:
    table, noticed = summary(tmp_path, "Reduce Duration(us)\n" + "".join(f"{c}\n" for c in cells))
    assert table["Reduce Duration(us)"].to_pylist() == expected
    wrapped = [(one.name, one.severity, one.count, one.first_offset) for one in noticed]
    assert wrapped == ([("value_wrapped", "info", 1, 3)] if None in expected else [])


def test_a_count_without_unit_may_be_as_large_as_it_likes(tmp_path: Path) -> None:
    table, noticed = summary(tmp_path, "Cycles\n18446744073709000\n")
    assert (table["Cycles"].to_pylist(), noticed) == ([18446744073709000], [])


@pytest.mark.parametrize("before", ["", "\n", "\r", " \r\n,\n", "\ufeff\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_blank_lines_first_and_ends_of_any_kind_change_nothing(
    tmp_path: Path, before: str, end: str
) -> None:
    table, noticed = summary(tmp_path, before + end.join(["a,b", "1,x", '2,"y,z"', "3", "4,w", ""]))
    assert [tuple(row.values()) for row in table.to_pylist()] == [(1, "x"), (2, "y,z"), (4, "w")]
    assert [(one.name, one.first_offset) for one in noticed] == [("row_malformed", 4)]


@given(
    st.lists(st.lists(st.sampled_from(["x", '"', ",", "\r\n", "\u52a0"]), max_size=4), min_size=1),
    st.integers(1, 9),
    st.integers(24, 40),
)
@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60
)
def test_a_table_is_the_same_however_it_is_cut_into_blocks(
    tmp_path: Path, rows: list[list[str]], chunk: int, block: int
) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows((f"<{''.join(row)}>", "1") for row in rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("npuview.ingest.read.csv_blocks.CHUNK_BYTES", chunk)
        patch.setattr("npuview.ingest.read.csv_blocks.BLOCK_BYTES", block)
        table, noticed = summary(tmp_path, f"\ufeff\r\na,\u52a0\r\n{out.getvalue()}")
    assert table["a"].to_pylist() == [f"<{''.join(row)}>" for row in rows]
    assert noticed == []


def test_a_packed_table_is_unpacked_and_a_cut_one_gives_what_it_has(tmp_path: Path) -> None:
    text = b"a,b\n" + b"".join(b"%d,%d\n" % (number, number * 7919) for number in range(50_000))
    packed = gzip.compress(text)
    whole, noticed = summary(tmp_path, packed)
    assert (whole.num_rows, noticed) == (50_000, [])
    cut, noticed = summary(tmp_path, packed[: len(packed) // 2])
    assert 1000 < cut.num_rows < 50_000
    assert cut.slice(0, 1000).equals(whole.slice(0, 1000))
    assert {one.name: one.severity for one in noticed}["truncated"] == "data_loss"


@pytest.mark.parametrize("header", ['a,"b', '"' + "x" * 200_000, "x" * (2 << 20)])
def test_a_header_that_does_not_end_is_a_loss(tmp_path: Path, header: str) -> None:
    table, noticed = summary(tmp_path, f'{header}\n1,"2"\n')
    assert table.num_rows == 0
    assert [(one.name, one.severity) for one in noticed] == [("header_unreadable", "data_loss")]
