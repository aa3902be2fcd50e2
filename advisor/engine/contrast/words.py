"""Sentences about a contrast. Each has its template; a limit is rounded so that the figure shown still holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from advisor.engine.contrast.values import Flip, Side, Span, What

MINUS = "\u2212"
#: Digits behind the point of each figure; a small price has more, so that it never reads as nothing.
DIGITS: Mapping[What, int] = {"other_price": 3, "first_price": 3, "hours": 1, "speed": 2}
#: Why the first choice goes before, by what decides.
BECAUSE: Mapping[str, str] = {
    "refused": "{first} instead of {other}, because {other_name} cannot be ranked. {message}",
    "short_lived": "{first} instead of {other}, because what outlives the horizon goes first. {message}",
    "cost": "{first} instead of {other}, because the cost of ownership over {months} months is {amount} lower; the "
    "largest difference is {part}: {part_amount} less.",
    "cost_alone": "{first} instead of {other}, because the cost of ownership over {months} months is {amount} lower.",
    "count": "{first} instead of {other}, because the strategy keeps the number of machines, and {other_name} changes "
    "it.",
    "hourly": "{first} instead of {other}, because the strategy goes by the price of one VM-hour: {first_price} "
    "instead of {other_price}.",
    "effort": "{first} instead of {other}, because the strategy goes by the effort of the move: {first_verdict} "
    "instead of {other_verdict}.",
    "work": "{first} instead of {other}, because the strategy goes by speed: one VM does the work of {first_work} of "
    "today's GPUs, one {other_name} that of {other_work}.",
    "life": "{first} instead of {other}, because the strategy goes by how long a size lives, and {other_name} ends "
    "{other_ends}.",
    "release": "{first} instead of {other}, because of two sizes without a known end the strategy takes the newer GPU: "
    "{first_year} instead of {other_year}.",
    "gpus": "{first} instead of {other}, because they are equal otherwise and it buys fewer GPUs.",
    "vcpus": "{first} instead of {other}, because they are equal otherwise and it is the smaller VM.",
    "name": "{first} instead of {other}, because they are equal in all that counts; the name decides.",
}
#: One figure at which the order turns.
FLIPS: Mapping[What, str] = {
    "other_price": "It would flip if {other_name} cost {spans} an hour; it costs {now}.",
    "first_price": "It would flip if {first_name} cost {spans} an hour; it costs {now}.",
    "hours": "It would flip if each VM ran {spans} a month; it runs {now}.",
    "speed": "It would flip if one {unit} of {other_name} did the work of {spans} of today's; {now} is taken.",
}
#: Likewise, where a rule keeps the other out.
IF_ALLOWED: Mapping[What, str] = {
    "other_price": "Were it allowed, it would come first if it cost {spans} an hour; it costs {now}.",
    "first_price": "Were it allowed, it would come first if {first_name} cost {spans} an hour; it costs {now}.",
    "hours": "Were it allowed, it would come first if each VM ran {spans} a month; it runs {now}.",
    "speed": "Were it allowed, it would come first if one {unit} of it did the work of {spans} of today's; {now} is "
    "taken.",
}
#: Likewise, where the figure is unknown: a price or the speed of the other.
UNKNOWN_NOW: Mapping[What, str] = {
    "other_price": "It would come first if {other_name} cost {spans} an hour; no price of it is known.",
    "speed": "It would come first if one {unit} of {other_name} did the work of {spans} of today's; its speed is not "
    "known.",
}
#: Where the other is as good already: something else keeps it out, or both are equal.
HOLDS: Mapping[What, str] = {
    "other_price": "{other_name} is at least as good while it costs {spans} an hour; it costs {now}.",
    "first_price": "{other_name} is at least as good while {first_name} costs {spans} an hour; it costs {now}.",
    "hours": "{other_name} is at least as good while each VM runs {spans} a month; it runs {now}.",
    "speed": "{other_name} is at least as good while one {unit} of it does the work of {spans} of today's; {now} is "
    "taken.",
}
NONE: Mapping[What, str] = {
    "other_price": "No price of {other_name} flips it: {why}.",
    "first_price": "No price of {first_name} flips it: {why}.",
    "hours": "No hours flip it: {why}.",
    "speed": "No speed of {other_name} flips it: {why}.",
}
ALWAYS: Mapping[What, str] = {
    "other_price": "{other_name} is at least as good at any price of its own.",
    "first_price": "{other_name} is at least as good at any price of {first_name}.",
    "hours": "{other_name} is at least as good at any hours.",
    "speed": "{other_name} is at least as good at its speed and at any higher one.",
}
#: Why no value turns the order; fills {why}.
WHY: Mapping[str, str] = {
    "free": "even free of charge it would not be as good",
    "never": "the order is the same at any value",
    "no_faster": "no faster one changes the order",
    "idle": "its machines do not run, so that nothing is paid for them",
    "steady": "the machines run all month, whatever is counted",
    "strategy": "the strategy goes by something else first",
    "same_gpu": "both have the same GPU, so that another speed changes both",
    "todays_gpu": "it is the GPU of today, whose speed is the measure",
    "seat": "a seat is one VM per person, and speed changes no cost",
    "no_speed": "how fast {other_name} is on this work is not known",
    "no_price": "no price of {other_name} is known",
    "no_cost": "a cost that {other_name} brings along is not known",
}
#: What would let a size in that is kept out.
TURNS: Mapping[str, str] = {
    "would_lead": "It would come first if {flips_if}.",
    "would_rank": "It could be ranked if {flips_if}.",
    "stays_out": "Nothing known would change that.",
    "several": "{number} reasons keep it out, and all would have to go.",
    "nothing": "No price, hours or speed of its own would flip it.",
}


EVERYWHERE = Span(at_least=None, at_most=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What the templates call the two sizes, their GPUs and the money."""

    first: Side
    other: Side
    unit: str  # GPU or slice
    allowed: bool  # no rule keeps the other out
    currency: str
    months: int

    def fields(self) -> dict[str, str]:
        return {
            "first": counted(self.first),
            "other": counted(self.other),
            "first_name": short(self.first.size),
            "other_name": short(self.other.size),
            "unit": self.unit,
            "months": str(self.months),
        }


