"""The steps of the move itself, by who owns the machines: VMs, AKS, Batch, Azure ML, scale sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from advisor.engine.runbook.boot import TRUSTED, off_switches
from advisor.engine.runbook.case import Case
from advisor.engine.runbook.values import Command, SoftwarePlan, Step, Way

RESIZE_PAGE = "MicrosoftDocs/azure-compute-docs sizes/resize-vm.md (2025-11-06)"
ATTACH = (
    "MicrosoftDocs/azure-docs scripts/create-vm-from-managed-os-disks.md (2022-02-23); "
    "learn.microsoft.com/javascript/api/@azure/arm-compute/osdisk (deleteOption)"
)
ZONAL = "learn.microsoft.com/cli/azure/disk (--zone); github.com/jenkins-infra/azure/pull/1406 (one zone for both)"
KEEP_DISK = f"github.com/MicrosoftDocs/azure-docs/issues/94296; {ATTACH}"


def move(case: Case, plan: SoftwarePlan) -> Iterator[Step]:
    """The steps that bring the work to the new size."""
    groups = case.has("availability-set", "proximity-group")
    if groups:
        yield _group(case, groups)
    by_service: Mapping[str, Callable[[Case], Iterator[Step]]] = {
        "aks": _aks,
        "batch": _batch,
        "aml": _aml,
        "vmss": _scale_set,
    }
    if case.pool.service in by_service:
        yield from by_service[case.pool.service](case)
    elif case.option.verdict == "resize":
        yield _resize(case)
    elif case.new_image or not case.same_machines:
        yield _deploy(case, plan)
    else:
        yield _from_snapshot(case, plan)


def other_ways(case: Case) -> tuple[Way, ...]:
    """Deleting the VM and keeping its OS disk, where the disk as it is boots on the new size."""
    fits = case.same_machines and not case.new_image and case.fact("ephemeral_os_disk") != "yes"
    if case.stays or not fits:
        return ()
    return (
        Way(
            code="keep-os-disk",
            title="Delete the VM, keep its disks, and build a new one around them",
            when="Where a resize is refused, or Terraform owns the VM: its plan replaces one VM, without a snapshot.",
            steps=tuple(_keep_disk(case)),
        ),
    )


def _step(code: str, title: str, text: str, *commands: Command, rules: tuple[str, ...] = (), source: str = "") -> Step:
    return Step(code=code, phase="move", title=title, text=text, commands=commands, rules=rules, source=source)


def _resize(case: Case) -> Step:
    az = (
        f'az vm deallocate --resource-group "$RG" --name "$VM"\n'
        f'az vm resize --resource-group "$RG" --name "$VM" --size {case.size}\n'
        f'az vm start --resource-group "$RG" --name "$VM"'
    )
    shell = (
        "$rg = 'name of the resource group'; $vm = 'name of the machine'\n"
        "Stop-AzVM -ResourceGroupName $rg -Name $vm -Force\n"
        "$machine = Get-AzVM -ResourceGroupName $rg -Name $vm\n"
        f"$machine.HardwareProfile.VmSize = {case.size!r}\n"
        "Update-AzVM -ResourceGroupName $rg -VM $machine\n"
        "Start-AzVM -ResourceGroupName $rg -Name $vm"
    ).replace("''", "'")
    rules = case.has("resize", "resize-preview", "temp-disk-linux", "temp-disk-smaller")
    told = case.said("resize-preview", "temp-disk-linux")
    text = f"Stop each machine, change its size to {case.option.size}, start it. The disks stay. {told}".strip()
    return _step(
        "resize",
        "Resize in place",
        text,
        *_preview(case),
        Command(tool="az", text=az),
        Command(tool="powershell", text=shell),
        rules=rules,
        source=RESIZE_PAGE,
    )


def _preview(case: Case) -> tuple[Command, ...]:
    if not case.has("resize-preview"):
        return ()
    text = (
        "az feature register --namespace Microsoft.Compute --name VMTempDiskResizePreview\n"
        "az feature show --namespace Microsoft.Compute --name VMTempDiskResizePreview --query properties.state"
    )
    return (Command(tool="az", text=text),)


def _group(case: Case, rules: tuple[str, ...]) -> Step:
    text = (
        "# all machines of the set or group, in one go\n"
        'SET_ID=$(az vm show --resource-group "$RG" --name "$VM" '
        f"--query {'availabilitySet' if case.has('availability-set') else 'proximityPlacementGroup'}.id --output tsv)\n"
        'az vm list --resource-group "$RG" --output tsv --query '
        "\"[?availabilitySet.id=='$SET_ID' || proximityPlacementGroup.id=='$SET_ID'].id\" > machines.txt\n"
        "xargs --arg-file=machines.txt az vm deallocate --ids"
    )
    return _step(
        "group",
        "Stop the whole set or group, and move it as one",
        case.said(*rules),
        Command(tool="az", text=text),
        rules=rules,
        source=case.hits[rules[0]].source,
    )


def _in_zone(case: Case) -> str:
    """The line that sets ZONE; nothing where no command asks for it."""
    if not case.zone:
        return ""
    empty = "" if case.has("zone") else ", or nothing where the machines are in none"
    return f"ZONE='a zone of your subscription that has the size{empty}'\n"


def _deploy(case: Case, plan: SoftwarePlan) -> Step:
    count = f" --count {case.option.vms}" if case.option.vms > 1 else ""
    system = "IMAGE='urn or id of the new image'" if case.new_image else "IMAGE='urn or id of the image'"
    off = off_switches(case, plan)
    text = (
        f"{system} NEW='name of the new machine'\n{_in_zone(case)}"
        f'az vm create --resource-group "$RG" --name "$NEW"{count} --size {case.size} --image "$IMAGE" '
        f"--location {case.region}{case.zone}{case.group}{off}{_data_disk(case)}"
    )
    many = f"{case.option.vms} machines" if case.option.vms > 1 else "one machine"
    rules = case.has(
        "regroups", "spans-infiniband", "region-change", "ephemeral-anew", "disk-controller", "confidential"
    )
    return _step(
        "deploy",
        f"Deploy {many} of {case.option.size}",
        f"{case.said(*rules)} Build them beside the old ones, bring the data, point the work to them.".strip(),
        Command(tool="az", text=text),
        *_scale_out(case, off),
        rules=rules,
        source="; ".join(filter(None, (ATTACH, "learn.microsoft.com/cli/azure/vm", TRUSTED if off else ""))),
    )


def _data_disk(case: Case) -> str:
    """A data disk goes from one machine to another of its own region only, and hangs on one at a time."""
    if case.option.region != case.pool.region:
        return ""
    return (
        '\nDATA=\'name of a data disk\'\naz vm disk detach --resource-group "$RG" --vm-name "$VM" --name "$DATA"'
        '\naz vm disk attach --resource-group "$RG" --vm-name "$NEW" --name "$DATA"'
    )


def _scale_out(case: Case, off: str) -> tuple[Command, ...]:
    """One scale set with a single placement group where a job spans machines over InfiniBand."""
    if not case.has("spans-infiniband"):
        return ()
    text = (
        "# instead of az vm create, so that InfiniBand joins the machines\n"
        f'az vmss create --resource-group "$RG" --name "$NEW" --vm-sku {case.size} '
        f'--instance-count {case.option.vms} --image "$IMAGE" --single-placement-group true --location {case.region}'
        f"{case.zone.replace('--zone ', '--zones ')}{off}"
    )
    return (Command(tool="az", text=text),)


def _from_snapshot(case: Case, plan: SoftwarePlan) -> Step:
    os_type = "Windows" if case.windows else "Linux"
    off = off_switches(case, plan) if case.has("secure-boot", "vtpm") else ""
    text = (
        f"NEW='name of the new machine'\n{_in_zone(case)}"
        'az disk create --resource-group "$RG" --name "$NEW-os" --source "$VM-os-before" --sku Premium_LRS'
        f"{case.zone}\n"
        f'az vm create --resource-group "$RG" --name "$NEW" --size {case.size} --attach-os-disk "$NEW-os" '
        f"--os-type {os_type}{case.zone}{case.group}{off}"
    )
    rules = case.has("temp-disk", "temp-disk-linux", "availability-set", "proximity-group", "disk-controller")
    return _step(
        "rebuild-vm",
        "Build a new VM from the snapshot of the OS disk",
        f"{case.said('temp-disk', 'disk-controller')} The old machine stays until the new one works.".strip(),
        Command(tool="az", text=text),
        rules=rules,
        source=f"{RESIZE_PAGE}; {ATTACH}{f'; {ZONAL}' if case.zone else ''}",
    )


def _keep_disk(case: Case) -> Iterator[Step]:
    keep = (
        'az vm update --resource-group "$RG" --name "$VM" '
        "--set storageProfile.osDisk.deleteOption=Detach networkProfile.networkInterfaces[0].deleteOption=Detach\n"
        'DISK=$(az vm show --resource-group "$RG" --name "$VM" --query storageProfile.osDisk.name --output tsv)\n'
        'NIC=$(az vm show --resource-group "$RG" --name "$VM" '
        '--query "networkProfile.networkInterfaces[0].id" --output tsv)'
    )
    where = ""
    if case.zone:
        keep += (
            '\nZONE=$(az disk show --resource-group "$RG" --name "$DISK" --query "zones[0]" --output tsv)  # or empty'
        )
        where = " A disk stays in its zone, and so does the new machine: see that the size is offered there."
    yield _step(
        "keep-disks",
        "Make sure that deleting the VM keeps its disks and network card",
        "Detach is the default for disks, but a VM may have been made otherwise. Do the same for each data disk."
        f"{where}",
        Command(tool="az", text=keep),
        source=f"{KEEP_DISK}{f'; {ZONAL}' if where else ''}",
    )
    os_type = "Windows" if case.windows else "Linux"
    again = (
        'az vm delete --resource-group "$RG" --name "$VM" --yes\n'
        f'az vm create --resource-group "$RG" --name "$VM" --size {case.size} --attach-os-disk "$DISK" '
        f'--os-type {os_type} --nics "$NIC"{case.zone}{case.group}\n'
        'az vm disk attach --resource-group "$RG" --vm-name "$VM" --name "name of a data disk"'
    )
    yield _step(
        "delete-and-attach",
        "Delete the VM and build it again around its disks",
        "The network card keeps the private address. Extensions and a system-assigned identity are gone and made anew.",
        Command(tool="az", text=again),
        source=KEEP_DISK,
    )


def _aks(case: Case) -> Iterator[Step]:
    reason = case.hits["aks-node-pool"]
    add = (
        "CLUSTER='name of the cluster' OLD='name of the node pool' NEW='name of the new one, lower case'\n"
        f'az aks nodepool add --resource-group "$RG" --cluster-name "$CLUSTER" --name "$NEW" '
        f"--node-count {case.option.vms} --node-vm-size {case.size}"
    )
    yield _step(
        "aks-add",
        "Add a node pool of the new size",
        f"{reason.message} Carry over labels, taints, zones and the autoscaler's limits.",
        Command(tool="az", text=add),
        rules=("aks-node-pool",),
        source=reason.source,
    )
    if not case.runs:
        text = "The nodes of the retired size no longer run: there is nothing to drain."
        yield _step("aks-drain", "See that no pod waits for the old pool", text, rules=("aks-node-pool",))
    else:
        yield _aks_drain(case)
    delete = 'az aks nodepool delete --resource-group "$RG" --cluster-name "$CLUSTER" --name "$OLD"'
    yield _step(
        "aks-delete",
        "Delete the old pool",
        "A preview changes the size of a pool in place with az aks nodepool update --node-vm-size: it runs these same "
        "steps by itself, and needs quota for both sizes as well.",
        Command(tool="az", text=delete),
        rules=("aks-node-pool",),
        source=reason.source,
    )


def _aks_drain(case: Case) -> Step:
    drain = (
        'kubectl cordon --selector agentpool="$OLD"\n'
        'kubectl drain --selector agentpool="$OLD" --ignore-daemonsets --delete-emptydir-data'
    )
    return _step(
        "aks-drain",
        "Cordon and drain the old pool",
        "Pods move to the new nodes; what is in emptyDir volumes is lost. Until the old pool is gone both are paid.",
        Command(tool="kubectl", text=drain),
        rules=("aks-node-pool",),
        source=case.hits["aks-node-pool"].source,
    )


def _batch(case: Case) -> Iterator[Step]:
    reason = case.hits["batch-pool"]
    text = (
        "OLD='id of the pool' NEW='id of the new pool'\n"
        'az batch pool show --pool-id "$OLD" > pool.json  # set id, vmSize and image in it, remove what is read-only\n'
        f"# vmSize: {case.option.size}\n"
        "az batch pool create --json-file pool.json"
    )
    yield _step(
        "batch-pool",
        "Make a new Batch pool",
        f"{reason.message} {reason.fix}",
        Command(tool="az", text=text),
        rules=("batch-pool",),
        source=reason.source,
    )
    delete = 'az batch job set --job-id "id of a job" --pool-id "$NEW"\naz batch pool delete --pool-id "$OLD"'
    yield _step(
        "batch-jobs",
        "Point the jobs to it and delete the old pool",
        "Running tasks finish on the old pool, or start again on the new one.",
        Command(tool="az", text=delete),
        rules=("batch-pool",),
        source=reason.source,
    )


def _aml(case: Case) -> Iterator[Step]:
    reason = case.hits["aml-compute"]
    text = (
        "WS='name of the workspace' OLD='name of the cluster' NEW='name of the new cluster'\n"
        f'az ml compute create --resource-group "$RG" --workspace-name "$WS" --name "$NEW" --type AmlCompute '
        f"--size {case.size} --min-instances 0 --max-instances {case.option.vms}\n"
        'az ml compute delete --resource-group "$RG" --workspace-name "$WS" --name "$OLD"  # once nothing uses it'
    )
    yield _step(
        "aml-compute",
        "Make a new Azure ML cluster",
        f"{reason.message} {reason.fix}",
        Command(tool="az", text=text),
        rules=("aml-compute",),
        source=reason.source,
    )


def _scale_set(case: Case) -> Iterator[Step]:
    reason = case.hits["scale-set"]
    text = (
        f'az vmss update --resource-group "$RG" --name "$SET" --set sku.name={case.size}\n'
        'az vmss update-instances --resource-group "$RG" --name "$SET" --instance-ids "*"  # or some at a time'
    )
    resized = case.option.verdict == "resize"
    extra = (
        "" if resized else " Where the image or the number changes too, a new scale set beside the old one is safer."
    )
    yield _step(
        "scale-set",
        "Change the model of the scale set",
        f"{reason.message} {reason.fix}{extra}",
        Command(tool="az", text=text),
        rules=("scale-set",),
        source=reason.source,
    )
