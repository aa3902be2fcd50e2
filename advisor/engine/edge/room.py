"""vCPU and memory of a device: what Kubernetes takes, by each of the two statements, and what is left."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.engine.edge.devices import EdgeCatalogue, EdgeDevice


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """vCPU and memory of the two VMs of Kubernetes by one statement."""

    statement: str  # fixed, share
    master_vcpus: float
    master_memory_gib: float
    worker_vcpus: float
    worker_memory_gib: float
    source: str

    @property
    def vcpus(self) -> float:
        return self.master_vcpus + self.worker_vcpus

    @property
    def memory_gib(self) -> float:
        return self.master_memory_gib + self.worker_memory_gib


def kubernetes_needs(edge: EdgeCatalogue, device: EdgeDevice) -> tuple[Need, ...]:
    """By the fixed figures and, where the device's figures are known, by the shares; see the conflict k8s-worker."""
    master = (edge.figure("room-master-vcpus"), edge.figure("room-master-memory"))
    fixed = (edge.figure("room-worker-vcpus"), edge.figure("room-worker-memory"))
    needs = [_need("fixed", master, fixed, edge.facts["room-worker-vcpus"].source)]
    if device.usable_vcpus is not None and device.total_memory_gib is not None:
        share = (
            edge.figure("room-worker-vcpu-share") * device.usable_vcpus,
            edge.figure("room-worker-memory-share") * device.total_memory_gib,
        )
        if share != fixed:
            needs.append(_need("share", master, share, edge.facts["room-worker-vcpu-share"].source))
    return tuple(needs)


def _need(statement: str, master: tuple[float, float], worker: tuple[float, float], source: str) -> Need:
    return Need(
        statement=statement,
        master_vcpus=master[0],
        master_memory_gib=master[1],
        worker_vcpus=worker[0],
        worker_memory_gib=worker[1],
        source=source,
    )
