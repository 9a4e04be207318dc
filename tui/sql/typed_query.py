"""SQL that a person typed as a question, with what its header says of its parameters."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...queries.query import Query
    from ...queries.session import Session


def typed_query(session: "Session", text: str) -> "Query":
    """Make a question of a text that may begin with a header; raises as ``Session.prepare`` does.

    Parameters that the header declares have its types and defaults.
    """
    from ...queries.errors import PresetError  # noqa: PLC0415 DuckDB takes long to import
    from ...queries.header import read_header  # noqa: PLC0415

    query = session.prepare(text)
    try:
        header = read_header(text, query.name)
    except PresetError:
        # A comment that only looks like a header is none.
        return query
    declared = {parameter.name: parameter for parameter in header.params}
    params = tuple(declared.get(one.name, one) for one in query.params)
    return replace(query, title=header.title, params=params)


def without_value(query: "Query", given: Mapping[str, str]) -> bool:
    """Tell whether a question takes parameters of which one was neither given nor has a default."""
    return any(one.required and one.name not in given for one in query.params)
