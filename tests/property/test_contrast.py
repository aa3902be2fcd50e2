"""What a contrast says turns the order does so, and nothing else does, when the whole advice is asked again."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from advisor.engine.answer import PoolAdvice
from advisor.engine.candidates import World
from advisor.engine.contrast.values import Contrast, Flip, Span, What
from advisor.engine.quotes import Quote, Quotes
from advisor.engine.workload import gpu_share
from tests import shipped
from tests.factories import AS_OF
from tests.profiles import examples
from tests.property.test_laws import pool_of

#: Each example asks for some advices of one pool.
whole = settings(
    max_examples=examples(2),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
#: How far beside a limit the order is tried.
BESIDE = 1e-6
KINDS_AND_SHAPES = (
    {"workload": "training"},
    {"workload": "training", "multi_node": True},
    {"workload": "hpc", "job_gpus": 6.0},
    {"workload": "inference"},
    {"workload": "inference", "shape": "queue"},
    {"workload": "graphics", "os": "windows"},
    {"workload": "dev"},
)
asked = st.fixed_dictionaries(
    {
        "size": st.sampled_from(
            ("NC6", "NC24rs_v3", "NC6s_v3", "NC4as_T4_v3", "NC24ads_A100_v4", "NV12s_v3", "ND96asr_v4")
        ),
        "count": st.integers(1, 24),
        "region": st.sampled_from(("westeurope", "eastus", "southcentralus")),
        "hours": st.floats(1.0, 725.0),
        "utilisation": st.one_of(st.just(math.nan), st.floats(0.05, 1.0)),
        "data_disks": st.sampled_from((math.nan, 2.0)),
    }
)
works = st.sampled_from(KINDS_AND_SHAPES)
patterns = st.sampled_from(("burst", "steady"))
models = st.sampled_from(("payg", "payg", "ri_1y", "sp_3y"))
STRATEGIES = (
    "lowest_cost",
    "lowest_cost",
    "lowest_cost",
    "same_count",
    "lowest_hourly_price",
    "least_change",
    "fastest",
)


class Case:
    """One pool, its first choice and another size that is ranked, with their contrast."""

    def __init__(self, row: dict[str, Any], work: dict[str, Any], place: int, **request: Any) -> None:
        self.request = {"top": 1, "price_model": "payg"} | request
        self.request |= {name: value for name, value in work.items() if name != "os"}
        self.row = row | ({"os": work["os"]} if "os" in work else {})
        ranks = rank_of(pool_of(self.row, **self.request))
        assume(len(ranks) > 1)
        self.first, *others = sorted(ranks, key=ranks.__getitem__)
        self.other = others[place % len(others)]
        self.pool = pool_of(self.row, **(self.request | {"against": (self.other,)}))
        self.contrast: Contrast = next(c for c in self.pool.contrasts if "asked" in c.roles)

    def is_as_good(self, what: What, value: float) -> bool:
        """Whether the other ranks before the first when the advice is asked again with one figure changed."""
        row, request, world = dict(self.row), dict(self.request), shipped.world()
        if what == "hours":
            row["hours"] = value
        elif what == "speed":
            source, target = (world.catalogue.sizes[name] for name in (self.pool.size, self.other))
            request["measured"] = {(source.gpu, target.gpu): value * gpu_share(source) / gpu_share(target)}
        else:
            world = with_price(self.first if what == "first_price" else self.other, value, self.pool, request)
        ranks = rank_of(pool_of(row, world, **request))
        return ranks[self.other] < ranks[self.first]


def rank_of(pool: PoolAdvice) -> dict[str, int]:
    return {option.size: option.rank for option in (*pool.options, *pool.more_options)}


def with_price(size: str, hourly: float, pool: PoolAdvice, request: dict[str, Any]) -> World:
    """The shipped world with one price of one size: `hourly`, Windows included."""
    world, model, region = shipped.world(), request["price_model"], pool.region or ""
    book, prices = world.quotes.book, dict(world.quotes.book.prices)
    quote = quote_of(size, pool, request)
    old = book.prices.get((size, region, "linux", "payg"))
    assert old is not None
    rows = {"linux": hourly - (quote.licence or 0.0), "windows": hourly}
    for os, price in rows.items() if model == "payg" else (("linux", rows["linux"]),):
        if (size, region, os, "payg") in prices or os == "linux":
            key = (size, region, os, model)
            prices[key] = replace(old, os=os, price_model=model, hourly_price=price)  # type: ignore
    return world.with_quotes(Quotes(replace(book, prices=prices), world.catalogue))


def quote_of(size: str, pool: PoolAdvice, request: dict[str, Any]) -> Quote:
    os: Any = pool.os
    quote = shipped.world().quotes.quote(size, pool.region or "", os, request["price_model"], AS_OF)
    assert quote is not None
    return quote


def licence_of(case: Case, what: What) -> float:
    """What of the figure does not vary: the Windows licence in a price of one VM-hour."""
    sizes = {"first_price": case.first, "other_price": case.other}
    return quote_of(sizes[what], case.pool, case.request).licence or 0.0 if what in sizes else 0.0


def inside(span: Span, value: float) -> bool:
    return (span.at_least is None or value >= span.at_least) and (span.at_most is None or value <= span.at_most)


def check_limits(case: Case, flip: Flip) -> None:
    """A little to the inner side of each limit the other is as good, a little to the outer side it is not."""
    for span in flip.spans:
        for limit, inner in ((span.at_least, 1 + BESIDE), (span.at_most, 1 - BESIDE)):
            if limit is None:
                continue
            wide = 1 + 3 * BESIDE
            if span.at_least and span.at_most and span.at_most / span.at_least < wide:
                continue
            assert case.is_as_good(flip.what, limit * inner), (flip, limit, "inside")
            outer = limit / inner
            if flip.what != "hours" or outer <= 730:
                assert not case.is_as_good(flip.what, outer), (flip, limit, "outside")


def check_value(case: Case, flip: Flip, factor: float) -> None:
    """Anywhere else the order is what the spans say."""
    assert flip.now is not None
    fixed = licence_of(case, flip.what)
    value = fixed + (flip.now - fixed) * factor
    value = min(730.0, value) if flip.what == "hours" else value
    value = max(flip.now, value) if flip.what == "speed" else value
    near = [end for span in flip.spans for end in (span.at_least, span.at_most) if end is not None]
    if any(abs(math.log(value / end)) < BESIDE for end in near):
        return
    expected = any(inside(span, value) for span in flip.spans)
    assert case.is_as_good(flip.what, value) == expected, (flip, value)


TOLD = ("even free", "the order is the same", "no faster", "goes by something else", "a seat is")


def check(case: Case, factor: float) -> None:
    for flip in case.contrast.flips:
        check_limits(case, flip)
        if not flip.holds and (flip.spans or flip.why.startswith(TOLD)):  # the two that hold now are equal
            check_value(case, flip, factor)


@whole
@given(
    row=asked,
    work=works,
    pattern=patterns,
    model=models,
    strategy=st.sampled_from(STRATEGIES),
    place=st.integers(0, 11),
    factor=st.floats(-2.0, 2.0),
)
def test_the_order_turns_where_the_contrast_says(
    row: dict[str, Any], work: dict[str, Any], pattern: str, model: str, strategy: str, place: int, factor: float
) -> None:
    case = Case(row, work, place, pattern=pattern, price_model=model, strategy=strategy)
    check(case, math.exp(factor))
