"""Writes the communication files of a made-up run by the vendor's rules.

Wait and transit of a collective are those of plane 1 alone, as msprof's
communication parser takes them; sizes are in megabytes of 10^6 bytes.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

from .overlap import step_at, step_ranges
from .record import GROUP, NO_ID, Collective, PlaneTask, Run

Node = dict[str, object]

MASTER_PLANE = 1
NS_PER_MS = 1_000_000
BYTES_PER_MB = 1_000_000
LARGE_PACKET_BYTES = 32 * BYTES_PER_MB


def communication(run: Run) -> str:
    """Return communication.json: time and bandwidth of every collective, by step."""

    def describe(collectives: Sequence[Collective]) -> Node:
        entries: Node = {
            f"{whole.name}@{GROUP}": {
                "Communication Time Info": {
                    "Start Timestamp(us)": round(whole.ts / 1000, 1),
                    **_times([whole]),
                },
                "Communication Bandwidth Info": _bandwidths(whole.tasks),
            }
            for whole in collectives
        }
        tasks = [task for whole in collectives for task in whole.tasks]
        entries["Total Op Info"] = {
            "Communication Time Info": _times(collectives),
            "Communication Bandwidth Info": _bandwidths(tasks),
        }
        return entries

    return _by_step(run, describe)


def communication_matrix(run: Run) -> str:
    """Return communication_matrix.json: what went over each link, best and worst collectives."""

    def describe(collectives: Sequence[Collective]) -> Node:
        # The vendor ranks by bandwidth; here the collectives of a step differ by size alone.
        ranked = sorted(collectives, key=lambda whole: -whole.size)
        worst = ranked[::-1]
        chosen = {
            "top1": ranked[:1],
            "middle": ranked[len(ranked) // 2 :][:1],
            **{f"bottom{place + 1}": [whole] for place, whole in enumerate(worst[:3])},
            "total": ranked,
        }
        return {
            f"allreduce-{title}@{GROUP}": _links(run, some, named=title != "total")
            for title, some in chosen.items()
        }

    return _by_step(run, describe)


def _by_step(run: Run, describe: Callable[[Sequence[Collective]], Node]) -> str:
    """Describe the collectives of every step."""
    ranges = step_ranges(run)
    steps: defaultdict[int, list[Collective]] = defaultdict(list)
    for whole in run.collectives:
        step = step_at(ranges, whole.ts)
        if step is not None:
            steps[step.number].append(whole)
    return json.dumps(
        {f"step{number}": {"p2p": {}, "collective": describe(steps[number])} for number in steps}
    )


def _times(collectives: Sequence[Collective]) -> Node:
    """Return the time part: lengths in ms, and their ratios to four decimals."""
    elapsed = transit = wait = synchronization = 0
    for whole in collectives:
        plane = sorted(
            (task for task in whole.tasks if task.plane == MASTER_PLANE), key=lambda task: task.ts
        )
        moves = [task for task in plane if task.link == "HCCS"]
        waits = [task for task in plane if task.kind == "Notify_Wait"]
        elapsed += whole.dur
        transit += sum(task.dur for task in moves)
        wait += sum(task.dur for task in waits)
        synchronization += sum(task.dur for task in waits if task.ts < moves[0].ts)
    return {
        "Elapse Time(ms)": elapsed / NS_PER_MS,
        "Transit Time(ms)": transit / NS_PER_MS,
        "Wait Time(ms)": wait / NS_PER_MS,
        "Synchronization Time(ms)": synchronization / NS_PER_MS,
        "Idle Time(ms)": (elapsed - transit - wait) / NS_PER_MS,
        "Wait Time Ratio": round(wait / (wait + transit), 4),
        "Synchronization Time Ratio": round(synchronization / (synchronization + transit), 4),
    }


def _bandwidths(tasks: Sequence[PlaneTask]) -> Node:
    """Return the bandwidth part; all that leaves the chip goes over HCCS, and SDMA is the sum."""
    moves = [task for task in tasks if task.link == "HCCS"]
    size, dur = sum(task.size for task in moves), sum(task.dur for task in moves)
    counts = Counter(task.size for task in moves)
    packets = {
        f"{packet / BYTES_PER_MB}": [
            count,
            sum(task.dur for task in moves if task.size == packet) / NS_PER_MS,
        ]
        for packet, count in counts.items()
    }
    large = sum(count for packet, count in counts.items() if packet > LARGE_PACKET_BYTES)
    used = {
        "Transit Size(MB)": size / BYTES_PER_MB,
        "Transit Time(ms)": dur / NS_PER_MS,
        "Bandwidth(GB/s)": round(size / dur, 4),
        "Large Packet Ratio": round(large / len(moves), 4),
    }
    unused = dict.fromkeys(used, 0)
    return {
        "RDMA": {**unused, "Size Distribution": {}},
        "HCCS": {**used, "Size Distribution": packets},
        "PCIE": {**unused, "Size Distribution": {}},
        "SDMA": {**used, "Large Packet Ratio": 0, "Size Distribution": {}},
        "SIO": {**unused, "Size Distribution": {}},
    }


def _links(run: Run, collectives: Sequence[Collective], *, named: bool) -> Node:
    """Return what went from this rank to every rank, itself included."""
    links: Node = {}
    for peer in range(run.ranks):
        tasks = [
            task
            for whole in collectives
            for task in whole.tasks
            if task.size and (task.peer == peer or (peer == run.rank and task.peer == NO_ID))
        ]
        size, dur = sum(task.size for task in tasks), sum(task.dur for task in tasks)
        link: Node = {
            "Transport Type": "LOCAL" if peer == run.rank else "HCCS",
            "Transit Size(MB)": size / BYTES_PER_MB,
            "Transit Time(ms)": dur / NS_PER_MS,
            "Bandwidth(GB/s)": round(size / dur, 4),
        }
        if named:
            link["Op Name"] = collectives[0].name
        links[f"{run.rank}-{peer}"] = link
    return links
