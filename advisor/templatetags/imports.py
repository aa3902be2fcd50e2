"""How far an import is, in words: megabytes and the time that is left."""

from __future__ import annotations

import math

from django import template

from advisor.models import StoredImport
from advisor.templatetags.figures import number

register = template.Library()

MEGABYTE = 1_000_000


@register.filter
def megabytes_done(row: StoredImport) -> str:
    """Bytes read, in units of 1,000,000."""
    return number(row.bytes_done / MEGABYTE, 1)


@register.filter
def megabytes_total(row: StoredImport) -> str:
    """Bytes to read in all, in units of 1,000,000."""
    return number(row.bytes_total / MEGABYTE, 1)


@register.filter
def time_left(seconds: float | None) -> str:
    """The time left, rounded up; "" where nothing tells it yet."""
    if seconds is None:
        return ""
    if seconds > 90:
        return f"About {number(math.ceil(seconds / 60), 0)} minutes left."
    whole_seconds = max(1, math.ceil(seconds))
    return f"About {whole_seconds} second{'' if whole_seconds == 1 else 's'} left."
