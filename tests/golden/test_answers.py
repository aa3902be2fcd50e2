"""Whole answers on small files. A changed number is a difference to review; `make golden` rewrites them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.golden.answers import AS_OF, FILES, TOLERANCE, check_csv, check_json, differences, run

pytestmark = pytest.mark.django_db


def judgements(answer: dict[str, Any]) -> str:
    """One line per move: no figure that a price or a benchmark moves, only what the rules say."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(("from", "to", "size", "for", "judgement", "because", "takes", "source", "date"))
    for move in answer["moves"]:
        refused = [] if move["verdict"] else [reason["code"] for reason in move["reasons"]]
        newer = [f"newer page {page['as_of']}: {page['to']}" for page in move["newer"]]
        ends = [f"ends {move['ends']['retirement_date']}"] if move["ends"] else []
        table.writerow(
            (
                move["from"].removeprefix("Standard_"),
                str(move["to"] or move["to_series"]).removeprefix("Standard_"),
                "" if move["to"] else str(move["target"] or "unknown").removeprefix("Standard_"),
                f"{move['judged_for']} on {move['os']}" + ("" if move["workload"] else " (default)"),
                move["judgement"],
                "; ".join([*newer, *ends, *refused]),
                move["verdict"] or "",
                move["source"].rsplit("/", 1)[-1],
                move["source_as_of"],
            )
        )
    return out.getvalue()


@pytest.mark.parametrize("name", ["list", "portal", "no_region"])
def test_inspect_answers_as_before(name):
    check_json(f"inspect_{name}.json", run("inspect", str(FILES / f"{name}.csv"), "--json"))


@pytest.mark.parametrize("name", ["list", "portal"])
def test_advise_answers_as_before(name):
    answer = run("advise", str(FILES / f"{name}.csv"), "--json", "--as-of", AS_OF, "--top", "2")
    check_json(f"advise_{name}.json", answer)


def test_the_table_of_options_is_as_before(tmp_path: Path):
    path = tmp_path / "options.csv"
    run("advise", str(FILES / "list.csv"), "--as-of", AS_OF, "--top", "2", "--csv", str(path))
    with path.open(encoding="utf-8", newline="") as file:
        check_csv("advise_list_options.csv", file.read())


def test_every_documented_move_is_judged_as_before():
    """The judgement and what decides it, a line each: read by a person, not only kept (docs/adr/0018)."""
    answer = json.loads(run("documented_moves", "--json", "--as-of", AS_OF))
    check_csv("documented_moves.csv", judgements(answer))


@pytest.mark.parametrize(
    ("kept", "found"),
    [
        ({"a": 1.0}, {"a": 1.0 + 10 * TOLERANCE}),
        ({"a": 1.0}, {"a": None}),
        ({"a": 1.0}, {"a": 1}),
        ({"a": 0}, {"a": False}),
        ({"a": 0.0}, {"a": 1e-300}),
        ({"a": 1}, {"a": 1, "b": None}),
        ({"a": 1, "b": None}, {"a": 1}),
        ([1, 2], [1]),
        ([1, 2], [2, 1]),
        ("x", "y"),
    ],
)
def test_another_answer_is_seen(kept, found):
    assert list(differences(kept, found))


def test_the_last_digits_do_not_count():
    assert not list(differences({"a": [0.1 + 0.2, None, "x"]}, {"a": [0.3, None, "x"]}))
