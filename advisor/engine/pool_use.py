"""What monitoring tells of a pool: the figures that its answer shows, and which of them count in it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

FILES_NAMED = 3  # in one sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class UseSource:
    """One file behind the figures; `file` is empty where a report leaves names out."""

    file: str
    samples: int
    gpus: int
    start: date | None = None  # first and last day; None: the file has no times
    end: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolUse:
    """Figures of the GPUs of a pool that were watched; shares run 0 to 1. None is unknown.

    A share is the mean over GPUs of each GPU's own mean, median, 95 % quantile and idle share; memory is the most that
    any sample of any GPU shows. `used` names the profile fields that count as measured; `why_not` says of the others
    why they do not, `left_out` what was not looked at.
    """

    vms: int  # of the pool
    machines: int  # of these, watched as a whole
    gpus: int
    samples: int
    hours_seen: int  # clock hours with a sample, of the GPU that has fewest
    start: date | None = None
    end: date | None = None
    busy_mean: float | None = None
    busy_p50: float | None = None
    busy_p95: float | None = None
    idle_share: float | None = None
    idle_gpus: int = 0  # that were never busy
    memory_used_max_gib: float | None = None
    memory_total_gib: float | None = None
    power_mean_w: float | None = None
    needed_gib: float | None = None  # the most in use with room above it, at most what the present GPU has
    asked_share: float | None = None  # busy share that counts as that at peak
    used: tuple[str, ...] = ()
    weak: bool = False  # shorter than a week: what is used lowers the grade as an assumption does
    why_not: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    sources: tuple[UseSource, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Every machine of the pool was watched."""
        return self.machines >= self.vms


def figures_in_words(use: PoolUse) -> str:
    """What was watched and seen, in one sentence."""
    memory = "unknown" if use.memory_used_max_gib is None else f"at most {use.memory_used_max_gib:.1f} GiB in use"
    machines, gpus = ("machine", "machines")[use.vms != 1], ("GPU", "GPUs")[use.gpus != 1]
    return (
        f"{use.machines:,} of {use.vms:,} {machines}, {use.gpus:,} {gpus}: busy {_percent(use.busy_mean)} on average, "
        f"{_percent(use.busy_p50)} at the median, {_percent(use.busy_p95)} at peak (95 % of samples); memory {memory}."
    )


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{100 * share:.0f} %"


def sources_in_words(use: PoolUse) -> str:
    """The files behind the figures with samples and days, at most three of them by name."""
    named = [_in_words(source) for source in use.sources[:FILES_NAMED]]
    more = len(use.sources) - len(named)
    return "; ".join([*named, *([f"and {more:,} more files"] if more > 0 else [])])


def _in_words(source: UseSource) -> str:
    days = f"{source.start} to {source.end}" if source.start else "no times"
    gpus = ("GPU", "GPUs")[source.gpus != 1]
    return f"{source.file or 'a file'}: {source.samples:,} samples of {source.gpus:,} {gpus}, {days}"


def remarks(use: PoolUse, watched: tuple[str, ...]) -> tuple[str, ...]:
    """What counts of the figures, why the others do not, and what they hint at; `watched` are the fields that count."""
    found = []
    if "gpu_memory_gib" in watched and use.needed_gib is not None:
        found.append(
            f"The work is taken to need {use.needed_gib:.1f} GiB per GPU: the most that was in use, with room above. "
            "Frameworks that take all memory when they start show what they took, not what they need."
        )
    if "utilisation" in watched and use.asked_share is not None:
        found.append(
            f"The GPUs are taken to be {100 * use.asked_share:.0f} % busy at peak: what 95 % of the samples do not "
            "exceed, on average over the GPUs. Busy is any work at all, so this is the most that it can be."
        )
    if watched and use.weak:
        found.append(f"Watched for {use.hours_seen:,} clock hours, less than a week asks for: the grade stays low.")
    if use.idle_gpus:
        never = "was" if use.idle_gpus == 1 else "were"
        found.append(
            f"{use.idle_gpus:,} of {use.gpus:,} GPUs {never} never busy in any sample. Ask whether anybody needs these "
            "machines before you move them: what is switched off costs nothing."
        )
    found += [f"Not counted: {why}" for why in use.why_not]
    found += [f"Left out: {what}." for what in use.left_out]
    return tuple(found)
