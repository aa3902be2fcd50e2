"""GPU utilisation joined to the machines of a fleet by name, and put together for each pool (docs/adr/0025).

A figure counts by itself only where every machine of the pool was watched, each with all its GPUs and for long
enough; else it is shown, with why it does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from advisor.engine.catalogue import Catalogue, Size
from advisor.engine.gpu_use import GpuUse, merge
from advisor.engine.host_names import Guesser, Machine, host_key
from advisor.engine.kinds import grouped
from advisor.engine.pool_use import PoolUse, UseSource
from advisor.engine.readers.reading import Reading
from advisor.engine.workload import ProfileFields, gpu_units, memory_per_unit

NOT_OURS = "none"
#: A driver shows 92 % (T4: 15,109 MiB of 16 GiB) to all of the memory that a size page says; other GPUs differ by more.
LEAST_SHOWN, MOST_SHOWN = 0.85, 1.05
#: 0 % means less than half a percent: nvidia-smi and DCGM print whole percents. No share of a pool is 0.
LEAST_BUSY = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class HostUse:
    """One host of the files, and the machine or pool that it is joined to.

    `target` is `POOL/MACHINE`, `POOL/` for some machine of a pool, NOT_OURS, or None: not known yet. `how` says why:
    name, uuid (its GPU is one of a host that is known) or hand.
    """

    host: str
    host_from: str
    uses: tuple[GpuUse, ...]  # one per GPU
    files: tuple[str, ...]
    target: str | None = None
    how: str = ""
    guess: str | None = None
    several: bool = False  # machines of several pools have this name

    @property
    def pool(self) -> str | None:
        """The id of its pool."""
        return self.target.partition("/")[0] if self.target and self.target != NOT_OURS else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """All hosts of all files, the machines and pools they may be, and the figures of each pool by its id."""

    hosts: tuple[HostUse, ...] = ()
    machines: tuple[Machine, ...] = ()
    pools: Mapping[str, PoolUse] | None = None

    @property
    def unmatched(self) -> tuple[HostUse, ...]:
        """Hosts of which nobody knows which machine they are."""
        return tuple(host for host in self.hosts if host.target is None)


def row_names(readings: Sequence[Reading], by_name: bool) -> list[tuple[str, ...]]:
    """The machine names behind each row of the fleet as pools see it: one row per kind, or per row of the files."""
    found: list[tuple[str, ...]] = []
    for reading in readings:
        if not reading.usable or reading.fleet.empty:
            continue
        own = reading.names or tuple((name,) if isinstance(name, str) else () for name in reading.fleet["name"])
        if by_name:
            found.extend(own)
            continue
        groups = grouped(reading.fleet)[1].tolist()
        kinds: list[list[str]] = [[] for _ in range(max(groups) + 1)]
        for group, names in zip(groups, own, strict=True):
            kinds[group].extend(names)
        found.extend(map(tuple, kinds))
    return found


def join(
    groups: Sequence[Mapping[str, Any]],
    names: Sequence[tuple[str, ...]],
    uses: Sequence[GpuUse],
    catalogue: Catalogue,
    by_hand: Mapping[str, str],
    assume: Mapping[str, float],
) -> Joined:
    """The hosts of `uses` joined to the machines of `groups`, whose `rows` are places in `names`.

    By name first (case, domain and port do not count), then as `by_hand` says by host, then by the uuid of a GPU.
    """
    machines = tuple(
        Machine(name=name, pool=group["id"], size=group["size"])
        for group in groups
        for row in group["rows"]
        for name in names[row]
    )
    hosts = _hosts(uses)
    guesser = Guesser(machines, {group["id"]: _model(group, catalogue) for group in groups})
    joined = [_by_name(host, guesser, by_hand) for host in hosts]
    joined = _by_uuid(joined)
    joined = [host if host.target else _guessed(host, guesser) for host in joined]
    pools = {}
    for group in groups:
        own = [host for host in joined if host.pool == group["id"]]
        if own:
            pools[group["id"]] = _pool_use(own, group, catalogue, assume)
    return Joined(hosts=tuple(joined), machines=machines, pools=pools)


def _model(group: Mapping[str, Any], catalogue: Catalogue) -> str:
    size = catalogue.sizes.get(group["size"])
    return (size.gpu or "") if size else ""


def _hosts(uses: Sequence[GpuUse]) -> list[HostUse]:
    by_host: dict[str, list[GpuUse]] = {}
    for use in uses:
        by_host.setdefault(host_key(use.host), []).append(use)
    return [
        HostUse(
            host=own[0].host,
            host_from=own[0].host_from,
            uses=_by_gpu(own),
            files=tuple(dict.fromkeys(use.file for use in own)),
        )
        for own in by_host.values()
    ]


def _by_gpu(uses: Iterable[GpuUse]) -> tuple[GpuUse, ...]:
    """One value per GPU: the same uuid, or the same number where a file gives no uuid, is the same GPU."""
    known = {use.gpu: use.uuid for use in uses if use.uuid}
    by_key: dict[str, list[GpuUse]] = {}
    for use in uses:
        by_key.setdefault(use.uuid or known.get(use.gpu) or use.gpu, []).append(use)
    return tuple(merge(own) for own in by_key.values())


def _by_name(host: HostUse, guesser: Guesser, by_hand: Mapping[str, str]) -> HostUse:
    said = by_hand.get(host_key(host.host))
    if said is not None and (said == NOT_OURS or guesser.is_known(said)):
        return _joined(host, said, "hand")
    same = {machine.target for machine in guesser.by_key.get(host_key(host.host), ())}
    if len(same) == 1:
        return _joined(host, same.pop(), "name")
    return HostUse(host=host.host, host_from=host.host_from, uses=host.uses, files=host.files, several=len(same) > 1)


def _joined(host: HostUse, target: str, how: str) -> HostUse:
    return HostUse(host=host.host, host_from=host.host_from, uses=host.uses, files=host.files, target=target, how=how)


def _by_uuid(hosts: Sequence[HostUse]) -> list[HostUse]:
    """Hosts whose GPU is one of a host that is joined are that machine under another name."""
    owner = {use.uuid: host.target for host in hosts if host.pool for use in host.uses if use.uuid}
    found = []
    for host in hosts:
        target = next((owner[use.uuid] for use in host.uses if use.uuid in owner), None)
        found.append(host if host.target or target is None else _joined(host, target, "uuid"))
    return found


def _guessed(host: HostUse, guesser: Guesser) -> HostUse:
    model = next((use.name for use in host.uses if use.name), None)
    return HostUse(
        host=host.host,
        host_from=host.host_from,
        uses=host.uses,
        files=host.files,
        guess=guesser.guess(host.host, model),
        several=host.several,
    )


def _pool_use(
    hosts: Sequence[HostUse], group: Mapping[str, Any], catalogue: Catalogue, assume: Mapping[str, float]
) -> PoolUse:
    """The figures of one pool from the hosts that are joined to it."""
    size = catalogue.sizes.get(group["size"])
    vms = round(group["vms"])
    whole, left_out = [], []
    for uses in _by_machine(hosts):
        fault = _fault(uses, size)
        left_out += [fault] if fault else []
        whole += [] if fault else [uses]
    gpus = [use for uses in whole for use in uses]
    figures = _figures(gpus)
    used, why_not = _that_count(gpus, min(len(whole), vms), vms, assume)
    used_max, p95 = figures["memory_used_max_gib"], figures["busy_p95"]
    needed = None if used_max is None else _needed(used_max, size, assume)
    hours = min((use.hours_seen for use in gpus), default=0)
    files = dict.fromkeys(use.file for host in hosts for use in host.uses)
    return PoolUse(
        vms=vms,
        machines=min(len(whole), vms),
        gpus=len(gpus),
        samples=sum(use.samples for use in gpus),
        hours_seen=hours,
        **figures,
        needed_gib=needed,
        asked_share=None if p95 is None else max(LEAST_BUSY, p95),
        used=tuple(name for name in used if (needed if name == "gpu_memory_gib" else p95) is not None),
        weak=hours < 24 * assume["watched_days"],
        why_not=why_not,
        left_out=tuple(dict.fromkeys(left_out)),
        sources=tuple(_source(file, [use for host in hosts for use in host.uses]) for file in files),
    )


def _by_machine(hosts: Sequence[HostUse]) -> list[tuple[GpuUse, ...]]:
    """The GPUs of each machine; hosts that are the same machine are one."""
    found: dict[str, list[GpuUse]] = {}
    for host in hosts:
        target = host.target or ""
        key = target if not target.endswith("/") else f"{target}{host_key(host.host)}"
        found.setdefault(key, []).extend(host.uses)
    return [_by_gpu(uses) for uses in found.values()]


def _fault(uses: Sequence[GpuUse], size: Size | None) -> str | None:
    """Why a machine's figures are not those of its size; None where nothing speaks against them."""
    if size is None:
        return f"{len(uses)} GPUs of a size that has no size page"
    units, memory = gpu_units(size), memory_per_unit(size)
    if units is not None and len(uses) != round(units):
        return f"a machine of which the files show {len(uses)} GPU{'s'[: len(uses) != 1]}; its size has {units:g}"
    for use in uses:
        if use.total_gib and memory and not LEAST_SHOWN * memory <= use.total_gib <= MOST_SHOWN * memory:
            return f"a machine with GPUs of {use.total_gib:.1f} GiB; those of its size have {memory:g} GiB"
        if use.name and size.gpu and not same_model(use.name, size.gpu):
            return f"a machine with {use.name}; its size has {size.gpu}"
    return None


