"""Cells of an exported table: text that a spreadsheet would run as a formula is made harmless, numbers stay numbers."""

from __future__ import annotations

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe(value: object) -> object:
    """`value` as a cell: text that begins like a formula gets an apostrophe before it; None is an empty cell."""
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(DANGEROUS):
        return "'" + value
    return value
