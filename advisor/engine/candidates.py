"""Candidates: one table, pools by sizes, with a column per fact that rules, sizing and money read.

Facts that may be unknown are float columns where NaN is unknown; yes and no are 1.0 and 0.0. Columns that begin with
`from_` describe the pool's present size, the others the target.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import numpy as np

from advisor.engine.arrays import Table, as_column, as_number, gathered
from advisor.engine.catalogue import Catalogue, Gpu, Size
from advisor.engine.columns import CARRIED, SIZE
from advisor.engine.discounts import Discount
from advisor.engine.ledger import LifecycleStatus, status_at
from advisor.engine.platform_facts import platform_columns
from advisor.engine.pool_work import speedup_of
from advisor.engine.quotes import Quote, Quotes
from advisor.engine.request import AdviceRequest
from advisor.engine.speed import SpeedModel, Speedup
from advisor.engine.speed_work import Work
from advisor.engine.workload import gpu_share, gpu_units, memory_per_unit

#: Facts of a size that the table carries, once for the target and once, with from_, for the present size.
SIZE_FACTS = tuple(column.name for column in SIZE)
#: Sets of discounts whose prices are kept beside those without any.
DISCOUNTED_KEPT = 8
#: Speed models with ratios of users that are kept.
MODELS_KEPT = 16


def size_facts(size: Size, catalogue: Catalogue) -> dict[str, Any]:
    """The facts of one size as the table carries them; text is None and numbers are NaN where unknown."""
    gpu = catalogue.gpus.get(size.gpu) if size.gpu else None
    support = catalogue.series_support.get(size.series)
    fp64_share = gpu.fp64_tflops / gpu.fp32_tflops if gpu and gpu.fp64_tflops is not None else None
    generations = size.generations
    return {
        "series": size.series,
        "gpu": size.gpu,
        "vendor": size.vendor,
        "gpus": as_number(size.gpus),
        "units": as_number(gpu_units(size)),
        "share": gpu_share(size),
        "gpu_memory_gib": as_number(memory_per_unit(size)),
        "vcpus": as_number(size.vcpus),
        "memory_gib": as_number(size.memory_gib),
        "temp_disk_gib": as_number(size.temp_disk_gib),
        "local_nvme_gib": as_number(size.local_nvme_gib),
        "max_data_disks": as_number(size.max_data_disks),
        "infiniband": np.nan if size.rdma is None else float(size.rdma != "none"),
        "gpu_link": size.gpu_link,
        "gen1": np.nan if generations is None else float(1 in generations),
        "gen2": np.nan if generations is None else float(2 in generations),
        "premium_storage": as_number(size.premium_storage),
        "special": size.special,
        "min_cuda": _first_cuda(gpu, catalogue),
        "last_cuda": _version(gpu.last_cuda if gpu else None),
        "release_year": as_number(gpu.release_year if gpu else None),
        "fp64_share": as_number(fp64_share),
        "driver": support.driver if support else None,
        "graphics_linux": as_number(support.graphics_linux if support else None),
        "graphics_windows": as_number(support.graphics_windows if support else None),
        "compute_linux": as_number(support.compute_linux if support else None),
        "compute_windows": as_number(support.compute_windows if support else None),
        "grid_included": as_number(support.grid_licence_included if support else None),
        "family": size.family_quota,
    }


def _version(text: str | None) -> float:
    """A CUDA version as a number that sorts: 11.8 is 1108. NaN where no version is given."""
    if not text:
        return np.nan
    major, _, minor = text.partition(".")
    return float(major) * 100 + float(minor or 0)


def _first_cuda(gpu: Gpu | None, catalogue: Catalogue) -> float:
    """The first CUDA whose code runs on the GPU; NaN where no source says.

    Where no page gives its own, that of the GPUs of the same architecture below it: code for compute capability 8.0
    runs on 8.6. Source: the catalogue's row of CUDA for 8.6.
    """
    if gpu is None or gpu.min_cuda or gpu.compute_capability is None:
        return _version(gpu.min_cuda if gpu else None)
    capability = gpu.compute_capability
    below = (
        _version(other.min_cuda)
        for other in catalogue.gpus.values()
        if other.min_cuda
        and other.compute_capability is not None
        and int(other.compute_capability) == int(capability)
        and other.compute_capability <= capability
    )
    return max(below, default=np.nan)


class World:
    """What does not change between two requests: sizes as arrays, lifecycle and quotes by region, each made once."""

    def __init__(self, catalogue: Catalogue, quotes: Quotes) -> None:
        self.catalogue = catalogue
        self.quotes = quotes
        self.sizes: tuple[Size, ...] = tuple(sorted(catalogue.sizes.values(), key=lambda s: s.name))
        facts = [size_facts(size, catalogue) for size in self.sizes]
        self.names = np.array([size.name for size in self.sizes], dtype=object)
        self.facts = {name: as_column([row[name] for row in facts]) for name in SIZE_FACTS}
        self.platform = platform_columns(self.sizes, catalogue)
        self.index = {size.name: number for number, size in enumerate(self.sizes)}
        self._region_facts: dict[tuple[Any, ...], dict[str, np.ndarray[Any, Any]]] = {}
        self._plain_speed: dict[bool, SpeedModel] = {}
        self._speed: dict[tuple[Any, ...], SpeedModel] = {}
        self._speed_facts: dict[tuple[SpeedModel, str, Work], np.ndarray[Any, Any]] = {}
        self._discounted: dict[tuple[Discount, ...], World] = {}

    def with_quotes(self, quotes: Quotes) -> World:
        """The same catalogue with other prices; what is known of sizes and speed, which is dear, is shared."""
        other = copy.copy(self)
        other.quotes, other._region_facts, other._discounted = quotes, {}, {}
        return other

    def discounted(self, discounts: tuple[Discount, ...]) -> World:
        """This world less the user's discounts; the last `DISCOUNTED_KEPT` are kept."""
        if discounts == self.quotes.discounts:
            return self
        if discounts not in self._discounted:
            if len(self._discounted) >= DISCOUNTED_KEPT:
                self._discounted.clear()
            self._discounted[discounts] = self.with_quotes(Quotes(self.quotes.book, self.catalogue, discounts))
        return self._discounted[discounts]

    def speed_model(self, request: AdviceRequest) -> SpeedModel:
        """The speed model with the user's switches and ratios; what benchmarks say is shared between all of them."""
        tf32 = request.assumptions()["tf32"] >= 0.5
        if tf32 not in self._plain_speed:
            self._plain_speed[tf32] = SpeedModel(self.catalogue, tf32=tf32)
        if not request.measured:
            return self._plain_speed[tf32]
        key = (tf32, request.measured)
        if key not in self._speed:
            if len(self._speed) >= MODELS_KEPT:
                self._speed.clear()
            self._speed[key] = self._plain_speed[tf32].with_own(request.measured)
        return self._speed[key]

    def speed_facts(self, size: str, work: Work, request: AdviceRequest) -> np.ndarray[Any, Any]:
        """Speed of every size against one size on a work, a row each as `_speed_row` has it."""
        model = self.speed_model(request)
        key = (model, size, work)
        if key not in self._speed_facts:
            if len(self._speed_facts) > 2048:
                self._speed_facts.clear()
            source = self.catalogue.sizes.get(size)
            self._speed_facts[key] = np.array(
                [_speed_row(speedup_of(source, target, work, model)) for target in self.sizes]
            )
        return self._speed_facts[key]

    def region_facts(self, region: str | None, os: str, request: AdviceRequest) -> dict[str, np.ndarray[Any, Any]]:
        """Lifecycle, availability and basis price of every size in one region; everything unknown without one."""
        key = (region, os, request.as_of, request.price_model)
        if key not in self._region_facts:
            if len(self._region_facts) > 512:
                self._region_facts.clear()
            rows = [self._region_row(size, region, os, request) for size in self.sizes]
            self._region_facts[key] = {name: as_column([row[name] for row in rows]) for name in rows[0]}
        return self._region_facts[key]

    def _region_row(self, size: Size, region: str | None, os: str, request: AdviceRequest) -> dict[str, Any]:
        status = status_at(self.catalogue, size.name, region, request.as_of)
        quote = self._basis_quote(size, region, os, request, status)
        return {
            "region": region,
            "documented": float(self.quotes.is_documented(size, region)) if region else np.nan,
            "listed": float(self.quotes.is_listed(size.name, region)) if region else np.nan,
            "status": status.status,
            "ended": _ended(status),
            "ends": _ordinal(status.earliest_date),
            "own_ends": _ordinal(status.retirement_date),
            "third_party_ends": _ordinal(status.third_party_date),
            "no_new_capacity": float(status.no_new_capacity),
            "hourly_compute": quote.compute if quote else np.nan,
            "hourly_licence": as_number(quote.licence) if quote else np.nan,
            "price_as_of": _ordinal(quote.as_of if quote else None),
            "price_estimated": float(quote.estimated) if quote else np.nan,
        }

    def _basis_quote(
        self, size: Size, region: str | None, os: str, request: AdviceRequest, status: LifecycleStatus
    ) -> Quote | None:
        """The quote on the basis of ranking; a commitment that outlives its size is none."""
        if region is None or not outlived(request.price_model, request.as_of, status.earliest_date):
            return None
        return self.quotes.quote(size.name, region, os_of(os), request.price_model, request.as_of)


