"""How a changed assumption reads."""

from __future__ import annotations

from collections.abc import Iterable

from django import template

from advisor.engine.assumption_words import label_of
from advisor.engine.assumptions import ASSUMPTIONS, AssumptionChange
from advisor.forms.assumption import AssumptionField
from advisor.templatetags.figures import as_set

register = template.Library()


@register.filter
def change_words(change: AssumptionChange) -> str:
    """An engineer's hour 120 USD/hour instead of 95."""
    known = ASSUMPTIONS.get(change.name)
    unit = known.unit if known else ""
    after = "" if unit in ("", "switch", "factor") else f" {unit}"
    default = "unknown" if change.default is None else as_set(change.default, unit)
    return f"{label_of(change.name)} {as_set(change.value, unit)}{after} instead of {default}"


@register.filter
def any_edited(fields: Iterable[AssumptionField]) -> bool:
    """True when one of the fields is changed or wrong, and so must be seen."""
    return any(field.is_changed or field.error for field in fields)
