"""How the factors of a report look."""

from __future__ import annotations

from typing import Any

from django import template

from advisor.templatetags.figures import UNKNOWN, number

register = template.Library()


@register.filter
def factor(value: Any) -> str:
    """A factor to 0.01."""
    return UNKNOWN if value is None else number(value, 2)
