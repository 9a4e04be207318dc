"""The walk of somebody who looks for lost time: in a real tmux, key by key."""

import gzip
import os
import re
import shlex
import shutil
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest
from tmux_screen import TmuxScreen
from trace_processor import PERFETTO_IS_HERE, ask_perfetto, events_of, load

from npuview.ingest.pipeline import open_store

REAL_PROFILE = "torch_npu/level2/rank0_ascend_pt"
RUN = "import sys; from npuview.tui.cli import main; sys.exit(main())"
PLACE = re.compile(r"\+[\d,.]+")


class Walk:
    """The app in a tmux; ``ask`` asks the index it shows."""

    def __init__(self, screen: TmuxScreen, index: Path) -> None:
        self.screen = screen
        self._index = index

    def home(self) -> str:
        """Go to the overview from wherever a test left the app, and return its screen."""
        self.screen.press("Escape", "Escape", "Escape")
        self.screen.until_still()
        return self.go("1", "[1 Overview]")

    def go(self, key: str, *texts: str) -> str:
        """Press a key, wait for what it leads to, and return the screen."""
        self.screen.press(key)
        return self.screen.until_text(*texts)

    def change(self, key: str) -> str:
        """Press a key, wait for another screen, and return it."""
        before = self.screen.text
        self.screen.press(key)
        return self.screen.until(lambda screen: screen != before, f"change after {key}")

    def search(self, text: str) -> str:
        """Search names, and return the screen."""
        self.go("/", "search")
        self.screen.type(text)
        return self.change("Enter")

    def ask(self, sql: str) -> int:
        with duckdb.connect(str(self._index), read_only=True) as connection:
            [row] = connection.execute(sql).fetchall()
        return int(row[0])


