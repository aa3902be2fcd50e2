"""What a size gives to one model: GPUs, and the memory on each that the driver leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from advisor.engine.catalogue import Catalogue, Size
from advisor.engine.fit.facts import MemoryReading
from advisor.engine.workload import memory_per_unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """GPUs of one machine and the GiB that software sees on each; `reading` is None where nobody published one."""

    size: Size
    gpus: int  # a slice is one
    nominal_gib: float
    usable_gib: float
    reading: MemoryReading | None


def least_readings(readings: Iterable[MemoryReading]) -> Mapping[str, MemoryReading]:
    """For each GPU the reading that shows least: drivers differ, and none may be counted on to leave more."""
    least: dict[str, MemoryReading] = {}
    for reading in readings:
        known = least.get(reading.gpu)
        if known is None or reading.usable_gib < known.usable_gib:
            least[reading.gpu] = reading
    return least


def least_share(readings: Iterable[MemoryReading], catalogue: Catalogue) -> float:
    """The least share of the nominal memory that any reading shows: what counts for a GPU without a reading."""
    return min(row.usable_gib / catalogue.gpus[row.gpu].memory_gib for row in least_readings(readings).values())


def rooms(catalogue: Catalogue, readings: Iterable[MemoryReading]) -> tuple[Room, ...]:
    """Every size that may be advised and whose GPUs and memory its page states, by name.

    Memory is that of the size page less what the reading of its GPU lacks; slices and GPUs without a reading lack
    the most that any GPU lacks. A slice sees its own share of the card.
    """
    rows = tuple(readings)
    known, share = least_readings(rows), least_share(rows, catalogue)
    found = (_room(size, known, share, catalogue) for size in catalogue.sizes.values() if not size.special)
    return tuple(sorted((room for room in found if room), key=lambda room: room.size.name))


def _room(size: Size, known: Mapping[str, MemoryReading], share: float, catalogue: Catalogue) -> Room | None:
    nominal = memory_per_unit(size)
    if size.gpus is None or nominal is None or not size.is_gpu:
        return None
    reading = None if size.is_slice else known.get(size.gpu or "")
    part = share if reading is None else reading.usable_gib / catalogue.gpus[reading.gpu].memory_gib
    return Room(
        size=size, gpus=max(1, int(size.gpus)), nominal_gib=nominal,
        usable_gib=nominal * min(1.0, part), reading=reading,
    )  # fmt: skip
