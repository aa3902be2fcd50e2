"""What if: the same pools with one answer changed, to see which questions would change the first choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from advisor.engine.arrays import Array, Table
from advisor.engine.candidates import World
from advisor.engine.pools import Pool, profile_columns
from advisor.engine.request import AdviceRequest
from advisor.engine.workload import ProfileFields, complete

BASE = "base"
#: Kinds of work worth trying when nobody said what the machines do.
OTHER_KINDS: Mapping[str, tuple[str, ...]] = {
    "training": ("inference", "hpc"),
    "inference": ("training",),
    "hpc": ("training",),
    "graphics": ("inference",),
    "dev": ("training",),
}


def with_variants(pools: Sequence[Pool], world: World, request: AdviceRequest) -> Table:
    """Every pool as it is (variant `base`) and once for each open question, with the columns of pools and `scope`.

    All variants go through the same stages as the pools themselves; only their first choice is looked at.
    """
    owners: list[int] = []
    changes: list[Mapping[str, Any]] = []
    for number, pool in enumerate(pools):
        tried = list(_changes(pool, world, request))
        owners.extend([number] * (1 + len(tried)))
        changes.append({"variant": BASE, "scope": request.target_region})
        changes.extend(change | {"variant": name} for name, change in tried)
    table = Table.of({name: [pool[name] for pool in pools] for name in pools[0]}).take(owners)
    return table.with_columns(**{name: _changed(table, name, changes) for name in set().union(*changes)})


def _changed(table: Table, name: str, changes: Sequence[Mapping[str, Any]]) -> Array:
    """A column with the changes in it; one that the table has not got is in every change."""
    values = table.flat(name).copy() if name in table else np.empty(len(table), dtype=object)
    for row, change in enumerate(changes):
        if name in change:
            values[row] = change[name]
    return values


def _changes(pool: Mapping[Any, Any], world: World, request: AdviceRequest) -> Iterator[tuple[str, dict[str, Any]]]:
    assumed = pool["profile"].assumed
    scope = {"scope": request.target_region}
    assume = request.assumptions()
    if "utilisation" in assumed and pool["shape"] != "seat":
        yield "utilisation", scope | {"utilisation": assume["what_if_utilisation"]}
    if "workload" in assumed:
        for kind in OTHER_KINDS[pool["kind"]]:
            yield "workload", scope | _again(pool, ProfileFields(workload=kind), world, assume)
    if "multi_node" in assumed and pool["kind"] in ("training", "hpc") and pool["vms"] > 1 and pool["k0"] > 1:
        yield "multi_node", scope | _again(pool, ProfileFields(multi_node=True), world, assume)
    if "precision" in assumed and pool["kind"] == "hpc":
        yield "precision", scope | _again(pool, ProfileFields(precision="fp64"), world, assume)
    if pool["hours_basis"] == "assumed" and "pattern" in assumed:
        hours = assume["what_if_hours"]
        yield "hours", scope | {"hours_per_vm_month": hours, "pattern": "burst"}
    if pool["os_assumed"]:
        yield "os", scope | {"os": "windows"}
    if np.isnan(pool["generation"]) and _boots_both(pool["size"], world):
        yield "generation", scope | {"generation": 1.0}
    if request.target_region == "own" and pool["region"] is not None:
        yield "geography", {"scope": "geography"}


def _boots_both(size: str, world: World) -> bool:
    """True when the present size takes images of both generations, so that its name tells nothing."""
    facts = world.catalogue.sizes.get(size)
    return facts is not None and facts.generations is not None and len(facts.generations) > 1


def _again(pool: Mapping[Any, Any], change: ProfileFields, world: World, assume: Mapping[str, float]) -> dict[str, Any]:
    """The profile columns with one more thing said, defaults worked out anew."""
    profile = complete(
        change.over(pool["said_all"]),
        size=world.catalogue.sizes.get(pool["size"]),
        vms=pool["vms"],
        hours_per_vm=pool["hours_per_vm_month"],
        steady_from_hours=assume["steady_from_hours"],
        catalogue=world.catalogue,
    )
    return profile_columns(profile)
