"""The dearer way: an unknown fact set to its heavier answer, against the advice for machines that have it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from advisor.engine.answer import Heavier, Option
from advisor.engine.heavier import heavier_words, verdict_words
from tests.engine.conftest import Ask
from tests.factories import option_of

#: All that could make a move from V100 to A100 heavier, at its lighter answer.
KNOWN = {"cuda": "11.8", "image": "ubuntu 22.04", "ephemeral_os_disk": 0.0, "disk_controller": "nvme"}


def of(ask: Ask, source: str, target: str, facts: dict[str, Any], **more: Any) -> Option:
    columns = more.pop("columns", {}) | {"facts": json.dumps(facts)}
    count, region = more.pop("count", 1), more.pop("region", "westeurope")
    return option_of(ask(source, count, region, columns=columns, **more), target)


def way(option: Option, field: str) -> Heavier:
    (found,) = (one for one in option.heavier if one.field == field)
    return found


def test_an_unknown_generation_is_told_with_verdict_and_labour(ask: Ask) -> None:
    # 4 h and 1 h per VM of a resize, 40 h and 3 h of a rebuild, USD 95 an hour
    option = of(ask, "NC6s_v3", "NC24ads_A100_v4", KNOWN, columns={"os": "linux"}, workload="training")
    assert (option.verdict, option.tco.components["migration_labour"]) == ("resize", 475.0)
    assert heavier_words(option, "USD") == (
        "Resize if the images are Generation 2; if Generation 1 rebuild, and USD 4,085 of labour instead of 475."
    )
    assert verdict_words(option) == "resize, or rebuild"


def test_nothing_is_told_where_nothing_is_unknown(ask: Ask) -> None:
    facts = KNOWN | {"generation": 2.0}
    option = of(ask, "NC6s_v3", "NC24ads_A100_v4", facts, columns={"os": "linux"}, workload="training")
    assert (tuple(option.heavier), heavier_words(option, "USD"), verdict_words(option)) == ((), "", "resize")
    stay = option_of(ask("NC24ads_A100_v4", 1, workload="training"), "NC24ads_A100_v4")
    assert not stay.heavier


@pytest.mark.parametrize(
    ("field", "source", "target", "said"),
    [
        ("generation", "NC6s_v3", "NC24ads_A100_v4", {"generation": 1.0}),
        ("cuda", "NC6s_v3", "NC24ads_A100_v4", {"cuda": "10.1"}),
        ("cuda", "NC12", "NC4as_T4_v3", {"cuda": "9.0"}),
        ("image", "NC6s_v3", "NC24ads_A100_v4", {"image": "rhel 7.9"}),
        ("ephemeral_os_disk", "NC6s_v3", "NC40ads_H100_v5", {"ephemeral_os_disk": 1.0}),
        ("disk_controller", "NG8ads_V620_v1", "NV8ads_V710_v5", {"disk_controller": "scsi"}),
    ],
)
def test_it_is_what_the_advice_says_of_machines_that_have_the_fact(
    ask: Ask, field: str, source: str, target: str, said: dict[str, Any]
) -> None:
    more: dict[str, Any] = {"workload": "inference", "columns": {"os": "linux"}}
    open_ = of(ask, source, target, {}, **more)
    known = of(ask, source, target, said, **more)
    found = way(open_, field)
    assert (found.verdict, found.migration_labour) == (known.verdict, known.tco.components["migration_labour"])


def test_a_system_that_nobody_gave_may_be_windows(ask: Ask) -> None:
    # the page of NCads H100 v5 gives no temporary disk: no resize in place on Windows
    facts = KNOWN | {"generation": 2.0}
    option = of(ask, "NC6s_v3", "NC40ads_H100_v5", facts, columns={"os": None}, workload="inference")
    told = of(ask, "NC6s_v3", "NC40ads_H100_v5", facts, columns={"os": "windows"}, workload="inference")
    assert (option.verdict, told.verdict) == ("resize", "redeploy")
    found = way(option, "os")
    assert (found.verdict, found.migration_labour) == (told.verdict, told.tco.components["migration_labour"])
    assert "if they run Windows redeploy" in heavier_words(option, "USD")


def test_an_unknown_infiniband_driver_may_ask_for_a_new_image(ask: Ask) -> None:
    more: dict[str, Any] = {"region": "southcentralus", "count": 2, "workload": "training"}
    option = of(ask, "ND96asr_v4", "ND96isr_H100_v5", KNOWN | {"generation": 2.0}, **more)
    assert way(option, "infiniband").verdict == "rebuild"


def test_the_heaviest_verdict_comes_first(ask: Ask) -> None:
    option = of(ask, "NC6s_v3", "NC24ads_A100_v4", {}, columns={"os": "linux"}, workload="training")
    assert [one.verdict for one in option.heavier] == ["rebuild", "rebuild", "rebuild", "redeploy"]
    words = heavier_words(option, "USD")
    assert "if Generation 1, an earlier CUDA or an older guest system rebuild, and USD 4,085" in words
    assert words.endswith("if the OS disk is ephemeral redeploy, and USD 1,805 of labour instead of 475.")
