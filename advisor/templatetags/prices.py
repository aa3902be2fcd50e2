"""Words of the page of a fleet's prices, and how an answer says what its prices are."""

from __future__ import annotations

from typing import Any

from django import template

from advisor.engine.agreed import price_notes
from advisor.engine.prices import OWN_SOURCE
from advisor.engine.sheets.rows import OTHER_REASONS
from advisor.templatetags.figures import figure

register = template.Library()

SHEET_WORDS = {"price-sheet": "a price sheet of Azure", "price-list": "a list made by hand"}
SYSTEM_WORDS = {"linux": "Linux", "windows": "Windows"}


@register.filter
def sheet_words(code: str) -> str:
    return SHEET_WORDS.get(code, code)


@register.filter
def system_words(code: str) -> str:
    return SYSTEM_WORDS.get(code, code)


@register.filter
def other_words(code: str) -> str:
    """Why a row of a price sheet is no price."""
    words = OTHER_REASONS.get(code, code)
    return words[:1].upper() + words[1:]


@register.filter
def list_name(book: Any) -> str:
    """The name of the list in a price book, without what says that own prices stand before it."""
    return str(book.name).removesuffix(f" and {OWN_SOURCE}")


@register.filter
def rate(value: float) -> str:
    """A rate as it was stated, six digits at most."""
    return figure(float(f"{value:.6g}"))


@register.filter
def priced_by(advice: Any) -> tuple[str, ...]:
    """What makes the prices of an answer other than the list's, a phrase each."""
    return price_notes(advice)
