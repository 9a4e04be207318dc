"""Names that would steer a terminal, hide, or mean something to markup; a profile made of them."""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

from build import KERNEL_DETAILS, ProfileBuilder, csv_text, torch_profile

STEERING = [
    "\x1b[31mred\x1b[0m",
    "\x1b[2J\x1b[H",
    "\x1b[?1049l",
    "\x1b[?25l\x1b[?1003h",
    "\x1b[6n",
    "\x1b[1;1H\x1b[K",
    "\x1b]0;title\x07",
    "\x1b]2;title\x1b\\",
    "\x1b]8;;http://a.example\x1b\\link\x1b]8;;\x1b\\",
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1b]4;1;#ff0000\x07",
    "\x1bP1$r0m\x1b\\",
    "\x1b_apc\x1b\\",
    "\x1b^pm\x1b\\",
    "\x1bXsos\x1b\\",
    "\x1bc",
    "\x1b7\x1b8",
    "\x1b(0qqq\x1b(B",
    "\x1b",
    "ends in\x1b",
    "\x9b31mred\x9b0m",
    "\x9d0;title\x9c",
    "\x90q\x9c",
    "\x85next line",
    "bell\x07",
    "nul\x00nul",
    "del\x7f",
    "back\x08\x08\x08",
    "line\r\nline",
    "over\rwritten",
    "tab\ttab",
    "\x0b\x0c\x0e\x0f",
    "\x18\x1a\x11\x13",
]
"""What a terminal obeys: C0, C1, DEL and the sequences they begin."""

HIDING = [
    "\u202eevil",
    "\u202agpj.\u202c",
    "\u2066isolated\u2069",
    "\u2067rtl\u2069",
    "\u200e\u200f\u061c",
    "zero\u200bwidth",
    "\u200c\u200d",
    "\u2060join",
    "\ufeffbom",
    "soft\u00adhyphen",
    "\U000e0001\U000e0041\U000e007f",
    "heart\ufe0f",
    "\u2764\ufe0e",
    "\U000e0100",
    "\u034f\u115f\u1160\u3164\uffa0",
    "\ud800",
    "\udfff low",
    "\udcff byte",
    "\u2028line",
    "\u2029paragraph",
    "\ue000 private",
    "\ufffe\uffff",
    "\U0010ffff",
    "\u0378 unassigned",
    "\u0600\u06dd\u070f",
    "\U00013430",
    "\ufff9over\ufffabelow\ufffb",
    "e" + "\u0301" * 40,
    "\u0301\u0302\u0303",
    "\u20dd\u20e3",
]
"""What draws nothing, changes the direction of writing, or joins what is beside it."""

WIDE = [
    "矩阵乘法",
    "矩" * 100,
    "算子_" * 50,
    "\uff11\uff12\uff21\uff22 full width",
    "한국어",
    "สวัสดี",
    "नमस्ते",
    "العربية",
    "עברית",
    "👩\u200d👩\u200d👧\u200d👦",
    "👍🏽",
    "🇩🇪",
    "1️⃣",
    "é e\u0301",
    "k" * 200,
    "k" * 199 + "矩",
    "a very " * 30 + "long name",
    "non\u00a0breaking",
    "ideographic\u3000blank",
]
"""What is not as wide as it has characters, or wider than a screen."""

MEANING = [
    "[/]",
    "[/red]",
    "[red]x[/red]",
    "[bold red on white]x[/]",
    "[@click=app.quit()]Q[/]",
    "[@click='app.quit']Q[/]",
    "[link=http://a.example]x[/link]",
    "[blink]x",
    "[",
    "]",
    "[[",
    "\\[red]",
    "[$primary]x[/]",
    "[on $error]x",
    "$background",
    "$$",
    "{0}",
    "{self.__class__}",
    "{",
    "}",
    "%s %d %n",
    "%(name)s",
    "# heading",
    "**bold** _it_ `code`",
    "[a](http://a.example)",
    "| a | b |",
    "<b>x</b>",
    "&lt;",
    ":smile:",
    "'; DROP TABLE slice; --",
    '"quoted"',
    "null",
    "NaN",
    "-1e999",
    "../../etc/passwd",
    "~/.ssh",
    "=1+1",
    "--help",
    "\\x1b[31m",
    " ",
    "   leading",
    "",
]
"""What means something to Textual's or Rich's markup, formats, Markdown, SQL or a shell."""

NAMES = [*STEERING, *HIDING, *WIDE, *MEANING]

MARKUP = "[red]x[/red]"
"""One of the names, that is seen as it is where nothing reads it."""

STEP_NS = 40_000_000
STEPS = (7, 8)
SLOT_NS = 250_000


def hostile_profile(parent: Path) -> ProfileBuilder:
    """Return a profile with two steps in which every name is hostile, not written yet."""
    profile = torch_profile(
        parent,
        worker="n\x1b]0;t\x07\n[red]x\u202e\udcff[@click=app.quit()]",
        world_size=4,
        switches={name: name for name in NAMES[::9]},
    )
    _side_files(profile)
    _timeline(profile)
    return profile


