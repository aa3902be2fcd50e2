"""What is known of Azure Stack Edge devices: models, VM sizes, statements with source and date, and disagreements."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

Card = Literal["T4", "A2"]
#: stated: by a document. derived: our own conclusion. measured: by a document. general: from general knowledge.
#: open: no document says what happens.
Basis = Literal["stated", "derived", "measured", "general", "open"]
MAX_GPUS = 2


class UnknownEdgeName(LookupError):
    """A device, size or release that is not known; the message lists what is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeDevice:
    """A model as it can be ordered. None: not read, or (card) there is none.

    `retirement_date` is a field to be filled in once Microsoft publishes a date.
    """

    name: str  # as in the contract: pro-gpu-2
    label: str
    model: str
    card: Card | None
    gpus: int
    usable_vcpus: int | None
    total_vcpus: int | None
    usable_memory_gib: float | None
    total_memory_gib: float | None
    gpu_vms: bool  # the pages on GPU VMs apply to it
    accelerator: str
    retirement_date: date | None
    lifecycle_note: str
    note: str
    source: str
    as_of: date | None  # None: given by the user


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeSize:
    """A VM size with a GPU. `gpus` as it comes, `max_gpus` as it can be set (custom sizes)."""

    name: str
    family: str
    card: Card
    gpus: int
    max_gpus: int
    gpu_memory_gib: float
    vcpus: int
    memory_gib: float
    temp_disk_gib: int | None
    max_os_disk_iops: int | None
    max_temp_disk_iops: int | None
    max_data_disk_iops: int | None
    max_data_disks: int | None
    max_nics: int | None
    premium_storage: bool | None
    since_release: str | None
    note: str
    source: str
    as_of: date

    @property
    def short(self) -> str:
        return self.name.removeprefix("Standard_")


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeFact:
    """One statement with its source. `figure` is the number in it that the engine counts with, in `unit`."""

    code: str
    topic: str
    text: str
    basis: Basis
    figure: float | None
    unit: str
    since_release: str | None
    until_release: str | None
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeConflict:
    """Two versions of one thing; `used` says which one counts here."""

    code: str
    topic: str
    fact: str
    version_a: str
    source_a: str
    version_b: str
    source_b: str
    used: Literal["a", "b", "both"]
    reason: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeRelease:
    """A release of the device software whose notes were read; `updates_from`: releases that go straight to it."""

    name: str
    software_version: str | None
    published: date
    updates_from: tuple[str, ...]
    note: str
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeFailure:
    """Something that goes wrong on a device, why, and the way out."""

    code: str
    seen: str
    cause: str
    way_out: str
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A sentence of an answer with the statement behind it. `level`: note, warning, unknown or error."""

    code: str
    level: Literal["note", "warning", "unknown", "error"]
    message: str
    source: str
    as_of: date


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeCatalogue:
    """All that is known, by name or code."""

    version: str
    as_of: date
    devices: Mapping[str, EdgeDevice]
    sizes: Mapping[str, EdgeSize]
    facts: Mapping[str, EdgeFact]
    conflicts: tuple[EdgeConflict, ...]
    releases: Mapping[str, EdgeRelease]  # oldest first
    failures: tuple[EdgeFailure, ...]

    def figure(self, code: str) -> float:
        """The number of a statement; raises ValueError for one that has none."""
        found = self.facts[code].figure
        if found is None:
            raise ValueError(f"{code} has no figure")
        return found

    def remark(
        self, code: str, level: Literal["note", "warning", "unknown", "error"] = "note", message: str = ""
    ) -> Remark:
        """The statement `code` as part of an answer, in its own words or in those of `message`."""
        fact = self.facts[code]
        return Remark(code=code, level=level, message=message or fact.text, source=fact.source, as_of=fact.as_of)

    def by_topic(self, topic: str) -> tuple[EdgeFact, ...]:
        return tuple(fact for fact in self.facts.values() if fact.topic == topic)

    def device(self, name: str) -> EdgeDevice:
        """The device of that name; raises UnknownEdgeName."""
        if name not in self.devices:
            raise UnknownEdgeName(f"There is no device {name!r}; known: {', '.join(self.devices)}.")
        return self.devices[name]

    def size(self, name: str) -> EdgeSize:
        """The size of that name, any case, with or without Standard_; raises UnknownEdgeName."""
        wanted = name.strip().lower().removeprefix("standard_")
        by_short = {size.short.lower(): size for size in self.sizes.values()}
        if wanted in by_short:
            return by_short[wanted]
        near = difflib.get_close_matches(wanted, list(by_short), n=3, cutoff=0.5)
        known = ", ".join(by_short[key].short for key in near) or "see the list of sizes"
        raise UnknownEdgeName(f"There is no GPU size {name[:60]!r} for these devices; near: {known}.")

    def release(self, name: str) -> str:
        """A release as four digits; raises UnknownEdgeName for anything else."""
        text = name.strip()
        if len(text) == 4 and text.isascii() and text.isdigit():
            return text
        raise UnknownEdgeName(f"{name[:40]!r} is no release; write year and month as in {', '.join(self.releases)}.")

    def update_path(self, release: str) -> tuple[str, ...]:
        """The releases to install one after the other to reach the newest; empty when it is installed."""
        found = self.release(release)
        stairs = ("2501", "2510", max(self.releases))
        direct = self.releases[stairs[-1]].updates_from
        if found in direct:
            return (stairs[-1],)
        return tuple(step for step in stairs if step > found)


def some_device(gpus: int, card: Card | None) -> EdgeDevice:
    """A device of which only the cards are known: its vCPU and memory are not checked. Raises ValueError."""
    if not 0 <= gpus <= MAX_GPUS:
        raise ValueError(f"{gpus} GPUs: a device has 0, 1 or {MAX_GPUS}.")
    if (card is None) != (gpus == 0):
        raise ValueError("A device with GPUs needs a card, T4 or A2; a device without has none.")
    return EdgeDevice(
        name=f"{gpus}-{card or 'gpu'}".lower(),
        label=f"{gpus} \u00d7 {card}" if card else "no GPU",
        model="not said",
        card=card,
        gpus=gpus,
        usable_vcpus=None,
        total_vcpus=None,
        usable_memory_gib=None,
        total_memory_gib=None,
        gpu_vms=True,
        accelerator="",
        retirement_date=None,
        lifecycle_note="",
        note="Only the cards were given, so vCPU and memory are not checked.",
        source="given by the user",
        as_of=None,
    )
