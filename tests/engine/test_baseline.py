"""Baseline: what a pool costs today, and where that figure comes from (design 4.2)."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.engine.advice import advise
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import PriceBook
from advisor.engine.quotes import Quotes
from advisor.engine.request import ExchangeRate
from tests import shipped
from tests.engine.conftest import Ask
from tests.factories import make_reading, make_request, make_row, option_of


def test_list_is_hours_times_price(ask: Ask) -> None:
    base = ask("NC24ads_A100_v4", 3, columns={"hours": 100.0}).baseline
    assert (base.kind, base.hourly_price, base.price_as_of) == ("list", 4.775, date(2026, 8, 22))
    assert base.monthly_cost == base.cost_now == pytest.approx(3 * 100 * 4.775)


def test_list_of_windows_adds_the_licence(ask: Ask) -> None:
    base = ask("NC24ads_A100_v4", 1, columns={"os": "windows"}).baseline
    assert base.monthly_cost == pytest.approx(730 * 5.879)


def test_last_known_of_a_retired_size(ask: Ask) -> None:
    base = ask("NC6", 2).baseline
    assert (base.kind, base.hourly_price, base.price_as_of) == ("last_known", 1.166, date(2025, 6, 3))
    assert (base.monthly_cost, base.cost_now) == (pytest.approx(2 * 730 * 1.166), 0.0)
    assert base.evidence is not None and "no longer be run" in base.evidence.note


def test_estimated_of_a_region_that_never_had_the_size(ask: Ask) -> None:
    base = ask("NC6", 2, "polandcentral").baseline
    assert base.kind == "estimated"
    assert base.monthly_cost is not None and base.monthly_cost > 0
    assert base.evidence is not None and "median ratio" in base.evidence.note
    assert base.evidence.kind == "assumed"


def test_unknown_where_nothing_is_priced(ask: Ask) -> None:
    base = ask("NC6s_v3", 1, "chinanorth3").baseline
    assert (base.kind, base.monthly_cost, base.cost_now, base.tco) == ("unknown", None, None, None)


def test_unknown_without_a_region(ask: Ask) -> None:
    base = ask("NC24ads_A100_v4", 1, None).baseline
    assert (base.kind, base.monthly_cost) == ("unknown", None)


def test_actual_is_what_the_user_pays(ask: Ask) -> None:
    base = ask("NC24ads_A100_v4", 2, columns={"cost": 5000.0, "currency": "USD"}).baseline
    assert (base.kind, base.monthly_cost, base.cost_now, base.price_as_of) == ("actual", 5000.0, 5000.0, None)
    assert base.hourly_price == pytest.approx(5000 / 1460)


def test_machines_that_are_off_are_billed_nothing(ask: Ask) -> None:
    for region in ("westeurope", "chinanorth3"):  # with and without a price
        base = ask("NC24ads_A100_v4", 2, region, columns={"deallocated": 2}).baseline
        assert base.cost_now == 0.0


def test_tco_is_the_present_value_of_the_monthly_cost(ask: Ask) -> None:
    base = ask("NC24ads_A100_v4", 1, assume=(("discount_rate", 0.0),)).baseline
    # a month: the machine, a system and a data disk, 50 GiB of traffic, half an hour of work
    assert base.tco == pytest.approx(36 * (730 * 4.775 + 2 * 19.71 + 50 * 0.087 + 0.5 * 95))


def test_cost_per_work_unit_is_money_per_gpu_hour_of_work(ask: Ask) -> None:
    base = ask("NC24ads_A100_v4", 1, workload="inference", utilisation=0.5).baseline
    assert base.cost_per_work_unit == pytest.approx(4.775 / 0.5)


def test_baseline_and_options_are_priced_on_one_basis(ask: Ask) -> None:
    pool = ask("NC24ads_A100_v4", 2, workload="training", price_model="sp_1y")
    assert pool.baseline.monthly_cost == pytest.approx(2 * 730 * 3.97471)
    assert option_of(pool, "NC24ads_A100_v4").monthly_cost == pool.baseline.monthly_cost


def test_a_commitment_is_paid_for_every_hour(ask: Ask) -> None:
    base = ask("NC24ads_A100_v4", 2, columns={"hours": 100.0}, price_model="sp_1y").baseline
    assert base.monthly_cost == pytest.approx(2 * 730 * 3.97471)


# Currency


def in_euro(catalogue: Catalogue, price_book: PriceBook) -> World:
    return shipped.world().with_quotes(Quotes(price_book.in_currency("EUR", 0.86, date(2026, 11, 27)), catalogue))


def baseline_in(world: World, currency: str | None, *rates: ExchangeRate) -> tuple[str, float | None, set[str]]:
    row = make_row("NC24ads_A100_v4", cost=1000.0, currency=currency)
    (pool,) = advise([make_reading(row)], world, make_request(rates=rates)).pools
    return pool.baseline.kind, pool.baseline.monthly_cost, {question.code for question in pool.questions}


def test_u53_cost_in_the_currency_of_the_advice(catalogue: Catalogue, price_book: PriceBook) -> None:
    assert baseline_in(in_euro(catalogue, price_book), "EUR")[:2] == ("actual", 1000.0)


def test_u53_cost_in_the_currency_that_prices_are_printed_in(catalogue: Catalogue, price_book: PriceBook) -> None:
    """Dollars once had no rate of their own, and the cost in the file was left out without a word."""
    assert baseline_in(in_euro(catalogue, price_book), "USD")[:2] == ("actual", pytest.approx(860.0))


def test_u53_cost_in_a_third_currency_goes_by_its_rate(catalogue: Catalogue, price_book: PriceBook) -> None:
    pound = ExchangeRate(currency="GBP", rate=0.75, as_of=date(2026, 11, 27))
    found = baseline_in(in_euro(catalogue, price_book), "GBP", pound)
    assert found[:2] == ("actual", pytest.approx(1000 / 0.75 * 0.86))


def test_u53_cost_without_a_rate_is_left_out_and_asked_for(world: World) -> None:
    kind, _, questions = baseline_in(world, "GBP")
    assert kind == "list"
    assert "currency" in questions


def test_u53_labour_follows_the_currency(catalogue: Catalogue, price_book: PriceBook, ask: Ask) -> None:
    (pool,) = advise([make_reading(make_row("NC6"))], in_euro(catalogue, price_book), make_request()).pools
    dollars = option_of(ask("NC6"), "NC4as_T4_v3").tco
    euros = option_of(pool, "NC4as_T4_v3").tco
    assert euros.components["migration_labour"] == pytest.approx(0.86 * dollars.components["migration_labour"])
    assert euros.expected == pytest.approx(0.86 * dollars.expected)


# Services have dates of their own


def test_u09_a_pool_goes_by_the_dates_of_its_service(ask: Ask) -> None:
    """AKS ended NC24rs_v3 on 2025-03-31, half a year before the VM did."""
    day = date(2025, 6, 1)
    vm = ask("NC24rs_v3", 2, as_of=day, horizon_months=3)
    aks = ask("NC24rs_v3", 2, columns={"service": "aks"}, as_of=day, horizon_months=3)
    assert (vm.lifecycle.status, aks.lifecycle.status) == ("announced", "retired")
    assert aks.lifecycle.retirement_date == date(2025, 3, 31)
    assert option_of(vm, "NC24rs_v3").verdict == "stay"
    assert "Standard_NC24rs_v3" not in {option.size for option in aks.options}


def test_u02_the_day_of_the_forced_stop_is_told(ask: Ask) -> None:
    assert ask("NC6", 2, columns={"service": "aks"}).lifecycle.forced_stop == date(2025, 3, 14)
    assert ask("NC6", 2).lifecycle.forced_stop is None