def _side_files(profile: ProfileBuilder) -> None:
    names = cycle(NAMES)
    versions = {name: next(names) for name in NAMES[::7]} | {"cann_version": MARKUP + "\x1b[31m"}
    profile.json("profiler_info_0.json", {"rank_id": 0, **versions, "config": {}})
    output = "ASCEND_PROFILER_OUTPUT"
    header = ["Device_id", "Name", *(name.replace("\x00", "") for name in NAMES[::11] if name)]
    rows = [[0, name, *NAMES[::11]] for name in NAMES]
    for table in ("op_statistic", "api_statistic", "\x1b]0;t\x07[red]x[/red]"):
        profile.file(f"{output}/{table}.csv", _bytes(csv_text(header, rows)))
    held = [[name, 999 - at, f"{at * 100 + 1}.000", "", name] for at, name in enumerate(NAMES)]
    header = ["Name", "Size(KB)", "Allocation Time(us)", "Release Time(us)", "Device Type"]
    profile.file(f"{output}/operator_memory.csv", _bytes(csv_text(header, held)))
    levels = [["PTA", f"{at * 100 + 1}.000", at, 999] for at in range(len(NAMES))]
    levels += [[name, "1.000", 1, 1] for name in NAMES if name.strip()]
    header = ["Component", "Timestamp(us)", "Total Allocated(MB)", "Total Reserved(MB)"]
    profile.file(f"{output}/memory_record.csv", _bytes(csv_text(header, levels)))
    profile.file(f"{output}/\x1b[31m\n\udcff.csv", b"\x1b[31m,\x9b\n1,\x1b\n")


def _timeline(profile: ProfileBuilder) -> None:
    trace = profile.trace
    rows: list[dict[str, object]] = []
    number = 0
    for at, step in enumerate(STEPS):
        start = at * STEP_NS
        trace.step(step, ts=start, dur=STEP_NS - 1_000)
        names = iter(NAMES)
        for slot, name in enumerate(names):
            ts = start + 100_000 + slot * SLOT_NS
            number += 1
            kernel = trace.kernel(
                name, ts=ts, dur=90_000 + slot * 100, connection_id=number, task_id=number
            )
            trace.launch(kernel, ts=ts - 60_000, dur=5_000)
            args = dict.fromkeys(NAMES[slot : slot + 5], NAMES[-slot])
            lane = trace.lane(f"{name} process", slot, f"{name} thread", pid=9_000 + slot % 12)
            call = lane.slice(name, ts - 70_000, 30_000, cat=name, args=args)
            trace.flow(name, call, kernel, id=number, name=name)
            trace.counter(name, ts=ts, values={name: slot, "\x1b[31m": 1})
            rows.append(_row(step, number, ts, slot))
            host = trace.host_thread()
            host.slice(name, ts - 80_000, 20_000, cat="cpu_op", args={"Call stack": name, **args})
        _device_rest(profile, start)
    profile.file(
        "ASCEND_PROFILER_OUTPUT/kernel_details.csv",
        _bytes(csv_text(KERNEL_DETAILS, rows)),
    )


def _device_rest(profile: ProfileBuilder, start: int) -> None:
    """Add collectives of groups, waits and copies behind the kernels of a step."""
    trace = profile.trace
    ts = start + 100_000 + len(NAMES) * SLOT_NS + 300_000
    for slot, name in enumerate(_few()):
        begin = ts + slot * 400_000
        trace.collective(
            begin,
            200_000,
            name=name,
            group=name,
            waits={1: (begin, 120_000), 2: (begin, 30_000)},
            moves=[(1, begin + 120_000, 50_000)],
            stream=20 + slot,
        )
        for offset, kind in ((220_000, "EVENT_WAIT_SQE"), (300_000, "SDMA_SQE"), (350_000, name)):
            trace.task(
                name,
                begin + offset,
                40_000,
                stream=9,
                task_type=kind or "empty",
                args=dict.fromkeys(NAMES[slot : slot + 3], name),
            )


def _few() -> Iterator[str]:
    return iter(("\x1b[31mhcom_allReduce_", MARKUP, "矩" * 100, "[@click=app.quit()]Q[/]"))


def _row(step: int, number: int, ts: int, slot: int) -> dict[str, object]:
    """Return a kernel's row of the table, hostile in every column of text."""
    name = NAMES[slot]
    other = NAMES[slot - 1]
    return {
        "Step Id": step,
        "Device_id": 0,
        "Task ID": number,
        "Stream ID": 2,
        "Name": name,
        "Type": other,
        "OP State": other,
        "Accelerator Core": "AI_CORE" if slot % 2 else other,
        "Start Time(us)": f"{ts / 1000:.3f}\t",
        "Duration(us)": (90_000 + slot * 100) / 1000,
        "Wait Time(us)": 1,
        "Block Dim": 20,
        "Input Shapes": name,
        "Input Data Types": other,
        "Input Formats": name,
        "Output Shapes": other,
        "Output Data Types": name,
        "Output Formats": other,
        "aicore_time(us)": 80,
        "aic_mac_ratio": 0.5,
        "aic_mte2_ratio": 0.9,
    }


def _bytes(text: str) -> bytes:
    """Return text as a file may hold it: with bytes that are no UTF-8."""
    return text.encode(errors="surrogatepass")