def same_model(printed: str, gpu: str) -> bool:
    """True where the model's name stands in the printed one, or tells nothing.

    >>> same_model("Tesla V100-PCIE-16GB", "V100 PCIe 16GB"), same_model("Tesla T4", "K80")
    (True, False)
    """
    model = next(iter(re.findall(r"[A-Z]+\d+[A-Z]*", gpu.upper())), None)
    return model is None or model in re.findall(r"[A-Z]+\d+[A-Z]*", printed.upper())


def _figures(gpus: Sequence[GpuUse]) -> dict[str, Any]:
    """The figures of PoolUse over all GPUs; a share only where every GPU has one."""

    def mean(values: Iterable[float | None]) -> float | None:
        known = list(values)
        return sum(v for v in known if v is not None) / len(known) if known and None not in known else None

    used = [use.used_max_gib for use in gpus if use.used_max_gib is not None]
    totals = [use.total_gib for use in gpus if use.total_gib is not None]
    return {
        "start": min((use.first.date() for use in gpus if use.first), default=None),
        "end": max((use.last.date() for use in gpus if use.last), default=None),
        "busy_mean": mean(use.busy_mean for use in gpus),
        "busy_p50": mean(use.busy_at(0.5) for use in gpus),
        "busy_p95": mean(use.busy_at(0.95) for use in gpus),
        "idle_share": mean(use.idle_share for use in gpus),
        "idle_gpus": sum(use.idle_share == 1 for use in gpus),
        "memory_used_max_gib": max(used) if used and len(used) == len(gpus) else None,
        "memory_total_gib": min(totals, default=None),
        "power_mean_w": mean(use.power_mean_w for use in gpus),
    }


