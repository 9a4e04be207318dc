"""From a profile to its store."""

from pathlib import Path

from ...ingest.budget import default_budget
from ...ingest.cache import cache_root
from ...ingest.errors import UsageError
from ...ingest.pipeline import Keeping, Opened, open_store
from ...ingest.store import is_store
from ..draw.safe_text import encodable
from ..text.progress import Progress
from .options import Source
from .part import WHOLE, Part


def open_source(
    source: Source,
    *,
    force: bool = False,
    lasting: bool = False,
    doubt: bool = False,
    part: Part = WHOLE,
) -> Opened:
    """Return the store of a source, built if need be; say on standard error how it goes.

    ``lasting`` is for who makes a store to have it: what is done stays on the screen, and
    no place that passes with the process will do. ``doubt`` compares every byte of a store
    with what was written first; ``part`` says what is read. Raises UsageError for a place
    of stores that DuckDB cannot name.
    """
    place = source.path if is_store(source.path) else cache_root(source.cache_dir)
    if str(place) != encodable(str(place)):
        raise UsageError(
            f"{place}: is not UTF-8, so no store can be read there; choose another place for"
            " stores with --cache-dir"
        )
    with Progress(keep=lasting, detailed=part.verbose) as progress:
        return open_store(
            source.path,
            cache_dir=source.cache_dir,
            force=force,
            progress=progress,
            keeping=Keeping(progress.say, _budget, lasting, doubt),
            selection=part.selection,
            jobs=part.jobs,
        )


def _budget(root: Path) -> int | None:
    """Return how many bytes the stores in a directory may take, as the settings say."""
    # Only who has just built a store needs the settings for it.
    from ..user.config import load_config  # noqa: PLC0415 - see above

    budget = load_config().cache_budget
    return default_budget(root) if budget == "auto" else budget
