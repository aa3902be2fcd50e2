"""Every key of the contract is there with its type and unit, and an unknown is null."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from tests.golden.answers import AS_OF, FILES, run
from tests.golden.shape import ADVICE, INSPECT, OPTION, OPTION_IN_SHORT, misfits

pytestmark = pytest.mark.django_db
NAMES = ("list", "portal", "no_region")
TOP = 3
Json = dict[str, Any]


@pytest.fixture(scope="module")
def advices(django_db_setup, django_db_blocker) -> dict[str, Json]:
    """The advice of every sample, made once for all tests here."""
    with django_db_blocker.unblock():
        return {
            name: json.loads(run("advise", str(FILES / f"{name}.csv"), "--json", "--as-of", AS_OF, "--top", str(TOP)))
            for name in NAMES
        }


@pytest.fixture(scope="module")
def pools(advices: dict[str, Json]) -> list[Json]:
    return [pool for advice in advices.values() for pool in advice["pools"]]


@pytest.fixture(scope="module")
def options(pools: list[Json]) -> list[tuple[Json, Json]]:
    """Pool and option, of all options in full."""
    return [(pool, option) for pool in pools for option in pool["options"] if "verdict" in option]


@pytest.mark.parametrize("name", NAMES)
def test_inspect_has_the_keys_of_the_contract(name):
    answer = json.loads(run("inspect", str(FILES / f"{name}.csv"), "--json"))
    assert list(misfits(INSPECT, answer)) == []


@pytest.mark.parametrize("name", NAMES)
def test_advise_has_the_keys_of_the_contract(advices, name):
    assert list(misfits(ADVICE, advices[name])) == []


def test_the_first_options_are_in_full_and_the_rest_in_short(pools):
    for pool in pools:
        for place, option in enumerate(pool["options"]):
            assert list(misfits(OPTION if place < TOP else OPTION_IN_SHORT, option)) == []


def test_rows_add_up(advices):
    for advice in advices.values():
        for reading in advice["import"]:
            assert reading["rows_read"] == reading["gpu_rows"] + reading["other_rows"] + reading["error_rows"]


def test_a_pool_is_named_by_what_makes_it(pools):
    for pool in pools:
        assert pool["os"] and pool["price_model"]
    key = "Standard_NC6|westeurope|linux|payg|vision"
    assert hashlib.sha256(key.encode()).hexdigest()[:8] in {pool["id"] for pool in pools}


def test_hours_are_vm_hours_and_gpu_hours_count_gpus(pools):
    for pool in pools:
        assert pool["hours_per_month"] == pytest.approx(pool["vms"] * pool["hours_per_vm_month"])
        per_vm = pool["gpus"] / pool["vms"]
        assert pool["gpu_hours_per_month"] == pytest.approx(pool["hours_per_month"] * per_vm)


def test_money_is_hours_times_price(options):
    for pool, option in options:
        assert option["monthly_cost"] == pytest.approx(option["hourly_price"] * option["hours_per_month"])
        assert option["cost_per_work_unit"] == pytest.approx(option["monthly_cost"] / pool["demand_gpu_hours"])
        assert option["hours_per_month"] <= option["vms"] * 730 * (1 + 1e-12)


def test_gpu_hours_of_an_option_count_its_gpus(options):
    for _, option in options:
        per_vm = option["gpus"] / option["vms"]
        assert option["gpu_hours_per_month"] == pytest.approx(option["hours_per_month"] * per_vm)


def test_the_components_add_up_to_the_cost_of_ownership(options):
    for _, option in options:
        assert sum(option["tco"]["components"].values()) == pytest.approx(option["tco"]["expected"])


def test_a_range_holds_its_expected_value(options):
    for _, option in options:
        speed = option["speedup"]
        assert speed["low"] <= speed["expected"] <= speed["high"]


def test_options_are_sorted_by_rank(pools):
    for pool in pools:
        assert [option["rank"] for option in pool["options"]] == list(range(1, len(pool["options"]) + 1))


def test_every_size_stands_in_options_or_in_rejected(pools, catalogue):
    for pool in pools:
        ranked = [option["size"] for option in pool["options"]]
        rejected = [entry["size"] for entry in pool["rejected"]]
        assert sorted(ranked + rejected) == sorted(catalogue.sizes)
        assert all(entry["reasons"] for entry in pool["rejected"])


def test_microsofts_move_agrees_when_it_stands_in_options(pools):
    for pool in pools:
        ranked = {option["size"] for option in pool["options"]}
        for move in pool["microsoft_move"]:
            assert move["agrees"] == (move["size"] in ranked)


def test_totals_are_sums_over_the_pools(advices):
    advice = advices["list"]
    totals, pools = advice["totals"], advice["pools"]
    assert totals["vms"] == sum(pool["vms"] for pool in pools)
    assert totals["gpus"] == pytest.approx(sum(pool["gpus"] for pool in pools))
    assert totals["baseline_monthly_cost"] == pytest.approx(sum(pool["baseline"]["monthly_cost"] for pool in pools))
    assert totals["recommended_tco"] == pytest.approx(sum(pool["options"][0]["tco"]["expected"] for pool in pools))
    assert totals["unpriced_pools"] == 0


def test_what_is_unknown_is_null_and_outside_the_totals(advices):
    advice = advices["no_region"]
    (pool,) = advice["pools"]
    assert pool["region"] is None
    assert pool["workload"]["utilisation_percent"] is None
    assert {pool["baseline"][key] for key in ("hourly_price", "monthly_cost", "tco", "price_as_of")} == {None}
    assert advice["totals"]["unpriced_pools"] == 1
    assert pool["options"] == []


def test_a_misfit_is_seen():
    shape = {"a": [{"b": (INSPECT["schema"], None)}], "c": str}
    assert list(misfits(shape, {"a": [{"b": "inspect/2"}, {"b": None}, {}]})) == [
        "$.a[0].b: 'inspect/2' is no inspect/1",
        "$.a[2].b is missing",
        "$.c is missing",
    ]
