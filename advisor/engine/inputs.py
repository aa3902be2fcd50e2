"""Where each figure of a working comes from: the file, a price list, a benchmark, an assumption."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from advisor.engine.answer import Advice, Option, PoolAdvice
from advisor.engine.assumption_words import label_of
from advisor.engine.assumptions import ASSUMPTIONS
from advisor.engine.pool_use import sources_in_words
from advisor.engine.prices import OWN_SOURCE
from advisor.engine.sizing import JOINED_KINDS
from advisor.engine.worked import TIMES, Figure, basis_price


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One figure that went in. `assumption` names an entry of the list of assumptions; "" where it is none."""

    name: str
    figure: Figure
    kind: str  # measured, listed, modelled, assumed, user or unknown
    source: str
    as_of: date | None = None
    assumption: str = ""


def inputs(advice: Advice, pool: PoolAdvice, option: Option) -> tuple[Input, ...]:
    """Every figure that the working starts from, with its source and day."""
    return (
        _hours(pool),
        *_busy(pool),
        *_memory(pool),
        _speed(option),
        *_prices(advice, pool, option),
        *(_assumed(advice, name) for name in dict.fromkeys(_names(pool, option)) if name in ASSUMPTIONS),
    )


_HOURS_SOURCE = {
    "file": ("measured", "your usage or cost file"),
    "list": ("user", "your list"),
    "assumed": ("assumed", "no hours in the file: a running VM counts 730 h, all month"),
}


def _hours(pool: PoolAdvice) -> Input:
    kind, source = _HOURS_SOURCE[pool.hours_basis]
    hours = Figure(value=pool.hours_per_vm_month, shown="count", unit="h per VM and month")
    return Input(name="Hours", figure=hours, kind=kind, source=source)


def _busy(pool: PoolAdvice) -> Iterator[Input]:
    if pool.workload.shape == "seat":
        return
    share = pool.workload.utilisation_percent
    figure = Figure(value=share, shown="count", unit="" if share is None else "%")
    source, kind = "you or your file", "user"
    if share is None:
        source, kind = "nobody said; counts as fully busy", "unknown"
    elif pool.gpu_use is not None and "utilisation" in pool.workload.watched:
        source, kind = sources_in_words(pool.gpu_use), "measured"
    yield Input(name="Busy at peak", figure=figure, kind=kind, source=source)


def _memory(pool: PoolAdvice) -> Iterator[Input]:
    """The GPU memory that the work needs, where it was watched."""
    if pool.gpu_use is not None and "gpu_memory_gib" in pool.workload.watched:
        figure = Figure(value=pool.workload.gpu_memory_gib, shown="count", unit="GiB per GPU")
        yield Input(name="GPU memory needed", figure=figure, kind="measured", source=sources_in_words(pool.gpu_use))


def _speed(option: Option) -> Input:
    speed = option.speedup
    first = speed.evidence[0] if speed.evidence else None
    return Input(
        name="Speed of one GPU",
        figure=Figure(value=speed.expected, shown="factor", unit=TIMES),
        kind=speed.basis,
        source=first.source if first else "the same GPU",
        as_of=first.as_of if first else None,
    )


def _prices(advice: Advice, pool: PoolAdvice, option: Option) -> Iterator[Input]:
    price = basis_price(option)
    if price is not None:
        figure = Figure(value=price.hourly_price, shown="hourly", unit=advice.currency)
        kind = "assumed" if price.estimated else "user" if price.source.startswith(OWN_SOURCE) else "listed"
        yield Input(name=f"Price of {option.size}", figure=figure, kind=kind, source=price.source, as_of=price.as_of)
    base = pool.baseline
    figure = Figure(value=base.hourly_price, shown="hourly", unit=advice.currency)
    source = base.evidence.source if base.evidence else "no price in this book"
    kind = base.evidence.kind if base.evidence else "unknown"
    when = "before" if pool.lifecycle.status == "retired" else "today"
    yield Input(name=f"Price of {pool.size} {when}", figure=figure, kind=kind, source=source, as_of=base.price_as_of)


def _assumed(advice: Advice, name: str) -> Input:
    """An assumption in its own unit, as the list has it, with money in US dollars; "user" where it was changed."""
    yours = any(change.name == name for change in advice.assumptions_changed)
    figure = Figure(value=advice.assumptions.get(name), shown="set", unit=ASSUMPTIONS[name].unit)
    kind = "user" if yours else "unknown" if figure.value is None else "assumed"
    return Input(name=label_of(name), figure=figure, kind=kind, source="", assumption=name)


def _names(pool: PoolAdvice, option: Option) -> Iterator[str]:
    """The assumptions that this option's figures depend on, whatever their value, in the order of the working."""
    yield from _of_the_work(pool, option)
    yield from _of_the_move(pool, option)
    yield from _of_running(pool, option)
    if option.tco.p10 is not None:
        yield "range_hours_assumed" if pool.hours_basis == "assumed" else "range_hours"
        yield from ("range_price", "range_labour")
    yield "discount_rate"


def _of_the_work(pool: PoolAdvice, option: Option) -> Iterator[str]:
    work, moves = pool.workload, option.verdict != "stay"
    if "pattern" in work.assumed:
        yield "steady_from_hours"
    if work.utilisation_percent is not None and work.shape != "seat":
        yield "target_utilisation"
    if pool.gpu_use is not None:
        yield from ("watched_hours", "watched_samples", "watched_days", "watched_headroom")
    if option.speedup.low != option.speedup.high:
        yield "tf32"  # the speed model reads its benchmarks with it, whatever the precision asked for
    if moves and work.job_gpus > 1:
        yield "job_slack"
        if work.kind in JOINED_KINDS:
            yield from ("efficiency_nvlink", "efficiency_pcie")
            if work.multi_node:
                yield from ("efficiency_infiniband", "efficiency_ethernet")
    if moves and work.pattern == "burst" and work.shape == "queue":
        yield from ("starts_per_month", "start_hours")


def _of_the_move(pool: PoolAdvice, option: Option) -> Iterator[str]:
    verdict = option.verdict
    if verdict != "stay":
        how = "resize" if verdict == "resize" else "redeploy"
        yield from (f"labour_pool_{verdict}", f"labour_vm_{how}", f"parallel_days_{how}")
    if verdict in ("rebuild", "port"):
        yield f"training_hours_{verdict}"
    if option.region != pool.region:
        yield from ("moved_gib", "moved_price")
    if option.tco.components.get("second_move"):
        yield from ("labour_pool_redeploy", "labour_vm_redeploy", "parallel_days_redeploy")
    if option.tco.components.get("stranded_commitments"):
        yield from ("refund_cap", "refund_fee")
    yield "labour_rate"


def _of_running(pool: PoolAdvice, option: Option) -> Iterator[str]:
    if pool.data_disks is None:
        yield "data_disks"
    yield from ("disk_price", "egress_gib", "egress_price", "operations_hours")
    if option.tco.components.get("grid_licence"):
        yield "grid_licence"
    if pool.os == "windows":
        yield "hybrid_benefit"
        if pool.workload.kind == "dev":
            yield "dev_test"
    if any(price.price_model == "spot" for price in option.prices):
        yield from ("spot_job_hours", "spot_eviction_low", "spot_eviction_high")
