"""How the factors of a report look."""

from __future__ import annotations

from typing import Any

from django import template

from advisor.templatetags.figures import MINUS, UNKNOWN, number

register = template.Library()


@register.filter
def factor(value: Any) -> str:
    """A factor to 0.01."""
    return UNKNOWN if value is None else number(value, 2)


@register.filter
def as_set(value: Any) -> str:
    """An assumed figure as it was set: no digit more, none less."""
    return UNKNOWN if value is None else f"{value:,.10g}".replace("-", MINUS)
