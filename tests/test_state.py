"""Where somebody was: it comes back, and no file can keep the app from starting."""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.user import own_file
from npuview.tui.user.state import (
    MOST_STATEMENTS,
    VERSION,
    Bookmark,
    State,
    Window,
    state_path,
)

WHOLE = st.integers(-(1 << 62), 1 << 62)
WINDOWS = st.none() | st.tuples(WHOLE, WHOLE).filter(lambda ends: ends[0] < ends[1]).map(
    lambda ends: Window(*ends)
)
NAMES = st.text(min_size=1)
STATES = st.builds(
    State,
    view=st.none() | st.text(),
    rank=st.none() | WHOLE,
    step=st.none() | WHOLE,
    window=WINDOWS,
    bookmarks=st.lists(
        st.builds(Bookmark, NAMES, NAMES, WINDOWS, st.text(), st.none() | WHOLE, st.none() | WHOLE),
        max_size=4,
    ).map(tuple),
    history=st.lists(NAMES, max_size=5).map(tuple),
)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(
            st.sampled_from(
                ["version", "view", "rank", "step", "window", "bookmarks", "history", "name", "x"]
            ),
            inner,
        )
    ),
    max_leaves=20,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "npuview" / "profiles" / "run-0123456789abcdef.json"


def written(file: Path, content: bytes | str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def test_without_a_file_nothing_is_known_and_nothing_is_said(file: Path) -> None:
    assert State.load(file) == (State(), None)


@given(STATES)
def test_what_was_kept_comes_back(state: State) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "profiles" / "a.json"
        assert state.save(file) is None
        assert State.load(file) == (state, None)


@given(JSON)
def test_any_json_loads_without_an_exception(value: object) -> None:
    with TemporaryDirectory() as folder:
        loaded = State.load(written(Path(folder) / "a.json", json.dumps(value)))
        assert isinstance(loaded.state, State)


@given(JSON)
def test_any_field_loads_without_an_exception_and_can_be_kept(value: object) -> None:
    fields = dict.fromkeys(("view", "rank", "step", "window", "bookmarks", "history", "new"), value)
    with TemporaryDirectory() as folder:
        file = written(Path(folder) / "a.json", json.dumps({"version": VERSION, **fields}))
        loaded = State.load(file)
        assert loaded.said is None
        assert loaded.state.save(file) is None
        assert State.load(file) == loaded


@given(st.binary())
def test_any_bytes_load_without_an_exception(content: bytes) -> None:
    with TemporaryDirectory() as folder:
        assert State.load(written(Path(folder) / "a.json", content)).state == State()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is damaged"),
        (b"\xff\xfe", "is damaged"),
        (b"[1]", "is damaged"),
        (b"{}", "is damaged"),
        (b'{"version": true}', "is damaged"),
        (b"[" * 100_000, "is damaged"),
        (b'{"version": ' + b"9" * 5_000 + b"}", "is damaged"),
        (b'{"version": 2, "view": "top"}', "written by a newer npuview"),
        (b" " * (1 << 20) + b"{}", "larger than 1,048,576 bytes"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_the_reason(
    file: Path, content: bytes, reason: str
) -> None:
    loaded = State.load(written(file, content))
    assert loaded.state == State()
    assert loaded.said is not None
    assert loaded.said.startswith(f"{file}: ")
    assert reason in loaded.said


def test_a_pipe_is_not_waited_for(file: Path) -> None:
    file.parent.mkdir(parents=True)
    os.mkfifo(file)
    said = State.load(file).said
    assert said is not None
    assert "is no file" in said


def test_a_link_is_not_followed(file: Path, tmp_path: Path) -> None:
    other = written(tmp_path / "other.json", '{"version": 1, "view": "top"}')
    file.parent.mkdir(parents=True)
    file.symlink_to(other)
    assert State.load(file).state == State()


def test_a_file_of_another_user_is_left_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    State(view="top").save(file)
    stranger = os.geteuid() + 1
    monkeypatch.setattr(own_file.os, "geteuid", lambda: stranger)
    said = State.load(file).said
    assert said is not None
    assert "belongs to another user" in said


def test_what_is_kept_is_for_its_owner_only(file: Path) -> None:
    assert State(view="top").save(file) is None
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert file.parent.parent.stat().st_mode & 0o777 == 0o700
    assert list(file.parent.iterdir()) == [file]


def test_a_failed_save_is_said_and_leaves_the_old_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    State(view="top").save(file)

    def refuse(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(own_file.os, "fsync", refuse)
    said = State(view="gaps").save(file)
    assert said == f"{file}: where you were cannot be kept: No space left on device"
    assert State.load(file).state == State(view="top")
    assert list(file.parent.iterdir()) == [file]


def test_a_place_that_is_no_directory_is_said(tmp_path: Path) -> None:
    (tmp_path / "profiles").write_text("")
    said = State().save(tmp_path / "profiles" / "a.json")
    assert said is not None
    assert "cannot be kept" in said


def test_the_file_of_a_newer_npuview_stays_as_it_is(file: Path) -> None:
    newer = '{"version": 2, "view": "top"}'
    said = State(view="gaps").save(written(file, newer))
    assert said is not None
    assert "newer npuview" in said
    assert file.read_text() == newer


def test_a_damaged_file_is_replaced(file: Path) -> None:
    assert State(view="gaps").save(written(file, "{")) is None
    assert State.load(file).state.view == "gaps"


def test_only_the_newest_statements_are_kept(file: Path) -> None:
    statements = tuple(f"SELECT {number}" for number in range(MOST_STATEMENTS + 5))
    assert State(history=statements).save(file) is None
    assert State.load(file).state.history == statements[5:]


def test_long_statements_never_make_the_file_too_large_to_be_read(file: Path) -> None:
    statements = tuple(f"SELECT '{number}{'é' * 50_000}'" for number in range(30))
    assert State(history=statements).save(file) is None
    kept = State.load(file)
    assert kept.said is None
    assert kept.state.history == statements[-len(kept.state.history) :]


def test_notes_that_are_too_long_are_said_and_not_cut(file: Path) -> None:
    said = State(bookmarks=(Bookmark("a", "top", note="x" * (1 << 20)),)).save(file)
    assert said is not None
    assert "shorten the notes" in said
    assert not file.exists()


def test_the_state_of_a_profile_goes_by_the_name_of_its_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    found = state_path(Path("/cache/npuview/rank0_ascend_pt-0123456789abcdef"))
    assert found == tmp_path / "npuview" / "profiles" / "rank0_ascend_pt-0123456789abcdef.json"
