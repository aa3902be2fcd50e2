"""Rules on time: retired, retiring, not yet there, disputed, no new capacity."""

from __future__ import annotations

from advisor.engine.rulebook.common import LIFECYCLE, moving
from advisor.engine.rules import Rule, is_known

LIFECYCLE_RULES = (
    Rule(
        code="unknown-lifecycle",
        severity="blocker",
        reads=(),
        hits=lambda c: ~is_known(c["ended"]),
        message="No source says whether {target} is current, announced or retired.",
        source="no size page and no retirement page found",
        flips="a Microsoft page states the lifecycle of {target}",
    ),
    Rule(
        code="not-yet",
        severity="blocker",
        reads=(),
        hits=lambda c: c["release_year"] > c["as_of_year"],
        message="The GPU of {target} appeared in {release_year:.0f}, after the day of this advice.",
        source="release year of the GPU in the catalogue",
    ),
    Rule(
        code="retired",
        severity="blocker",
        reads=(),
        hits=lambda c: (c["ended"] == 1) | (c["ends"] <= c["as_of_day"]),
        message="{target} retired on {ends_date}: it can no longer be created, resized into or run.",
        source=LIFECYCLE,
    ),
    Rule(
        code="retires-in-horizon",
        severity="blocker",
        reads=(),
        applies=moving,
        hits=lambda c: (c["ends"] > c["as_of_day"]) & (c["ends"] <= c["horizon_day"]),
        message="{target} retires on {ends_date}, inside the horizon: the next forced move would come then.",
        source=LIFECYCLE,
        flips="the horizon ends before {ends_date}",
    ),
    Rule(
        code="stay-retires",
        severity="warning",
        reads=(),
        applies=lambda c: c["stay"],
        hits=lambda c: (c["ends"] > c["as_of_day"]) & (c["ends"] <= c["horizon_day"]),
        message="Staying works until {ends_date}; then the machines are stopped and a move is forced.",
        fix="Plan the move before that day.",
        source=LIFECYCLE,
    ),
    Rule(
        code="retirement-disputed",
        severity="warning",
        reads=(),
        hits=lambda c: is_known(c["third_party_ends"]) & (c["ended"] != 1),
        message="A third party lists {target} as retired on {third_party_date}; no Microsoft page says so.",
        fix="Ask Microsoft before you commit to it.",
        source="source conflict in the catalogue",
    ),
    Rule(
        code="no-new-capacity",
        severity="warning",
        reads=(),
        hits=lambda c: c["no_new_capacity"] == 1,
        message="No new capacity is added for {series}: expect it to be hard to get.",
        fix="Ask for quota and try a deployment before you plan on it.",
        source="MicrosoftDocs/azure-compute-docs sizes/gpu-accelerated/nca100v4-series.md (2026-09-24)",
    ),
)
