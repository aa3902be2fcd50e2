"""Rules on disks beside those of machine.py: local disks and what is kept there, encryption, controller."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.engine.rulebook.common import RESIZE_PAGE, linux, moving
from advisor.engine.rules import REDEPLOY, RESIZE, Facts, Rule, is_known

EPHEMERAL = "MicrosoftDocs/azure-docs ephemeral-os-disks.md; github.com/MicrosoftDocs/azure-docs/issues/115366"
NVME = "MicrosoftDocs/azure-compute-docs migration/scsi-to-nvme-migration.md (2026-09-25)"
#: GiB of local disk that Trusted Launch keeps for the state of the guest; source: ephemeral-os-disks.md.
GUEST_STATE_GIB = 1.0


def _local_gib(c: Facts) -> Any:
    """The largest local disk of the target; NaN where neither is known. What the cache holds, no source says."""
    return np.fmax(c["temp_disk_gib"], c["local_nvme_gib"])


def _room(c: Facts) -> Any:
    return _local_gib(c) - np.where(c["trusted"] == 1, GUEST_STATE_GIB, 0.0)


def _refuses_encryption(c: Facts) -> Any:
    return (c["takes_encryption"] == 0) | ((c["nvme"] == 1) & linux(c))


DISK_RULES = (
    Rule(
        code="temp-disk-kept",
        severity="step",
        reads=(),
        applies=moving,
        hits=lambda c: c["temp_used_gib"] > 0,
        message="{temp_used_gib:g} GiB on the temporary disk must last, and they are lost when a machine is stopped.",
        fix="Copy them to a data disk or to storage first.",
        source=RESIZE_PAGE,
    ),
    Rule(
        code="temp-disk-too-small",
        severity="warning",
        reads=(),
        applies=moving,
        hits=lambda c: c["temp_used_gib"] > c["temp_disk_gib"] + np.nan_to_num(c["local_nvme_gib"]),
        message="{temp_used_gib:g} GiB are used on the temporary disk; the local disks of {target} have {local_words}.",
        fix="Attach a data disk for them, or choose a size with more.",
        source="size pages",
    ),
    Rule(
        code="temp-disk-use-unknown",
        severity="unknown",
        reads=(),
        applies=lambda c: moving(c) & (c["from_temp_disk_gib"] > 0),
        hits=lambda c: c["open_temp_used_gib"],
        message="Whether anything on the temporary disk must last is not known; all of it is lost.",
        question="How many GiB on the temporary disk must last? 0 if none.",
        field="temp_used_gib",
        source=RESIZE_PAGE,
    ),
    Rule(
        code="temp-disk-disputed",
        severity="note",
        reads=(),
        applies=lambda c: moving(c) & is_known(c["temp_conflict"]),
        hits=lambda c: (c["temp_used_gib"] > 0) | (c["ephemeral_os_disk"] == 1),
        message="Sources disagree on the temporary disk of {target} (GiB): {temp_conflict}. {temp_disk_gib:g} counts.",
        source="source conflict in the catalogue; github.com/MicrosoftDocs/azure-docs/issues/102314",
    ),
    Rule(
        code="ephemeral-refused",
        severity="blocker",
        reads=(),
        applies=lambda c: moving(c) & (c["ephemeral_os_disk"] == 1),
        hits=lambda c: c["takes_ephemeral"] == 0,
        message="The OS disk is ephemeral, and {target} takes none.",
        flips="the OS disk becomes a managed disk",
        source="size page",
    ),
    Rule(
        code="ephemeral-too-large",
        severity="blocker",
        reads=(),
        applies=lambda c: moving(c) & (c["ephemeral_os_disk"] == 1),
        hits=lambda c: c["os_disk_gib"] > _room(c),
        message="The ephemeral OS disk has {os_disk_gib:g} GiB; {target} has {local_words} of local disk for it.",
        flips="the OS disk has at most {room_gib:g} GiB, or becomes a managed disk",
        source=EPHEMERAL,
    ),
    Rule(
        code="ephemeral-size-unknown",
        severity="unknown",
        may_refuse=True,
        reads=(),
        applies=lambda c: moving(c) & (c["ephemeral_os_disk"] == 1),
        hits=lambda c: (c["open_os_disk_gib"] | np.isnan(_room(c))) & ~(c["os_disk_gib"] > _room(c)),
        message="Whether the ephemeral OS disk fits into the local disk of {target}, {local_words}, is not known.",
        question="How large is the OS disk, and how large are the local disk and the cache of {target}?",
        field="os_disk_gib",
        source=EPHEMERAL,
    ),
    Rule(
        code="ephemeral-anew",
        severity="step",
        reads=(),
        applies=moving,
        hits=lambda c: c["ephemeral_os_disk"] == 1,
        message="An ephemeral OS disk is deleted and made anew when the size changes, and such a VM cannot be stopped.",
        fix="Deploy new machines from the image; keep nothing on the OS disk that must last.",
        effort=REDEPLOY,
        source=EPHEMERAL,
    ),
    Rule(
        code="ephemeral-unknown",
        severity="unknown",
        may_refuse=True,
        reads=(),
        applies=lambda c: moving(c) & (c["from_takes_ephemeral"] == 1),
        hits=lambda c: np.isnan(c["ephemeral_os_disk"]) & ~(_local_gib(c) >= c["from_temp_disk_gib"]),
        message="{target} has less local disk than {size}: an ephemeral OS disk may not fit.",
        question="Is the OS disk ephemeral?",
        field="ephemeral_os_disk",
        source=EPHEMERAL,
    ),
    Rule(
        code="disk-encryption",
        severity="step",
        reads=("disk_encryption",),
        applies=lambda c: moving(c) & _refuses_encryption(c),
        hits=lambda c: c["disk_encryption"] == 1,
        message="Disks are encrypted with Azure Disk Encryption, which does not work on {series}.",
        fix="Decrypt them before the move, or deploy anew from the image with encryption at host.",
        effort=RESIZE,
        question="Are disks encrypted with Azure Disk Encryption?",
        field="disk_encryption",
        source=f"{NVME}; size page of NC RTX PRO 6000 v6 (2025-12-05)",
    ),
    Rule(
        code="disk-controller",
        severity="step",
        reads=("is_scsi",),
        applies=lambda c: moving(c) & (c["nvme"] == 1) & (c["from_series"] != "NVv4"),
        hits=lambda c: c["is_scsi"] == 1,
        message="{series} presents NVMe disks; a machine on SCSI cannot be resized straight to it.",
        fix="Build a new VM from the disks, or register VMTempDiskResizePreview; then mount by UUID.",
        effort=REDEPLOY,
        question="Is the disk controller SCSI or NVMe?",
        field="disk_controller",
        source=f"{RESIZE_PAGE}; {NVME}",
    ),
    Rule(
        code="disk-controller-open",
        severity="unknown",
        reads=(),
        applies=lambda c: moving(c) & (c["nvme_open"] == 1),
        hits=lambda c: ~(c["is_scsi"] == 0),
        message="No page that was read says whether {series} attaches disks over SCSI or NVMe; NVMe bars a resize.",
        question="Does {target} attach its disks over NVMe (az vm list-skus, DiskControllerTypes)?",
        source=f"{RESIZE_PAGE}; size page",
    ),
    Rule(
        code="data-disks-disputed",
        severity="note",
        reads=(),
        applies=moving,
        hits=lambda c: is_known(c["disks_conflict"]),
        message="Sources disagree on how many data disks {target} takes: {disks_conflict}. {max_data_disks:g} counts.",
        source="source conflict in the catalogue: size page and SKU API go before the guide",
    ),
    Rule(
        code="premium-disks-unknown",
        severity="unknown",
        may_refuse=True,
        reads=(),
        applies=lambda c: moving(c) & (c["premium_storage"] == 0),
        hits=lambda c: np.isnan(c["premium_disks"]) & (c["from_premium_storage"] == 1),
        message="{target} takes no premium disks; whether the machines have any is not known.",
        question="Does any VM have premium disks?",
        field="premium_disks",
        source=RESIZE_PAGE,
    ),
)
