"""Two runs are named by what tells them apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.tui.compare.names_apart import names_apart

FOLDERS = st.lists(st.sampled_from(["a", "b", "c", "..", ""]), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("/data/before/x_ascend_pt", "/data/after/x_ascend_pt", ("before", "after")),
        ("./before", "./after/", ("before", "after")),
        ("/data/x/1/prof", "/data/y/2/prof", ("x/1", "y/2")),
        ("/data", "/data/part", ("data", "data/part")),
        ("good", "/data/after/x_ascend_pt", ("good", "/data/after/x_ascend_pt")),
        ("before/x", "/data/before/x", ("before", "/data/before")),
        ("/data/x", "/data/x", ("/data/x", "/data/x")),
        ("good", "better", ("good", "better")),
    ],
)
def test_folders_that_both_have_are_left_out(one: str, other: str, said: tuple[str, str]) -> None:
    assert names_apart(one, other) == said


@given(FOLDERS, FOLDERS)
def test_runs_of_different_names_stay_apart(one: list[str], other: list[str]) -> None:
    paths = "/".join(one).rstrip("/"), "/".join(other).rstrip("/")
    names = names_apart(*paths)
    assert all(name in path for name, path in zip(names, paths, strict=True))
    assert (names[0] == names[1]) == (paths[0] == paths[1])
