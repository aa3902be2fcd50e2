"""Discounts: off which prices, how much, and where it is said."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from advisor.engine.advice import advise
from advisor.engine.advice_json import advice_json
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.discounts import BadDiscount, Discount, checked, discount_for, series_named
from advisor.engine.prices import Os, Price, PriceBook, PriceModel
from advisor.engine.quotes import Quote, Quotes
from tests.factories import AS_OF, make_reading, make_request, make_row, option_of

T4 = "Standard_NC4as_T4_v3"
TEN = Discount(series="NCasT4_v3", percent=10)
EIGHT_PAYG = Discount(series="NCasT4_v3", percent=8, price_models=("payg",))
FIVE = Discount(series="*", percent=5)


def row(price: float, os: Os = "linux", model: PriceModel = "payg") -> Price:
    day = AS_OF - timedelta(days=30)
    return Price(
        size=T4, region="westeurope", os=os, price_model=model, hourly_price=price, as_of=day, source="list"
    )  # fmt: skip


def quote(
    catalogue: Catalogue,
    book: PriceBook,
    *discounts: Discount,
    os: Os = "linux",
    model: PriceModel = "payg",
    rows: tuple[Price, ...] = (row(1.0), row(1.2, "windows"), row(0.5, model="ri_1y"), row(0.2, model="spot")),
    own: tuple[Price, ...] = (),
) -> Quote | None:
    prices = {(p.size, p.region, p.os, p.price_model): p for p in rows}
    mine = {(p.size, p.region, p.os, p.price_model): p for p in own}
    found = Quotes(replace(book, prices=prices, own=mine), catalogue, discounts)
    return found.quote(T4, "westeurope", os, model, AS_OF)


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("payg", 0.9),  # 1.00 x 0.9
        ("ri_1y", 0.45),  # 0.50 x 0.9: on top of the commitment's own price
        ("ri_3y", 0.342),  # 1.00 x (1 - 0.62) x 0.9, estimated
        ("spot", 0.18),  # 0.20 x 0.9
    ],
)
def test_a_discount_is_taken_off_every_price_model(
    catalogue: Catalogue, price_book: PriceBook, model: PriceModel, price: float
) -> None:
    found = quote(catalogue, price_book, TEN, model=model)
    assert found is not None
    assert (found.compute, found.discount) == (pytest.approx(price), TEN)


def test_a_discount_may_name_its_price_models(catalogue: Catalogue, price_book: PriceBook) -> None:
    payg, committed = (quote(catalogue, price_book, EIGHT_PAYG, model=model) for model in ("payg", "ri_1y"))
    assert payg is not None and committed is not None
    assert (payg.compute, committed.compute, committed.discount) == (pytest.approx(0.92), 0.5, None)


def test_an_estimated_commitment_is_not_discounted_twice(catalogue: Catalogue, price_book: PriceBook) -> None:
    """Pay as you go less 8 % is none of the estimate's business: 1.00 x (1 - 0.62)."""
    found = quote(catalogue, price_book, EIGHT_PAYG, model="ri_3y")
    assert found is not None and found.compute == pytest.approx(0.38)


def test_the_windows_licence_has_no_discount(catalogue: Catalogue, price_book: PriceBook) -> None:
    found = quote(catalogue, price_book, TEN, os="windows")
    assert found is not None
    assert (found.compute, found.licence, found.hourly) == (pytest.approx(0.9), pytest.approx(0.2), pytest.approx(1.1))


def test_a_price_of_the_own_sheet_is_not_discounted_and_says_so(catalogue: Catalogue, price_book: PriceBook) -> None:
    found = quote(catalogue, price_book, TEN, own=(row(0.8),))
    assert found is not None
    assert (found.compute, found.discount) == (0.8, None)
    assert "10 % on NCasT4_v3 is not taken off" in found.note


def test_the_note_has_the_price_before(catalogue: Catalogue, price_book: PriceBook) -> None:
    found = quote(catalogue, price_book, TEN)
    assert found is not None and found.note == "1 USD before your discount of 10 % on NCasT4_v3"


def test_spot_goes_up_to_the_discounted_pay_as_you_go(catalogue: Catalogue, price_book: PriceBook) -> None:
    found = quote(catalogue, price_book, EIGHT_PAYG, model="spot")
    assert found is not None and (found.compute, found.highest) == (0.2, pytest.approx(0.92))


def test_spot_that_saves_nothing_against_the_discounted_price_is_no_spot(
    catalogue: Catalogue, price_book: PriceBook
) -> None:
    rows = (row(1.0), row(0.9, model="spot"))
    assert quote(catalogue, price_book, model="spot", rows=rows) is not None  # 0.90 < 0.95
    assert quote(catalogue, price_book, EIGHT_PAYG, model="spot", rows=rows) is None  # 0.90 > 0.95 x 0.92 = 0.874


