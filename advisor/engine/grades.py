"""Grades: how sure an option is, A best to E worst: data, performance, price, capacity, move (design 4.3 and 4.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from advisor.engine.request import AdviceRequest
from advisor.engine.rules import Rule
from advisor.engine.words import Row

#: Days up to which a price counts as fresh.
FRESH_DAYS = 90
#: Independent benchmark groups from which a kind of work counts as well measured.
WELL_MEASURED_KIND = 5


def grade_data(pool: Mapping[Any, Any]) -> str:
    """A: hours, utilisation and memory come from the file or the user; B one is assumed, C two, D all three.

    What was watched for less than a week lowers the grade as an assumption does.
    """
    use = pool["gpu_use"]
    weak = use.used if use is not None and use.weak else ()
    utilisation = pool["profile"].utilisation is None or "utilisation" in weak
    memory = pool["needed_assumed"] or "gpu_memory_gib" in weak
    assumed = sum((pool["hours_basis"] == "assumed", utilisation, memory))
    return "ABCD"[assumed]


def grade_performance(row: Row) -> str:
    """A: the user's ratio, the same GPU or two groups of the kind; B one; C a model of a kind with five; or D, E."""
    same = row["gpu"] == row["from_gpu"] and row["share"] == row["from_share"]
    if same or row["speed_user"] == 1:
        return "A"
    indirect = row["share"] < 1 or row["from_share"] < 1 or "amd" in (row["vendor"], row["from_vendor"])
    if indirect or row["kind"] == "graphics":
        return "D"
    if row["speed_groups"] >= 2:
        return "A"
    if row["speed_groups"] >= 1:
        return "B"
    if row["speed_kind_groups"] >= WELL_MEASURED_KIND:
        return "D" if row["speed_chained"] == 1 else "C"
    return "E"


def grade_price(row: Row, request: AdviceRequest) -> str:
    """A: at most 90 days old and exact; B within 12 months; C estimated. An unknown price ranks nothing."""
    if row["price_estimated"] == 1:
        return "C"
    return "A" if request.as_of.toordinal() - row["price_as_of"] <= FRESH_DAYS else "B"


def grade_capacity(row: Row) -> str:
    """B: documented in the region; C only listed; D no new capacity; E unknown. A needs the user's own SKU list."""
    if row["no_new_capacity"] == 1:
        return "D"
    if row["documented"] == 1:
        return "B"
    return "C" if row["listed"] == 1 else "E"


def grade_move(unjudged: Sequence[Rule]) -> str:
    """A: every rule on the move could be judged; B: some not, for want of a fact; C: one of these could refuse it."""
    if not unjudged:
        return "A"
    return "C" if any(rule.could_refuse for rule in unjudged) else "B"
