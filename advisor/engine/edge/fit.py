"""Which VM sizes fit a device, and what is left beside Kubernetes: card, GPUs, vCPU and memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from advisor.engine.edge.devices import EdgeCatalogue, EdgeDevice, EdgeSize, Remark
from advisor.engine.edge.room import kubernetes_needs

Verdict = Literal["fits", "does not fit", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A line of the sum: what the device offers, or what a part of it takes (below 0)."""

    label: str
    kind: Literal["device", "master", "worker", "vm"]
    vcpus: float
    memory_gib: float
    gpus: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomTable:
    """The sum by one statement of what Kubernetes takes (fixed, share; none: without Kubernetes)."""

    statement: Literal["none", "fixed", "share"]
    parts: tuple[Part, ...]
    left_vcpus: float
    left_memory_gib: float
    left_gpus: int

    @property
    def fits(self) -> bool:
        return self.left_vcpus >= 0 and self.left_memory_gib >= 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Whether VMs of these sizes fit a device. unknown: its figures are not known, or the two statements disagree."""

    device: EdgeDevice
    sizes: tuple[EdgeSize, ...]
    kubernetes: bool
    verdict: Verdict
    reasons: tuple[str, ...]
    tables: tuple[RoomTable, ...]
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeFit:
    """One size on one device, alone and beside Kubernetes."""

    size: EdgeSize
    device: EdgeDevice
    alone: Fit
    beside: Fit


def fit(edge: EdgeCatalogue, device: EdgeDevice, sizes: Sequence[EdgeSize], kubernetes: bool) -> Fit:
    """VMs of `sizes`, all running, on `device`, with or without Kubernetes; before Hyper-V's own need.

    Kubernetes takes the GPUs that are left; the order of the steps is the planner's question, not this one.
    """
    reasons = list(card_reasons(device, sizes))
    tables = tuple(room_tables(edge, device, sizes, kubernetes))
    verdict: Verdict = "does not fit" if reasons else "unknown"
    if not tables:
        reasons.append("vCPU and memory of the device are not known.")
    elif not any(table.fits for table in tables):
        verdict = "does not fit"
        reasons.extend(room_reasons(tables[0]))
    elif not reasons:
        verdict = "fits" if all(table.fits for table in tables) else "unknown"
        if verdict == "unknown":
            reasons.append("It fits by one of two statements about the VMs of Kubernetes, not by the other.")
    remarks = [edge.remark("room-memory-limits")]
    if sizes:
        remarks.append(edge.remark("size-gen1"))
    if any(size.max_gpus > size.gpus for size in sizes):
        remarks.append(edge.remark("size-custom"))
    return Fit(
        device=device,
        sizes=tuple(sizes),
        kubernetes=kubernetes,
        verdict=verdict,
        reasons=tuple(reasons),
        tables=tables,
        remarks=tuple(remarks),
    )


def card_reasons(device: EdgeDevice, sizes: Sequence[EdgeSize]) -> Iterator[str]:
    """What stands against the sizes apart from vCPU and memory."""
    if sizes and not device.gpus:
        yield "The device has no GPU for a VM."
        return
    for size in dict.fromkeys(sizes):
        if size.card != device.card:
            yield f"{size.short} is made for {size.card}; this device has {device.card}."
    needed = sum(size.gpus for size in sizes)
    if needed > device.gpus:
        yield f"The VMs need {needed} GPUs; the device has {device.gpus}."


def room_tables(
    edge: EdgeCatalogue, device: EdgeDevice, sizes: Sequence[EdgeSize], kubernetes: bool
) -> Iterator[RoomTable]:
    """One sum per statement; none when the device's figures are not known."""
    if device.usable_vcpus is None or device.usable_memory_gib is None:
        return
    whole = Part(
        label="Usable on the device",
        kind="device",
        vcpus=device.usable_vcpus,
        memory_gib=device.usable_memory_gib,
        gpus=device.gpus,
        source=device.source,
    )
    vms = [
        Part(
            label=size.short,
            kind="vm",
            vcpus=-size.vcpus,
            memory_gib=-size.memory_gib,
            gpus=-size.gpus,
            source=size.source,
        )
        for size in sizes
    ]
    if not kubernetes:
        yield _summed("none", [whole, *vms])
        return
    rest = max(0, device.gpus - sum(size.gpus for size in sizes))
    for need in kubernetes_needs(edge, device):
        master = Part(
            label="Kubernetes master",
            kind="master",
            vcpus=-need.master_vcpus,
            memory_gib=-need.master_memory_gib,
            gpus=0,
            source=need.source,
        )
        worker = Part(
            label="Kubernetes worker",
            kind="worker",
            vcpus=-need.worker_vcpus,
            memory_gib=-need.worker_memory_gib,
            gpus=-rest,
            source=need.source,
        )
        statement: Literal["fixed", "share"] = "fixed" if need.statement == "fixed" else "share"
        yield _summed(statement, [whole, master, worker, *vms])


def _summed(statement: Literal["none", "fixed", "share"], parts: list[Part]) -> RoomTable:
    return RoomTable(
        statement=statement,
        parts=tuple(parts),
        left_vcpus=sum(part.vcpus for part in parts),
        left_memory_gib=sum(part.memory_gib for part in parts),
        left_gpus=sum(part.gpus for part in parts),
    )


def room_reasons(table: RoomTable) -> Iterator[str]:
    if table.left_vcpus < 0:
        yield f"{-table.left_vcpus:g} vCPU are missing."
    if table.left_memory_gib < 0:
        yield f"{-table.left_memory_gib:g} GiB of memory are missing."


def size_fits(edge: EdgeCatalogue, sizes: Sequence[EdgeSize] | None = None) -> tuple[SizeFit, ...]:
    """Every size on every device that has a GPU, alone and beside Kubernetes."""
    return tuple(
        SizeFit(
            size=size, device=device, alone=fit(edge, device, [size], False), beside=fit(edge, device, [size], True)
        )
        for size in sizes or edge.sizes.values()
        for device in edge.devices.values()
        if device.gpus
    )
