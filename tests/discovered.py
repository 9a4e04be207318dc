"""What a test asks of a discovered profile, in few words."""

import os
from pathlib import Path

import pytest
from build import ProfileBuilder

from npuview.ingest.discover import find_profiles
from npuview.ingest.errors import UnsupportedProfile
from npuview.ingest.profile import Profile


def the_profile(path: Path) -> Profile:
    (profile,) = find_profiles(path)
    return profile


def with_kernel(profile: ProfileBuilder) -> ProfileBuilder:
    profile.trace.kernel("Add", ts=0, dur=500)
    return profile


def notices(profile: Profile, name: str) -> dict[str, str | None]:
    return {one.file: one.sample for one in profile.notices if one.name == name}


def names(profile: Profile) -> dict[str, list[str]]:
    return {table.name: [path.name for path in table.paths] for table in profile.tables}


def refusal(path: Path) -> str:
    with pytest.raises(UnsupportedProfile) as refused:
        find_profiles(path)
    assert refused.value.exit_code == 2
    return str(refused.value)


def refuse_to_open(monkeypatch: pytest.MonkeyPatch, closed: Path) -> None:
    """Close a file or folder as no mode does to root, who reads everything."""
    opening, listing = os.open, os.scandir

    def refuse(path: str | Path) -> None:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(path))

    def refusing_open(path: str | Path, flags: int, mode: int = 0o777) -> int:
        refuse(path)
        return opening(path, flags, mode)

    def refusing_scandir(path: str | Path) -> object:
        refuse(path)
        return listing(path)

    monkeypatch.setattr(os, "open", refusing_open)
    monkeypatch.setattr(os, "scandir", refusing_scandir)
