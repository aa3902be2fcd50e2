"""Steps before the move: what to check, quota, one trial machine, copies, encryption, reservations."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.runbook.case import Case
from advisor.engine.runbook.values import Command, Step

CLI = "learn.microsoft.com/cli/azure"
RESIZE_PAGE = "MicrosoftDocs/azure-compute-docs sizes/resize-vm.md (2025-11-06)"
SKU_PAGE = "MicrosoftDocs/azure-docs azure-resource-manager/troubleshooting/error-sku-not-available.md"
#: What a check before the move leaves open, whatever it answers.
NOT_PROVEN = (
    "This does not prove free capacity, that your zone has the size, or that the image boots: "
    "only a deployment that runs does."
)


def prepare(case: Case) -> Iterator[Step]:
    """The steps before the move, in their order."""
    yield _preflight(case)
    if quota := case.has("quota"):
        reason = case.hits["quota"]
        yield _step("quota", "Ask for quota", f"{reason.message} {reason.fix}", rules=quota, source=reason.source)
    if case.has("zone"):
        yield _zone(case)
    if case.has("reservation"):
        yield _reservation(case)
    yield from _data(case)
    yield _trial(case)


def _step(code: str, title: str, text: str, *commands: Command, rules: tuple[str, ...] = (), source: str = "") -> Step:
    return Step(code=code, phase="prepare", title=title, text=text, commands=commands, rules=rules, source=source)


def _preflight(case: Case) -> Step:
    short = case.size.removeprefix("Standard_")
    lines = [
        f"az vm list-skus --location {case.region} --size {short} --resource-type virtualMachines --zone --all "
        "--output table",
        f"az vm list-usage --location {case.region} --output table",
    ]
    names = {"vm": " VM='name of the machine'", "vmss": " SET='name of the scale set'"}.get(case.pool.service, "")
    lines.insert(0, f"RG='name of the resource group'{names}")
    if not case.option.region:
        lines.insert(1, "REGION='name of the region'")
    if case.option.verdict == "resize" and case.pool.service == "vm":
        lines.append('az vm list-vm-resize-options --resource-group "$RG" --name "$VM" --query "[].name"')
    shell = "" if case.option.region else "$REGION = 'name of the region'\n"
    shell += f"Get-AzComputeResourceSku -Location {case.region} | Where-Object Name -eq {case.size}"
    shell += f"\nGet-AzVMUsage -Location {case.region}"
    return _step(
        "preflight",
        "Check size and quota in your own subscription",
        f"See whether {case.option.size} is offered to you, with which restrictions, and how much quota is left. "
        + NOT_PROVEN,
        Command(tool="az", text="\n".join(lines)),
        Command(tool="powershell", text=shell),
        rules=case.has("preflight", "region-listed", "no-new-capacity"),
        source=f"{SKU_PAGE}; MicrosoftDocs/azure-compute-docs quotas.md (2026-01-16)",
    )


def _zone(case: Case) -> Step:
    short = case.size.removeprefix("Standard_")
    command = f"az vm list-skus --location {case.region} --size {short} --resource-type virtualMachines --zone --all"
    return _step(
        "zone",
        "Find out which of your zones has the size",
        f"{case.hits['zone'].message} Ask in the subscription of the machines.",
        Command(tool="az", text=f"az account show --query name\n{command} --output table"),
        rules=("zone",),
        source=SKU_PAGE,
    )


def _reservation(case: Case) -> Step:
    reason = case.hits["reservation"]
    return _step(
        "reservation",
        "Exchange the reservation",
        f"{reason.message} {reason.fix}",
        Command(tool="az", text="az reservations calculate-exchange --help\naz reservations exchange --help"),
        rules=("reservation",),
        source=reason.source,
    )


def _data(case: Case) -> Iterator[Step]:
    """Copies and what has to be undone while the old machine still runs."""
    if case.pool.service == "vm" and case.fact("ephemeral_os_disk") != "yes":
        yield _snapshot(case)
    kept = case.has("temp-disk-kept", "temp-disk-too-small", "temp-disk-smaller")
    if case.runs and ("temp-disk-kept" in kept or "temp-disk-use-unknown" in case.unknown):
        text = case.said("temp-disk-kept", "temp-disk-too-small")
        text = text or "Look at what is kept there: everything on it is lost when a machine is stopped."
        drive = "D: drive" if case.windows else "temporary disk (usually /mnt)"
        yield _step(
            "temp-disk", f"Save what is on the {drive}", text, rules=(*kept, *_unknown(case, "temp-disk-use-unknown"))
        )
    if case.has("temp-disk") and case.windows and case.runs:
        text = "Move the page file from the temporary disk to C: and restart once."
        yield _step("page-file", "Move the page file", text, rules=("temp-disk",), source=RESIZE_PAGE)
    if encryption := case.has("disk-encryption"):
        text = case.said(*encryption)
        command = 'az vm encryption disable --resource-group "$RG" --name "$VM" --volume-type data'
        source = case.hits["disk-encryption"].source
        yield _step(
            "decrypt", "Decrypt the disks", text, Command(tool="az", text=command), rules=encryption, source=source
        )


def _unknown(case: Case, *codes: str) -> tuple[str, ...]:
    return tuple(code for code in codes if code in case.unknown)


def _snapshot(case: Case) -> Step:
    text = (
        'DISK=$(az vm show --resource-group "$RG" --name "$VM" '
        "--query storageProfile.osDisk.managedDisk.id --output tsv)\n"
        'az snapshot create --resource-group "$RG" --name "$VM-os-before" --source "$DISK"'
    )
    return _step(
        "snapshot",
        "Take a snapshot of each OS disk",
        "It is the way back: a conversion to Generation 2 cannot be undone, and a broken driver is quicker restored "
        "than mended.",
        Command(tool="az", text=text),
        source=f"{CLI}/snapshot; MicrosoftDocs/azure-compute-docs trusted-launch-existing-vm-gen-1.md (2026-03-09)",
    )


def _trial(case: Case) -> Step:
    many = "the others" if case.option.vms > 1 else "the rest"
    return _step(
        "trial",
        "Go through all of it with one machine first",
        f"Move one machine, run a real job on it, and only then {many}. {NOT_PROVEN}",
        rules=case.has("slower-job", "host-smaller", "consolidates"),
    )
