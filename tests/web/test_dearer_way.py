"""The dearer way stands wherever verdict and labour do: pool page, runbook, report, text and documented moves."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests.pages import Page
from tests.web.fleets import fleet_of, upload

pytestmark = pytest.mark.django_db

FLEET = """size,region,count,hours_per_vm,os,workload,cuda,image
Standard_NC6s_v3,eastus,1,730,linux,training,11.8,ubuntu 22.04
"""
#: 4 h and 1 h of a resize against 40 h and 3 h of a rebuild, USD 95 an hour; the OS disk may be ephemeral too.
DEARER = "if Generation 1 rebuild, and USD 4,085 of labour instead of 475"
DAY = "2026-11-30"
ASKED = {"as_of": DAY, "against": "NC24ads_A100_v4"}


def text_of(client: Client, address: str) -> str:
    response = client.get(address, ASKED)
    assert response.status_code == 200
    return " ".join(Page(response.content).text.split())


def test_the_pages_of_a_pool_say_it_of_its_first_choice(client: Client) -> None:
    fleet = fleet_of(upload(client, ("contoso.csv", FLEET)))
    (pool,) = client.get(reverse("answer-json", args=[fleet.pk]), ASKED).json()["pools"]
    first = pool["options"][0]
    sentence = next(way for way in first["heavier"] if way["field"] == "generation")
    assert (first["verdict"], sentence["verdict"]) == ("resize", "rebuild")
    for name in ("pool", "runbook"):
        assert DEARER in text_of(client, reverse(name, args=[fleet.pk, pool["id"]]))
    assert "or rebuild" in text_of(client, reverse("answer", args=[fleet.pk]))


def test_text_and_report_of_the_command_say_it(tmp_path: Path) -> None:
    path, page, stream = tmp_path / "fleet.csv", tmp_path / "report.html", io.StringIO()
    path.write_text(FLEET)
    call_command("advise", str(path), "--as-of", DAY, "--html", str(page), stdout=stream)
    assert DEARER in " ".join(stream.getvalue().split())
    assert "resize, or rebuild" in stream.getvalue()
    report = " ".join(Page(page.read_bytes()).text.split())
    assert report.count(DEARER) == 1  # on the path of the pool; what to decide has the two words


def test_documented_moves_say_it_on_the_page_and_in_the_command(client: Client) -> None:
    told = "if Generation 1 rebuild, and USD 4,085 of labour instead of 1,805"
    response = client.get("/moves/", {"as_of": DAY, "q": "NV16as_v4"})
    assert told in " ".join(Page(response.content).text.split())
    stream = io.StringIO()
    call_command("documented_moves", "--as-of", DAY, "--json", stdout=stream)
    moves = json.loads(stream.getvalue())["moves"]
    (move,) = (m for m in moves if m["from"].endswith("NC6s_v3") and m["target"] and "H100" in m["target"])
    assert "Generation 1" in move["heavier"]
    sure = [m for m in moves if m["verdict"] is None]
    assert sure and all(m["heavier"] is None for m in sure)
