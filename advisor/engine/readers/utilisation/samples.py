"""Samples of GPUs put together as they are read: memory follows the number of GPUs, not of samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from advisor.engine.gpu_use import NOT_FLEET, GpuUse, HostFrom, runs_of
from advisor.engine.readers.fleet_table import empty_fleet
from advisor.engine.readers.head import WATCHED_RECORDS, Head
from advisor.engine.readers.problems import Problems, shown
from advisor.engine.readers.reading import Ignored, Problem, Reading
from advisor.engine.readers.records import bounded_lines, open_text
from advisor.engine.readers.refusals import LIST_COMMAND, refuse
from advisor.engine.readers.utilisation.hosts import Host, host_of_file

GPUS_MAX = 10_000  # of one file
HOURS_MAX = 20_000  # of one GPU, more than two years
TEXT_MAX = 200  # of a name or uuid
MEMORY_MAX_MIB = 10 * 1024 * 1024  # DCGM writes a number near 2^63 where it knows none; no GPU has 10 TiB


class BadSample(ValueError):
    """A sample that cannot be used; `column` is where, the message what is allowed."""

    def __init__(self, column: str, value: str, message: str) -> None:
        super().__init__(message)
        self.column, self.value = column, value


@dataclass(slots=True, kw_only=True)
class Sample:
    """One sample of one GPU. Percent, MiB and watts; None: not said. `engine` is DCGM's graphics engine activity."""

    gpu: str
    host: Host | None = None  # None: the file's
    when: datetime | None = None
    busy: float | None = None
    engine: float | None = None
    used_mib: float | None = None
    total_mib: float | None = None
    power_w: float | None = None
    name: str | None = None
    uuid: str | None = None


@dataclass(slots=True)
class _Gpu:
    line: int | None
    busy: list[int] = field(default_factory=lambda: [0] * 101)
    engine: list[int] = field(default_factory=lambda: [0] * 101)
    used_samples: int = 0
    used: float | None = None
    total: float | None = None
    power: float = 0.0
    power_samples: int = 0
    first: datetime | None = None
    last: datetime | None = None
    hours: set[int] = field(default_factory=set)
    name: str | None = None
    uuid: str | None = None


class Samples:
    """The GPUs of one file in the making; `rows` and `errors` count its samples."""

    def __init__(self, head: Head) -> None:
        self.head = head
        self.host = host_of_file(head)
        self.gpus: dict[tuple[Host, str], _Gpu] = {}
        self.problems = Problems()
        self.rows = self.errors = 0

    def add(self, line: int | None, sample: Sample) -> None:
        """Count one sample; raises BadSample and counts nothing where a figure is outside of what there can be."""
        for column, value in (("busy", sample.busy), ("engine", sample.engine)):
            if value is not None and not -0.5 <= value <= 100.5:
                raise BadSample(column, f"{value:g}", "is no share of the time: 0 to 100 percent is")
        key = (sample.host or self.host, sample.gpu[:TEXT_MAX])
        gpu = self.gpus.get(key)
        if gpu is None:
            if len(self.gpus) >= GPUS_MAX:
                raise BadSample("gpu", shown(sample.gpu), f"is left out: a file may tell of {GPUS_MAX:,} GPUs")
            gpu = self.gpus[key] = _Gpu(line)
        self.rows += 1
        _count(gpu, sample)

    def refuse(self, line: int | None, error: BadSample) -> None:
        """Count a sample that could not be used, and say why."""
        self.rows += 1
        self.errors += 1
        where = f"Line {line:,}" if line is not None else "A sample"
        what = f"{where}, column {shown(error.column)}: “{shown(error.value)}” {error}."
        problem = Problem(
            kind="bad_sample", severity="error", message=what, line=line, column=error.column, value=shown(error.value)
        )
        self.problems.add(problem)

    def warn(self, kind: str, message: str) -> None:
        """Say something of the whole file."""
        self.problems.add(Problem(kind=kind, severity="warning", message=message))

    def reading(self, format_name: str) -> Reading:
        """The file as read, with a refusal where it has no figure at all."""
        uses = tuple(use for key, gpu in self.gpus.items() if (use := _use(self.head.name, key, gpu)).samples)
        if not uses:
            message = "This is output of GPU monitoring, and no line of it has a busy share or the memory in use."
            found = refuse(self.head.name, format_name, "no_samples", message, head=self.head, rows=self.rows)
            return replace(found, problems=(*found.problems, *self.problems.listed()[0]))
        if uses[0].first is None:
            self.warn("no_times", "The file has no times, so nobody can tell how long it watched. " + WITH_TIMES)
        listed, left_out = self.problems.listed()
        return Reading(
            file=self.head.name,
            format=format_name,
            encoding=self.head.decoding.label,
            delimiter=self.head.table.delimiter if self.head.table and format_name.endswith("csv") else None,
            usable=False,
            rows_read=self.rows,
            gpu_rows=0,
            other_rows=self.rows - self.errors,
            error_rows=self.errors,
            fleet=empty_fleet(),
            problems=(_not_fleet(uses), *listed),
            problems_left_out=left_out,
            ignored=(Ignored(why="sample", rows=self.rows - self.errors),),
            utilisation=uses,
        )


