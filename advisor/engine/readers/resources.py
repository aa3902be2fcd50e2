"""Resources of Azure as JSON into rows of machines: VMs, scale sets, and node pools that are scale sets too."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.collecting import Collector
from advisor.engine.readers.jsontext import pick, plain_text
from advisor.engine.readers.names import Kind, classify_size
from advisor.engine.readers.vm_cells import LAYOUT, vm_cells

_KINDS = {
    "microsoft.compute/virtualmachines": "vm",
    "microsoft.compute/virtualmachinescalesets": "vmss",
    "microsoft.containerservice/managedclusters": "aks",
    "microsoft.containerservice/managedclusters/agentpools": "pool",
}
_NODE_SET = re.compile(r"aks-(.+)-\d+-vmss", re.IGNORECASE)
_EPHEMERAL = LAYOUT.fields["ephemeral_os_disk"]


def flat(item: object) -> object:
    """The resource with its `properties` beside its name, as the command line prints it."""
    properties = pick(item, "properties")
    return {**item, **properties} if isinstance(item, dict) and isinstance(properties, dict) else item


def kind_of(item: object) -> str:
    """vm, vmss, aks (a cluster), pool (of nodes), or empty for any other resource."""
    if kind := plain_text(pick(item, "type")).casefold():
        return _KINDS.get(kind, "")
    if pick(item, "hardwareProfile", "vmSize") is not None:
        return "vm"
    if isinstance(pick(item, "agentPoolProfiles"), list):
        return "aks"
    if pick(item, "sku", "capacity") is not None or pick(item, "virtualMachineProfile") is not None:
        return "vmss"
    return "pool" if pick(item, "vmSize") is not None and pick(item, "count") is not None else ""


@dataclass(slots=True)
class Resources:
    """Puts resources into a collector; clusters wait for the end, because their scale sets may come later."""

    collector: Collector
    catalogue: Catalogue
    _node_sets: set[tuple[str, str]] = field(default_factory=set)  # resource group and pool of nodes
    _clusters: list[tuple[int, object]] = field(default_factory=list)

    def add(self, place: int, item: object) -> None:
        """One resource, with its properties beside its name."""
        kind = kind_of(item)
        if kind == "vm":
            self.collector.add(place, vm_cells(item))
        elif kind == "vmss":
            self._add_scale_set(place, item)
        elif kind == "aks":
            self._clusters.append((place, item))
        elif kind == "pool":
            self.collector.add(place, _pool_cells(item, None))
        else:
            self.collector.skip(place)

    def _add_scale_set(self, place: int, item: object) -> None:
        if not plain_text(pick(item, "sku", "name")) and pick(item, "virtualMachineProfile") is None:
            self.collector.skip(
                place,
                "size_unknown",
                f"the scale set “{plain_text(pick(item, 'name'))}” has no size of its own (flexible orchestration). "
                "Its machines are in the output of `az vm list -d -o json > vms.json`.",
            )
            return
        pool = plain_text(pick(item, "tags", "aks-managed-poolName"))
        if not pool and (named := _NODE_SET.fullmatch(plain_text(pick(item, "name")))):
            pool = named.group(1)
        if pool:
            self._node_sets.add((plain_text(pick(item, "resourceGroup")).casefold(), pool.casefold()))
        self.collector.add(place, scale_set_cells(item, "aks" if pool else "vmss"))

    def close(self) -> None:
        """The node pools of the clusters, but for those whose scale set is in the file."""
        for place, cluster in self._clusters:
            group = plain_text(pick(cluster, "nodeResourceGroup")).casefold()
            profiles = pick(cluster, "agentPoolProfiles")
            pools = [pool for pool in (profiles if isinstance(profiles, list) else []) if isinstance(pool, dict)]
            counted = [pool for pool in pools if (group, plain_text(pick(pool, "name")).casefold()) in self._node_sets]
            if counted:
                names = ", ".join(plain_text(pick(pool, "name")) for pool in counted)
                self.collector.skip(
                    place,
                    "same_pool_as_vmss",
                    f"the node pool {names} of “{plain_text(pick(cluster, 'name'))}” is a scale set of this file, "
                    "and is counted once.",
                )
            elif not pools:
                self.collector.skip(place)
            for pool in pools:
                if not counted or (pool not in counted and self._is_gpu(pool)):
                    self.collector.add(place, _pool_cells(pool, cluster))

    def _is_gpu(self, pool: object) -> bool:
        kind = classify_size(plain_text(pick(pool, "vmSize")), self.catalogue).kind
        return kind in (Kind.GPU, Kind.UNKNOWN)


def scale_set_cells(item: object, service: str = "vmss") -> list[str]:
    """The machines of a scale set as one row."""
    profile = pick(item, "virtualMachineProfile")
    machine = {
        **(profile if isinstance(profile, dict) else {}),
        **{name: pick(item, name) for name in ("name", "resourceGroup", "location", "tags", "zones")},
        "hardwareProfile": {"vmSize": pick(item, "sku", "name")},
    }
    return vm_cells(machine, count=plain_text(pick(item, "sku", "capacity")), service=service)


def _pool_cells(pool: object, cluster: object) -> list[str]:
    """The nodes of a pool as one row. A stopped pool has its nodes deallocated."""
    stopped = plain_text(pick(pool, "powerState", "code")).casefold() == "stopped"
    names = (plain_text(pick(cluster, "name")), plain_text(pick(pool, "name")))
    disk_kind = plain_text(pick(pool, "osDiskType")).casefold()
    os_disk = {"osType": pick(pool, "osType"), "diskSizeGB": pick(pool, "osDiskSizeGB")}
    machine = {
        "name": "/".join(filter(None, names)),
        "resourceGroup": pick(cluster, "resourceGroup") or pick(pool, "resourceGroup"),
        "location": pick(cluster, "location") or pick(pool, "location"),
        "hardwareProfile": {"vmSize": pick(pool, "vmSize")},
        "priority": pick(pool, "scaleSetPriority"),
        "powerState": "VM deallocated" if stopped else "",
        "storageProfile": {"osDisk": os_disk},
        "tags": pick(pool, "tags") or pick(cluster, "tags"),
    }
    if isinstance(zones := pick(pool, "availabilityZones"), list):
        machine["zones"] = zones
    cells = vm_cells(machine, count=plain_text(pick(pool, "count")), service="aks")
    cells[_EPHEMERAL] = {"ephemeral": "yes", "managed": "no"}.get(disk_kind, "")
    return cells
