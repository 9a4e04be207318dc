"""Names of operators, shortened where there is no room for them."""

from ..words.spoken import say
from .safe_text import cell_len, cut_middle

PREFIX = "aclnn"


def fitted(name: str, width: int) -> str:
    """Return a clean name in ``width`` cells.

    CANN names a kernel ``aclnnAdd_AddAiCore_Add``: where that is too long, the common
    prefix goes first, then the parts that only repeat the first one, then the middle.
    The end stays: it tells ``hcom_allReduce__586_0_1`` from ``…_3_1``.
    """
    # A blank would look like a row without an answer.
    name = name or say("nameless")
    short = name.removeprefix(PREFIX)
    if cell_len(name) <= width or short == name or not short:
        return cut_middle(name, width)
    first, *others = short.split("_")
    if cell_len(short) > width and first:
        short = "_".join((first, *(other for other in others if first not in other)))
    return cut_middle(short, width)