@pytest.mark.parametrize(
    ("rules", "series", "model", "found"),
    [
        ([FIVE, TEN], "NCasT4_v3", "payg", TEN),  # the series' own goes before that of every series
        ([FIVE, TEN], "NDv2", "payg", FIVE),
        ([TEN, EIGHT_PAYG], "NCasT4_v3", "payg", EIGHT_PAYG),  # one that names the model before one that does not
        ([TEN, EIGHT_PAYG], "NCasT4_v3", "ri_3y", TEN),
        ([FIVE, EIGHT_PAYG], "NCasT4_v3", "ri_3y", FIVE),
        ([TEN], "NDv2", "payg", None),
        ([], "NDv2", "payg", None),
    ],
)
def test_one_discount_holds_and_none_adds_up(
    rules: list[Discount], series: str, model: PriceModel, found: Discount | None
) -> None:
    assert discount_for(rules, series, model) == found


@pytest.mark.parametrize("percent", [0, -3, 100, 250, float("nan")])
def test_a_discount_is_above_0_and_below_100(percent: float) -> None:
    with pytest.raises(BadDiscount):
        Discount(series="*", percent=percent)


def test_two_discounts_for_one_thing_are_refused() -> None:
    with pytest.raises(BadDiscount, match="NCasT4_v3 has two discounts for payg"):
        checked([EIGHT_PAYG, Discount(series="NCasT4_v3", percent=9, price_models=("ri_1y", "payg"))])
    assert checked([FIVE, TEN, EIGHT_PAYG]) == (FIVE, TEN, EIGHT_PAYG)


@pytest.mark.parametrize("text", ["NCasT4_v3", "ncast4v3", " NCasT4 v3-series ", "NCasT4_v3 series"])
def test_a_series_is_found_whatever_its_spelling(catalogue: Catalogue, text: str) -> None:
    assert series_named(text, catalogue) == "NCasT4_v3"


@pytest.mark.parametrize(("text", "said"), [("NCasT5_v3", "NCasT4_v3"), ("NC4as_T4_v3", "its series is NCasT4_v3")])
def test_an_unknown_series_is_answered_with_the_nearest(catalogue: Catalogue, text: str, said: str) -> None:
    with pytest.raises(BadDiscount, match=said):
        series_named(text, catalogue)


# The answer


def test_options_baseline_and_price_rows_agree(world: World) -> None:
    request = make_request(top=0, discounts=(TEN,))
    reading = make_reading(make_row("NC4as_T4_v3", 2, hours=730, workload="inference"))
    (plain,) = advise([reading], world, make_request(top=0)).pools
    (less,) = advise([reading], world, request).pools
    before, after = (option_of(pool, "NC4as_T4_v3") for pool in (plain, less))
    assert after.hourly_price == pytest.approx(0.9 * before.hourly_price)
    assert less.baseline.hourly_price == after.hourly_price
    prices = [{row.price_model: row.hourly_price for row in option.prices} for option in (before, after)]
    assert prices[1] == {model: pytest.approx(0.9 * (price or 0)) for model, price in prices[0].items()}
    assert less.baseline.evidence is not None and "your discount of 10 %" in less.baseline.evidence.note


def test_the_users_own_cost_has_no_discount(world: World) -> None:
    reading = make_reading(make_row("NC4as_T4_v3", 2, hours=730, cost=1000.0, currency="USD"))
    (pool,) = advise([reading], world, make_request(discounts=(TEN,))).pools
    assert (pool.baseline.kind, pool.baseline.monthly_cost) == ("actual", 1000.0)


def test_the_last_price_of_a_retired_size_is_less_the_discount(world: World) -> None:
    reading = make_reading(make_row("NC6", 1, hours=730))
    discount = Discount(series="NC", percent=20)
    (plain,), (less,) = (advise([reading], world, make_request(discounts=rules)).pools for rules in ((), (discount,)))
    assert plain.baseline.hourly_price is not None
    assert less.baseline.hourly_price == pytest.approx(0.8 * plain.baseline.hourly_price)


def test_the_best_region_is_found_with_the_discount(world: World) -> None:
    reading = make_reading(make_row("NC6", 12, hours=730, workload="training"))
    rules = (Discount(series="*", percent=50),)
    (plain,), (less,) = (advise([reading], world, make_request(discounts=rule)).pools for rule in ((), rules))
    if plain.best_region is not None and less.best_region is not None:
        assert less.best_region.monthly_cost < plain.best_region.monthly_cost
    assert less.options[0].monthly_cost < plain.options[0].monthly_cost


def test_the_answer_names_its_discounts(world: World) -> None:
    advice = advise([make_reading(make_row("NC6", 1))], world, make_request(discounts=(EIGHT_PAYG, FIVE)))
    assert advice_json(advice)["price_book"]["discounts"] == [
        {"series": "NCasT4_v3", "percent": 8, "price_models": ["payg"]},
        {"series": "*", "percent": 5, "price_models": []},
    ]


def test_discounts_of_one_request_do_not_stay_for_the_next(world: World) -> None:
    reading = make_reading(make_row("NC4as_T4_v3", 2, hours=730))
    before = advise([reading], world, make_request()).totals
    advise([reading], world, make_request(discounts=(TEN,)))
    assert advise([reading], world, make_request()).totals == before
