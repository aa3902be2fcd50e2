"""Rules on place: sizes for special needs, and the region."""

from __future__ import annotations

from advisor.engine.rulebook.common import moving
from advisor.engine.rules import REDEPLOY, Rule, is_known

PLACE_RULES = (
    Rule(
        code="special",
        severity="blocker",
        reads=(),
        applies=moving,
        hits=lambda c: is_known(c["special"]) & ~c["asked_for"],
        message="{target} does not answer a general need: {special}",
        flips="you ask for it by name (--include {target})",
        source="list of special sizes in the catalogue",
    ),
    Rule(
        code="region",
        severity="blocker",
        reads=("documented", "listed"),
        needed="region",
        applies=lambda c: moving(c) | ~c["placed"],  # without a region nobody knows where to stay either
        hits=lambda c: (c["documented"] == 0) & (c["listed"] == 0),
        message="{target} is neither documented nor listed with a recent price in {region}.",
        flips="a region is allowed in which it is documented or listed",
        question="In which region do the machines run?",
        field="region",
        source="region documents and price list in the catalogue",
    ),
    Rule(
        code="region-listed",
        severity="note",
        reads=(),
        applies=moving,
        hits=lambda c: (c["documented"] == 0) & (c["listed"] == 1),
        message="{target} has a recent price in {region}, but no document says it can be deployed there.",
        fix="Check with: az vm list-skus --location {region} --size {short_target} --all --output table",
        source="price list in the catalogue; a price is no promise of capacity",
    ),
    Rule(
        code="region-change",
        severity="step",
        reads=(),
        hits=lambda c: c["goes_far"] & is_known(c["from_region"]),
        message="{target} is in {region}, the machines are in {from_region}: data has to be moved.",
        fix="Copy disks by snapshot, and check latency and where data may be kept.",
        effort=REDEPLOY,
        source="design rule: another region is another deployment",
    ),
)
