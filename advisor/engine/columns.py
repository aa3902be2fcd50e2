"""Every table column: type, unit, meaning, and the stage that adds it.

A later table has the columns of the one before. `text` is plain str, None where unknown; `value` any other engine
value, None where there is none; yes and no that may be unknown are float64: 1, 0 and NaN. Days are ordinals.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    """One column of one stage's table."""

    name: str
    dtype: str  # pandas dtype, or text or value
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
    Column("low_priority", "boolean", "", "priced as spot because it is low priority; missing: not said"),
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
    Column("facts", "category", "", 'what else is said of the machine, as JSON text {"nics": 2.0}; None: nothing'),
    Column("tags", "category", "", 'further columns as JSON text {"env": "dev"}, keys sorted; None: none'),
)

#: Added by pools.make_pools: one row per pool.
POOLS: tuple[Column, ...] = (
    Column("id", "text", "", "first 8 hex digits of sha256(size|region|os|price_model|pool name)"),
    Column("name", "text", "", "the user's own name, with what its rows say where two pools would share an id"),
    Column("size", "text", "", "canonical present size"),
    Column("region", "text", "", "ARM region name; None: the file has none"),
    Column("os", "text", "", "linux or windows"),
    Column("os_assumed", "bool", "", "nobody said the system: linux is taken"),
    Column("price_model", "text", "", "as in FLEET, payg where not said"),
    Column("pool", "text", "", "the user's own name for the group, None where not said"),
    Column("service", "text", "", "vm, vmss, aks, batch or aml: who owns the machines"),
    Column("vms", "int64", "VMs", "machines of the pool, N"),
    Column("deallocated", "int64", "VMs", "of these, stopped and deallocated"),
    Column("hours_per_vm_month", "float64", "h", "hours that one VM runs a month, W"),
    Column("hours_basis", "text", "", "file, list or assumed: where W comes from"),
    Column("cost", "float64", "currency", "the user's own cost a month; NaN unless every VM has one"),
    Column("currency", "text", "", "currency of cost; None where not said"),
    Column("data_disks", "float64", "disks", "of the fullest VM; NaN: the file does not say"),
    Column("premium_disks", "float64", "", "at least one disk is premium storage"),
    Column("generation", "float64", "", "the lowest VM generation of the images, 1 or 2"),
    Column("machine", "value", "", "PoolFacts: what is known of the machines, and how many have which value"),
    Column("gpus_per_vm", "float64", "GPUs", "GPUs of one VM, a sixth of a card is 1/6"),
    Column("k0", "float64", "GPUs", "GPUs of one VM that work as such: a slice is 1"),
    Column("said", "value", "", "ProfileFields: what rows and rules say of the work"),
    Column("said_all", "value", "", "ProfileFields: that, and what the request says"),
    Column("gpu_use", "value", "", "PoolUse: what monitoring says of the GPUs, None where no file does"),
    Column("profile", "value", "", "WorkloadProfile: complete, with defaults and their reasons"),
    Column("kind", "text", "", "training, inference, hpc, graphics or dev"),
    Column("pattern", "text", "", "burst or steady"),
    Column("shape", "text", "", "queue, stream or seat"),
    Column("precision", "text", "", "fp64, fp32, tf32, mixed, fp16, bf16, int8 or fp8"),
    Column("work", "value", "", "Work of the speed model: what of the profile speeds depend on"),
    Column("needed_gib", "float64", "GiB", "GPU memory that the work needs per GPU"),
    Column("needed_assumed", "bool", "", "nobody said it: it is that of the present GPU"),
    Column("utilisation", "float64", "share", "GPUs in use at peak, u"),
    Column("multi_node", "bool", "", "one job spans several VMs"),
    Column("job_gpus", "float64", "GPUs", "source GPUs that work as one, j"),
    Column("min_vms", "float64", "VMs", "fewest VMs that are accepted, n_min"),
    Column("interruptible", "bool", "", "the work survives an eviction"),
)

#: Added to the pools by baseline.add_baseline; money in the book's currency.
BASELINE: tuple[Column, ...] = (
    Column("status", "value", "", "LifecycleStatus of the present size in its region and service"),
    Column("retired", "bool", "", "it can no longer be run"),
    Column("running", "bool", "", "the machines run today"),
    Column("baseline_kind", "text", "", "actual, list, last_known, estimated or unknown"),
    Column("baseline_hourly", "float64", "currency/h", "price of one VM"),
    Column("baseline_monthly", "float64", "currency/month", "what the pool costs when it runs"),
    Column("cost_now", "float64", "currency/month", "what is billed: 0 for machines that are off"),
    Column("reference_tco", "float64", "currency", "cost of ownership of today's machines over the horizon"),
    Column("reference_parts", "value", "", "its components"),
    Column("baseline_quote", "value", "", "Quote behind the price; None where there is none"),
)

#: Added by variants.with_variants: one row per pool and other answer that is tried.
VARIANTS: tuple[Column, ...] = (
    Column("variant", "text", "", "base: the pool as it is; else the question whose other answer is tried"),
    Column("scope", "text", "", "own, geography, any or one region: where the pool may go"),
)

