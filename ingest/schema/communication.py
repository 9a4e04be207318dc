"""What ranks do together: collectives, who came late, groups and links."""

from ..table import described

COLLECTIVE = described(
    "collective",
    "A collective operation.",
    """
    collective_id | BIGINT | identifies the collective
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    slice_id | BIGINT | its slice
    step | INTEGER | step
    name | VARCHAR | name
    group | VARCHAR | communication group
    communicator | VARCHAR | the same group on every rank: one that is only numbered, with its tail
    nth | BIGINT | which of the collectives of this name in the step
    match_key | BIGINT | the same for the same collective on every rank that takes part
    bytes | BIGINT | message size (count times the width of the data type), NULL if not given
    ts | BIGINT | start, ns
    dur | BIGINT | length, ns
    transfer_ns | BIGINT | time in which at least one plane moves data, NULL without plane tasks
    wait_ns | BIGINT | time in which planes only wait for peers, NULL without plane tasks
    exposed_ns | BIGINT | part of it under which the device computes nothing
    exposed_transfer_ns | BIGINT | part of that in which data move, NULL without plane tasks
    exposed_wait_ns | BIGINT | part of that in which the device waits, NULL without plane tasks
    last_peer | INTEGER | rank that came last, NULL if unknown
    last_number | INTEGER | the same peer as its group numbers it, NULL if unknown
    """,
    order=("ts",),
)

PEER_ARRIVAL = described(
    "peer_arrival",
    "How long a collective's first wait for a peer took.",
    """
    collective_id | BIGINT | its collective
    rank | INTEGER | rank
    number | INTEGER | the peer as its group numbers it
    peer | INTEGER | its rank in the job, NULL where nothing says which rank a number is
    wait_ns | BIGINT | length of the first Notify_Wait for it
    slice_id | BIGINT | that Notify_Wait
    inferred | BOOLEAN | whether peer is a conclusion: see group_member
    source | VARCHAR | notify_wait
    """,
    order=("collective_id", "number"),
)

GROUP_MEMBER = described(
    "group_member",
    "A rank of a communication group. Groups without a list have only the numbers seen in waits.",
    """
    rank | INTEGER | the rank whose profile says so
    group | VARCHAR | the group as collective names it
    number | INTEGER | the member as the group numbers it
    peer | INTEGER | its rank in the job, NULL where nothing says which rank a number is
    inferred | BOOLEAN | whether peer is a conclusion: this rank's own number is its rank
    """,
    order=("group", "number"),
)

LINK = described(
    "link",
    "Data that plane tasks of one size, in powers of two, moved to or from a peer in a step.",
    """
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    step | INTEGER | step of the collective
    group | VARCHAR | communication group
    operation | VARCHAR | what the collective does, its name without group and number
    task | VARCHAR | name of the plane tasks
    number | INTEGER | the peer as its group numbers it, NULL for this rank itself
    peer | INTEGER | its rank in the job, NULL where nothing says which rank a number is
    transport | VARCHAR | transport type (SDMA, RDMA, ...) as the file writes it
    link | VARCHAR | link type (HCCS, ROCE, ON_CHIP, ...) as the file writes it
    from_bytes | BIGINT | size of each: from here to less than twice that, NULL if not given
    count | BIGINT | tasks
    bytes | BIGINT | bytes in all, NULL if not given
    total | BIGINT | sum of their lengths, ns; tasks to several peers run at once
    min_bytes_per_s | DOUBLE | least bytes per second of a task
    max_bytes_per_s | DOUBLE | most bytes per second of a task
    """,
    order=("step", "device_id", "group", "operation", "task", "number", "from_bytes"),
)
