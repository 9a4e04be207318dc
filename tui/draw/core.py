"""What a core is drawn as: its class by colour, and by a letter that says it without."""

from typing import NamedTuple

from ...ingest.vocabulary import AI_CPU_TASKS, COMMUNICATION, CUBE_CORES, VECTOR_CORES
from .role import Role


class CoreLook(NamedTuple):
    """The role and letter of what ran a kernel."""

    role: Role
    letter: str


COLLECTIVE = "N"
"""Letter of what communicates: its time is not kernel time."""

_CUBE = CoreLook(Role.CUBE, "C")
_VECTOR = CoreLook(Role.VECTOR, "V")
_COMMUNICATION = CoreLook(Role.COMMUNICATION, COLLECTIVE)
_AI_CPU = CoreLook(Role.HOST, "p")
_OTHER = CoreLook(Role.PLAIN, " ")

_LOOKS = {
    **dict.fromkeys(CUBE_CORES, _CUBE),
    **dict.fromkeys(VECTOR_CORES, _VECTOR),
    **dict.fromkeys(AI_CPU_TASKS, _AI_CPU),
    **dict.fromkeys(COMMUNICATION.split(), _COMMUNICATION),
}


def look_of_core(core: str | None) -> CoreLook:
    """Return how a kernel that ran on a core is drawn; what is not known is plain."""
    matched = (core or "").strip().upper().replace(" ", "_").removesuffix("_SQE")
    return _LOOKS.get(matched, _OTHER)
