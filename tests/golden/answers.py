"""Kept answers: where they lie, how they are rewritten, and how two answers are compared."""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

HERE = Path(__file__).parent
FILES = HERE / "files"
#: Sums in another order differ in the last digits from one processor to the next.
TOLERANCE = 1e-9
AS_OF = "2026-11-30"


def run(*arguments: str) -> str:
    """What a command prints on standard output."""
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def differences(kept: Any, found: Any, path: str = "$") -> Iterator[str]:
    """One line per place where `found` is not `kept`: keys and order count, floats within TOLERANCE of each other."""
    if isinstance(kept, float) and isinstance(found, float):
        if not math.isclose(kept, found, rel_tol=TOLERANCE, abs_tol=0.0):
            yield f"{path}: {found!r}, was {kept!r}"
    elif type(kept) is not type(found):
        yield f"{path}: {found!r}, was {kept!r}"
    elif isinstance(kept, dict):
        for key in [*kept, *(key for key in found if key not in kept)]:
            if key not in found or key not in kept:
                yield f"{path}.{key}: {'gone' if key in kept else 'new'}"
            else:
                yield from differences(kept[key], found[key], f"{path}.{key}")
    elif isinstance(kept, list):
        if len(kept) != len(found):
            yield f"{path}: {len(found)} entries, were {len(kept)}"
        for place, (old, new) in enumerate(zip(kept, found, strict=False)):
            yield from differences(old, new, f"{path}[{place}]")
    elif kept != found:
        yield f"{path}: {found!r}, was {kept!r}"


def table(text: str) -> list[list[Any]]:
    """The cells of a CSV text, figures as floats."""
    return [[_cell(cell) for cell in row] for row in csv.reader(io.StringIO(text))]


def _cell(cell: str) -> Any:
    try:
        return float(cell)
    except ValueError:
        return cell


def check(name: str, text: str, parse: Callable[[str], Any]) -> None:
    """Fail with the differences between `text` and the kept answer; UPDATE_GOLDEN=1 keeps `text` instead."""
    path = HERE / name
    if os.environ.get("UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="utf-8", newline="")
    with path.open(encoding="utf-8", newline="") as file:
        kept = parse(file.read())
    found = list(differences(kept, parse(text)))
    if found:
        shown = "\n".join(found[:40])
        pytest.fail(f"{name} differs in {len(found)} places; `make golden` keeps the new answer:\n{shown}")


def check_json(name: str, text: str) -> None:
    """Kept with a line for each value, so that a change is a difference of lines."""
    check(name, json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n", json.loads)


def check_csv(name: str, text: str) -> None:
    check(name, text, table)
