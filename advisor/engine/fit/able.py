"""Which sizes may be asked at all: GPUs that exist on the day and compute in the precision, by the advice's rules."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import numpy as np

from advisor.engine.answer import Reason
from advisor.engine.arrays import Table
from advisor.engine.candidates import size_facts
from advisor.engine.catalogue import Catalogue
from advisor.engine.fit.work import Precision
from advisor.engine.platform_facts import platform_columns
from advisor.engine.rulebook import BY_CODE
from advisor.engine.rules import judge
from advisor.engine.words import Row, hit

#: Of the rules of the advice, those that speak of a GPU and a kind of number; the one that tells the most first.
RULES = tuple(BY_CODE[code] for code in ("not-yet", "dtype", "dtype-unknown"))
#: Facts of a size that these rules and their messages read.
_SIZE, _PLATFORM = ("gpu", "release_year"), ("bf16", "fp8")


def objections(catalogue: Catalogue, precision: Precision, as_of: date) -> Mapping[str, Reason]:
    """By name of the size, why it cannot run the work, or (severity unknown) may not; sizes that can are left out."""
    table = Table.of(_facts(catalogue) | _asked(catalogue, precision, as_of))
    hits = judge(RULES, table).hits
    found: dict[str, Reason] = {}
    for rule in RULES:
        places = np.flatnonzero(np.broadcast_to(hits[rule.code], table.shape)).tolist()
        for row in (Row(table, place) for place in places):
            found.setdefault(row["target"], hit(rule, row))
    return found


def _facts(catalogue: Catalogue) -> dict[str, Any]:
    """What does not depend on the question, made once per catalogue."""
    if "fit-able" not in catalogue.memo:
        sizes = tuple(catalogue.sizes.values())
        plain = [size_facts(size, catalogue) for size in sizes]
        known = platform_columns(sizes, catalogue)
        catalogue.memo["fit-able"] = (
            {name: [row[name] for row in plain] for name in _SIZE}
            | {name: list(known[name]) for name in _PLATFORM}
            | {"target": [size.name for size in sizes]}
        )
    facts: dict[str, Any] = catalogue.memo["fit-able"]
    return facts


def _asked(catalogue: Catalogue, precision: Precision, as_of: date) -> dict[str, Any]:
    """The work as the rules see it: machines that move."""
    count = len(catalogue.sizes)
    return {"precision": [precision] * count, "as_of_year": [float(as_of.year)] * count, "stay": [False] * count}
