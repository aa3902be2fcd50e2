"""The rule book: every rule the advisor knows, by family, in the order in which its hits are told.

To add a rule, see CONTRIBUTING.md. Sources are pages of the Azure documentation unless written otherwise; their dates
stand with the facts in the catalogue.
"""

from __future__ import annotations

from advisor.engine.rulebook.disks import DISK_RULES
from advisor.engine.rulebook.fit import FIT_RULES
from advisor.engine.rulebook.gpu import GPU_RULES
from advisor.engine.rulebook.image import IMAGE_RULES
from advisor.engine.rulebook.lifecycle import LIFECYCLE_RULES
from advisor.engine.rulebook.machine import MACHINE_RULES
from advisor.engine.rulebook.money import MONEY_RULES
from advisor.engine.rulebook.network import NETWORK_RULES
from advisor.engine.rulebook.place import PLACE_RULES
from advisor.engine.rulebook.service import SERVICE_RULES
from advisor.engine.rulebook.software import SOFTWARE_RULES
from advisor.engine.rules import Rule

RULES: tuple[Rule, ...] = (
    *(*LIFECYCLE_RULES, *PLACE_RULES, *FIT_RULES, *GPU_RULES, *SOFTWARE_RULES, *IMAGE_RULES),
    *(*MACHINE_RULES, *DISK_RULES, *NETWORK_RULES, *SERVICE_RULES, *MONEY_RULES),
)
#: Rules on which the ranking depends; they judge every candidate, the others only what is shown.
DECIDING: tuple[Rule, ...] = tuple(rule for rule in RULES if rule.decides)
#: Of these, the rules that can take a size out of the ranking.
REFUSING: tuple[Rule, ...] = tuple(rule for rule in DECIDING if rule.severity == "blocker" or rule.needed)
BY_CODE = {rule.code: rule for rule in RULES}
