"""What else runs in the process, kept out of the way of keys."""

import gc
import sys

SWITCH_SECONDS = 0.001
"""How long a thread that asks may go on while a key waits; Python's own is five times that."""


def keep_out_of_the_way() -> None:
    """Let neither the collector nor the threads that ask keep a key waiting."""
    sys.setswitchinterval(SWITCH_SECONDS)
    # What the start has made is there to stay: it is not looked through again and again.
    gc.collect()
    gc.freeze()
