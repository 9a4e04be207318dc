"""What a peer is called."""

from ..words.spoken import say


def peer_name(rank: int | None, number: int | None) -> str:
    """Return ``rank 5``, or ``peer 5`` where only the number is known that its group has for it."""
    return say("peer", number=number) if rank is None else f"rank {rank}"
