"""What the vendor's own files say of collectives and of the links that they use."""

from ..table import described

VENDOR_COLLECTIVE = described(
    "vendor_collective",
    "The vendor's own figures of a collective, from communication.json.",
    """
    rank | INTEGER | rank
    step | INTEGER | step that the file names, NULL if it names none
    kind | VARCHAR | collective or p2p, NULL if the file does not say
    name | VARCHAR | name
    group | VARCHAR | communication group as the file names it: the hash of its name
    ts | BIGINT | start as the file writes it, to 0.1 us, ns; NULL without
    elapse_ns | BIGINT | Elapse Time
    transit_ns | BIGINT | Transit Time: of one plane
    wait_ns | BIGINT | Wait Time: of the same plane
    synchronization_ns | BIGINT | Synchronization Time: of that the part before data moves
    idle_ns | BIGINT | Idle Time: the rest of Elapse Time
    wait_ratio | DOUBLE | Wait Time Ratio: Wait Time over Wait Time and Transit Time, 0..1
    bytes | BIGINT | what all planes sent to other ranks over SDMA and RDMA
    total | BIGINT | sum of the lengths of these transfers, ns
    collective_id | BIGINT | the same collective of the timeline, NULL if none is
    plane | INTEGER | the plane whose waits and moves sum up to these figures, NULL if none does
    """,
    order=("step", "ts", "name"),
)

VENDOR_LINK = described(
    "vendor_link",
    "What the vendor says went over a link, from communication_matrix.json.",
    """
    rank | INTEGER | rank
    step | INTEGER | step that the file names, NULL if it names none
    kind | VARCHAR | collective or p2p, NULL if the file does not say
    operation | VARCHAR | what the collectives do (allreduce), as the file names it
    choice | VARCHAR | total for all of them, else the one it is about: top1, middle, bottom1, ...
    group | VARCHAR | communication group as the file names it: the hash of its name
    src | INTEGER | the sender as the group numbers it
    dst | INTEGER | the receiver as the group numbers it
    transport | VARCHAR | HCCS, RDMA, PCIE, SIO, or LOCAL within a rank
    bytes | BIGINT | bytes
    total | BIGINT | sum of the lengths of the transfers, ns
    name | VARCHAR | the collective, NULL for all of them
    own_group | VARCHAR | the group as collective names it, NULL if none of it is on the timeline
    peer | INTEGER | rank of the receiver in the job, NULL where nothing says which it is
    """,
    order=("step", "operation", "choice", "src", "dst"),
)
