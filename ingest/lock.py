"""Locks between processes, on files: held until they are let go or their holder dies."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

_HOLDER_BYTES: Final = 256
_FLAGS: Final = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class FileLock:
    """A lock that this process holds; it ends with ``release``, or with the object.

    ``real`` is False where the file system has no locks: nobody is kept out then.
    """

    def __init__(self, handle: int, *, real: bool) -> None:
        self._handle: int | None = handle
        self.real = real

    def sign(self) -> None:
        """Write into the file of an exclusive lock who holds it."""
        if self._handle is not None:
            # A full disk is no reason to do without the lock.
            with suppress(OSError):
                os.ftruncate(self._handle, 0)
                os.pwrite(self._handle, f"PID {os.getpid()} on {os.uname().nodename}".encode(), 0)

    def touch(self) -> None:
        """Set the file's time of change to now, where that can be written."""
        if self._handle is not None:
            with suppress(OSError):
                os.utime(self._handle)

    def release(self) -> None:
        """Let others have the lock; more than once is fine."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def __del__(self) -> None:
        self.release()


def try_lock(path: Path) -> FileLock | None:
    """Take the exclusive lock of a file, which is made; None if somebody holds it.

    Raises OSError when the file can neither be made nor opened.
    """
    return _locked(path, os.O_CREAT | os.O_RDWR, fcntl.LOCK_EX | fcntl.LOCK_NB)


def shared_lock(path: Path) -> FileLock | None:
    """Take the shared lock of a file; None if there is no such file to open.

    Waits while somebody holds the exclusive one.
    """
    try:
        return _locked(path, os.O_RDONLY, fcntl.LOCK_SH)
    except OSError:
        return None


def holder(path: Path) -> str:
    """Return who holds the exclusive lock of a file, as they signed."""
    try:
        with path.open("rb") as file:
            signed = file.read(_HOLDER_BYTES).decode(errors="replace")
    except OSError:
        signed = ""
    return signed or "another npuview"


def _locked(path: Path, access: int, operation: int) -> FileLock | None:
    while True:
        handle = os.open(path, access | _FLAGS, 0o600)
        try:
            fcntl.flock(handle, operation)
        except BlockingIOError:
            os.close(handle)
            return None
        except OSError:
            # Some network file systems have no locks.
            return FileLock(handle, real=False)
        except BaseException:
            os.close(handle)
            raise
        if _is_still(path, handle):
            return FileLock(handle, real=True)
        # Who held it before has removed the file: a lock on it keeps nobody out.
        os.close(handle)


def _is_still(path: Path, handle: int) -> bool:
    try:
        found = path.lstat()
    except OSError:
        return False
    opened = os.fstat(handle)
    return (found.st_dev, found.st_ino) == (opened.st_dev, opened.st_ino)
