"""Rules on the machine around the GPU: generation, disks, network, quota, and how a resize goes."""

from __future__ import annotations

from typing import Any

from advisor.engine.rulebook.common import INFINIBAND, QUOTAS, RESIZE_PAGE, moving, never, windows
from advisor.engine.rules import REBUILD, REDEPLOY, RESIZE, Facts, Rule, is_known

#: How the catalogue says that a size was a preview.
PREVIEW = "Preview size that ended at general availability."


def _both_infiniband(c: Facts) -> Any:
    return (c["from_infiniband"] == 1) & (c["infiniband"] == 1)


MACHINE_RULES = (
    Rule(
        code="generation",
        severity="step",
        reads=("gen2", "from_gen2"),
        applies=lambda c: moving(c) & (c["gen1"] == 0),
        hits=lambda c: (c["generation"] == 1) | ((c["from_gen2"] == 0) & ~is_known(c["generation"])),
        message="{target} boots Generation 2 images only, and today's image is Generation 1.",
        fix="Rebuild the image as Generation 2, or convert it together with Trusted Launch where the system allows it.",
        effort=REBUILD,
        question="Which VM generations does the present size boot?",
        source="MicrosoftDocs/azure-compute-docs generation-2.md; trusted-launch-existing-vm-gen-1.md (2026-03-09)",
    ),
    Rule(
        code="generation-unknown",
        severity="unknown",
        reads=(),
        applies=lambda c: moving(c) & (c["gen1"] == 0),
        hits=lambda c: ~is_known(c["generation"]) & (c["from_gen1"] == 1) & (c["from_gen2"] == 1),
        message="{target} boots Generation 2 images only; the present size takes both, so today's image may be either.",
        fix="Look at the generation of one VM: az vm get-instance-view --query instanceView.hyperVGeneration",
        question="Are the images Generation 1 or 2?",
        field="generation",
        source="MicrosoftDocs/azure-compute-docs generation-2.md",
    ),
    Rule(
        code="generation-target-unknown",
        severity="note",
        reads=("gen2",),
        applies=moving,
        hits=never,
        message="",
        question="Which VM generations does {target} boot?",
        source="size page",
    ),
    Rule(
        code="temp-disk",
        severity="step",
        reads=("temp_disk_gib", "from_temp_disk_gib"),
        applies=lambda c: moving(c) & windows(c),
        hits=lambda c: (c["temp_disk_gib"] > 0) != (c["from_temp_disk_gib"] > 0),
        message="One of {size} and {target} has a temporary disk, the other none: no resize in place on Windows.",
        fix="Move the page file, then build a new VM from the OS disk.",
        effort=REDEPLOY,
        question="Does {target} have a temporary disk?",
        source=RESIZE_PAGE,
    ),
    Rule(
        code="temp-disk-linux",
        severity="warning",
        reads=("temp_disk_gib", "from_temp_disk_gib"),
        applies=lambda c: moving(c) & ~windows(c),
        hits=lambda c: (c["temp_disk_gib"] > 0) != (c["from_temp_disk_gib"] > 0),
        message="One of {size} and {target} has a temporary disk, the other none; sources disagree whether Linux can "
        "be resized then.",
        fix="Try one VM; if it is refused, build a new VM from the OS disk.",
        question="Does {target} have a temporary disk?",
        source="azure-docs pull 100882 says no; azure-compute-docs pull 427 (FAQ) says yes for Linux",
    ),
    Rule(
        code="temp-disk-smaller",
        severity="note",
        reads=(),
        applies=moving,
        hits=lambda c: (c["temp_disk_gib"] > 0) & (c["temp_disk_gib"] < c["from_temp_disk_gib"]),
        message="The temporary disk shrinks from {from_temp_disk_gib:g} to {temp_disk_gib:g} GiB.",
        fix="Check what is kept on it.",
        source="size pages",
    ),
    Rule(
        code="data-disks",
        severity="blocker",
        reads=(),
        applies=moving,
        hits=lambda c: c["data_disks"] > c["max_data_disks"],
        message="A VM has {data_disks:g} data disks, {target} takes {max_data_disks:g}.",
        flips="no VM has more than {max_data_disks:g} data disks",
        source="size pages",
    ),
    Rule(
        code="data-disks-unknown",
        severity="unknown",
        may_refuse=True,
        reads=(),
        applies=moving,
        hits=lambda c: (
            c["open_data_disks"]
            & (c["max_data_disks"] < c["from_max_data_disks"])
            & ~(c["data_disks"] > c["max_data_disks"])
        ),
        message="{target} takes {max_data_disks:g} data disks, the present size {from_max_data_disks:g}; "
        "how many are attached is not known.",
        question="How many data disks does the fullest VM have?",
        field="data_disks",
        source="size pages",
    ),
    Rule(
        code="data-disks-limit-unknown",
        severity="note",
        may_refuse=True,
        reads=("max_data_disks",),
        applies=moving,
        hits=never,
        message="",
        question="How many data disks does {target} take?",
        source="size page",
    ),
    Rule(
        code="premium-storage",
        severity="blocker",
        reads=("premium_storage",),
        applies=lambda c: moving(c) & (c["premium_disks"] == 1),
        hits=lambda c: c["premium_storage"] == 0,
        message="The machines have premium disks and {target} takes none.",
        flips="the disks are changed to standard storage",
        question="Does {target} take premium disks?",
        source=RESIZE_PAGE,
    ),
    Rule(
        code="local-nvme",
        severity="note",
        reads=(),
        applies=moving,
        hits=lambda c: (c["local_nvme_gib"] > 0) & ~(c["from_local_nvme_gib"] > 0),
        message="{target} has {local_nvme_gib:g} GiB of local NVMe that arrives unformatted and is lost on stop.",
        fix="Format and mount it at each start, and keep nothing on it that must last.",
        source="MicrosoftDocs/azure-docs nc-a100-v4-series.md, ncads-h100-v5.md",
    ),
    Rule(
        code="infiniband-lost",
        severity="note",
        reads=("infiniband", "from_infiniband"),
        applies=lambda c: moving(c) & ~c["spans"],
        hits=lambda c: (c["from_infiniband"] == 1) & (c["infiniband"] == 0),
        message="InfiniBand is lost; one job fits into one {target}, so it is not needed.",
        question="Does {target} have InfiniBand?",
        source=INFINIBAND,
    ),
    Rule(
        code="infiniband-driver",
        severity="step",
        reads=(),
        applies=moving,
        hits=lambda c: _both_infiniband(c) & (c["from_old_rdma"] != c["old_rdma"]),
        message="InfiniBand changes its adapter: one of {size} and {target} has a ConnectX-3 card, and its Mellanox "
        "OFED 4.9 is not that of the other.",
        fix="Start from an Azure HPC image; do not carry over Mellanox OFED of the other card.",
        effort=REBUILD,
        source="MicrosoftDocs/azure-compute-docs linux/n-series-driver-setup.md",
    ),
    Rule(
        code="infiniband-driver-unknown",
        severity="unknown",
        reads=(),
        applies=moving,
        hits=lambda c: (
            _both_infiniband(c)
            & (c["from_old_rdma"] == 0)
            & (c["old_rdma"] == 0)
            & (c["from_infiniband_gbps"] != c["infiniband_gbps"])
        ),
        message="InfiniBand of {target} is of another rate than that of {size}; whether today's driver knows its card "
        "no page that was read says.",
        question="Does the InfiniBand driver of today's image know the card of {target}?",
        source="size pages; MicrosoftDocs/azure-compute-docs linux/n-series-driver-setup.md",
    ),
    Rule(
        code="accelerator-link",
        severity="unknown",
        reads=(),
        applies=lambda c: moving(c) & (c["job_gpus"] > 1) & (c["gpus"] > 1),
        hits=lambda c: ~is_known(c["gpu_link"]),
        message="No page says how the GPUs of {target} are joined; PCIe is taken.",
        question="Are the GPUs of {target} joined by NVLink?",
        source="size page",
    ),
    Rule(
        code="resize-preview",
        severity="step",
        reads=(),
        hits=lambda c: (c["from_series"] == "NVv4") & (c["series"] == "NVads_V710_v5"),
        message="A resize to {series} fails unless the subscription has the preview feature VMTempDiskResizePreview.",
        fix="Register it and wait for the confirmation, or deploy anew.",
        effort=RESIZE,
        source="MicrosoftDocs/azure-compute-docs sizes/lifecycle/retirement/nvv4-retirement.md",
    ),
    Rule(
        code="preview-ended",
        severity="step",
        reads=(),
        applies=moving,
        hits=lambda c: c["from_special"] == PREVIEW,
        message="{size} was a preview size: its VMs are not resized but stopped or deleted, and new ones are created.",
        fix="Detach the data disks that must last, create a VM of {target}, and attach them there.",
        effort=REDEPLOY,
        source="MicrosoftDocs/azure-compute-docs sizes/gpu-accelerated/nc-rtxpro6000-bse-v6-series-overview.md "
        "(2026-06-03)",
    ),
    Rule(
        code="quota",
        severity="step",
        reads=("family", "vcpus"),
        applies=moving,
        hits=lambda c: c["family"] != c["from_family"],
        message="Needs {quota_vcpus:.0f} vCPUs of quota in the family {family} in {region}.",
        fix="Ask early; deallocated machines still count in the old family, and quota is no capacity.",
        effort=RESIZE,
        question="Which quota family does {target} count in?",
        source=QUOTAS,
    ),
    Rule(
        code="resize",
        severity="step",
        reads=(),
        applies=lambda c: moving(c) & (c["service"] == "vm"),
        hits=lambda c: ~never(c),
        message="Each VM is stopped, resized to {target} and started.",
        fix="az vm deallocate, az vm resize --size {target}, az vm start; memory and temporary disk are lost.",
        effort=RESIZE,
        source=RESIZE_PAGE,
    ),
)