@contextmanager
def walking(profile: Path, cache: Path, folder: Path, size: tuple[int, int]) -> Generator[Walk]:
    """Run the app in a folder, where its status and the terminal's settings are kept."""
    folder.mkdir()
    [rank] = open_store(profile, cache_dir=cache).store.ranks
    environ = {
        "NPUVIEW_CACHE_DIR": str(cache),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    app = shlex.join([sys.executable, "-c", RUN, str(profile)])
    command = f"stty -g >before; {app}; echo $? >status; stty -g >after"
    with TmuxScreen(command, size=size, folder=folder, environ=environ) as screen:
        screen.until_text("[1 Overview]", "Look here first")
        yield Walk(screen, rank.index)


@pytest.fixture(
    scope="module",
    # Names of a real profile are the ones that a narrow terminal cuts.
    params=[("made-up", (80, 24)), ("made-up", (160, 45)), ("real", (80, 24))],
    ids=lambda case: f"{case[0]}-{case[1][0]}x{case[1][1]}",
)
def case(request: pytest.FixtureRequest) -> tuple[str, tuple[int, int]]:
    name, size = request.param
    return name, size


@pytest.fixture(scope="module")
def profile(
    case: tuple[str, tuple[int, int]], request: pytest.FixtureRequest, sample: Path
) -> Path:
    """Return the profile that is walked through."""
    if case[0] == "real":
        return Path(request.getfixturevalue("shared_data")) / REAL_PROFILE
    return sample


@pytest.fixture(scope="module")
def size(case: tuple[str, tuple[int, int]]) -> tuple[int, int]:
    return case[1]


@pytest.fixture(scope="module")
def cache(places: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return stores of these tests' own, with that of the sample among them."""
    cache = tmp_path_factory.mktemp("walk") / "cache"
    return shutil.copytree(places / "cache", cache, copy_function=os.link)


@pytest.fixture(scope="module")
def opened(
    profile: Path, cache: Path, size: tuple[int, int], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Walk]:
    with walking(profile, cache, tmp_path_factory.mktemp("walk") / "here", size) as walk:
        yield walk


@pytest.fixture
def walk(opened: Walk) -> Walk:
    opened.home()
    return opened


def cursor_row(screen: str) -> str:
    """Return the row under the cursor of the table on the screen."""
    return next(line for line in screen.splitlines() if line.startswith(("▌", " ▌")))


def when_of(screen: str) -> str:
    """Return the row of the timeline's dock that tells when the selection is."""
    return next(line for line in screen.splitlines() if line.lstrip().startswith("when"))


def test_a_step_leads_to_a_kernel_and_its_launch_and_each_level_comes_back_as_it_was(
    walk: Walk,
) -> None:
    overview = walk.home()
    if "all steps" in overview:
        overview = walk.change("j")
    # The lane of the allocator's memory is the last one that is answered.
    timeline = walk.go("Enter", "[2 Timeline]", "Under the cursor", "PTA")
    selected = walk.change(".")
    assert "Selected" in selected
    assert timeline != selected
    details = walk.go("Enter", "Phases", "Time")
    walk.go("[", "Launched")
    assert walk.go("Escape", "Phases", "Time") == details
    assert walk.go("Escape", "[2 Timeline]", "Selected") == selected
    walk.go("Escape", "[2 Timeline]", "Under the cursor")
    assert walk.go("Escape", "[1 Overview]") == overview


def test_top_leads_to_the_calls_a_kernel_and_its_launch_and_each_comes_back_as_it_was(
    walk: Walk,
) -> None:
    top = walk.go("3", "[3 Top]", "Operators")
    while " C " not in cursor_row(top):
        top = walk.change("j")
    calls = walk.go("Enter", "calls", "of median")
    details = walk.go("Enter", "Phases", "Time")
    walk.go("[", "Launched")
    assert walk.go("Escape", "Phases", "Time") == details
    assert walk.go("Escape", "calls", "of median") == calls
    assert walk.go("Escape", "[3 Top]", "Operators") == top
    walk.go("Escape", "[1 Overview]")


def test_gaps_come_one_after_another_in_the_timeline_and_in_their_table(walk: Walk) -> None:
    walk.go("2", "[2 Timeline]")
    for _ in range(6):
        walk.change("w")
    places = [float(PLACE.findall(when_of(walk.change("}")))[0]) for _ in range(4)]
    assert places == sorted(set(places))

    walk.go("4", "[4 Gaps]", "longest first")
    rows = [walk.go("o", "in time"), *(walk.change("j") for _ in range(4))]
    places = [float(PLACE.findall(cursor_row(row))[0]) for row in rows]
    assert places == sorted(set(places))


def test_a_statement_is_typed_and_a_question_is_asked_with_a_value(walk: Walk) -> None:
    walk.go("5", "[5 SQL]", "Nothing asked yet")
    walk.screen.type("select count(*) * 1000 + 7 as found from slice")
    answered = walk.go("C-j", "Result  1 row ")
    found = walk.ask("SELECT count(*) * 1000 + 7 FROM slice")
    assert f"▌ {found}\n" in answered

    walk.go("C-o", "Questions")
    walk.screen.type("gaps")
    walk.screen.until_text("Intervals between two device tasks")
    walk.go("Enter", "Parameters", "limit")
    walk.screen.press(*["Down"] * 7)
    walk.screen.type("3")
    walk.go("Enter", "Result  3 rows ")


def test_a_range_is_exported_and_perfetto_reads_as_many_slices_as_were_said(walk: Walk) -> None:
    walk.go("2", "[2 Timeline]")
    walk.go("v", "the range begins here")
    walk.change("l")
    walk.screen.press(*"llll")
    walk.go("v", "marked")
    walk.go("e", "Export", "marked range")
    [said] = re.findall(r"wrote ([\d,]+) slices", walk.go("Enter", "wrote"))
    [file] = walk.screen.folder.glob("*.json.gz")
    count = int(said.replace(",", ""))
    kept = load(events_of(gzip.decompress(file.read_bytes()).decode()))
    assert (kept.slices.total(), kept.dropped) == (count, [])
    if PERFETTO_IS_HERE:
        answer = ask_perfetto(file)
        assert (answer["slices"], answer["problems"]) == (count, {})


def test_help_commands_and_hits_of_a_search(walk: Walk) -> None:
    overview = walk.screen.text
    walk.go("?", "Keys: Overview", "Everywhere")
    assert walk.go("Escape", "[1 Overview]") == overview
    walk.go(":", "Commands")
    walk.screen.type("waits for")
    walk.screen.until_text("Commands  1 of")
    walk.go("Enter", "Collectives", "Waited for")

    walk.go("2", "[2 Timeline]")
    first = walk.search("launch")
    second = walk.change("n")
    assert when_of(first) != when_of(second)
    assert when_of(walk.change("N")) == when_of(first)


def test_another_size_has_everything_on_it_and_the_old_one_is_drawn_as_before(
    walk: Walk, size: tuple[int, int]
) -> None:
    walk.go("4", "[4 Gaps]", "Why")
    before = walk.go("Home", "gap 1 of")
    walk.screen.resize(59, 14)
    walk.screen.until(lambda screen: "Gaps" not in screen, "sign that there is no room")
    walk.screen.resize(100, 30)
    walk.screen.until_text("[4 Gaps]", "Why", "quit")
    walk.screen.resize(*size)
    assert walk.screen.until_text("[4 Gaps]", "Why", "quit") == before
    walk.go("j", "gap 2 of")


def test_keys_that_come_at_once_are_for_what_those_before_them_opened(walk: Walk) -> None:
    walk.screen.type("3/q")
    walk.screen.until_text("[3 Top]", "search q")
    walk.go("Escape", "[3 Top]", "Operators")
    walk.screen.type("4:waits for")
    walk.screen.until_text("Commands  1 of")


def test_q_ends_with_status_0_and_leaves_the_terminal_as_it_was(
    profile: Path, cache: Path, size: tuple[int, int], tmp_path: Path
) -> None:
    folder = tmp_path / "here"
    with walking(profile, cache, folder, size) as walk:
        walk.screen.press("q")
        walk.screen.until_ended()
    assert (folder / "status").read_text() == "0\n"
    assert (folder / "after").read_text() == (folder / "before").read_text()
