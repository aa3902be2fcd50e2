"""Facts of machines and of platforms that only rules read: one entry per pool, or one per size, of the candidates.

Names that begin with `from_` are those of the pool's present size. Yes and no that may be unknown are 1, 0 and NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from advisor.engine.arrays import Array, Table, as_column, as_number, gathered
from advisor.engine.fact_kinds import version_number
from advisor.engine.vm_facts import PoolFacts, VmFacts

#: Facts of which several VMs may still hold a stricter value: the value that counts and `open_` with its name.
COUNTED = ("nics", "temp_used_gib", "os_disk_gib", "driver", "cuda", "pytorch", "tensorflow", "data_disks")
_FLAGS = (
    *("accelerated_networking", "temp_used_gib", "os_disk_gib", "ephemeral_os_disk", "disk_encryption", "nics"),
    *("availability_set", "proximity_group", "secure_boot"),
)
_TEXTS = ("zone", "image", "driver", "cuda", "pytorch", "tensorflow", "security_type", "extensions")
_NO_CONVERSION = ("windows-server 2016", "debian", "azure-linux")


def fact_columns(variants: Table, sizes: Mapping[str, Array], index: Mapping[str, int]) -> dict[str, Array]:
    """The facts of every variant of a pool, of its present size, and of every size, as columns of their grid."""
    own = np.array([index.get(size, -1) for size in variants.flat("size").tolist()])
    of_pool = machine_columns(variants.flat("machine").tolist())
    for name, values in sizes.items():
        of_pool[f"from_{name}"] = gathered(values, own)
    of_pool["service"] = variants.flat("service")
    of_pool["reserved"] = np.isin(variants.flat("price_model"), ("ri_1y", "ri_3y"))
    columns = {name: values[:, None] for name, values in of_pool.items()}
    return columns | {name: values[None, :] for name, values in sizes.items()}


def machine_columns(machines: list[PoolFacts]) -> dict[str, Array]:
    """The facts of machines as columns; equal facts are looked at once."""
    number: dict[int, int] = {}
    distinct: list[PoolFacts] = []
    codes = np.empty(len(machines), dtype=np.int64)
    for place, machine in enumerate(machines):
        if id(machine) not in number:
            number[id(machine)] = len(distinct)
            distinct.append(machine)
        codes[place] = number[id(machine)]
    rows = [_row(machine) for machine in distinct]
    return {name: as_column([row[name] for row in rows])[codes] for name in (rows[0] if rows else ())}


def _row(machine: PoolFacts) -> dict[str, Any]:
    facts = machine.values
    row: dict[str, Any] = {name: as_number(getattr(facts, name)) for name in _FLAGS}
    row |= {f"{name}_text": getattr(facts, name) for name in _TEXTS}
    row |= {f"open_{name}": getattr(facts, name) is None or name in machine.open for name in COUNTED}
    family, _, version = (facts.image or "").partition(" ")
    return row | {
        "zonal": _is_not(facts.zone, "none"),
        "is_scsi": _is(facts.disk_controller, "scsi"),
        "trusted": _is(facts.security_type, "trusted-launch"),
        "confidential": _is(facts.security_type, "confidential"),
        "driver_branch": _branch(facts),
        "cuda_number": version_number(facts.cuda),
        "pytorch_number": version_number(facts.pytorch),
        "tensorflow_number": version_number(facts.tensorflow),
        "system_family": family or None,
        "system_version": version_number(version or None),
        "no_conversion": _no_conversion(facts.image),
        "gpu_extension": _has(facts.extensions, "nvidia-driver", "amd-driver"),
        "infiniband_extension": _has(facts.extensions, "infiniband-driver"),
    }


def _is(value: str | None, wanted: str) -> float:
    return np.nan if value is None else float(value == wanted)


def _is_not(value: str | None, wanted: str) -> float:
    return np.nan if value is None else float(value != wanted)


def _has(extensions: str | None, *wanted: str) -> float:
    return np.nan if extensions is None else float(bool(set(extensions.split("+")) & set(wanted)))


def _branch(facts: VmFacts) -> float:
    return np.nan if facts.driver is None else float(facts.driver.split(".")[0])


def _no_conversion(image: str | None) -> float:
    """Whether pages exclude the system from the conversion to Generation 2 in place."""
    return np.nan if image in (None, "other") else float(str(image).startswith(_NO_CONVERSION))
