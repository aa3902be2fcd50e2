"""Rules on who owns the machines and where they stand: sets, zones, AKS, Batch, Azure ML, scale sets, reservations."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.engine.rulebook.common import QUOTAS, RESIZE_PAGE, moving
from advisor.engine.rules import REDEPLOY, RESIZE, Facts, Rule

PROXIMITY = "MicrosoftDocs/azure-compute-docs co-location.md (2022-09-12)"
AKS = "learn.microsoft.com/azure/aks/resize-node-pool; manage-node-pools; github.com/Azure/AKS/issues/132"
BATCH = "learn.microsoft.com/dotnet/api/azure.compute.batch.batchpoolupdateoptions.vmsize"
AML = "learn.microsoft.com/powershell/module/az.machinelearningservices/update-azmlworkspacecompute (node counts only)"
SCALE_SET = "learn.microsoft.com/rest/api/compute/virtual-machine-scale-sets/update-instances"
SKU_PAGE = "MicrosoftDocs/azure-docs azure-resource-manager/troubleshooting/error-sku-not-available.md"
EXCHANGE = (
    "MicrosoftDocs/azure-docs reservations/reservation-exchange-policy-changes.md (2026-08-27); "
    "exchange-and-refund-azure-reservations.md (2022-10-10)"
)


def _vm(c: Facts) -> Any:
    return moving(c) & (c["service"] == "vm")


def _owned_by(service: str) -> Any:
    return lambda c: moving(c) & (c["service"] == service)


SERVICE_RULES = (
    Rule(
        code="availability-set",
        severity="step",
        reads=(),
        applies=_vm,
        hits=lambda c: c["availability_set"] == 1,
        message="The VMs are in an availability set, bound to one hardware cluster; {target} may not be there.",
        fix="Stop all VMs of the set together and move them as one group, or deploy a new set.",
        effort=REDEPLOY,
        source=f"{RESIZE_PAGE}; github.com/cloudfoundry/bosh-azure-cpi-release/issues/367",
    ),
    Rule(
        code="proximity-group",
        severity="step",
        reads=(),
        applies=_vm,
        hits=lambda c: c["proximity_group"] == 1,
        message="The VMs are in a proximity placement group, which is bound to one data centre while any of them runs.",
        fix="Stop all VMs of the group, name {target} in its intent, and start with the size that is hardest to get.",
        effort=REDEPLOY,
        source=PROXIMITY,
    ),
    Rule(
        code="placement-unknown",
        severity="unknown",
        reads=(),
        applies=_vm,
        hits=lambda c: (
            (np.isnan(c["availability_set"]) & ~(c["proximity_group"] == 1))
            | (np.isnan(c["proximity_group"]) & ~(c["availability_set"] == 1))
        ),
        message="Whether the VMs are in an availability set or a proximity placement group is not known; either makes "
        "them one group that is deployed anew.",
        question="Are the VMs in an availability set or a proximity placement group?",
        field="availability_set",
        source=f"{RESIZE_PAGE}; {PROXIMITY}",
    ),
    Rule(
        code="zone",
        severity="step",
        reads=(),
        applies=moving,
        hits=lambda c: c["zonal"] == 1,
        message="The VMs are pinned to zone {zone_words} as their own subscription numbers zones; {target} may be in "
        "another one, and another subscription numbers them otherwise.",
        fix="az vm list-skus --location {region} --size {short_target} --resource-type virtualMachines --zone --all, "
        "in the subscription of the machines.",
        source=f"{SKU_PAGE}; github.com/skypilot-org/skypilot/issues/10145",
    ),
    Rule(
        code="zone-unknown",
        severity="unknown",
        reads=(),
        applies=moving,
        hits=lambda c: np.isnan(c["zonal"]),
        message="Whether the VMs are pinned to a zone is not known; a size may be in one zone of a region only.",
        question="Are the VMs pinned to an availability zone, and to which of your subscription?",
        field="zone",
        source=SKU_PAGE,
    ),
    Rule(
        code="aks-not-offered",
        severity="blocker",
        reads=(),
        applies=_owned_by("aks"),
        hits=lambda c: c["on_aks"] == 0,
        message="AKS does not offer {series}.",
        flips="AKS offers {series}",
        source="MicrosoftDocs/azure-compute-docs nc-rtxpro6000-bse-v6-series-overview.md (2026-06-03)",
    ),
    Rule(
        code="aks-node-pool",
        severity="step",
        reads=(),
        applies=_owned_by("aks"),
        hits=moving,
        message="The size of an AKS node pool cannot be changed: a new pool of {n:.0f} nodes runs beside the old one "
        "until it is drained and deleted.",
        fix="Add the new pool, cordon and drain the old one, delete it; while both run, both are paid.",
        effort=REDEPLOY,
        source=AKS,
    ),
    Rule(
        code="batch-not-offered",
        severity="blocker",
        reads=(),
        applies=_owned_by("batch"),
        hits=lambda c: c["on_batch"] == 0,
        message="Batch does not offer {series}.",
        flips="Batch offers {series}",
        source="MicrosoftDocs/azure-compute-docs nc-rtxpro6000-bse-v6-series-overview.md (2026-06-03)",
    ),
    Rule(
        code="batch-pool",
        severity="step",
        reads=(),
        applies=_owned_by("batch"),
        hits=moving,
        message="The size of a Batch pool can be changed only while the pool is empty.",
        fix="Make a new pool of {target}, point the jobs to it, and delete the old one. Batch has quotas of its own.",
        effort=REDEPLOY,
        source=BATCH,
    ),
    Rule(
        code="aml-compute",
        severity="step",
        reads=(),
        applies=_owned_by("aml"),
        hits=moving,
        message="Of an Azure ML cluster only the node counts can be changed, not the size.",
        fix="Make a new cluster of {target}, change the compute target of jobs and endpoints, and delete the old one. "
        "Azure ML has quotas of its own.",
        effort=REDEPLOY,
        source=AML,
    ),
    Rule(
        code="scale-set",
        severity="step",
        reads=(),
        applies=_owned_by("vmss"),
        hits=moving,
        message="The size stands in the model of the scale set; instances take it over when they are upgraded.",
        fix="Change the model, then upgrade the instances in batches; with upgrade policy Manual each has to be named.",
        effort=RESIZE,
        source=SCALE_SET,
    ),
    Rule(
        code="reservation",
        severity="step",
        reads=(),
        applies=lambda c: moving(c) & c["reserved"],
        hits=lambda c: c["family"] != c["from_family"],
        message="The machines are paid by a reservation, which does not cover {series}.",
        fix="Exchange it for one of {series}: no fee, and at least as much as is left. Reservations bought after "
        "2027-02-01 can no longer be exchanged (an older page says 2024-01-01), and a savings plan never.",
        source=EXCHANGE,
    ),
    Rule(
        code="reservation-sales-ended",
        severity="note",
        reads=(),
        applies=moving,
        hits=lambda c: c["reservations_end"] <= c["as_of_day"],
        message="Reservations of {series} are no longer sold.",
        source="lifecycle events in the catalogue",
    ),
    Rule(
        code="preflight",
        severity="note",
        reads=(),
        applies=moving,
        hits=moving,
        message="What is checked here are documents and price lists. It does not prove quota in your subscription, "
        "free capacity, the zone, or that the image boots.",
        fix="Check SKU, quota and one trial machine first; only a deployment that runs proves capacity.",
        source=f"{QUOTAS}; github.com/Azure-Samples/azuresandbox/issues/70",
    ),
)
