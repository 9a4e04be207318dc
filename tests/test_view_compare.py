"""The opened run held against another one, on the screen, and the way to the other and back."""

from pathlib import Path

import pytest
from command_line import Run
from made_up import MadeUp
from pair_build import Made, maker, stepped
from rich.cells import cell_len
from screen import opened

from npuview.ingest.errors import UsageError
from npuview.ingest.store import Store
from npuview.tui.compare.against import Against, CommonPlace, OtherRun, common_place
from npuview.tui.compare.reading import RunReading
from npuview.tui.focus import Focus, Window
from npuview.tui.process.display import Display
from npuview.tui.start import Start
from npuview.tui.user.run_card import RunCard

SNAPSHOTS = Path(__file__).with_name("snapshots_compare")
SIZES = {"80x24": (80, 24), "160x45": (160, 45)}


@pytest.fixture(scope="module")
def made(made_up: MadeUp) -> Made:
    return maker(made_up)


def held(base: Store, *, timeline: bool = True, own: str = "after") -> Against:
    """Return a run called before, with a card, to hold another one against."""
    other = OtherRun("before", base, RunCard(config="check on"), has_timeline=timeline)
    mine = OtherRun(own, base, RunCard(config="check off"))
    return Against(mine, None, "before", other)


@pytest.mark.parametrize("size", SIZES)
async def test_two_runs_look_as_they_did(
    size: str, made: Made, pytestconfig: pytest.Config
) -> None:
    store, against = made("pipelined"), held(made("host_bound"))
    async with opened(store, size=SIZES[size], against=against) as screen:
        await screen.press("6")
        shown = screen.text() + "\n"
    assert max(map(cell_len, shown.splitlines())) <= SIZES[size][0]
    file = SNAPSHOTS / f"compare_{size}.txt"
    if pytestconfig.getoption("--update-snapshots"):
        SNAPSHOTS.mkdir(exist_ok=True)
        file.write_text(shown, "utf-8")
    assert shown == file.read_text("utf-8")


async def test_figures_and_changes_are_those_of_the_questions(made: Made) -> None:
    async with opened(made("fused_slower"), against=held(made("transposes"))) as screen:
        await screen.press("6")
        assert "+4.7 %" in screen.row_with("step time")
        assert "worse" in screen.row_with("step time")
        assert "15.0 %" in screen.row_with("! TransposeCast takes longer than Cast and Transpose")
        assert "new" in screen.row_with("TransposeCast  ")
        assert "gone" in screen.row_with("Transpose  ")
        await screen.press("j")
        assert "Transpose: 5.15 ms -> 0, gone, only A calls it; by its calls" in screen.rows()[-2]


async def test_why_something_changed_is_told_in_the_words_of_the_text(made: Made, run: Run) -> None:
    told = run("diff", made("host_bound").path, made("pipelined").path)
    why = "fewer gaps, 53.75 -> 2.75 a step"
    assert f"why host_sync: {why}" in told.out
    async with opened(
        made("pipelined"), size=(160, 45), against=held(made("host_bound"))
    ) as screen:
        await screen.press("6")
        assert why in screen.row_with("gaps: blocking call")


async def test_without_another_run_one_is_asked_for(made: Made) -> None:
    base = made("host_bound")
    words: list[str] = []

    def opener(word: str, _: object) -> OtherRun:
        words.append(word)
        if word != "base":
            raise UsageError(f"{word}: neither a profile nor a baseline")
        return OtherRun(word, base, RunCard())

    async with opened(made("pipelined"), against=Against(opener=opener)) as screen:
        await screen.press("6")
        await screen.type("bad\n")
        assert "bad: neither a profile nor a baseline" in screen.text()
        await screen.press("c")
        await screen.press(*["backspace"] * 3)
        await screen.type("base\n")
        assert "-10.2 %" in screen.row_with("step time")
    assert words == ["bad", "base"]