#: Columns of pools and variants that candidates carry.
CARRIED = tuple(
    column
    for column in (*POOLS, *BASELINE)
    if column.name
    in {
        *("size", "os", "vms", "hours_per_vm_month", "k0", "kind", "pattern", "shape", "precision", "work"),
        *("needed_gib", "needed_assumed", "utilisation", "job_gpus", "min_vms", "interruptible", "data_disks"),
        *("premium_disks", "generation", "running"),
    }
)

#: Facts of one size, added by candidates.make_candidates for the target and, with from_, for the present size.
SIZE: tuple[Column, ...] = (
    Column("series", "text", "", "series of the size"),
    Column("gpu", "text", "", "its GPU as the catalogue names it"),
    Column("vendor", "text", "", "nvidia or amd"),
    Column("gpus", "float64", "GPUs", "per VM, a sixth of a card is 1/6"),
    Column("units", "float64", "GPUs", "per VM that work as such: a slice is 1"),
    Column("share", "float64", "share", "of a card that one unit is: 1, or less for a slice"),
    Column("gpu_memory_gib", "float64", "GiB", "GPU memory of one unit, from the size page"),
    Column("vcpus", "float64", "vCPUs", "per VM"),
    Column("memory_gib", "float64", "GiB", "memory of the VM"),
    Column("temp_disk_gib", "float64", "GiB", "temporary disk, 0: none"),
    Column("local_nvme_gib", "float64", "GiB", "local NVMe, 0: none"),
    Column("max_data_disks", "float64", "disks", "that one VM takes"),
    Column("infiniband", "float64", "", "the VM has InfiniBand"),
    Column("gpu_link", "text", "", "how the GPUs of a VM are joined"),
    Column("gen1", "float64", "", "boots Generation 1 images"),
    Column("gen2", "float64", "", "boots Generation 2 images"),
    Column("premium_storage", "float64", "", "takes premium disks"),
    Column("special", "text", "", "why it does not answer a general need; None: it does"),
    Column("min_cuda", "float64", "", "oldest CUDA for the GPU, 11.8 is 1108"),
    Column("last_cuda", "float64", "", "last CUDA for the GPU; NaN: still supported"),
    Column("release_year", "float64", "", "year in which the GPU appeared"),
    Column("fp64_share", "float64", "share", "double-precision rate over the single-precision rate"),
    Column("driver", "text", "", "driver that the series takes: cuda, grid or amd"),
    Column("graphics_linux", "float64", "", "there is a graphics driver for Linux"),
    Column("graphics_windows", "float64", "", "there is a graphics driver for Windows"),
    Column("compute_linux", "float64", "", "there is a compute driver for Linux"),
    Column("compute_windows", "float64", "", "there is a compute driver for Windows"),
    Column("grid_included", "float64", "", "a GRID licence is in the price"),
    Column("family", "text", "", "quota family"),
)

#: Added by candidates.make_candidates beside CARRIED, SIZE and its from_ columns: one row per variant and size.
TARGET: tuple[Column, ...] = (
    Column("pool_index", "int64", "", "row of the variants table"),
    Column("from_region", "text", "", "region of the pool"),
    Column("target", "text", "", "canonical size to move to"),
    Column("target_index", "int64", "", "its place in the order of names"),
    Column("graphics_driver", "float64", "", "graphics_linux or graphics_windows, by the pool's system"),
    Column("compute_driver", "float64", "", "compute_linux or compute_windows, by the pool's system"),
    Column("region", "text", "", "region of the target"),
    Column("documented", "float64", "", "a document says that it can be deployed there"),
    Column("listed", "float64", "", "it has a recent price there"),
    Column("status", "text", "", "current, announced, retired or unknown, there and on the day"),
    Column("ended", "float64", "", "it is retired there; NaN: no source says what it is"),
    Column(
        "ends", "float64", "day", "last day of the size: of a target the earliest any source gives, of a stay own_ends"
    ),
    Column("own_ends", "float64", "day", "retirement by the newest Microsoft page"),
    Column("third_party_ends", "float64", "day", "retirement that only a third party states"),
    Column("no_new_capacity", "float64", "", "no new capacity is added for the series"),
    Column("hourly_compute", "float64", "currency/h", "price of one VM on the basis of ranking, without Windows"),
    Column("hourly_licence", "float64", "currency/h", "Windows licence of one VM, 0 for Linux"),
    Column("price_as_of", "float64", "day", "on which the price was read"),
    Column("price_estimated", "float64", "", "the price is an estimate"),
    Column("goes_far", "bool", "", "to another region"),
    Column("placed", "bool", "", "the region of the target is known"),
    Column("stay", "bool", "", "the pool's own size in its own region"),
    Column("speed_low", "float64", "factor", "low end of the interval of speed"),
    Column("speed", "float64", "factor", "one target unit against one source unit on the pool's work, s"),
    Column("speed_high", "float64", "factor", "high end of the interval of speed"),
    Column("speed_groups", "float64", "groups", "benchmark groups of the kind that hold the pair"),
    Column("speed_kind_groups", "float64", "groups", "benchmark groups of the kind"),
    Column("speed_chained", "float64", "", "the pair is joined over a third GPU, or no measurement holds it"),
    Column("speed_user", "float64", "", "the ratio is the user's own"),
)

