"""Cells of monitoring: a figure with or without its unit, the many words for none, and times."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

from advisor.engine.readers.text import BLANKS

_NONE = re.compile(
    r"^(?:|-|n/?a|nan|null|none|err!?|undefined|\[?(?:n/a|not supported|not found|unknown error|deprecated"
    r"|insufficient permissions|gpu requires reset|gpu is lost)\]?)$",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"^([+-]?\d{1,15}(?:[.,]\d{1,9})?(?:e[+-]?\d{1,3})?)\s?(%|[kmgt]i?b|b|w|mw)?$", re.IGNORECASE)
_SLASHED = re.compile(r"^(\d{4})[/-](\d{1,2})[/-](\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2}))?")
_COMPACT = re.compile(r"^(\d{4})(\d{2})(\d{2})[ T]+(\d{1,2}):(\d{2}):(\d{2})$")
_TO_MIB = {"b": 1 / 1024**2, "kib": 1 / 1024, "kb": 1 / 1024, "gib": 1024.0, "gb": 1024.0, "tib": 1024.0**2}
_YEARS = (2000, 2100)


class NotAFigure(ValueError):
    """Neither a figure nor a word for none."""


@lru_cache(maxsize=8_192)
def figure(cell: str) -> float | None:
    """The number of a cell, without its unit, memory in MiB; None for `[N/A]`, `-`, `ERR!` and the like.

    nvidia-smi's MB are MiB. Raises NotAFigure for anything else.
    """
    text = cell.strip(BLANKS)
    found = _FIGURE.match(text)
    if found is None:
        if _NONE.match(text):
            return None
        raise NotAFigure(text)
    number, unit = float(found[1].replace(",", ".")), (found[2] or "").lower()
    return number * _TO_MIB.get(unit, 0.001 if unit == "mw" else 1.0)


def moment(text: str) -> datetime | None:
    """A time as monitoring writes it, or seconds or milliseconds since 1970; None where it is none.

    Zones are dropped: only the length of the period counts.
    """
    text = text.strip(BLANKS)
    found = _SLASHED.match(text) or _COMPACT.match(text)
    try:
        if found:
            parts = [int(part or 0) for part in found.groups()]
            return _plausible(datetime(*parts))  # type: ignore[arg-type]  # noqa: DTZ001 - no zone is written
        if text[:1].isalpha():
            return _plausible(datetime.strptime(text, "%a %b %d %H:%M:%S %Y"))  # noqa: DTZ007
        return of_epoch(float(text)) if len(text) < 24 else None
    except ValueError:
        return None


def of_epoch(seconds: float) -> datetime | None:
    """Seconds, or milliseconds, since 1970 as a time."""
    seconds = seconds / 1000 if seconds > 1e11 else seconds
    try:
        return _plausible(datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None))
    except (ValueError, OverflowError, OSError):
        return None


def _plausible(when: datetime) -> datetime | None:
    return when if _YEARS[0] <= when.year < _YEARS[1] else None
