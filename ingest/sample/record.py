"""What a made-up run leaves behind: the records that the sample's files are written from.

All times are ns since the epoch. A host thread is named by its thread id, a device
stream by its number; a record lies where it says, exactly, in every file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from .model import Kernel

NO_ID = 4294967295
"""What the profilers write where there is no identifier of 32 bits."""

PROCESS = 3412077
MAIN_THREAD: int = PROCESS
QUEUE_THREAD: int = 3413466
AUTOGRAD_THREAD: int = 3419025

SYSTEM_STREAM = 0
COMPUTE_STREAM = 2
COMMUNICATION_STREAM = 4
SIDE_STREAM = 5
COPY_STREAM = 6

GROUP = "11400714819323198485"


class HostSlice(NamedTuple):
    """A slice of a Python thread: an operator, a frame, one side of the queue, or a collection."""

    tid: int
    ts: int
    dur: int
    name: str
    cat: str
    args: dict[str, object]


class Call(NamedTuple):
    """A call into CANN; ``name`` is level@function."""

    tid: int
    ts: int
    dur: int
    name: str
    mode: str
    id: str
    item: str
    connection_id: int


class Task(NamedTuple):
    """A task of a device stream; ``kernel`` is None for copies, events and twins of collectives."""

    stream: int
    ts: int
    dur: int
    name: str
    type: str
    task_id: int
    subtask_id: int
    connection_id: int
    kernel: Kernel | None = None
    size: int = 0
    direction: str = "host to device"
    model: int = NO_ID

    @property
    def end(self) -> int:
        """Instant of its end."""
        return self.ts + self.dur


class PlaneTask(NamedTuple):
    """A task of a collective on one of its planes; ``peer`` is the rank at the other end."""

    plane: int
    ts: int
    dur: int
    kind: str
    peer: int
    size: int
    context_id: int

    @property
    def end(self) -> int:
        """Instant of its end."""
        return self.ts + self.dur

    @property
    def link(self) -> Literal["HCCS", "ON_CHIP", "INVALID_TYPE"]:
        """What it moves data over."""
        if self.kind not in {"Reduce_Inline", "Memcpy"}:
            return "INVALID_TYPE"
        return "HCCS" if self.plane else "ON_CHIP"


class Collective(NamedTuple):
    """A collective of this rank, its plane tasks, and by how many ns each peer comes later."""

    ts: int
    dur: int
    name: str
    size: int
    task_id: int
    connection_id: int
    tasks: tuple[PlaneTask, ...]
    late: Mapping[int, int]

    @property
    def end(self) -> int:
        """Instant of its end."""
        return self.ts + self.dur


class Place(NamedTuple):
    """An instant on a lane: a thread of Python or CANN, a stream, or a group."""

    lane: Literal["Python", "CANN", "Ascend Hardware", "Communication"]
    tid: int
    ts: int


class Arrow(NamedTuple):
    """A flow between two places."""

    cat: Literal["HostToDevice", "async_npu", "async_task_queue", "fwdbwd"]
    id: int
    src: Place
    dst: Place


class Allocation(NamedTuple):
    """Device memory that an operator took; never released if ``release`` is None."""

    name: str
    size: int
    ts: int
    release: int | None


class StepMark(NamedTuple):
    """A step as the host sees it, and when its device work ended."""

    number: int
    ts: int
    dur: int
    device_end: int

    @property
    def end(self) -> int:
        """Instant of its end on the host."""
        return self.ts + self.dur


class Iteration(NamedTuple):
    """An iteration of a server: its kind and tokens, and when it was open and on the device.

    Where nothing marks it, it is open while its kernels run.
    """

    kind: str
    tokens: int
    ts: int
    end: int
    device_ts: int
    device_end: int


class Cause(NamedTuple):
    """Why a device is without work: what was done meanwhile, by whoever knows it."""

    cause: str
    ts: int
    end: int


class Chain(NamedTuple):
    """A wait on a stream, and what in the end it waits for, ``depth`` waits away."""

    wait: Task
    root: Task
    depth: int


class Varied(NamedTuple):
    """The kernels that a call into the operators' library launched instead of its usual ones."""

    api: str
    tasks: tuple[Task, ...]


class Trip(NamedTuple):
    """A copy off the device and the one that brings the same bytes back."""

    out: Task
    back: Task


class Extra(NamedTuple):
    """Kernels that a step runs besides the model's own, in order."""

    step: int
    tasks: tuple[Task, ...]


@dataclass(slots=True)
class Run:
    """Everything that happened to a rank between the start and the stop of the profiler."""

    rank: int = 0
    ranks: int = 8
    slices: list[HostSlice] = field(default_factory=list[HostSlice])
    calls: list[Call] = field(default_factory=list[Call])
    tasks: list[Task] = field(default_factory=list[Task])
    collectives: list[Collective] = field(default_factory=list[Collective])
    arrows: list[Arrow] = field(default_factory=list[Arrow])
    allocations: list[Allocation] = field(default_factory=list[Allocation])
    steps: list[StepMark] = field(default_factory=list[StepMark])
    iterations: list[Iteration] = field(default_factory=list[Iteration])
    pauses: list[int] = field(default_factory=list[int])
    """The gap on the device that each step was asked to leave, as it came out."""

    coverable: list[int] = field(default_factory=list[int])
    """For each collective, ns of kernels of its pass that need nothing of it and come after it."""

    causes: list[Cause] = field(default_factory=list[Cause])
    chains: list[Chain] = field(default_factory=list[Chain])
    trips: list[Trip] = field(default_factory=list[Trip])
    varied: list[Varied] = field(default_factory=list[Varied])
    extras: list[Extra] = field(default_factory=list[Extra])

    @property
    def kernels(self) -> list[Task]:
        """The tasks that are compute kernels, in order of time."""
        return sorted((task for task in self.tasks if task.kernel), key=lambda task: task.ts)
