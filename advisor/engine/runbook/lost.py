"""What is gone after the move, as far as it is known; what may be gone is said as that."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.catalogue import Size
from advisor.engine.runbook.case import Case
from advisor.engine.runbook.values import Loss

_WORDS = {"network-direct": "Network Direct", "sr-iov": "SR-IOV"}


def lost(case: Case) -> Iterator[Loss]:
    """Each thing that is lost, the surest first."""
    if case.stays:
        return
    yield from _disks(case)
    yield from _network(case)
    yield from _place(case)
    yield from _machine(case)


def _disks(case: Case) -> Iterator[Loss]:
    source = case.source
    if case.pool.service == "aks":
        yield Loss(code="pod-disks", text="What pods keep in emptyDir and on the disks of the nodes.")
        return
    yield Loss(code="memory", text="What is in memory: every machine is stopped or replaced.")
    local = None if source is None else (source.temp_disk_gib, source.local_nvme_gib)
    if local is None or any(size is None or size > 0 for size in local):
        used = case.fact("temp_used_gib")
        known = f" {used} of it were said to matter." if used not in (None, "0 GiB") else ""
        gib = f", {source.temp_disk_gib:g} GiB a machine" if source and source.temp_disk_gib else ""
        when = "" if case.runs else " It went when the machines were stopped."
        yield Loss(code="temp-disk", text=f"Everything on the temporary disk and local NVMe{gib}.{known}{when}")
    if case.has("ephemeral-anew"):
        yield Loss(code="os-disk", text="The ephemeral OS disk with all that was changed on it.")


def _network(case: Case) -> Iterator[Loss]:
    if case.pool.service == "vm":
        text = "Dynamic IP addresses, public ones first: make them static before, or correct DNS after."
        yield Loss(code="dynamic-ip", text=text)
    source = case.source
    if source and source.rdma in _WORDS and case.target.rdma == "none":
        yield Loss(code="infiniband", text=f"InfiniBand ({_WORDS[source.rdma]}): {case.option.size} has none.")
    elif source and source.rdma == "network-direct" and case.target.rdma == "sr-iov":
        yield Loss(code="network-direct", text="Network Direct: MPI built for it does not run over SR-IOV.")
    if case.has("accelerated-networking-lost"):
        yield Loss(code="accelerated-networking", text="Accelerated networking.")
    if case.has("nvlink-lost"):
        yield Loss(code="nvlink", text="NVLink between the GPUs of a machine.")


def _place(case: Case) -> Iterator[Loss]:
    if case.option.region != case.pool.region:
        yield Loss(code="region", text=f"The region {case.pool.region}: latency, addresses and rules on data change.")
    zone = case.fact("zone")
    if case.has("zone"):
        yield Loss(code="zone", text=f"Zone {zone} of your subscription, if the size is in another one.")
    elif "zone-unknown" in case.unknown:
        yield Loss(code="zone-maybe", text="Perhaps the zone: whether the machines are pinned to one is not known.")
    if case.has("availability-set", "proximity-group"):
        yield Loss(code="set", text="The place in the set or group, unless all its machines move together.")


def _machine(case: Case) -> Iterator[Loss]:
    if case.option.verdict in ("redeploy", "rebuild", "port") and case.pool.service == "vm":
        text = "The VM resource: its system-assigned identity, extensions and diagnostic settings."
        yield Loss(code="identity", text=text)
    if case.has("generation"):
        yield Loss(code="generation-1", text="The way back to Generation 1, but for the snapshot.")
    if case.has("gpu-vendor") or (case.has("graphics-vendor") and case.target.vendor == "amd"):
        yield Loss(code="cuda", text="CUDA, and everything that is built on it.")
    if _lower(case.source, case.target):
        yield Loss(code="gpu-memory", text="GPU memory per GPU: " + _memory(case))
    if case.has("confidential"):
        yield Loss(code="confidential", text="The protection of confidential computing.")
    if case.has("reservation"):
        yield Loss(code="reservation", text="The cover of the reservation, unless it is exchanged.")


def _lower(source: Size | None, target: Size) -> bool:
    known = source is not None and source.gpu_memory_gib is not None and target.gpu_memory_gib is not None
    return known and _per_unit(target) < _per_unit(source)  # type: ignore[arg-type]


def _per_unit(size: Size) -> float:
    """GPU memory that one job on one GPU or slice sees."""
    return (size.gpu_memory_gib or 0.0) * min(1.0, size.gpus or 1.0)


def _memory(case: Case) -> str:
    before = _per_unit(case.source) if case.source else 0.0
    return f"{before:g} GiB become {_per_unit(case.target):g} GiB."
