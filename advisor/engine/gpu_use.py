"""How busy GPUs were, as monitoring says: one value per file, host and GPU, small whatever the number of samples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

HostFrom = Literal["column", "label", "line", "file name"]
#: The kind of problem that says of a file of utilisation that it holds no machines.
NOT_FLEET = "utilisation_not_fleet"
Runs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuUse:
    """What one file says of one GPU of one host. None is unknown. Times are as written: no file says their zone."""

    file: str
    host: str
    host_from: HostFrom  # where the name of the host stands
    gpu: str  # number as printed, else uuid or bus address; "" where the file tells no GPUs apart
    name: str | None = None  # of the model, as printed
    uuid: str | None = None
    busy: tuple[tuple[int, int], ...] = ()  # (percent of the time with work, samples), rounded to whole percents
    used_samples: int = 0
    used_max_gib: float | None = None  # GPU memory in use, the most of any sample
    total_gib: float | None = None  # GPU memory as the driver shows it
    power_mean_w: float | None = None
    first: datetime | None = None
    last: datetime | None = None
    hours: Runs = ()  # clock hours with a sample, as runs of hours since year 1, both ends included
    line: int | None = None  # of the first sample

    @property
    def busy_samples(self) -> int:
        return sum(count for _, count in self.busy)

    @property
    def samples(self) -> int:
        """Samples of the figure that has most of them."""
        return max(self.busy_samples, self.used_samples)

    @property
    def hours_seen(self) -> int:
        """Clock hours in which there is at least one sample; a gap adds none."""
        return sum(end - start + 1 for start, end in self.hours)

    @property
    def busy_mean(self) -> float | None:
        """Mean busy share, 0 to 1."""
        total = self.busy_samples
        return sum(percent * count for percent, count in self.busy) / (100 * total) if total else None

    @property
    def idle_share(self) -> float | None:
        """Share of samples in which the GPU did nothing at all."""
        total = self.busy_samples
        return dict(self.busy).get(0, 0) / total if total else None

    def busy_at(self, share: float) -> float | None:
        """Quantile of the busy share by nearest rank: the least reading that `share` of the samples do not exceed."""
        total, below = self.busy_samples, 0
        for percent, count in self.busy:
            below += count
            if below >= share * total - 1e-9:
                return percent / 100
        return None


def merge(uses: Sequence[GpuUse]) -> GpuUse:
    """What several files say of the same GPU, as one; a file that was handed in twice counts once.

    The file is that of the first, the rest of the text that of the first which has it.
    """
    distinct = list({(use.busy, use.used_samples, use.used_max_gib, use.first, use.last): use for use in uses}.values())
    if len(distinct) == 1:
        return distinct[0]
    counts: dict[int, int] = {}
    for use in distinct:
        for percent, count in use.busy:
            counts[percent] = counts.get(percent, 0) + count
    first = distinct[0]
    power = [(use.power_mean_w, use.samples) for use in distinct if use.power_mean_w is not None]
    weight = sum(samples for _, samples in power)
    return GpuUse(
        file=first.file,
        host=first.host,
        host_from=first.host_from,
        gpu=first.gpu,
        name=next((use.name for use in distinct if use.name), None),
        uuid=next((use.uuid for use in distinct if use.uuid), None),
        busy=tuple(sorted(counts.items())),
        used_samples=sum(use.used_samples for use in distinct),
        used_max_gib=max((use.used_max_gib for use in distinct if use.used_max_gib is not None), default=None),
        total_gib=max((use.total_gib for use in distinct if use.total_gib is not None), default=None),
        power_mean_w=sum(mean * samples for mean, samples in power) / weight if weight else None,
        first=min((use.first for use in distinct if use.first), default=None),
        last=max((use.last for use in distinct if use.last), default=None),
        hours=runs_of(hour for use in distinct for start, end in use.hours for hour in range(start, end + 1)),
        line=first.line,
    )


def runs_of(hours: Iterable[int]) -> Runs:
    """Numbers as runs of neighbours, each once, in order.

    >>> runs_of([7, 3, 4, 4])
    ((3, 4), (7, 7))
    """
    runs: list[tuple[int, int]] = []
    for hour in sorted(set(hours)):
        if runs and hour == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], hour)
        else:
            runs.append((hour, hour))
    return tuple(runs)


def gpu_use_json(use: GpuUse) -> dict[str, Any]:
    """The figures as JSON, with what `gpu_use_of` needs to read them back; shares as percent, memory in GiB."""

    def percent(share: float | None) -> float | None:
        return None if share is None else round(100 * share, 6)

    return {
        "file": use.file,
        "host": use.host,
        "host_from": use.host_from,
        "gpu": use.gpu,
        "name": use.name,
        "uuid": use.uuid,
        "samples": use.samples,
        "start": None if use.first is None else use.first.isoformat(),
        "end": None if use.last is None else use.last.isoformat(),
        "hours_seen": use.hours_seen,
        "busy_percent": {
            "mean": percent(use.busy_mean),
            "p50": percent(use.busy_at(0.5)),
            "p95": percent(use.busy_at(0.95)),
            "idle": percent(use.idle_share),
        },
        "memory_used_max_gib": use.used_max_gib,
        "memory_total_gib": use.total_gib,
        "power_mean_w": use.power_mean_w,
        "line": use.line,
        "busy": [list(pair) for pair in use.busy],
        "memory_samples": use.used_samples,
        "hours": [list(run) for run in use.hours],
    }


def gpu_use_of(values: dict[str, Any]) -> GpuUse:
    """What `gpu_use_json` wrote."""
    start, end = values["start"], values["end"]
    return GpuUse(
        **{name: values[name] for name in ("file", "host", "host_from", "gpu", "name", "uuid", "power_mean_w", "line")},
        busy=tuple(_pairs(values["busy"])),
        used_samples=values["memory_samples"],
        used_max_gib=values["memory_used_max_gib"],
        total_gib=values["memory_total_gib"],
        first=None if start is None else datetime.fromisoformat(start),
        last=None if end is None else datetime.fromisoformat(end),
        hours=tuple(_pairs(values["hours"])),
    )


def _pairs(lists: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    return ((int(one), int(other)) for one, other in lists)
