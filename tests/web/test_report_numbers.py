"""Page, report, file and command show the same numbers (U54)."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from advisor.engine.catalogue import Catalogue
from advisor.management.commands import advise as advise_command
from tests.fleets import random_fleet
from tests.pages import Page
from tests.sessions import keep

pytestmark = pytest.mark.django_db

DAY = "2026-11-30"


def amount(value: float | None) -> str:
    """Money as every page rounds it, written here once more."""
    return "unknown" if value is None else f"{round(value) + 0:,}".replace("-", "\u2212")


def short(size: str) -> str:
    return size.removeprefix("Standard_")


def command_json(path: Path, html: Path) -> dict[str, Any]:
    stream = io.StringIO()
    call_command(advise_command.Command(), str(path), "--json", "--as-of", DAY, "--html", str(html), stdout=stream)
    document: dict[str, Any] = json.loads(stream.getvalue())
    return document


def check_report(page: Page, answer: dict[str, Any]) -> None:
    """The report's table in money has a row for every pool, with the figures of the JSON, and their sums."""
    rows, totals = page.rows["money-h"], answer["totals"]
    found = [[row[0].split(" ", 1)[1], *row[2:7]] for row in rows[1:-1]]
    assert sorted(found) == sorted(expected_row(pool) for pool in answer["pools"])
    assert rows[-1][3:5] == [amount(totals["baseline_monthly_cost"]), amount(totals["recommended_monthly_cost"])]
    assert rows[-1][6] == amount(totals["recommended_tco"])


def expected_row(pool: dict[str, Any]) -> list[str]:
    """From, to, now, after, change and the whole horizon of one pool."""
    first = pool["options"][0] if pool["options"] else None
    before, after = pool["baseline"]["monthly_cost"], first["monthly_cost"] if first else None
    change = None if before is None or after is None else after - before
    signed = f"+{amount(change)}" if change is not None and round(change) > 0 else amount(change)
    if first is None:
        to = "unknown"
    elif (first["size"], first["region"]) != (pool["size"], pool["region"]):
        to = f"{first['vms']} \u00d7 {short(first['size'])}"
    else:
        to = "Stay" if first["vms"] == pool["vms"] else f"Stay, with {first['vms']}"
    label = f"{pool['vms']} \u00d7 {short(pool['size'])} {pool['region'] or 'unknown'}"
    return [label, to, amount(before), amount(after), signed, amount(first["tco"]["expected"] if first else None)]


@pytest.mark.parametrize("seeds", [(seed, seed + 1, seed + 2, seed + 3) for seed in range(0, 20, 4)])
def test_u54_the_same_numbers_everywhere(
    client: Client, catalogue: Catalogue, tmp_path: Path, seeds: tuple[int, ...]
) -> None:
    """Twenty random fleets, four in a file: what is worked out once per request is paid once."""
    texts = [random_fleet(seed, catalogue) for seed in seeds]
    text = texts[0] + "".join(part.partition("\n")[2] for part in texts[1:])
    (tmp_path / "fleet.csv").write_text(text, encoding="utf-8")
    answer = command_json(tmp_path / "fleet.csv", tmp_path / "report.html")
    fleet = keep(client, catalogue, ("fleet.csv", text))
    page = Page(client.get(reverse("answer", args=[fleet.pk]), {"as_of": DAY}).content)
    made = client.post(reverse("make-report", args=[fleet.pk]) + f"?as_of={DAY}", {"title": "Report"})
    report = Page(client.get(made.headers["Location"]).content)
    file = Page(client.get(made.headers["Location"] + "file/").content)
    printed = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    for shown in (report, file, printed):
        check_report(shown, answer)
    assert report.rows["money-h"] == file.rows["money-h"] == printed.rows["money-h"]
    totals = answer["totals"]
    for shown in (page, report, file, printed):
        for name in ("baseline_monthly_cost", "recommended_monthly_cost"):
            assert totals[name] is None or amount(totals[name]) in shown.text, name
        for pool in answer["pools"]:
            for first in pool["options"][:1]:
                assert f"{first['vms']} \u00d7 {short(first['size'])}" in shown.text or "Stay" in shown.text
                assert amount(first["monthly_cost"]) in shown.text


def test_the_file_and_the_page_carry_one_check_sum(client: Client, catalogue: Catalogue, tmp_path: Path) -> None:
    text = random_fleet(3, catalogue)
    (tmp_path / "fleet.csv").write_text(text, encoding="utf-8")
    command_json(tmp_path / "fleet.csv", tmp_path / "report.html")
    fleet = keep(client, catalogue, ("fleet.csv", text))
    made = client.post(reverse("make-report", args=[fleet.pk]) + f"?as_of={DAY}", {"title": ""})
    words = Page(client.get(made.headers["Location"]).content).text.split("Checksum ")
    printed = Page((tmp_path / "report.html").read_text(encoding="utf-8")).text.split("Checksum ")
    assert {part[:9] for part in words[1:]} == {part[:9] for part in printed[1:]}
    assert len(words) == 3
