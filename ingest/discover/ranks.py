"""Which rank each profile is, when some do not say and some say the same."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..errors import UnsupportedProfile
from ..folder import natural_key, relative_name
from ..notice import Notice
from ..profile import Profile
from .layouts import Found


def settle_ranks(found: Iterable[Found], root: Path) -> list[Profile]:
    """Give every profile a rank of its own and return them in that order.

    Of several that claim one rank the newest by stamp stays, with a notice. Profiles
    without a rank take the free numbers from 0 in the order of (host, device). Raises
    UnsupportedProfile when no stamp tells which is the newest.
    """
    claims: defaultdict[int, list[Found]] = defaultdict(list)
    unknown: list[Found] = []
    for one in found:
        if one.rank is None:
            unknown.append(one)
        else:
            claims[one.rank].append(one)
    ranked = {rank: _newest(rank, several, root) for rank, several in claims.items()}
    unknown.sort(key=_place)
    rank = 0
    for one in _with_twins_named(unknown, root):
        while rank in ranked:
            rank += 1
        ranked[rank] = replace(one.profile, rank=rank, rank_known=False)
    return [ranked[rank] for rank in sorted(ranked)]


def _newest(rank: int, several: list[Found], root: Path) -> Profile:
    several.sort(key=lambda one: one.stamp)
    newest, older = several[-1], several[:-1]
    if older and (not older[0].stamp or older[-1].stamp == newest.stamp):
        places = "\n  ".join(relative_name(one.profile.path, root) for one in several)
        raise UnsupportedProfile(
            f"{root}: {len(several)} profiles say they are rank {rank}, and their folder names"
            f" do not tell which is the newest; open one of them alone:\n  {places}"
        )
    notices = tuple(
        Notice(
            relative_name(one.profile.path, root),
            "older_profile_of_rank",
            "info",
            sample=f"rank {rank}: left out, because {newest.profile.path.name} is newer",
        )
        for one in older
    )
    return replace(newest.profile, notices=newest.profile.notices + notices)


def _with_twins_named(unknown: list[Found], root: Path) -> list[Found]:
    """Say where profiles without a rank share a device: they may be runs, not ranks."""
    devices: defaultdict[tuple[str, int], list[Found]] = defaultdict(list)
    for one in unknown:
        if one.profile.device_id is not None:
            devices[one.host_key, one.profile.device_id].append(one)
    named: list[Found] = []
    for one in unknown:
        device = one.profile.device_id
        twins = devices[one.host_key, device] if device is not None else []
        notices = tuple(
            Notice(
                relative_name(twin.profile.path, root),
                "same_device",
                "info",
                sample=f"also device {device} of the same host, without a rank; if it is another"
                " run, open each alone",
            )
            for twin in twins
            if twin is not one
        )
        named.append(
            replace(one, profile=replace(one.profile, notices=one.profile.notices + notices))
        )
    return named


def _place(one: Found) -> tuple[object, ...]:
    device = one.profile.device_id
    return (one.host_key, device is None, device or 0, one.stamp, natural_key(one.profile.path))
