"""Fleets from Terraform: Spot and reserved prices stand beside pay as you go, and what is unknown is never 0.00."""

from __future__ import annotations

import io
import json
from datetime import date

import pytest

from advisor.engine.advice import advise
from advisor.engine.readers import read_file
from advisor.engine.request import AdviceRequest

DAY = date(2026, 11, 30)


def plan(*machines):
    """A plan of (size, region, priority)."""
    resources = [
        {
            "address": f"azurerm_linux_virtual_machine.m{place}",
            "mode": "managed",
            "type": "azurerm_linux_virtual_machine",
            "values": {"size": size, "location": region, "priority": priority},
        }
        for place, (size, region, priority) in enumerate(machines)
    ]
    text = json.dumps({"terraform_version": "1.7.5", "planned_values": {"root_module": {"resources": resources}}})
    return io.BytesIO(text.encode())


@pytest.fixture(scope="module")
def advice(world):
    machines = [("Standard_NC4as_T4_v3", "eastus", "Spot"), ("Standard_NC4as_T4_v3", "eastus", "Regular"),
                ("Standard_NC77as_T4_v9", "eastus", "Regular")]  # fmt: skip
    reading = read_file("plan.json", plan(*machines), world.catalogue)
    assert [(p.item, p.kind) for p in reading.problems] == [(2, "unknown_size")]
    return advise((reading,), world, AdviceRequest(as_of=DAY))


def test_spot_and_reserved_prices_are_listed(advice, world):
    spot, payg = sorted(advice.pools, key=lambda pool: pool.price_model, reverse=True)
    assert (spot.price_model, payg.price_model) == ("spot", "payg")
    stay = next(
        option for option in spot.options if option.size == "Standard_NC4as_T4_v3" and option.region == "eastus"
    )
    listed = {price.price_model: price.monthly_cost for price in stay.prices}
    for model in ("payg", "spot"):
        hourly = world.quotes.book.prices["Standard_NC4as_T4_v3", "eastus", "linux", model].hourly_price
        assert listed[model] == pytest.approx(730 * hourly * stay.vms)
    assert listed["ri_3y"] < listed["ri_1y"] < listed["payg"]
    assert listed["spot"] < listed["payg"]
    assert "spot" not in {price.price_model for price in payg.options[0].prices}  # nobody said that it can be stopped


def test_an_unknown_size_is_in_no_total(advice):
    assert advice.totals.vms == 2  # of three: the third has a size that nobody knows, and is an error of the file
    assert all(pool.baseline.monthly_cost for pool in advice.pools)


def test_an_unknown_price_stops_the_total(world):
    # a size that is listed in a region where no price is known, also not from other regions
    unpriced = next(
        name for name, size in world.catalogue.sizes.items()
        if size.is_gpu and not any(key[0] == name for key in world.quotes.book.prices)
    )  # fmt: skip
    reading = read_file("plan.json", plan((unpriced, "eastus", "Regular")), world.catalogue)
    advice = advise((reading,), world, AdviceRequest(as_of=DAY))
    assert advice.totals.unpriced_pools == 1
    assert (advice.pools[0].baseline.kind, advice.pools[0].baseline.monthly_cost) == ("unknown", None)
