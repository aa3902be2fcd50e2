"""Page, report, file and command show the same numbers (U54)."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from advisor.engine.advice_from_json import advice_from_json
from advisor.engine.catalogue import Catalogue
from advisor.exports.text import as_text
from advisor.management.commands import advise as advise_command
from tests.fleets import random_fleet
from tests.pages import Page
from tests.profiles import sample
from tests.sessions import keep

pytestmark = pytest.mark.django_db

DAY = "2026-11-30"
#: Components of the cost of ownership as pages name them, written here once more.
PARTS = {
    "compute": "Machines",
    "windows_licence": "Windows licences",
    "grid_licence": "GRID licences",
    "disks": "Disks",
    "network": "Network",
    "operations": "Operations",
    "migration_labour": "Labour, once",
    "staff_training": "Training, once",
    "parallel_running": "Side by side, once",
    "data_transfer": "Data transfer, once",
    "stranded_commitments": "Stranded commitments, once",
    "second_move": "Second move, once",
}


def amount(value: float | None) -> str:
    """Money as every page rounds it, written here once more."""
    return "unknown" if value is None else f"{round(value) + 0:,}".replace("-", "\u2212")


def short(size: str) -> str:
    return size.removeprefix("Standard_")


def command_json(path: Path, html: Path) -> dict[str, Any]:
    """The answer of the command; beside `html` it leaves the table of options as options.csv."""
    stream, table = io.StringIO(), str(html.with_name("options.csv"))
    call_command(
        *(advise_command.Command(), str(path), "--json", "--as-of", DAY, "--html", str(html), "--csv", table),
        stdout=stream,
    )
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


def spread(values: dict[str, Any]) -> str:
    return f"{amount(values['p10'])} to {amount(values['p90'])}"


def in_100(share: float) -> str:
    """A chance as every page writes it: none becomes 0 or 100 by rounding."""
    whole = round(100 * share)
    return "under 1" if whole == 0 < share else "over 99" if whole == 100 and share < 1 else str(whole)


def check_ranges(page: Page, answer: dict[str, Any]) -> None:
    """Cost of ownership before and after, with the ranges of the JSON."""
    totals = answer["totals"]
    if totals["recommended_tco"] is None:
        return
    saving = totals["baseline_tco"] - totals["recommended_tco"]
    after, saved = spread(totals["recommended_tco_range"]), spread(totals["saving_range"])
    words = f"USD {amount(totals['recommended_tco'])} instead of USD {amount(totals['baseline_tco'])}"
    assert f"{words} ; 8 in 10 cases: USD {after}" in page.text
    assert f"USD {amount(saving)} ; 8 in 10 cases: USD {saved}" in page.text


def check_parts(page: Page, answer: dict[str, Any]) -> None:
    """The components of both sides are the sums of the JSON's over the pools that are in the totals."""
    totals = answer["totals"]
    if totals["recommended_tco"] is None:
        return
    rows = page.rows["cost-h"]
    start = next(place for place, row in enumerate(rows) if row[0] == "Part")
    found = {row[0]: row[1:] for row in rows[start + 1 :]}
    pools = [pool for pool in answer["pools"] if pool["id"] not in totals["unpriced_pool_ids"]]
    before = [pool["baseline"]["components"] for pool in pools]
    after = [pool["options"][0]["tco"]["components"] for pool in pools]
    for name, words in PARTS.items():
        sides = [sum(parts[name] for parts in side) for side in (before, after)]
        assert found.pop(words, ["0", "0"]) == [amount(side) for side in sides], name
    assert found == {"In all": [amount(totals["baseline_tco"]), amount(totals["recommended_tco"])]}


def check_chances(page: Page, answer: dict[str, Any]) -> None:
    """Every first choice has its range and its chances, every option of the report its own."""
    for pool in answer["pools"]:
        for first in pool["options"][:1]:
            range_, cheapest = spread(first["tco"]), in_100(first["chance_first"])
            assert f"8 in 10 cases: USD {range_}; the cheapest in {cheapest} of 100" in page.text
        for option in pool["options"][:5]:
            cells = f"{amount(option['tco']['expected'])} {spread(option['tco'])} {in_100(option['chance_first'])}"
            assert cells in page.text


def check_text(text: str, answer: dict[str, Any]) -> None:
    """The command's text has the figures of its JSON."""
    text, totals = " ".join(text.split()), answer["totals"]
    if totals["recommended_tco"] is not None:
        after, saved = spread(totals["recommended_tco_range"]), spread(totals["saving_range"])
        assert f"8 in 10 cases: USD {after} over 36 months, which saves USD {saved}." in text
    for pool in answer["pools"]:
        for first in pool["options"][:1]:
            range_, cheapest = spread(first["tco"]), in_100(first["chance_first"])
            assert f"8 in 10 cases: USD {range_} over 36 months; the cheapest in {cheapest} of 100" in text


def check_table(path: Path, answer: dict[str, Any]) -> None:
    """The CSV has the unrounded figures of the JSON, and its components add up."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = {(row["pool"], row["to_size"]): row for row in csv.DictReader(file)}
    for pool in answer["pools"]:
        for option in (option for option in pool["options"] if "why" in option):
            row, tco = rows[pool["id"], option["size"]], option["tco"]
            assert [float(row[f"tco_{name}"]) for name in ("p10", "p50", "p90")] == [tco["p10"], tco["p50"], tco["p90"]]
            assert float(row["chance_first"]) == option["chance_first"]
            assert [float(row[f"tco_{name}"]) for name in PARTS] == [tco["components"][name] for name in PARTS]
            assert sum(tco["components"].values()) == pytest.approx(float(row["tco_then"]))


@pytest.mark.parametrize("seeds", [range(first, first + 4) for first in sample(range(0, 80, 4), 2)])
def test_u54_the_same_numbers_everywhere(client: Client, catalogue: Catalogue, tmp_path: Path, seeds: range) -> None:
    """Eight random fleets, with `make fuzz` eighty; four in a file: work done once per request is paid once."""
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
        check_chances(shown, answer)
    for shown in (page, report, file, printed):
        check_ranges(shown, answer)
        check_parts(shown, answer)
    check_text(as_text(advice_from_json(answer)), answer)
    check_table(tmp_path / "options.csv", answer)
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
