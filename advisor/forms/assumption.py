"""The assumptions of a fleet: from typed texts to figures within their range, each with what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from advisor.engine.assumption_words import label_of
from advisor.engine.assumptions import ASSUMPTIONS, GROUPS, LOW_AND_HIGH, Assumption
from advisor.engine.readers.numbers import read_numbers
from advisor.templatetags.figures import figure

#: A longer text is no number, and none of it is read.
LONGEST = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionField:
    """One assumption to edit: what stands in its input, what counts, and what is wrong with the text."""

    known: Assumption
    text: str  # "" where nobody knows the figure
    value: float | None
    error: str = ""

    @property
    def label(self) -> str:
        return label_of(self.known.name)

    @property
    def is_changed(self) -> bool:
        return self.value != self.known.value

    @property
    def is_switch(self) -> bool:
        return self.known.unit == "switch"


def fields_of(assumed: Mapping[str, float]) -> dict[str, AssumptionField]:
    """Every assumption as it counts with the changes `assumed`, by name, in the order of the list."""
    return {
        name: AssumptionField(known=known, text=_text(value), value=value)
        for name, known in ASSUMPTIONS.items()
        for value in [assumed.get(name, known.value)]
    }


def read_fields(data: Mapping[str, str], assumed: Mapping[str, float]) -> dict[str, AssumptionField]:
    """The fields with what `data` says of them; those it does not name stay as they are.

    An empty text is the default, and so are all with reset=all, or the one that `reset` names.
    """
    reset = data.get("reset", "")
    fields = fields_of(assumed)
    for name, field in fields.items():
        if reset in ("all", name):
            fields[name] = _default(field)
        elif name in data:
            fields[name] = _read(field, data[name].strip())
    for low, high in LOW_AND_HIGH:
        below, above = fields[low].value, fields[high].value
        if below is not None and above is not None and below > above:
            typed = high if high in data and low not in data else low
            message = f"{fields[low].label}: {figure(below)}; {fields[high].label}: {figure(above)}."
            fields[typed] = replace(fields[typed], error=f"{message} The low figure must not be above the high one.")
    return fields


def values_of(fields: Iterable[AssumptionField]) -> dict[str, float]:
    """The figures that count; what nobody knows is left out."""
    return {field.known.name: field.value for field in fields if field.value is not None}


def by_group(fields: Mapping[str, AssumptionField]) -> list[tuple[str, str, list[AssumptionField]]]:
    """Code, heading and fields of each group that has any, in the order of a page."""
    groups = ((code, words, [f for f in fields.values() if f.known.group == code]) for code, words in GROUPS.items())
    return [group for group in groups if group[2]]


def _text(value: float | None) -> str:
    """A figure as it is typed: no digit more than it needs."""
    return "" if value is None else repr(value).removesuffix(".0")


def _default(field: AssumptionField) -> AssumptionField:
    return replace(field, text=_text(field.known.value), value=field.known.value)


def _read(field: AssumptionField, text: str) -> AssumptionField:
    if not text:
        return _default(field)
    known, typed = field.known, replace(field, text=text[:LONGEST])
    unit = "" if known.unit in ("factor", "switch") else f" {known.unit}"
    allowed = f"{figure(known.minimum)} to {figure(known.maximum)}{unit}"
    numbers = read_numbers([text]) if len(text) <= LONGEST else None
    if numbers is None or numbers.bad[0]:
        shown = text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
        return replace(typed, error=f"“{shown}” cannot be read as a number. Allowed are {allowed}.")
    value = float(numbers.values[0])
    if not known.minimum <= value <= known.maximum:
        return replace(typed, error=f"{text} is outside the range. Allowed are {allowed}.")
    return replace(typed, value=value)
