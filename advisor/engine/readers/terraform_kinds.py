"""Which resources of Terraform make machines, and in which of their arguments size, number and region stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineKind:
    """Argument names of one type of resource. A path such as `scale_settings.max_node_count` goes into a block.

    `region_of` is the argument that names the resource whose region it is, where it has none of its own.
    """

    size: str
    count: str = ""
    service: str = "vm"
    region: str = "location"
    region_of: str = ""
    priority: str = "priority"
    os: str = ""
    always_spot: bool = False


KINDS: Mapping[str, tuple[MachineKind, ...]] = {
    "azurerm_linux_virtual_machine": (MachineKind(size="size", os="linux"),),
    "azurerm_windows_virtual_machine": (MachineKind(size="size", os="windows"),),
    "azurerm_virtual_machine": (MachineKind(size="vm_size"),),
    "azurerm_linux_virtual_machine_scale_set": (
        MachineKind(size="sku", count="instances", service="vmss", os="linux"),
    ),
    "azurerm_windows_virtual_machine_scale_set": (
        MachineKind(size="sku", count="instances", service="vmss", os="windows"),
    ),
    "azurerm_virtual_machine_scale_set": (MachineKind(size="sku.name", count="sku.capacity", service="vmss"),),
    "azurerm_orchestrated_virtual_machine_scale_set": (
        MachineKind(size="sku_name", count="instances", service="vmss"),
    ),
    "azurerm_kubernetes_cluster": (
        MachineKind(size="default_node_pool.vm_size", count="default_node_pool.node_count", service="aks"),
    ),
    "azurerm_kubernetes_cluster_node_pool": (
        MachineKind(size="vm_size", count="node_count", service="aks", region="", region_of="kubernetes_cluster_id"),
    ),
    "azurerm_machine_learning_compute_cluster": (
        MachineKind(size="vm_size", count="scale_settings.max_node_count", service="aml", priority="vm_priority"),
    ),
    "azurerm_machine_learning_compute_instance": (
        MachineKind(size="virtual_machine_size", service="aml", region="", region_of="machine_learning_workspace_id"),
    ),
    "azurerm_batch_pool": (
        MachineKind(
            size="vm_size", count="fixed_scale.target_dedicated_nodes", service="batch", region="",
            region_of="account_name",
        ),
        MachineKind(
            size="vm_size", count="fixed_scale.target_low_priority_nodes", service="batch", region="",
            region_of="account_name", always_spot=True,
        ),
    ),
}  # fmt: skip
#: Words of a priority that mean machines which Azure may take back.
SPOT = frozenset({"spot", "lowpriority", "low"})
