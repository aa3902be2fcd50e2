"""/moves/ and the command: every documented move with its judgement, reason, page and date."""

from __future__ import annotations

import html
import io
import json
import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from advisor.engine.catalogue import Catalogue
from tests.pages import Page

pytestmark = pytest.mark.django_db

DAY = {"as_of": "2026-11-30"}


def rows(client: Client, **query: str) -> list[list[str]]:
    response = client.get("/moves/", {**DAY, **query})
    assert response.status_code == 200
    assert len(response.content) < 150_000
    return Page(response.content).rows["moves-h"][1:]


def test_the_answer_counts_every_move(client: Client, catalogue: Catalogue) -> None:
    page = " ".join(Page(client.get("/moves/", DAY).content).text.split())
    counts = re.search(
        r"Of 154 documented moves (\d+) hold, (\d+) do not, (\d+) are outdated, (\d+) cannot be judged", page
    )
    assert counts is not None
    assert sum(map(int, counts.groups())) == len(catalogue.moves) == 154
    assert int(counts[3]) == 13  # 10 of NV and NV_Promo end with NVv3 and NVv4, 3 of NCv3 have a newer page


def test_a_size_shows_its_moves_in_full(client: Client) -> None:
    found = rows(client, q="ND6s")
    assert [(row[0], row[2].split(" ")[0]) for row in found] == [("ND6s", "disagree"), ("ND6s", "disagree")]
    assert "16 GiB per GPU; today's machines have 24 GiB" in html.unescape(found[0][3])
    assert "The page: 24 GB GPU memory shrinks to 16." in found[0][3]


def test_an_outdated_move_names_date_and_source(client: Client) -> None:
    (row,) = (r for r in rows(client, q="Standard_NV6") if "NV12s_v3" in r[1])
    assert row[2] == "outdated"
    assert "retired on 2026-09-30" in row[3] and "nvv3-series-retirement.md" in row[3]


def test_filters_by_judgement_and_series(client: Client) -> None:
    assert {row[2] for row in rows(client, judgement="outdated")} >= {"outdated"}
    assert {row[0] for row in rows(client, series="NP")} == {"NP10s", "NP20s", "NP40s"}
    assert {row[2].split(" ")[0] for row in rows(client, series="NP")} == {"disagree"}


def test_moves_to_a_size_are_found_too(client: Client) -> None:
    assert {row[0] for row in rows(client, q="ND96amsr_A100_v4")} == {"ND24rs"}


def test_htmx_gets_only_the_part(client: Client) -> None:
    part = client.get("/moves/", {**DAY, "q": "NC6"}, headers={"HX-Request": "true"}).content.decode()
    assert "<h1" not in part and 'id="moves-h"' in part


@pytest.mark.parametrize("query", [{"as_of": "x"}, {"judgement": "perhaps"}, {"series": "NX"}])
def test_what_is_not_known_is_refused(client: Client, query: dict[str, str]) -> None:
    assert client.get("/moves/", DAY | query).status_code == 422


def test_size_and_pool_pages_lead_here(client: Client) -> None:
    assert "/moves/?q=Standard_NC6" in client.get("/sizes/Standard_NC6/", DAY).content.decode()


def test_pages_younger_than_the_day_are_said_to_be_so(client: Client) -> None:
    out = io.StringIO()
    call_command("documented_moves", "--size", "NC6s_v3", "--as-of", "2023-01-01", stdout=out)
    assert "Its page is of 2024-03-19, after the day that is asked for." in " ".join(out.getvalue().split())
    assert "names NCads_H100_v5" not in out.getvalue() and "younger than 2023-01-01" in out.getvalue()
    assert b"after the day that is asked for" in client.get("/moves/", {"as_of": "2023-01-01"}).content


def command(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("documented_moves", *arguments, "--as-of", "2026-11-30", stdout=out)
    return out.getvalue()


def test_the_command_says_what_the_page_says(client: Client) -> None:
    (answer,) = json.loads(command("--json", "--size", "ND12s"))["moves"]
    (row,) = rows(client, q="Standard_ND12s")
    assert answer["judgement"] == row[2] == "disagree"
    assert re.sub(r"\s+", " ", answer["why"]).replace("Standard_", "") in row[3].replace("Standard_", "")


def test_the_command_refuses_what_it_does_not_know() -> None:
    for arguments in (["--size", "NC99"], ["--region", "atlantis"]):
        with pytest.raises(CommandError) as error:
            command(*arguments)
        assert error.value.returncode == 2


def test_the_command_prints_a_table() -> None:
    printed = command("--size", "ND24rs")
    assert "ND96amsr_A100_v4" in printed and "agree 1, disagree 0, outdated 0, unknown 0" in printed
