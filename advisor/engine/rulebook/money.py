"""Rules on money: a price and a licence that must be known, spot, estimates."""

from __future__ import annotations

from advisor.engine.rulebook.common import never, windows
from advisor.engine.rules import Rule, is_known

HYBRID = "MicrosoftDocs/azure-compute-docs windows/hybrid-use-benefit-licensing.md (2024-12-02)"
DEV_TEST = (
    "MicrosoftDocs/azure-docs articles/devtest/offer/overview-what-is-devtest-offer-visual-studio.md (2021-10-12); "
    "Azure Retail Prices API, rows of type DevTestConsumption (2024-08-04)"
)

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
        applies=lambda c: c["placed"] & (c["stay"] | (c["documented"] == 1) | (c["listed"] == 1)),
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
        code="hybrid-benefit",
        severity="note",
        reads=("vcpus", "n"),
        applies=lambda c: windows(c) & c["licence_free"] & ~c["dev_offer"],
        hits=lambda c: c["vcpus"] > 0,
        message="Windows is not counted: licences that you own cover it. Each {target} needs {core_licences:g} core "
        "licences, one for each vCPU and at least 8; {all_core_licences:g} in all.",
        fix="Check that Software Assurance or a subscription covers them, and set the licence type of each VM.",
        question="How many vCPUs does {target} have, and so how many core licences does it need?",
        source=HYBRID,
    ),
    Rule(
        code="dev-test-offer",
        severity="note",
        reads=(),
        applies=lambda c: windows(c) & c["dev_offer"],
        hits=lambda c: c["licence_free"],
        message="Windows is not counted: under a Dev/Test offer {target} costs what it costs with Linux.",
        fix="Run these machines in a subscription with a Dev/Test offer, and no production work in it.",
        source=DEV_TEST,
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