#: Added by sizing.add_sizing.
SIZING: tuple[Column, ...] = (
    Column("asked", "float64", "GPUs", "source GPUs asked for, A"),
    Column("demand", "float64", "GPU-hours/month", "work a month in hours of the source GPU, D"),
    Column("replaces", "float64", "GPUs", "source GPUs that one target VM replaces, r"),
    Column("efficiency", "float64", "factor", "of the target layout over that of the source, e"),
    Column("spans", "bool", "", "one job spans several target VMs"),
    Column("n", "float64", "VMs", "machines needed"),
    Column("hours", "float64", "VM-hours/month", "that they run, H"),
    Column("gpus_bought", "float64", "GPUs", "n times gpus"),
)

#: Added by stages.run_stages: what rules compare with, and what came of them.
JUDGED: tuple[Column, ...] = (
    Column("as_of_day", "float64", "day", "of the advice"),
    Column("as_of_year", "float64", "", "its year"),
    Column("horizon_day", "float64", "day", "end of the horizon"),
    Column("short_lived", "bool", "", "ends inside the horizon"),
    Column("seat_slack", "float64", "share", "assumption of that name"),
    Column("job_slack", "float64", "factor", "assumption of that name"),
    Column("slowest_job", "float64", "share", "assumption of that name"),
    Column("basis", "text", "", "price model of ranking"),
    Column("asked_for", "bool", "", "a special size that was asked for by name"),
    Column("host_floor", "float64", "share", "assumption of that name"),
    Column("oversized_factor", "float64", "factor", "assumption of that name"),
    Column("verdict", "int64", "", "effort of the move, an index of money.VERDICTS"),
    Column("rejected", "bool", "", "a rule refuses it"),
)

#: Added by stages.run_stages for money: what `money.ownership` reads beside prices and counts.
CAUSES: tuple[Column, ...] = (
    Column("grid_month", "float64", "currency/month", "GRID licence that one VM needs: 0 none, NaN unknown"),
    Column("grid_price", "float64", "currency/month", "assumption grid_licence"),
    Column("licence_free", "bool", "", "Windows costs nothing: licences are owned, or a Dev/Test offer holds"),
    Column("dev_offer", "bool", "", "development under a Dev/Test offer"),
    Column("second_at", "float64", "months", "until the size ends, where that is inside the horizon; NaN: it does not"),
    Column("stranded", "float64", "currency", "what the move strands of commitments held"),
)

#: Added by money.add_money, and by stages.run_stages (nearest_smaller); in the book's currency.
MONEY: tuple[Column, ...] = (
    Column("hourly_price", "float64", "currency/h", "of one VM, Windows included"),
    Column("monthly_cost", "float64", "currency/month", "of all VMs: compute and Windows"),
    Column("cost_per_work_unit", "float64", "currency/GPU-hour", "monthly_cost over demand"),
    Column("tco_compute", "float64", "currency", "compute over the horizon, today's value"),
    Column("tco_windows_licence", "float64", "currency", "Windows over the horizon, today's value"),
    Column("tco_grid_licence", "float64", "currency", "GRID where the series does not include it, today's value"),
    Column("tco_disks", "float64", "currency", "system and data disks, today's value"),
    Column("tco_network", "float64", "currency", "traffic to the internet, today's value"),
    Column("tco_operations", "float64", "currency", "work of running the machines, today's value"),
    Column("tco_migration_labour", "float64", "currency", "work of the move, once"),
    Column("tco_staff_training", "float64", "currency", "the team learns another driver or vendor, once"),
    Column("tco_parallel_running", "float64", "currency", "overlap of old and new machines"),
    Column("tco_data_transfer", "float64", "currency", "data to another region, once"),
    Column("tco_stranded_commitments", "float64", "currency", "what is lost of commitments held"),
    Column("tco_second_move", "float64", "currency", "a second forced move when the size ends, today's value"),
    Column("tco", "float64", "currency", "sum of the components"),
    Column("nearest_smaller", "text", "", "rankable size of the pool next below in work per VM; None: no such size"),
)

#: Added by ranking.add_rank to the rows that can be ranked.
RANKED: tuple[Column, ...] = (
    Column("row", "int64", "", "row of the candidates table"),
    Column("rank", "int64", "", "place in its pool, 1 is best"),
    Column("strategies", "value", "", "names of the strategies in which it is its pool's best"),
)

#: All columns of the candidates table.
CANDIDATES = (
    *CARRIED,
    *SIZE,
    *(Column(f"from_{c.name}", c.dtype, c.unit, f"of the present size: {c.meaning}") for c in SIZE),
    *TARGET,
    *SIZING,
    *JUDGED,
    *CAUSES,
    *MONEY,
)
