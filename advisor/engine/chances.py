"""How sure the first choice of a pool is: its share of the simulated cases, and a word where another has more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from advisor.engine.answer import Option, PoolAdvice

#: Codes and messages where another option is the cheapest in more cases than the first choice; cases are of 100.
MESSAGES: Mapping[str, str] = {
    "other-more-often": (
        "{other} is the cheapest in more cases, {other_cases} of 100 against {first_cases}. {first} stands first "
        "because it costs least when every figure is as expected."
    ),
    "other-more-often-by-strategy": (
        "{other} is the cheapest in more cases, {other_cases} of 100 against {first_cases}, and costs less when every "
        "figure is as expected. {first} stands first because the strategy does not rank by cost."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A message with its code."""

    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """How sure a first choice is: shares, 0 to 1, of the simulated cases; None is unknown."""

    cheapest: float | None
    saves: float | None  # that it costs less than today
    unchanged: bool  # the same machines go on: there is nothing to save
    remark: Remark | None


def cases(share: float) -> str:
    """A share of the simulated cases as a number of 100, never 0 or 100 while a case says otherwise.

    >>> cases(0.719), cases(0.001), cases(0.999), cases(0.0)
    ('72', 'under 1', 'over 99', '0')
    """
    number = round(100 * share)
    if number == 0 and share > 0:
        return "under 1"
    return "over 99" if number == 100 and share < 1 else f"{number}"


def chances(pool: PoolAdvice) -> Chances | None:
    """How sure the first choice is; None where nothing can be ranked, or in answers that are older than ranges."""
    first = pool.options[0] if pool.options else None
    if first is None or first.chance_first is None:
        return None
    return Chances(
        cheapest=first.chance_first,
        saves=pool.chance_saves,
        unchanged=first.verdict == "stay" and first.vms == pool.vms,
        remark=_remark(first, pool.options),
    )


def _remark(first: Option, options: Sequence[Option]) -> Remark | None:
    """What is to be said where another option is the cheapest in more cases, as these are shown."""
    other = max(options, key=lambda option: option.chance_first or 0.0)
    found, own = cases(other.chance_first or 0.0), cases(first.chance_first or 0.0)
    if (other.chance_first or 0.0) <= (first.chance_first or 0.0) or found == own:
        return None
    cheaper = other.tco.expected < first.tco.expected
    code = "other-more-often-by-strategy" if cheaper else "other-more-often"
    message = MESSAGES[code].format(other=other.size, other_cases=found, first=first.size, first_cases=own)
    return Remark(code=code, message=message)
