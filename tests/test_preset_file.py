"""A statement that is kept: its name, its header, and what is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.ingest.errors import NpuviewError, UsageError
from npuview.queries.catalog import load_catalog
from npuview.queries.errors import PresetError
from npuview.queries.query import Parameter, Query
from npuview.tui.sql.preset_file import preset_name, preset_text, save_preset


def typed(sql: str, *names: str) -> Query:
    params = tuple(Parameter(name, None, required=True) for name in names)
    return Query("sql", sql, params=params, origin="typed")


@given(st.text())
def test_a_name_is_words_with_underscores_or_refused(title: str) -> None:
    try:
        name = preset_name(title)
    except UsageError:
        return
    assert name
    assert name.replace("_", "a").isalnum()
    assert preset_name(name) == name


def test_parameters_have_the_types_that_their_names_mean_in_the_store() -> None:
    text = preset_text("T", typed("SELECT 1", "step", "from_ts", "min_dur", "slice_id", "word"))
    assert [line for line in text.splitlines() if "param" in line] == [
        "-- param:   step INTEGER",
        "-- param:   from_ts BIGINT",
        "-- param:   min_dur BIGINT",
        "-- param:   slice_id BIGINT",
        "-- param:   word VARCHAR",
    ]


def test_what_is_saved_is_a_question_of_the_catalogue(tmp_path: Path) -> None:
    folder = tmp_path / "not" / "there"
    file = save_preset(
        "Slices of a step", typed("SELECT $step AS step", "step"), folder, replace=False
    )
    catalog = load_catalog(user=folder)
    assert catalog.problems == ()
    query = catalog[file.stem]
    assert (query.title, query.origin) == ("Slices of a step", "user")
    assert [path.name for path in folder.iterdir()] == ["slices_of_a_step.sql"]


def test_a_title_cannot_add_lines_to_the_header(tmp_path: Path) -> None:
    save_preset("a\n-- needs: x", typed("SELECT 1"), tmp_path, replace=False)
    catalog = load_catalog(user=tmp_path)
    assert catalog.problems == ()


@pytest.mark.parametrize("title", ["gaps", "Gaps", "!!!"])
def test_a_name_that_npuview_ships_or_that_is_none_is_refused(title: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        save_preset(title, typed("SELECT 1"), tmp_path, replace=True)
    assert list(tmp_path.iterdir()) == []


def test_a_question_is_replaced_only_when_that_is_meant(tmp_path: Path) -> None:
    file = save_preset("mine", typed("SELECT 1"), tmp_path, replace=False)
    with pytest.raises(UsageError, match="mine already"):
        save_preset("mine", typed("SELECT 2"), tmp_path, replace=False)
    assert "SELECT 1" in file.read_text()
    save_preset("mine", typed("SELECT 2"), tmp_path, replace=True)
    assert "SELECT 2" in file.read_text()


def test_a_statement_that_is_no_question_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PresetError):
        save_preset("plan", typed("EXPLAIN SELECT 1"), tmp_path, replace=False)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NpuviewError, match="cannot be written"):
        save_preset("mine", typed("SELECT 1"), tmp_path / "file", replace=False)