WITH_TIMES = "Add the column timestamp (nvidia-smi --query-gpu), or -o DT (nvidia-smi dmon)."


def _not_fleet(uses: tuple[GpuUse, ...]) -> Problem:
    hosts = len({use.host for use in uses})
    many = f"{len(uses):,} GPU{'s' if len(uses) > 1 else ''} of {hosts:,} host{'s' if hosts > 1 else ''}"
    message = (
        f"This says how busy {many} were; it has no machines with sizes. Hand it in together with the machines "
        f"(`{LIST_COMMAND}`), or add it on the page “Utilisation” of their fleet."
    )
    return Problem(kind=NOT_FLEET, severity="error", message=message)


def _count(gpu: _Gpu, sample: Sample) -> None:
    if sample.busy is not None:
        gpu.busy[min(100, max(0, round(sample.busy)))] += 1
    if sample.engine is not None:
        gpu.engine[min(100, max(0, round(sample.engine)))] += 1
    if sample.used_mib is not None and 0 <= sample.used_mib < MEMORY_MAX_MIB:
        gpu.used_samples += 1
        gpu.used = sample.used_mib if gpu.used is None else max(gpu.used, sample.used_mib)
    if sample.total_mib is not None and 0 < sample.total_mib < MEMORY_MAX_MIB:
        gpu.total = sample.total_mib
    if sample.power_w is not None and 0 <= sample.power_w < 100_000:
        gpu.power += sample.power_w
        gpu.power_samples += 1
    if (when := sample.when) is not None:
        gpu.first = when if gpu.first is None or when < gpu.first else gpu.first
        gpu.last = when if gpu.last is None or when > gpu.last else gpu.last
        if len(gpu.hours) < HOURS_MAX:
            gpu.hours.add(when.toordinal() * 24 + when.hour)
    gpu.name = gpu.name or (sample.name or "")[:TEXT_MAX] or None
    gpu.uuid = gpu.uuid or (sample.uuid or "")[:TEXT_MAX] or None


def _use(file: str, key: tuple[Host, str], gpu: _Gpu) -> GpuUse:
    """The value of one GPU; DCGM's engine activity counts where it gives no utilisation."""
    counts = gpu.busy if any(gpu.busy) else gpu.engine
    host_from: HostFrom = key[0].found
    return GpuUse(
        file=file,
        host=key[0].name,
        host_from=host_from,
        gpu=key[1],
        name=gpu.name,
        uuid=gpu.uuid,
        busy=tuple((percent, count) for percent, count in enumerate(counts) if count),
        used_samples=gpu.used_samples,
        used_max_gib=None if gpu.used is None else gpu.used / 1024,
        total_gib=None if gpu.total is None else gpu.total / 1024,
        power_mean_w=gpu.power / gpu.power_samples if gpu.power_samples else None,
        first=gpu.first,
        last=gpu.last,
        hours=runs_of(gpu.hours),
        line=gpu.line,
    )


def numbered_lines(head: Head) -> Iterator[tuple[int, str]]:
    """The lines of the file with their numbers from 1, each bounded; progress is told."""
    text = open_text(head.stream, head.decoding)
    try:
        for number, line in enumerate(bounded_lines(text), start=1):
            yield number, line.rstrip("\n").replace("\0", "")
            if number % WATCHED_RECORDS == 0:
                head.progress(head.stream.tell(), number)
    finally:
        text.detach()
