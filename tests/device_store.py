"""A small store of a device that computes, waits, copies and takes part in a collective."""

from pathlib import Path

from store_build import StoreBuilder

TRACKS = [
    # id, kind, device, stream
    (1, "stream", 0, 2),
    (2, "stream", 0, 4),
    (3, "plane", 0, None),
    (4, "group", 0, None),
    (5, "cann", None, None),
    (6, "python", None, None),
]


def device_store(tmp_path: Path, *, planes: bool) -> StoreBuilder:
    """A stream that computes, waits and copies; one that carries out a collective.

    With planes, they show the tasks of the collective once more.
    """
    builder = StoreBuilder(tmp_path).rank(0)
    builder.add("step", step=1, kind="train", source="x", inferred=False, ts=0, dur=1000)
    for track, kind, device, stream in TRACKS:
        if planes or kind != "plane":
            builder.add(
                "track",
                track_id=track,
                kind=kind,
                device_id=device,
                stream_id=stream,
                sort_order=track,
            )
    tasks: list[tuple[int, int, int, int, str, str, str | None, int | None]] = [
        # id, track, ts, dur, name, class, task type, stream
        (10, 1, 0, 50, "MatMul", "compute", "AI_CORE", 2),
        (11, 1, 50, 20, "EVENT_WAIT", "wait", "EVENT_WAIT_SQE", 2),
        (12, 1, 100, 30, "EVENT_WAIT", "wait", "EVENT_WAIT_SQE", 2),
        (13, 1, 200, 7, "MEMCPY_ASYNC", "copy", "SDMA_SQE", 2),
        (14, 1, 210, 9, "MEMCPY_ASYNC", "copy", "PCIE_DMA_SQE", 2),
        (15, 1, 230, 8, "MEMCPY_ASYNC", "copy", "SDMA_SQE", 2),
        (20, 2, 300, 80, "Notify Wait", "wait", "Notify Wait", 4),
        (21, 2, 380, 15, "SDMA", "copy", "SDMA", 4),
        (22, 2, 280, 5, "EVENT_WAIT", "wait", "EVENT_WAIT_SQE", 4),
        # Begins with the wait for a rank, but is none.
        (23, 2, 300, 4, "EVENT_WAIT", "wait", "EVENT_WAIT_SQE", 4),
    ]
    if planes:
        tasks += [
            (30, 3, 300, 80, "Notify_Wait", "wait", None, 4),
            (31, 3, 380, 15, "Memcpy", "communication", None, 4),
        ]
    tasks.append((40, 4, 300, 100, "hcom_allReduce_", "communication", None, None))
    for slice_, track, ts, dur, name, class_, task_type, stream in tasks:
        builder.add(
            "slice",
            slice_id=slice_,
            track_id=track,
            ts=ts,
            dur=dur,
            name=name,
            class_=class_,
            task_type=task_type,
            stream_id=stream,
            step=1,
        )
    for slice_ in (11, 12, 22, 23) if planes else (11, 12, 20, 22, 23):
        kind = "notify" if slice_ == 20 else "event"
        builder.add("event_wait", slice_id=slice_, device_id=0, kind=kind)
    for slice_ in (13, 14, 15):
        builder.add("copy", slice_id=slice_, device_id=0, exposed_ns=5)
    builder.add(
        "collective",
        collective_id=1,
        device_id=0,
        slice_id=40,
        step=1,
        name="hcom_allReduce_",
        group="g",
        bytes=3000 if planes else None,
        ts=300,
        dur=100,
        transfer_ns=15 if planes else None,
        wait_ns=80 if planes else None,
        last_peer=5 if planes else None,
        last_number=5 if planes else None,
    )
    if planes:
        for peer, wait in ((1, 20), (5, 80), (6, 20)):
            builder.add(
                "peer_arrival",
                collective_id=1,
                number=peer,
                peer=peer,
                wait_ns=wait,
                inferred=False,
                source="notify_wait",
            )
    return builder
