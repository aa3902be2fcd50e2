"""GPU utilisation joined to the machines of a fleet by name, and put together for each pool (docs/adr/0026)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from advisor.engine.catalogue import Catalogue
from advisor.engine.gpu_use import GpuUse, merge
from advisor.engine.host_names import Guesser, Machine, host_key
from advisor.engine.kinds import grouped
from advisor.engine.pool_use import PoolUse
from advisor.engine.readers.reading import Reading
from advisor.engine.watched import pool_use_of

NOT_OURS = "none"


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
    models = {group["id"]: _model(group, catalogue) for group in groups}
    guesser = Guesser(machines, models, {group["id"]: group["name"] for group in groups})
    joined = [_by_name(host, guesser, by_hand) for host in hosts]
    joined = _by_uuid(joined)
    joined = [host if host.target else _guessed(host, guesser) for host in joined]
    pools = {}
    for group in groups:
        own = [host for host in joined if host.pool == group["id"]]
        if own:
            pools[group["id"]] = pool_use_of(_by_machine(own), group, catalogue, assume)
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
    target = said if said == NOT_OURS else guesser.resolve(said or "")
    if said and target:
        return _joined(host, target, "hand")
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


def _by_machine(hosts: Sequence[HostUse]) -> list[tuple[GpuUse, ...]]:
    """The GPUs of each machine; hosts that are the same machine are one."""
    found: dict[str, list[GpuUse]] = {}
    for host in hosts:
        target = host.target or ""
        key = target if not target.endswith("/") else f"{target}{host_key(host.host)}"
        found.setdefault(key, []).extend(host.uses)
    return [_by_gpu(uses) for uses in found.values()]
