"""What moves the cost most, as pages name it: each end in its own unit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.engine.answer import PoolAdvice, Swing
from advisor.engine.assumptions import ASSUMPTIONS
from advisor.engine.swings import swing_rows
from tests.engine.conftest import Ask


@pytest.fixture(scope="module")
def pool(ask: Ask) -> PoolAdvice:
    return ask("NC6s_v3", 6, columns={"hours": 80.0})


def row(pool: PoolAdvice, name: str, low: float, high: float, currency: str = "USD") -> tuple[object, ...]:
    swing = Swing(name=name, at_low=low, at_high=high, tco_low=1.0, tco_high=2.0)
    (found,) = swing_rows(replace(pool, tornado=(swing,)), currency)
    assert found.low.unit == found.high.unit
    return found.words, found.low.value, found.high.value, found.low.shown, found.low.unit, found.assumption


def test_a_factor_on_prices_is_a_percentage(pool: PoolAdvice) -> None:
    words, low, high, *rest = row(pool, "price", 1 / 1.1, 1.1)
    assert (words, *rest) == ("Prices", "count", "% of today's", "range_price")
    assert (low, high) == (pytest.approx(90.909, abs=1e-3), pytest.approx(110.0))


def test_each_input_has_its_unit(pool: PoolAdvice) -> None:
    assert row(pool, "speed", 1.2, 3.4) == ("Speed of one GPU", 1.2, 3.4, "factor", "\u00d7", "")
    assert row(pool, "hours", 72.0, 88.0)[4:] == ("h per VM and month", "range_hours")
    assert row(pool, "utilisation", 0.3, 1.0)[1:] == (30.0, 100.0, "count", "%", "what_if_utilisation")
    assert row(pool, "disk_price", 9.0, 27.0, "EUR")[3:] == ("hourly", "EUR", "disk_price")


def test_hours_that_nobody_gave_go_by_another_assumption(pool: PoolAdvice) -> None:
    assert row(replace(pool, hours_basis="assumed"), "hours", 521.0, 1022.0)[-1] == "range_hours_assumed"


def test_every_input_of_an_answer_has_a_name_and_a_known_assumption(pool: PoolAdvice) -> None:
    rows = swing_rows(pool, "USD")
    assert [row.tco_high for row in rows] == [swing.tco_high for swing in pool.tornado]
    assert len({row.words for row in rows}) == len(pool.tornado) > 5
    assert all(not row.assumption or row.assumption in ASSUMPTIONS for row in rows)


def test_an_input_of_another_version_keeps_its_name(pool: PoolAdvice) -> None:
    assert row(pool, "wind_speed", 1.0, 2.0)[0] == "wind speed"
