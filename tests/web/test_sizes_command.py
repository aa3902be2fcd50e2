"""`manage.py sizes`: one object per size, filters, exit codes."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db


def sizes(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("sizes", *arguments, "--json", "--as-of", "2026-11-30", stdout=out)
    answer: dict[str, Any] = json.loads(out.getvalue())
    return {size["name"]: size for size in answer["sizes"]}


def test_every_size_stands_with_its_ledger() -> None:
    found = sizes()
    assert len(found) == 100
    assert all(size["ledger"] for size in found.values() if size["series"] != "NVv2")


def test_a_sixth_of_a_card_is_a_sixth() -> None:
    assert sizes("--series", "NVadsA10_v5")["Standard_NV6ads_A10_v5"]["gpus"] == 1 / 6


def test_unknown_is_null_and_none_is_zero() -> None:
    found = sizes()
    assert found["Standard_NC8ads_A10_v4"]["temp_disk_gib"] is None
    assert found["Standard_NC40ads_H100_v5"]["temp_disk_gib"] == 0
    assert found["Standard_NC24r"]["infiniband_gbps"] is None
    assert found["Standard_NC24"]["infiniband_gbps"] == 0


def test_regions_with_dates_of_their_own_are_listed() -> None:
    regions = {r["region"]: r["status"] for r in sizes("--series", "NVv3")["Standard_NV12s_v3"]["regions"]}
    assert regions == {"uaenorth": "announced"}


@pytest.mark.parametrize("text", ["NCv3", "ncv3", "NC v3"])
def test_series_in_any_spelling(text: str) -> None:
    assert {size["series"] for size in sizes("--series", text).values()} == {"NCv3"}


def test_a_short_gpu_name_means_all_that_begin_with_it() -> None:
    assert {s["gpu"] for s in sizes("--gpu", "v100").values()} == {
        "V100 PCIe 16GB",
        "V100 SXM2 16GB",
        "V100 SXM2 32GB",
    }


def test_an_exact_gpu_name_means_that_one() -> None:
    assert {size["gpu"] for size in sizes("--gpu", "A10").values()} == {"A10"}


@pytest.mark.parametrize("status", ["current", "announced", "retired"])
def test_status_filters(status: str) -> None:
    found = sizes("--status", status)
    assert found
    assert {size["status"] for size in found.values()} == {status}


def test_status_is_that_of_the_day() -> None:
    out = StringIO()
    call_command("sizes", "--series", "NVv4", "--json", "--as-of", "2026-09-29", stdout=out)
    assert {size["status"] for size in json.loads(out.getvalue())["sizes"]} == {"announced"}


@pytest.mark.parametrize("arguments", [("--series", "NX"), ("--gpu", "V9"), ("--gpu", " ")])
def test_what_no_size_has_is_a_wrong_argument(arguments: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match="Known: ") as caught:
        sizes(*arguments)
    assert caught.value.returncode == 2


def test_a_wrong_day_says_how_to_write_one() -> None:
    with pytest.raises(CommandError, match="write it as 2026-11-30"):
        call_command("sizes", "--as-of", "30.11.2026")


def test_people_get_a_table() -> None:
    out = StringIO()
    call_command("sizes", "--series", "NDv2", stdout=out)
    header, *rows = out.getvalue().splitlines()
    assert header.split()[:2] == ["SIZE", "SERIES"]
    assert [row.split()[0] for row in rows] == ["Standard_ND40rs_v2", "Standard_ND40s_v2"]
