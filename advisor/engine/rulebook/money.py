"""Rules on money: a price and a licence that must be known, spot, estimates."""

from __future__ import annotations

from advisor.engine.rulebook.common import never, windows
from advisor.engine.rules import Rule, is_known

MONEY_RULES = (
    Rule(
        code="spot-not-interruptible",
        severity="blocker",
        reads=(),
        hits=lambda c: (c["basis"] == "spot") & ~c["interruptible"].astype(bool),
        message="Spot machines can be taken back at 30 seconds' notice, and the work is not said to survive that.",
        flips="the work may be interrupted",
        field="interruptible",
        source="MicrosoftDocs/azure-compute-docs spot-vms.md",
    ),
    Rule(
        code="price",
        severity="blocker",
        reads=("hourly_compute",),
        needed="price",
        applies=lambda c: is_known(c["region"]) & (c["stay"] | (c["documented"] == 1) | (c["listed"] == 1)),
        hits=never,
        message="",
        flips="a price of {target} in {region} on this basis is known",
        question="What does {target} cost in {region}?",
        source="price book",
    ),
    Rule(
        code="windows-licence",
        severity="blocker",
        reads=("hourly_licence",),
        needed="windows-licence",
        applies=lambda c: windows(c) & is_known(c["hourly_compute"]),
        hits=never,
        message="",
        flips="the number of vCPUs of {target} is known",
        question="How many vCPUs does {target} have?",
        source="price book",
    ),
    Rule(
        code="price-estimated",
        severity="note",
        reads=(),
        hits=lambda c: c["price_estimated"] == 1,
        message="The price of {target} is an estimate.",
        fix="Ask for a quote before you commit.",
        source="price book: observed discounts by series",
    ),
)
