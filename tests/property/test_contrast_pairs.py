"""Where a pair of any two sizes turns, the tables of the stages turn too: rows with one figure changed, judged anew."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from advisor.engine.contrast.flips import spans_of
from advisor.engine.contrast.pairs import Pairs, facts_of
from advisor.engine.contrast.values import WHATS, Span, What
from advisor.engine.money import add_money
from advisor.engine.ranking import strategy_keys
from advisor.engine.request import AdviceRequest
from advisor.engine.rulebook import RULES
from advisor.engine.rules import judge
from advisor.engine.sizing import add_sizing
from advisor.engine.stages import Stages, run_stages, verdicts
from tests import shipped
from tests.factories import make_reading, make_request, make_row
from tests.profiles import examples

quick = settings(
    max_examples=examples(8),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
#: How far beside a limit the order is tried: costs are compared to a millionth of the currency.
BESIDE = 1e-6
#: Pools and requests whose pieces differ: layouts, counts around today's, start hours up to the whole month.
WORLDS: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
    ({"size": "NC6", "count": 12, "hours": 90.0}, {"workload": "training", "pattern": "burst"}),
    ({"size": "NC6", "count": 12}, {"workload": "training", "pattern": "steady", "multi_node": True}),
    (
        {"size": "NC24rs_v3", "count": 3, "hours": 200.0},
        {
            "workload": "hpc",
            "job_gpus": 6.0,
            "pattern": "burst",
            "assume": (("efficiency_pcie", 0.3), ("efficiency_infiniband", 1.0)),
        },
    ),
    ({"size": "NC6s_v3", "count": 8, "hours": 30.0, "utilisation": 0.4}, {"workload": "inference", "pattern": "burst"}),
    (
        {"size": "NC16as_T4_v3", "count": 5, "hours": 600.0},
        {
            "workload": "inference",
            "shape": "queue",
            "pattern": "burst",
            "assume": (("starts_per_month", 60.0), ("start_hours", 6.0)),
        },
    ),
    (
        {"size": "NC4as_T4_v3", "count": 24, "hours": 300.0},
        {"workload": "training", "pattern": "burst", "assume": (("parallel_days_redeploy", 200.0),)},
    ),
    ({"size": "NV12s_v3", "count": 9, "hours": 250.0, "os": "windows"}, {"workload": "dev", "pattern": "burst"}),
    (
        {"size": "NC24ads_A100_v4", "count": 6, "hours": 100.0},
        {"workload": "training", "pattern": "burst", "price_model": "ri_1y"},
    ),
    ({"size": "NC6", "count": 12}, {"workload": "training", "pattern": "steady", "strategy": "fastest"}),
    ({"size": "NC6", "count": 12, "hours": 90.0}, {"pattern": "burst", "strategy": "same_count"}),
)


@lru_cache
def stages_of(number: int) -> tuple[Stages, AdviceRequest]:
    cells, asked = WORLDS[number]
    row = dict(cells)
    request = make_request(**asked)
    reading = make_reading(make_row(row.pop("size"), row.pop("count"), **row))
    stages = run_stages([reading], shipped.world(), request)
    assert stages is not None
    return stages, request


def is_as_good(number: int, rows: list[int], what: What, value: float) -> bool:
    """Whether the second row ranks as well as the first when the stages see one figure changed."""
    stages, request = stages_of(number)
    figures = request.assumptions()
    table = stages.candidates.take(rows)
    licence = table.flat("hourly_licence").tolist()
    if what == "hours":
        table = table.with_columns(hours_per_vm_month=value, running=not stages.variants.cell("retired", 0))
    elif what == "speed":
        table = table.with_columns(speed=[table.cell("speed", 0), value])
    else:
        prices = table.flat("hourly_compute").tolist()
        side = 0 if what == "first_price" else 1
        prices[side] = value - licence[side]
        table = table.with_columns(hourly_compute=prices)
    table = add_sizing(table, figures)
    table = table.with_columns(verdict=verdicts(table, judge(RULES, table)))
    table = add_money(table, request.price_model, request.horizon_months, figures)
    keys = np.column_stack(strategy_keys(table.frame(), request.strategy)).tolist()
    return bool(keys[1] <= keys[0])


def spans_between(number: int, first: int, other: int) -> dict[What, tuple[Span, ...]]:
    stages, request = stages_of(number)
    figures = request.assumptions()
    stopped = np.array([float(stages.variants.cell("retired", 0))])
    tables = [stages.candidates.take([row]) for row in (first, other)]
    sides = [facts_of(table, stopped, figures) for table in tables]
    pairs = Pairs(first=sides[0], other=sides[1], request=request, assume=figures)
    found = dict(zip(WHATS, spans_of(pairs, tables[1])[0], strict=True))
    for what, side in (("first_price", 0), ("other_price", 1)):
        licence = float(sides[side]["hourly_licence"][0])
        found[what] = tuple(  # type: ignore[index]
            Span(at_least=span.at_least and span.at_least + licence, at_most=span.at_most and span.at_most + licence)
            for span in found[what]  # type: ignore[index]
        )
    return found


def inside(span: Span, value: float) -> bool:
    return (span.at_least is None or value >= span.at_least) and (span.at_most is None or value <= span.at_most)


def check_pair(number: int, first: int, other: int, factor: float) -> dict[What, tuple[Span, ...]]:
    """Beside every limit of the pair, and at `factor` times each figure, the order is what the spans say."""
    stages, _ = stages_of(number)
    rows, table = [first, other], stages.candidates
    licences = [table.cell("hourly_licence", row) for row in rows]
    now = {
        "first_price": table.cell("hourly_price", first),
        "other_price": table.cell("hourly_price", other),
        "hours": table.cell("hours_per_vm_month", first),
        "speed": table.cell("speed", other),
    }
    found = spans_between(number, first, other)
    for what, spans in found.items():
        if what == "hours" and table.cell("pattern", first) == "steady":
            continue
        limits = [(span.at_least, 1.0) for span in spans] + [(span.at_most, -1.0) for span in spans]
        for limit, inwards in limits:
            if limit is not None:
                inner, outer = limit * (1 + inwards * BESIDE), limit * (1 - inwards * BESIDE)
                assert is_as_good(number, rows, what, inner), (what, limit, "inside")
                beyond = what == "hours" and outer > 730
                assert beyond or not is_as_good(number, rows, what, outer), (what, limit, "outside")
        fixed = licences[0 if what == "first_price" else 1] if what.endswith("price") else 0.0
        value = fixed + (now[what] - fixed) * math.exp(factor)
        value = min(730.0, value) if what == "hours" else max(now[what], value) if what == "speed" else value
        if all(limit is None or abs(value / limit - 1) > BESIDE for limit, _ in limits):
            expected = any(inside(span, value) for span in spans)
            assert is_as_good(number, rows, what, value) == expected, (what, value, spans)
    return found


@quick
@given(
    number=st.integers(0, len(WORLDS) - 1),
    places=st.tuples(st.integers(0, 200), st.integers(0, 200)),
    factor=st.floats(-2.5, 2.5),
)
def test_any_two_sizes_turn_where_the_stages_turn(number: int, places: tuple[int, int], factor: float) -> None:
    priced = np.flatnonzero(~np.isnan(stages_of(number)[0].candidates["tco"][0]))
    first, other = (int(priced[place % len(priced)]) for place in places)
    assume(first != other)
    check_pair(number, first, other, factor)


@pytest.mark.parametrize(
    ("number", "first", "other", "what", "spans"),
    [
        # one of the two runs all month from some hours on, so that the lines cross twice
        (4, "NC40ads_H100_v5", "NC12s_v3", "hours", 2),
        # as many machines as today are resized, fewer are deployed anew: a little faster is dearer, a lot is not
        (5, "NC144lds_xl_RTXPRO6000BSE_v6", "NC16as_T4_v3", "speed", 2),
        (0, "NC12_Promo", "NC6_Promo", "speed", 1),
        # a job that fits into one machine no longer has the InfiniBand that here joins GPUs better than PCIe
        (2, "NC80adis_H100_v5", "NC24s_v3", "speed", 2),
    ],
)
def test_the_order_turns_twice_where_the_cost_has_pieces(
    number: int, first: str, other: str, what: What, spans: int
) -> None:
    rows = [shipped.world().index[f"Standard_{name}"] for name in (first, other)]
    assert len(check_pair(number, *rows, 0.7)[what]) == spans
