"""One price per key."""

from __future__ import annotations

from datetime import date

from advisor.engine.prices import Price
from advisor.engine.retail.findings import Finding
from advisor.engine.retail.items import Row
from advisor.engine.retail.rows import one_per_key, same_price


def row(price: float, since: date = date(2022, 6, 1)) -> Row:
    value = Price(
        size="Standard_NC6s_v3",
        region="westeurope",
        os="linux",
        price_model="payg",
        hourly_price=price,
        as_of=date(2026, 12, 1),
        source="api",
    )
    return Row(price=value, since=since)


def test_u50_the_price_in_force_since_the_latest_day_counts() -> None:
    (price,), (doubt,) = map_values(row(4.0, date(2020, 1, 1)), row(3.0, date(2024, 1, 1)))
    assert price.hourly_price == 3.0
    assert doubt.severity == "warning"
    assert (doubt.size, doubt.region) == ("Standard_NC6s_v3", "westeurope")
    assert "3 (since 2024-01-01) and 4 (since 2020-01-01); 3 counts" in doubt.message


def test_u50_of_one_day_the_highest_counts() -> None:
    for rows in ((row(3.0), row(4.0)), (row(4.0), row(3.0))):
        (price,), doubts = map_values(*rows)
        assert (price.hourly_price, len(doubts)) == (4.0, 1)


def test_u50_the_same_price_twice_is_no_doubt() -> None:
    prices, doubts = map_values(row(3.0), row(3.0), row(3.00001))
    assert (len(prices), doubts) == (1, [])


def test_prices_that_differ_by_rounding_are_the_same() -> None:
    """0.0005 of 2.0 is 0.001."""
    assert same_price(2.0, 2.0009)
    assert not same_price(2.0, 2.0011)


def map_values(*rows: Row) -> tuple[list[Price], list[Finding]]:
    chosen, doubts = one_per_key(rows)
    return list(chosen.values()), list(doubts)
