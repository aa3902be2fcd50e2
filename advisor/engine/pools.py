"""Pools: VMs that share size, region, system, price model and workload profile; the unit of advice.

Whatever the number of VMs, later stages see only pools: the fleet is grouped once, by whole columns.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.arrays import as_number
from advisor.engine.catalogue import Catalogue
from advisor.engine.columns import FLEET
from advisor.engine.grouping import group_rows, rows_of, sums
from advisor.engine.ledger import status_at
from advisor.engine.pool_use import PoolUse
from advisor.engine.pool_work import work_of_pool
from advisor.engine.readers.machine import OWN_COLUMNS
from advisor.engine.readers.reading import Reading
from advisor.engine.request import AdviceRequest
from advisor.engine.utilisation import Joined, join, row_names
from advisor.engine.vm_facts import NOTHING, VmFacts, pool_facts
from advisor.engine.watched import counted, watched_fields
from advisor.engine.workload import (
    PROFILE_FIELDS,
    ProfileFields,
    ProfileRule,
    WorkloadProfile,
    complete,
    gpu_units,
)

HOURS_PER_MONTH = 730.0
SHORTEST_HOURS = 1 / 3600  # a second a month is not running, and next to nothing cannot be divided by
_SAYINGS = ["workload", "pattern", "shape", "precision", "gpu_memory_gib", "utilisation", "multi_node", "job_gpus"]
_SAYINGS += ["interruptible", "min_vms"]
_KEYS = ["size", "region", "os", "price_model", "pool", "currency", "service", *_SAYINGS]
_RULE_COLUMNS = ("name", "resource_group", "tags")


Pool = dict[str, Any]  # one row of columns.POOLS, later with columns.BASELINE


def make_pools(readings: Sequence[Reading], catalogue: Catalogue, request: AdviceRequest) -> list[Pool]:
    """One record per pool with columns.POOLS, in the order of size, region and name.

    Hours: W = sum of hours x 730 / hours of the period / VMs for usage files, hours per VM as written for lists;
    without hours a running VM counts 730 and a deallocated one 0. Machines of a size that is retired count 730 as
    "before retirement" when their hours are unknown or 0. A steady pool runs 730 h, whatever the calendar month, and
    no VM runs more than that. Less than a second a month is not running at all.
    """
    groups = _groups(readings, request)
    watched = join_utilisation(readings, catalogue, request, groups).pools or {}
    pools = [_pool(group, catalogue, request, watched.get(group["id"])) for group in groups]
    return sorted(pools, key=lambda p: (p["size"], p["region"] is None, p["region"] or "", p["name"], p["id"]))


def join_utilisation(
    readings: Sequence[Reading],
    catalogue: Catalogue,
    request: AdviceRequest,
    groups: Sequence[Mapping[str, Any]] | None = None,
) -> Joined:
    """The hosts of the utilisation files beside the fleet, and the machines and pools that they are."""
    uses = [use for reading in readings for use in reading.utilisation]
    if not uses:
        return Joined()
    groups = _groups(readings, request) if groups is None else groups
    names = row_names(readings, request.by_name)
    return join(groups, names, uses, catalogue, request.hosts, request.assumptions())


def _groups(readings: Sequence[Reading], request: AdviceRequest) -> list[dict[str, Any]]:
    """The pools in the making, each with an id; `rows` are the places of its rows in the fleet."""
    fleet = _fleet(readings, request)
    if fleet.empty:
        return []
    groups = _collapse(fleet, request.rules)
    _name_apart(groups)
    return groups


def _fleet(readings: Sequence[Reading], request: AdviceRequest) -> pd.DataFrame:
    """The kinds of machine of all usable files, hours and cost as a month of them.

    Where a rule looks at names, single rows are needed instead.
    """
    parts = []
    for reading in readings:
        if not reading.usable or reading.fleet.empty:
            continue
        fleet = _single_rows(reading) if request.by_name else reading.kinds.assign(name=None)
        scale = HOURS_PER_MONTH / reading.period.hours if reading.period else 1.0
        count, off = fleet["count"].to_numpy(dtype=float), fleet["deallocated"].to_numpy(dtype=float)
        hours = fleet["hours"].to_numpy(dtype=float) * scale
        known = ~np.isnan(hours)
        parts.append(
            fleet.assign(
                count=count,
                deallocated=off,
                hours_total=np.where(known, hours, (count - off) * HOURS_PER_MONTH),
                vms_with_hours=np.where(known, count, 0.0),
                cost=fleet["cost"].to_numpy(dtype=float) * scale,
                from_usage=reading.period is not None,
            )
        )
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[c.name for c in FLEET])


def _single_rows(reading: Reading) -> pd.DataFrame:
    fleet = reading.fleet
    hours, count = fleet["hours"].to_numpy(dtype=float), fleet["count"].to_numpy(dtype=float)
    return fleet.assign(hours=np.where(fleet["hours_per_vm"].to_numpy(dtype=bool), hours * count, hours))


def _collapse(fleet: pd.DataFrame, rules: tuple[ProfileRule, ...]) -> list[dict[str, Any]]:
    """Groups of equal rows with their sums. Names, groups and tags divide only where a rule looks at them."""
    wanted = {key for rule in rules for key, _ in rule.match}
    extra = [c for c in _RULE_COLUMNS if c in wanted or (c == "tags" and any(k.startswith("tag:") for k in wanted))]
    keys = [*_KEYS, "from_usage", *extra]
    first, groups = group_rows(fleet, keys)
    number = len(first)
    count = fleet["count"].to_numpy(dtype=float)
    costed = ~np.isnan(fleet["cost"].to_numpy(dtype=float))
    added = {"vms": count, "vms_costed": count * costed}
    added |= {name: fleet[name] for name in ("deallocated", "hours_total", "vms_with_hours", "cost")}
    columns = {name: _values(fleet[name], first) for name in keys}
    columns |= {name: sums(values, groups, number).tolist() for name, values in added.items()}
    columns["facts"] = _facts_by_group(fleet, groups, number, count)
    columns["rows"] = rows_of(groups, number)
    merged: dict[tuple[Any, ...], dict[str, Any]] = {}
    for values in zip(*columns.values(), strict=True):
        record = dict(zip(columns, values, strict=True))
        if record["vms"] > 0:
            _merge(merged, _said(record, rules))
    return list(merged.values())


def _values(column: pd.Series[Any], rows: Any) -> list[Any]:
    """The values of some rows as plain objects, None where one is missing."""
    return [None if value is pd.NA or value != value else value for value in column.take(rows).tolist()]  # noqa: PLR0124


def _facts_by_group(fleet: pd.DataFrame, groups: Any, number: int, count: Any) -> list[dict[VmFacts, float]]:
    """For each group how many VMs have which facts of the machine."""
    first, combination = group_rows(fleet, [*OWN_COLUMNS, "facts"])
    names = (*OWN_COLUMNS, "facts")
    rows = zip(*(_values(fleet[name], first) for name in names), strict=True)
    facts = [_vm_facts(dict(zip(names, row, strict=True))) for row in rows]
    found: list[dict[VmFacts, float]] = [{} for _ in range(number)]
    pairs, place = np.unique(groups * len(facts) + combination, return_inverse=True)
    for pair, vms in zip(pairs.tolist(), sums(count, place, len(pairs)).tolist(), strict=True):
        known = facts[pair % len(facts)]
        found[pair // len(facts)][known] = found[pair // len(facts)].get(known, 0.0) + vms
    return found


def _vm_facts(row: Mapping[str, Any]) -> VmFacts:
    own: dict[str, Any] = {name: float(row[name]) for name in OWN_COLUMNS if row[name] is not None}
    together = json.loads(row["facts"]) if row["facts"] else {}
    return VmFacts(**own, **together) if own or together else NOTHING


def _said(record: dict[str, Any], rules: Iterable[ProfileRule]) -> dict[str, Any]:
    """The record with `said`: its own columns first, then the first rule that matches."""
    own = ProfileFields(**{name: _plain(name, record[name]) for name in _SAYINGS})
    tags = {k.casefold(): v for k, v in json.loads(record.get("tags") or "{}").items()} if rules else {}
    rule = next((rule for rule in rules if rule.matches(record, tags)), None)
    if rule is None:
        return record | {"said": own}
    facts: dict[VmFacts, float] = {}
    for known, vms in record["facts"].items():
        facts[known.over(rule.facts)] = facts.get(known.over(rule.facts), 0.0) + vms
    return record | {"said": own.over(rule.set), "facts": facts}


def _plain(name: str, value: Any) -> Any:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    return bool(value) if name in ("multi_node", "interruptible") else value


def _merge(merged: dict[tuple[Any, ...], dict[str, Any]], record: dict[str, Any]) -> None:
    """Add a group to the pool of the same key; sums add, also the VMs that have the same facts."""
    key = tuple(record[k] for k in ("size", "region", "os", "price_model", "pool", "service", "from_usage", "currency"))
    key += (record["said"],)
    pool = merged.setdefault(key, record)
    if pool is record:
        return
    for column in ("vms", "deallocated", "hours_total", "vms_with_hours", "cost", "vms_costed"):
        pool[column] += record[column]
    pool["rows"] = pool["rows"] + record["rows"]
    for facts, vms in record["facts"].items():
        pool["facts"][facts] = pool["facts"].get(facts, 0.0) + vms


def _pool(group: Mapping[str, Any], catalogue: Catalogue, request: AdviceRequest, use: PoolUse | None) -> Pool:
    """One pool with its hours and its complete profile; what was watched of it goes before defaults only."""
    size = catalogue.sizes.get(group["size"])
    service: Any = group["service"] or "vm"
    status = status_at(catalogue, group["size"], group["region"], request.as_of, service) if size else None
    retired = status is not None and status.status == "retired"
    vms = round(group["vms"])
    hours = min(group["hours_total"] / vms, HOURS_PER_MONTH)
    hours = hours if hours >= SHORTEST_HOURS else 0.0
    basis = "assumed" if group["vms_with_hours"] < vms else ("file" if group["from_usage"] else "list")
    if retired and (hours <= 0 or (basis == "assumed" and group["deallocated"] > 0)):
        hours, basis = HOURS_PER_MONTH, "assumed"
    steady_from = request.assumptions()["steady_from_hours"]
    stated_work = request.by_pool.get(group["id"], ProfileFields()).over(group["said"]).over(request.profile)
    said = stated_work.over(watched_fields(use))
    stated = ((facts.over(request.facts), number) for facts, number in group["facts"].items())
    machine = pool_facts(stated, request.facts_by_pool.get(group["id"], NOTHING))
    profile = complete(
        said,
        size=size,
        vms=vms,
        hours_per_vm=hours,
        steady_from_hours=steady_from,
        catalogue=catalogue,
        spot=group["price_model"] == "spot",
    )
    if profile.pattern == "steady":
        if hours < steady_from:
            basis = "assumed"  # the user says steady, whatever the file counts
        hours = HOURS_PER_MONTH
    return {
        "id": group["id"],
        "name": group["name"],
        "size": group["size"],
        "region": group["region"],
        "os": group["os"] or "linux",
        "os_assumed": group["os"] is None,
        "price_model": group["price_model"] or "payg",
        "pool": group["pool"],
        "service": service,
        "vms": vms,
        "deallocated": round(group["deallocated"]),
        "hours_per_vm_month": hours,
        "hours_basis": basis,
        "cost": group["cost"] if group["vms_costed"] == group["vms"] else np.nan,
        "currency": group["currency"],
        "data_disks": as_number(machine.values.data_disks),
        "premium_disks": as_number(machine.values.premium_disks),
        "generation": as_number(machine.values.generation),
        "machine": machine,
        "gpus_per_vm": size.gpus if size and size.gpus else np.nan,
        "k0": (gpu_units(size) if size else None) or np.nan,
        "said": group["said"],
        "said_all": said,
        "gpu_use": counted(use, stated_work),
        **profile_columns(profile),
    }


def profile_columns(profile: WorkloadProfile) -> dict[str, Any]:
    return {
        "profile": profile,
        "kind": profile.kind,
        "pattern": profile.pattern,
        "shape": profile.shape,
        "precision": profile.precision,
        "work": work_of_pool(profile),
        "needed_gib": np.nan if profile.gpu_memory_gib is None else profile.gpu_memory_gib,
        "needed_assumed": "gpu_memory_gib" in profile.assumed,
        "utilisation": np.nan if profile.utilisation is None else profile.utilisation,
        "multi_node": profile.multi_node,
        "job_gpus": profile.job_gpus,
        "min_vms": float(profile.min_vms),
        "interruptible": profile.interruptible,
    }


def pool_id(size: str, region: str | None, os: str, price_model: str, name: str) -> str:
    """First 8 hex digits of sha256(size|region|os|price_model|pool name); a missing region is empty."""
    text = "|".join((size, region or "", os, price_model, name))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _name_apart(rows: list[dict[str, Any]]) -> None:
    """Give every pool a name and an id of its own.

    The name is the user's; where two pools would share an id, what their rows say of the work is added, so that the
    id depends on the file alone and not on what is changed later.
    """
    shared: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        key = (row["size"], row["region"], row["os"] or "linux", row["price_model"] or "payg", row["pool"] or "")
        shared.setdefault(key, []).append(row)
    for key, same in shared.items():
        taken: set[str] = set()
        for row in sorted(same, key=lambda r: repr((r["said"], r["service"], r["currency"]))):
            name = key[4]
            if len(same) > 1:
                said = [str(v) for f in PROFILE_FIELDS if (v := getattr(row["said"], f)) is not None]
                name = ", ".join(filter(None, [name, *said])) or "other"
            base, number = name, 2
            while name in taken:
                name, number = f"{base} {number}", number + 1
            taken.add(name)
            row["name"] = name
            row["id"] = pool_id(*key[:4], name)