def _needed(used_max: float, size: Size | None, assume: Mapping[str, float]) -> float | None:
    """GiB per GPU as size pages count them: the most in use and room above, at most what the present GPU has."""
    present = memory_per_unit(size) if size else None
    needed = used_max * (1 + assume["watched_headroom"])
    return None if needed <= 0 else needed if present is None else min(needed, present)


def _that_count(
    gpus: Sequence[GpuUse], machines: int, vms: int, assume: Mapping[str, float]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The profile fields that count as watched, and why others do not."""
    if machines < vms:
        return (), (f"Watched were {machines:,} of {vms:,} machines; the others may need more.",)
    hours = min((use.hours_seen for use in gpus), default=0)
    if hours < assume["watched_hours"]:
        timed = any(use.first for use in gpus)
        seen = f"{hours:,} clock hours" if timed else "an unknown time, since there are no times"
        return (), (f"Watched was {seen}; from {assume['watched_hours']:g} hours on the figures count.",)
    least = assume["watched_samples"]
    used, why_not = [], []
    for name, counts, words in (
        ("gpu_memory_gib", [use.used_samples for use in gpus], "memory"),
        ("utilisation", [use.busy_samples for use in gpus], "the busy share"),
    ):
        if min(counts) >= least:
            used.append(name)
        else:
            why_not.append(f"A GPU has {min(counts):,} samples of {words}; from {least:g} on the figures count.")
    return tuple(used), tuple(why_not)


def _source(file: str, uses: Sequence[GpuUse]) -> UseSource:
    own = [use for use in uses if use.file == file]
    return UseSource(
        file=file,
        samples=sum(use.samples for use in own),
        gpus=len(own),
        start=min((use.first.date() for use in own if use.first), default=None),
        end=max((use.last.date() for use in own if use.last), default=None),
    )


def watched_fields(use: PoolUse | None) -> ProfileFields:
    """What counts as watched, as fields of the profile."""
    if use is None:
        return ProfileFields()
    return ProfileFields(
        gpu_memory_gib=use.needed_gib if "gpu_memory_gib" in use.used else None,
        utilisation=use.asked_share if "utilisation" in use.used else None,
    )


def counted(use: PoolUse | None, said: ProfileFields) -> PoolUse | None:
    """The figures with only those fields as `used` that nobody said otherwise: what a person says goes before."""
    if use is None:
        return None
    return replace(use, used=tuple(name for name in use.used if getattr(said, name) is None))