async def test_the_other_run_is_gone_to_at_the_same_time_of_the_same_step(made: Made) -> None:
    store, base = made("pipelined"), made("host_bound")
    async with opened(store, start=Start(step=13), against=held(base)) as screen:
        app = screen.app
        begin = app.run_facts.origin(app.place)
        app.move(Focus(0, 13, Window(begin + 5_000_000, begin + 9_000_000)))
        await screen.hit("=")
        await screen.settle()
        assert app.switch is not None
        assert app.switch.place == CommonPlace(0, 13, 1, 5_000_000, 4_000_000)
    there = Start(common=app.switch.place)
    async with opened(base, start=there, against=held(store)) as screen:
        run, focus = screen.app.run_facts, screen.app.place
        assert (focus.step, screen.app.view.WHERE) == (13, "timeline")
        origin = run.origin(focus)
        assert focus.window == Window(origin + 5_000_000, origin + 9_000_000)
        assert common_place(run, focus) == app.switch.place


async def test_a_baseline_has_no_timeline_to_go_to(made: Made) -> None:
    against = held(made("host_bound"), timeline=False)
    async with opened(made("pipelined"), against=against) as screen:
        await screen.press("=")
        assert "before is a baseline: it has no timeline to go to" in screen.text()
        assert screen.app.switch is None


async def test_without_another_run_there_is_nowhere_to_go(made: Made) -> None:
    async with opened(made("pipelined")) as screen:
        await screen.press("=")
        assert "there is no other run: 6 names one" in screen.text()


async def test_runs_that_number_their_steps_differently_meet_at_the_nth(tmp_path: Path) -> None:
    store = stepped(tmp_path / "a", {"computing": [10] * 3})
    async with opened(store) as screen:
        run = screen.app.run_facts
        assert CommonPlace(0, 102, 1, 0, None).focus(run) == Focus(0, 2)
        assert CommonPlace(5, 102, 9, 0, None).focus(run) == Focus(0, 3)
        assert CommonPlace(0, 3, 0, 0, None).focus(run) == Focus(0, 3)


async def test_what_did_not_change_is_counted(made: Made) -> None:
    display = Display(glyphs="ascii")
    async with opened(made("healthy"), display=display, against=held(made("healthy", 7))) as screen:
        await screen.press("6")
        assert "Nothing changed by more than noise." in screen.text()
        assert "noise" in screen.row_with("step time")
        assert screen.text().isascii()


async def test_why_nothing_is_compared_is_told_in_full_where_the_answer_would_be(
    made: Made,
) -> None:
    said = "/no/such/run: neither a profile nor a baseline; " + "baselines are: b, " * 6 + "c"

    def opener(word: str, reading: RunReading) -> OtherRun:
        del word, reading
        raise UsageError(said)

    test, base = made("pipelined"), made("host_bound")
    other = OtherRun("before", base, RunCard())
    against = Against(OtherRun("after", test, RunCard()), opener, "before", other)
    async with opened(test, size=(80, 24), against=against) as screen:
        await screen.press("6")
        assert "step time" in screen.text()
        await screen.press("c", "ctrl+u")
        await screen.type("x")
        await screen.press("enter")
        assert said.split() == " ".join(screen.rows()[1:5]).split()
        assert "Nothing is compared; c names another run." in screen.text()
        assert "step time" not in screen.text()
        await screen.press("enter", "x", "f", "o", "y")
        assert screen.app.view.WHERE == "compare"


@pytest.mark.parametrize("before", [(), ("3",)])
async def test_a_view_that_came_while_there_was_no_room_has_the_keys_after_it(
    before: tuple[str, ...], made: Made
) -> None:
    async with opened(made("pipelined"), against=held(made("host_bound"))) as screen:
        await screen.press(*before)
        await screen.resize(40, 12)
        await screen.press("6")
        await screen.resize(80, 24)
        await screen.rest()
        assert "━━ What changed" in screen.text()
        await screen.press("enter")
        assert screen.app.view.WHERE == "linked"
