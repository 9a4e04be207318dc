import os
from pathlib import Path

import pytest
from build import msprof_profile, torch_profile
from discovered import notices, with_kernel

from npuview.ingest.discover import find_profiles
from npuview.ingest.errors import UnsupportedProfile


def test_ranks_are_listed_in_numeric_order(tmp_path: Path) -> None:
    for rank in (10, 2, 0):
        with_kernel(torch_profile(tmp_path, rank=rank)).write()
    assert [one.rank for one in find_profiles(tmp_path)] == [0, 2, 10]


def test_ranks_of_any_size_are_listed_without_being_read(tmp_path: Path) -> None:
    for rank in (0, 1):
        folder = with_kernel(torch_profile(tmp_path, rank=rank)).write()
        # So much that to read it would take hours.
        os.truncate(folder / "ASCEND_PROFILER_OUTPUT" / "trace_view.json", 1 << 40)
    assert [one.rank for one in find_profiles(tmp_path)] == [0, 1]


def test_without_ranks_profiles_are_numbered_by_host_and_device(tmp_path: Path) -> None:
    made: list[Path] = []
    for host, device in (("b", 0), ("a", 10), ("a", 9)):
        builder = msprof_profile(tmp_path / f"{host}{device}", device=device)
        info = {"hostUid": host, "hostname": "localhost", "rank_id": -1}
        builder.json(f"device_{device}/info.json.{device}", info)
        made.append(with_kernel(builder).write())
    found = find_profiles(tmp_path)
    assert [one.path for one in found] == [made[2], made[1], made[0]]
    assert [(one.rank, one.rank_known) for one in found] == [(0, False), (1, False), (2, False)]


def test_a_profile_without_rank_takes_a_free_number(tmp_path: Path) -> None:
    for rank in (0, 2):
        with_kernel(torch_profile(tmp_path, rank=rank)).write()
    with_kernel(torch_profile(tmp_path, rank=None, pid=9999)).write()
    found = [(one.rank, one.rank_known) for one in find_profiles(tmp_path)]
    assert found == [(0, True), (1, False), (2, True)]


def test_of_two_profiles_of_a_rank_the_newest_is_read(tmp_path: Path) -> None:
    old = with_kernel(torch_profile(tmp_path, stamp="20260101101010123")).write()
    new = with_kernel(torch_profile(tmp_path, stamp="20260101101010124")).write()
    (profile,) = find_profiles(tmp_path)
    assert profile.path == new
    assert set(notices(profile, "older_profile_of_rank")) == {old.name}


@pytest.mark.parametrize("stamped", [(), ("a",), ("a", "b")])
def test_profiles_of_a_rank_that_cannot_be_told_apart_are_refused(
    tmp_path: Path, stamped: tuple[str, ...]
) -> None:
    for place in ("a", "b"):
        path = with_kernel(torch_profile(tmp_path / place)).write()
        if place not in stamped:
            path.rename(path.with_name("rank0_ascend_pt"))
    with pytest.raises(UnsupportedProfile) as refused:
        find_profiles(tmp_path)
    assert "rank 0" in str(refused.value)
    assert str(refused.value).count("_ascend_pt") == 2


def test_profiles_without_rank_on_one_device_are_kept_and_pointed_out(tmp_path: Path) -> None:
    for stamp in ("20260101101010", "20260102101010"):
        with_kernel(msprof_profile(tmp_path, stamp=stamp)).write()
    first, second = find_profiles(tmp_path)
    assert (first.rank, second.rank) == (0, 1)
    assert set(notices(first, "same_device")) == {second.name}
    assert set(notices(second, "same_device")) == {first.name}
