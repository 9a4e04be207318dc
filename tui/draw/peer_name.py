"""What a peer is called."""


def peer_name(rank: int | None, number: int | None) -> str:
    """Return ``rank 5``, or ``peer 5`` where only the number is known that its group has for it."""
    return f"peer {number}" if rank is None else f"rank {rank}"
