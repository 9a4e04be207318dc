"""Everything npuview refuses to do, as exceptions with an exit code.

One tree for all layers, at the bottom of it, so that the command line turns an
error into a message and an exit status in exactly one place. A message says
what happened, where, and what to try.
"""


class NpuviewError(Exception):
    """What npuview cannot do; ``exit_code`` is the process exit status."""

    exit_code = 1


class UsageError(NpuviewError):
    """The request itself is wrong: an unknown name, a bad value, no such path."""

    exit_code = 2


class IngestError(NpuviewError):
    """A profile cannot be turned into a store."""


class UnsupportedProfile(IngestError):
    """The path holds nothing that npuview reads, or something it cannot tell apart."""

    exit_code = 2


class StoreError(NpuviewError):
    """A store is damaged, unsafe to open, or cannot be written."""


class NoStore(StoreError):
    """There is no store at a place."""


class OtherVersion(StoreError):
    """A store that another version of npuview wrote."""


class NoRoom(StoreError):
    """A place for stores that is full."""


class ClosedPlace(StoreError):
    """A place for stores in which this user may not write."""


class UnsafeStore(StoreError):
    """A store, or the place for one, that somebody else could have written."""


class Interrupted(NpuviewError):
    """The user stopped the work; nothing half done stays behind."""

    exit_code = 130
