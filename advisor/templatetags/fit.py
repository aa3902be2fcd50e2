"""How GPU memory and the error of a formula look."""

from __future__ import annotations

from typing import Any

from django import template

from advisor.templatetags.figures import UNKNOWN, number, percent_change

register = template.Library()


@register.filter
def gib(value: Any) -> str:
    """GiB to 0.1 from 10 on, to 0.01 below; a trace is shown as such and not as 0."""
    if value is None:
        return UNKNOWN
    if 0 < value < 0.005:
        return "< 0.01"
    return number(value, 1 if value >= 10 else 2)


@register.filter
def error(value: Any) -> str:
    """How far the formula is from a published figure, in percent with its sign, to 0.1."""
    return UNKNOWN if value is None else percent_change(round(100.0 * value, 1) + 0.0)


@register.filter
def miss(value: Any) -> str:
    """How far off without regard to the side, in percent to 0.1."""
    return UNKNOWN if value is None else f"{number(100.0 * value, 1)} %"
