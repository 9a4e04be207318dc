"""From a profile to its store."""

from ...ingest.errors import UsageError
from ...ingest.pipeline import Opened, open_store
from ...ingest.store import cache_root, is_store
from ..draw.safe_text import encodable
from ..text.progress import Progress
from .options import Source


def open_source(source: Source, *, force: bool = False, keep_progress: bool = False) -> Opened:
    """Return the store of a source, built if need be; say on standard error how it goes.

    Raises UsageError for a place of stores that DuckDB cannot name.
    """
    place = source.path if is_store(source.path) else cache_root(source.cache_dir)
    if str(place) != encodable(str(place)):
        raise UsageError(
            f"{place}: is not UTF-8, so no store can be read there; choose another place for"
            " stores with --cache-dir"
        )
    with Progress(keep=keep_progress) as progress:
        return open_store(source.path, cache_dir=source.cache_dir, force=force, progress=progress)
