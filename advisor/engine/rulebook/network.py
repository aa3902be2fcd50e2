"""Rules on the network: cards, accelerated networking, kinds of InfiniBand and its drivers, NVLink, NCCL's files."""

from __future__ import annotations

from typing import Any

from advisor.engine.rulebook.common import INFINIBAND, moving
from advisor.engine.rules import Facts, Rule, is_known

OFED = "MicrosoftDocs/azure-compute-docs linux/n-series-driver-setup.md (2025-12-04)"
TOPOLOGY = "github.com/Azure/azhpc-images/issues/327"
_NC_A100 = "NC_A100_v4"


def _linked(c: Facts, name: str) -> Any:
    return (c[name] == "nvlink") | (c[name] == "infinity-fabric")


def _joined(c: Facts) -> Any:
    """One job works on several GPUs of a VM."""
    return moving(c) & (c["job_gpus"] > 1)


NETWORK_RULES = (
    Rule(
        code="nics",
        severity="blocker",
        reads=(),
        applies=moving,
        hits=lambda c: c["nics"] > c["max_nics"],
        message="A VM has {nics:g} network cards, {target} takes {max_nics:g}.",
        flips="no VM has more than {max_nics:g} network cards",
        field="nics",
        source="size pages",
    ),
    Rule(
        code="nics-unknown",
        severity="unknown",
        may_refuse=True,
        reads=(),
        applies=moving,
        hits=lambda c: c["open_nics"] & (c["max_nics"] < c["from_max_nics"]) & ~(c["nics"] > c["max_nics"]),
        message="{target} takes {max_nics:g} network cards, the present size {from_max_nics:g}; how many there are is "
        "not known.",
        question="How many network cards does the fullest VM have?",
        field="nics",
        source="size pages",
    ),
    Rule(
        code="accelerated-networking-lost",
        severity="warning",
        reads=(),
        applies=lambda c: moving(c) & (c["takes_accelerated_networking"] == 0),
        hits=lambda c: (c["accelerated_networking"] == 1) | (c["from_takes_accelerated_networking"] == 1),
        message="{target} has no accelerated networking: turn it off on the network cards before the move.",
        fix="az network nic update --accelerated-networking false, for each card.",
        source="size pages",
    ),
    Rule(
        code="accelerated-networking-gained",
        severity="note",
        reads=(),
        applies=lambda c: moving(c) & (c["takes_accelerated_networking"] == 1),
        hits=lambda c: ~(c["accelerated_networking"] == 1) & (c["from_takes_accelerated_networking"] == 0),
        message="{target} has accelerated networking, which today's size has not.",
        fix="Turn it on for each network card while the machine is stopped.",
        source="size pages; sources disagree on NCv3, see its page",
    ),
    Rule(
        code="infiniband-kind",
        severity="warning",
        reads=(),
        applies=moving,
        hits=lambda c: (c["from_rdma"] == "network-direct") & (c["rdma"] == "sr-iov"),
        message="{size} has InfiniBand by Network Direct, {target} by SR-IOV: images and MPI of the old kind fail.",
        fix="Start from an Azure HPC image and its MPI. IP over InfiniBand works with SR-IOV only.",
        source=f"{INFINIBAND}; github.com/Azure/azhpc-images/issues/28",
    ),
    Rule(
        code="infiniband-order",
        severity="step",
        reads=(),
        hits=lambda c: (c["from_infiniband"] == 1) & (c["infiniband"] == 1),
        message="InfiniBand and GPU drivers break each other when they are installed in the wrong order.",
        fix="First hold the kernel, then the InfiniBand driver, then the GPU driver, then MPI; check after each.",
        source=f"github.com/MicrosoftDocs/azure-docs/issues/39066; {OFED}",
    ),
    Rule(
        code="infiniband-removed",
        severity="step",
        reads=(),
        applies=moving,
        hits=lambda c: (c["from_infiniband"] == 1) & (c["infiniband"] == 0),
        message="Images of {size} carry drivers and settings for InfiniBand, which {target} has not.",
        fix="Remove Mellanox OFED and what points NCCL and MPI to InfiniBand, or start from a plain image.",
        source=OFED,
    ),
    Rule(
        code="infiniband-gained",
        severity="note",
        reads=(),
        applies=moving,
        hits=lambda c: (c["from_infiniband"] == 0) & (c["infiniband"] == 1) & ~c["spans"],
        message="{target} has InfiniBand, which today's size has not; a job in one VM does not need it.",
        fix="If jobs grow over VMs: one scale set with a single placement group, and no VNet in 172.16.0.0/16.",
        source=INFINIBAND,
    ),
    Rule(
        code="infiniband-addresses",
        severity="warning",
        reads=(),
        applies=lambda c: c["spans"] & moving(c),
        hits=lambda c: c["infiniband"] == 1,
        message="The network for InfiniBand takes 172.16.0.0/16, and 100 VMs share it at most unless you ask for 300.",
        fix="Check that the VNet does not overlap it.",
        source=INFINIBAND,
    ),
    Rule(
        code="nccl-topology",
        severity="step",
        reads=(),
        applies=lambda c: moving(c) & ((c["kind"] == "training") | (c["kind"] == "inference")),
        hits=lambda c: (
            (c["series"] != c["from_series"])
            & (((c["series"] == _NC_A100) & (c["from_vendor"] == "nvidia")) | (c["from_series"] == _NC_A100))
        ),
        message="NCCL's topology and graph files belong to one series: those of another break {series}.",
        fix="Remove NCCL_TOPO_FILE and NCCL_GRAPH_FILE from /etc/nccl.conf and the environment, then run nccl-tests.",
        source=TOPOLOGY,
    ),
    Rule(
        code="nvlink-lost",
        severity="warning",
        reads=(),
        applies=lambda c: _joined(c) & (c["units"] > 1),
        hits=lambda c: _linked(c, "from_gpu_link") & (c["from_units"] > 1) & (c["gpu_link"] == "pcie"),
        message="The GPUs of {size} are joined by NVLink, those of {target} by PCIe only: joint work gets slower.",
        fix="Measure a job on one machine before you decide.",
        source="size pages",
    ),
    Rule(
        code="nvlink-gained",
        severity="note",
        reads=(),
        applies=lambda c: _joined(c) & (c["units"] > 1) & is_known(c["from_gpu_link"]),
        hits=lambda c: _linked(c, "gpu_link") & ~_linked(c, "from_gpu_link") & (c["from_units"] > 1),
        message="The GPUs of {target} are joined by NVLink or its like, those of {size} are not.",
        source="size pages",
    ),
)