def os_of(text: str) -> Any:
    """The system as prices know it; the tables carry it as plain text."""
    return "windows" if text == "windows" else "linux"


def outlived(model: str, as_of: date, ends: date | None) -> bool:
    """True when a commitment bought on `as_of` ends before the size does; pay-as-you-go and spot always."""
    years = {"ri_1y": 1, "sp_1y": 1, "ri_3y": 3, "sp_3y": 3}.get(model)
    return years is None or ends is None or add_months(as_of, 12 * years) <= ends


def add_months(day: date, months: int) -> date:
    """The same day of the month `months` later, or the month's last day where there is no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    for last in (day.day, 30, 29, 28):
        try:
            return date(year, month + 1, last)
        except ValueError:
            continue
    raise AssertionError("every month has 28 days")


def _ended(status: LifecycleStatus) -> float:
    return np.nan if status.status == "unknown" else float(status.status == "retired")


def _ordinal(day: date | None) -> float:
    return np.nan if day is None else float(day.toordinal())


_POOL_COLUMNS = tuple(column.name for column in CARRIED)


def make_candidates(pools: Table, world: World, request: AdviceRequest) -> Table:
    """Every pool against every size of the catalogue: a grid, pools by sizes in the order of names.

    Speed columns are NaN where a GPU is unknown or a figure is missing. The target region is the pool's own, the one
    that is asked for, or, where several are allowed, for each size the cheapest one in which it can be had. The
    present size keeps its own region if it can be had there; in another one it is no stay but a move.
    """
    number = len(world.sizes)
    columns: dict[str, Any] = {name: pools[name] for name in _POOL_COLUMNS}
    columns["pool_index"] = np.arange(len(pools))[:, None]
    columns["from_region"] = pools["region"]
    columns["target"] = world.names[None, :]
    columns["target_index"] = np.arange(number)[None, :]  # sizes stand by name: the order of names
    own = np.array([world.index.get(size, -1) for size in pools.flat("size").tolist()])
    for name, facts in world.facts.items():
        columns[name] = facts[None, :]
        columns[f"from_{name}"] = gathered(facts, own)[:, None]
    windows = columns["os"] == "windows"
    for use in ("graphics", "compute"):
        columns[f"{use}_driver"] = np.where(windows, columns[f"{use}_windows"], columns[f"{use}_linux"])
    columns |= _region_columns(pools, world, request)
    here = np.asarray(columns["region"] == columns["from_region"], dtype=bool)
    columns["stay"] = (own[:, None] == columns["target_index"]) & here
    columns["goes_far"] = ~here
    columns["placed"] = np.array([[place is not None] for place in columns["region"][:, 0]])  # alike for all sizes
    _by_service(columns, pools)
    columns |= _speed_columns(pools, world, request)
    return Table(columns, (len(pools), number))


def _by_service(columns: dict[str, Any], pools: Table) -> None:
    """Judge a stay by the dates of the service that owns the machines, as the baseline does."""
    statuses: list[LifecycleStatus] = pools.flat("status").tolist()
    for pool, size in zip(*np.nonzero(columns["stay"]), strict=True):
        status = statuses[pool]
        columns["status"][pool, size], columns["own_ends"][pool, size] = status.status, _ordinal(status.retirement_date)
        columns["ended"][pool, size] = _ended(status)


def _region_columns(pools: Table, world: World, request: AdviceRequest) -> dict[str, np.ndarray[Any, Any]]:
    """Region facts of every size for every pool; pools at the same place share them."""
    places = list(_places(pools, request))
    blocks = {place: _region_block(*place, world, request) for place in dict.fromkeys(places)}
    number = {place: i for i, place in enumerate(blocks)}
    rows = [number[place] for place in places]
    names = next(iter(blocks.values()))
    return {name: np.stack([block[name] for block in blocks.values()])[rows] for name in names}


def _places(pools: Table, request: AdviceRequest) -> Iterable[tuple[Any, str, str, str | None]]:
    """Region, system, allowed regions, and the size that keeps its region; a what-if lets that one go too."""
    regions, systems, sizes = (pools.flat(name).tolist() for name in ("region", "os", "size"))
    scopes, variants = (pools.flat(name).tolist() for name in ("scope", "variant"))
    keeps = [size if variant == "base" else None for size, variant in zip(sizes, variants, strict=True)]
    return zip(regions, systems, scopes, keeps, strict=True)


def allowed_regions(region: str | None, scope: str, world: World) -> tuple[str | None, ...]:
    """Regions a pool may move to, its own first: `own`, `geography`, `any`, or one named region."""
    regions = world.catalogue.regions
    if scope not in ("own", "geography", "any"):
        return (scope,)
    if scope == "own" or region is None:
        return (region,)
    home = regions[region].geography if region in regions else None
    others = [
        r.name for r in regions.values() if r.name != region and (scope == "any" or (home and r.geography == home))
    ]
    return (region, *sorted(others))


def _region_block(
    region: str | None, os: str, scope: str, keeps: str | None, world: World, request: AdviceRequest
) -> Mapping[str, np.ndarray[Any, Any]]:
    """Region facts of every size for one pool; with several regions, each size in its cheapest possible one."""
    regions = allowed_regions(region, scope, world)
    facts = [world.region_facts(name, os, request) for name in regions]
    if len(facts) == 1:
        return facts[0]
    horizon = add_months(request.as_of, request.horizon_months).toordinal()
    hourly = np.array([f["hourly_compute"] + f["hourly_licence"] for f in facts])
    alive = np.array([~(f["ends"] <= horizon) & ((f["documented"] == 1) | (f["listed"] == 1)) for f in facts])
    usable = alive & ~np.isnan(hourly)
    best = np.argmin(np.where(usable, hourly, np.inf), axis=0)  # ties and none: own region
    if keeps in world.index and not np.isnan(hourly[0, world.index[keeps]]):
        best[world.index[keeps]] = 0
    pick = np.arange(len(world.sizes))
    return {name: np.array([f[name] for f in facts], dtype=facts[0][name].dtype)[best, pick] for name in facts[0]}


def _speed_columns(pools: Table, world: World, request: AdviceRequest) -> dict[str, np.ndarray[Any, Any]]:
    asked = list(zip(pools.flat("size").tolist(), pools.flat("work").tolist(), strict=True))
    blocks = {key: world.speed_facts(*key, request) for key in dict.fromkeys(asked)}
    place = {key: number for number, key in enumerate(blocks)}
    rows = [place[key] for key in asked]
    names = ("speed_low", "speed", "speed_high", "speed_groups", "speed_kind_groups", "speed_chained", "speed_user")
    return {name: np.stack([block[:, i] for block in blocks.values()])[rows] for i, name in enumerate(names)}


def _speed_row(speedup: Speedup | None) -> tuple[float, ...]:
    if speedup is None:
        return (np.nan,) * 7
    return (
        speedup.low,
        speedup.expected,
        speedup.high,
        float(speedup.groups),
        float(speedup.kind_groups),
        float(speedup.chained),
        float(speedup.basis == "user"),
    )
