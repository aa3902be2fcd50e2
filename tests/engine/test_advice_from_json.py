"""An advice comes back from its JSON as it went in."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from advisor.engine.advice import advise
from advisor.engine.advice_from_json import UnknownSchema, advice_from_json
from advisor.engine.advice_json import advice_json
from advisor.engine.candidates import World
from advisor.engine.readers import read_file
from tests.factories import make_reading, make_request, make_row
from tests.fleets import random_fleet

RESERVED = [
    make_row("NC6s_v3", 4, hours=730.0, price_model="ri_3y", cost=100.0, currency="EUR"),
    make_row("NC6s_v3", 3, hours=730.0, price_model="spot", deallocated=3),
    make_row("NC6s_v3", 2, price_model="sp_1y"),
    make_row("NV6", 1, None),
]


def through_text(document: Any) -> Any:
    return json.loads(json.dumps(document, allow_nan=False))


@pytest.mark.parametrize("seed", range(5))
def test_json_comes_back_as_it_was(world: World, seed: int) -> None:
    text = random_fleet(seed, world.catalogue) + "vm,NC6x,westeurope,1,,,,,,\nvm,D4s_v5,westeurope,1,,,,,,\n"
    reading = read_file("fleet.csv", io.BytesIO(text.encode()), world.catalogue)
    document = through_text(advice_json(advise([reading], world, make_request(top=3))))
    assert advice_json(advice_from_json(document)) == document


def test_reservations_and_costs_come_back(world: World) -> None:
    document = through_text(advice_json(advise([make_reading(*RESERVED)], world, make_request())))
    (gpu, no_region) = document["import"][0]["gpu"]
    assert (gpu["count"], gpu["deallocated"], gpu["spot"], gpu["reservation"], gpu["savings_plan"]) == (9, 3, 3, 4, 2)
    assert no_region["region"] is None
    assert advice_json(advice_from_json(document))["import"] == document["import"]


def test_changed_assumptions_come_back_and_an_older_report_has_none(world: World) -> None:
    assume = (("labour_rate", 120.0), ("grid_licence", 30.0), ("start_hours", 0.25))  # the last is the default
    document = through_text(advice_json(advise([make_reading(*RESERVED)], world, make_request(assume=assume))))
    assert document["assumptions_changed"] == [
        {"name": "labour_rate", "default": 95.0, "value": 120.0},
        {"name": "grid_licence", "default": None, "value": 30.0},
    ]
    assert advice_json(advice_from_json(document)) == document
    del document["assumptions_changed"]
    assert advice_from_json(document).assumptions_changed == ()


def test_an_empty_answer_comes_back(world: World) -> None:
    document = through_text(advice_json(advise([], world, make_request())))
    assert advice_json(advice_from_json(document)) == document


def test_a_key_that_an_older_version_did_not_write_is_unknown(world: World) -> None:
    document = through_text(advice_json(advise([make_reading(*RESERVED)], world, make_request(top=1))))
    for pool in document["pools"]:
        del pool["lifecycle"]["forced_stop"], pool["best_region"]
    advice = advice_from_json(document)
    assert {(pool.lifecycle.forced_stop, pool.best_region) for pool in advice.pools} == {(None, None)}


@pytest.mark.parametrize("document", [{}, {"schema": "advice/2"}, {"schema": "inspect/1"}, None, []])
def test_another_schema_is_refused_with_both_names(document: Any) -> None:
    found = document.get("schema") if isinstance(document, dict) else None
    with pytest.raises(UnknownSchema, match=rf"the schema is {found!r}, this version reads 'advice/1'"):
        advice_from_json(document)


def test_a_broken_advice_is_refused(world: World) -> None:
    document = through_text(advice_json(advise([make_reading(*RESERVED)], world, make_request())))
    del document["pools"][0]["options"]
    with pytest.raises(UnknownSchema, match="cannot be read"):
        advice_from_json(document)


def test_measured_ratios_and_what_was_said_of_the_network_come_back(world: World) -> None:
    asked = make_request(workload="inference", network="cnn", batch=4.0, measured={("K80", "T4"): 2.5})
    document = json.loads(json.dumps(advice_json(advise([make_reading(make_row("NC6", 3))], world, asked))))
    again = advice_from_json(document)
    assert advice_json(again) == document
    assert (again.measured[0].from_gpu, again.measured[0].ratio) == ("K80", 2.5)
    assert again.pools[0].workload.network == "cnn"
    assert again.pools[0].options[0].grades.move in "ABC"


def test_an_answer_from_before_measured_ratios_and_the_grade_of_the_move_is_read(world: World) -> None:
    document = json.loads(json.dumps(advice_json(advise([make_reading(make_row("NC6", 3))], world, make_request()))))
    del document["measured"]
    for option in document["pools"][0]["options"]:
        option.pop("open_questions", None)
        option.get("grades", {}).pop("move", None)
    for name in ("network", "batch", "runtime"):
        del document["pools"][0]["workload"][name]
    again = advice_from_json(document)
    assert again.measured == () and again.pools[0].options[0].grades.move == ""
    assert again.pools[0].workload.unsaid == ("network", "batch", "runtime")
