"""The names of two runs by what tells them apart, where paths have much in common."""


def names_apart(one: str, other: str) -> tuple[str, str]:
    """Return two names without the folders that both begin with, and those that both end with.

    Profiles of one script are called the same in different folders, and a path is cut where
    there is little room. At least a folder of each stays; the same name stays as it is.
    """
    first, second = _folders(one), _folders(other)
    if first == second:
        return one, other
    before = _shared(first, second)
    first, second = first[before:], second[before:]
    after = _shared(first[::-1], second[::-1])
    return "/".join(first[: len(first) - after]), "/".join(second[: len(second) - after])


def _folders(name: str) -> list[str]:
    """Return the parts of a path; an empty one in front makes it begin at the root."""
    return name.rstrip("/").split("/")


def _shared(one: list[str], other: list[str]) -> int:
    """Return how many parts both begin with; one of each is left."""
    most = min(len(one), len(other)) - 1
    return next((at for at in range(most) if one[at] != other[at]), most)
