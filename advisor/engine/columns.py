"""Every table column: type, unit, meaning, and the stage that adds it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """One column of one stage's table."""

    name: str
    dtype: str  # pandas dtype; str columns may hold None for unknown
    unit: str
    meaning: str


#: Added by the readers: one row per GPU row of the file.
FLEET: tuple[Column, ...] = (
    Column("line", "Int64", "", "physical line of the record, 1-based; missing for JSON"),
    Column("item", "Int64", "", "0-based index of the element of a JSON file; missing for text"),
    Column("name", "str", "", "the machine's own name, None where the file has none; never shown on shared pages"),
    Column("resource_group", "category", "", "resource group, None where the file has none"),
    Column("size", "category", "", "canonical size: Standard_NC6s_v3"),
    Column("region", "category", "", "ARM region name; None where the file has no region at all"),
    Column("os", "category", "", "linux or windows; None where the file does not say"),
    Column("price_model", "category", "", "payg, spot, ri_1y, ri_3y, sp_1y or sp_3y; None where not said"),
    Column("count", "Int64", "VMs", "machines that the row describes"),
    Column("deallocated", "Int64", "VMs", "of these, stopped and deallocated"),
    Column("hours", "float64", "VM-hours", "hours of the row as the file has them, NaN where it has none"),
    Column("hours_per_vm", "bool", "", "the hours column says that it is per VM"),
    Column("cost", "float64", "currency", "cost of the row as the file has it, NaN where it has none"),
    Column("currency", "category", "", "currency of cost; None where not said"),
    Column("pool", "category", "", "the user's own name for the group, None where not said"),
    Column("workload", "category", "", "training, inference, hpc, graphics or dev; None: not said"),
    Column("pattern", "category", "", "burst or steady; None: not said"),
    Column("shape", "category", "", "queue, stream or seat; None: not said"),
    Column("precision", "category", "", "fp64, fp32, tf32, fp16, bf16, int8 or fp8; None: not said"),
    Column("gpu_memory_gib", "float64", "GiB", "GPU memory the work needs per GPU; NaN: not said"),
    Column("utilisation", "float64", "share", "GPU utilisation at peak, 0 to 1; NaN: not said"),
    Column("multi_node", "boolean", "", "one job spans several VMs; missing: not said"),
    Column("job_gpus", "float64", "GPUs", "source GPUs that work as one; NaN: not said"),
    Column("interruptible", "boolean", "", "the work survives an eviction; missing: not said"),
    Column("min_vms", "float64", "VMs", "fewest VMs the user accepts; NaN: not said"),
    Column("generation", "float64", "", "VM generation of the image, 1 or 2; NaN: the file does not say"),
    Column("data_disks", "float64", "disks", "data disks attached; NaN: the file does not say"),
    Column("premium_disks", "boolean", "", "at least one disk is premium storage; missing: not said"),
    Column("service", "category", "", "vm, vmss, aks, batch or aml: who owns the machine"),
    Column("tags", "category", "", 'further columns as JSON text {"env": "dev"}, keys sorted; None: none'),
)
