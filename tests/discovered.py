"""What a test asks of a discovered profile, in few words."""

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