def short(size: str) -> str:
    """A size without Standard_."""
    return size.removeprefix("Standard_")


def counted(side: Side) -> str:
    """How many of which size; only the size where the number is unknown."""
    return short(side.size) if side.vms is None else f"{side.vms} x {short(side.size)}"


def money(value: float, currency: str) -> str:
    """An amount with its currency."""
    return f"{currency} {value:,.0f}".replace("-", MINUS)


def limit(value: float, what: What, *, up: bool) -> str:
    """A limit, rounded up where it is a least value and down where it is a most, so that what is shown still holds."""
    digits = DIGITS[what]
    if 0 < value < 1:
        digits = max(digits, 2 - math.floor(math.log10(value)))
    scaled = value * 10**digits
    whole = round(scaled)
    if abs(scaled - whole) > 1e-9 * max(1.0, abs(scaled)):
        whole = math.ceil(scaled) if up else math.floor(scaled)
    return f"{whole / 10**digits:,.{digits}f}"


def spans_text(flip: Flip, currency: str) -> str:
    """The values of a flip with their unit: at most 1.20, or from 2.40 on."""
    return ", or ".join(_span(span, flip.what, currency) for span in flip.spans)


def _span(span: Span, what: What, currency: str) -> str:
    low = None if span.at_least is None else with_unit(limit(span.at_least, what, up=True), what, currency)
    high = None if span.at_most is None else with_unit(limit(span.at_most, what, up=False), what, currency)
    if low is None:
        return f"at most {high}"
    return f"at least {low}" if high is None else f"between {low} and {high}"


def with_unit(figure: str, what: What, currency: str) -> str:
    """A figure with its unit; speed is a plain factor."""
    if what == "hours":
        return f"{figure} h"
    return figure if what == "speed" else f"{currency} {figure}"


def now_text(flip: Flip, currency: str) -> str:
    """The figure as it is, to the digits of its limits."""
    if flip.now is None:
        return "unknown"
    return with_unit(f"{flip.now:,.{DIGITS[flip.what]}f}", flip.what, currency)


def message_of(flip: Flip, names: Names) -> str:
    """What a flip says, in one sentence."""
    fields = names.fields() | {"why": flip.why}
    if not flip.spans:
        return NONE[flip.what].format_map(fields)
    if flip.spans == (EVERYWHERE,):
        return ALWAYS[flip.what].format_map(fields)
    fields |= {"spans": spans_text(flip, names.currency), "now": now_text(flip, names.currency)}
    turning = FLIPS if names.allowed else IF_ALLOWED
    templates = UNKNOWN_NOW if flip.now is None else HOLDS if flip.holds else turning
    return templates[flip.what].format_map(fields)


def nearest(flips: Iterable[Flip]) -> Flip | None:
    """The flip that asks for the least change, as a factor; an unknown figure first. None where none flips."""
    found = [flip for flip in flips if flip.spans and not flip.holds]
    return min(found, key=_distance, default=None)


def _distance(flip: Flip) -> float:
    if not flip.now:
        return 0.0
    ends = [end for span in flip.spans for end in (span.at_least, span.at_most) if end is not None]
    return min((abs(math.log(end / flip.now)) for end in ends if end > 0), default=math.inf)
