"""How the figures of a contrast look; limits are rounded to the side on which they hold."""

from __future__ import annotations

from django import template

from advisor.engine.contrast import words
from advisor.engine.contrast.values import Contrast, Flip
from advisor.engine.worked import PART_WORDS
from advisor.templatetags.figures import UNKNOWN

register = template.Library()

#: The figures that are varied, as rows of a table.
_FIGURES = {
    "other_price": "{other}, price per VM-hour",
    "first_price": "{first}, price per VM-hour",
    "hours": "Hours of one VM a month",
    "speed": "{other}, speed per GPU or slice, today = 1",
}


@register.filter
def figure_name(flip: Flip, contrast: Contrast) -> str:
    """What is varied, with the size that it is of."""
    first, other = (words.short(side.size) for side in (contrast.first, contrast.other))
    return _FIGURES[flip.what].format(first=first, other=other)


@register.filter
def now(flip: Flip, currency: str) -> str:
    """The figure as it is."""
    return UNKNOWN if flip.now is None else words.now_text(flip, currency)


@register.filter
def limits(flip: Flip, currency: str) -> str:
    """The values at which the other size is at least as good; the reason where there are none."""
    if not flip.spans:
        return f"no value: {flip.why}"
    return "any value" if flip.spans == (words.EVERYWHERE,) else words.spans_text(flip, currency)


@register.filter
def part(name: str) -> str:
    """A component of the cost of ownership as pages name it."""
    text = PART_WORDS.get(name, name.replace("_", " "))
    return text[:1].upper() + text[1:]
