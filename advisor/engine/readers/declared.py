"""Machines that infrastructure code declares: one row of cells per resource, and values that only a run would know."""

from __future__ import annotations

import re
from dataclasses import dataclass

from advisor.engine.readers.collecting import Collector
from advisor.engine.readers.problems import shown
from advisor.engine.readers.table import Layout

FIELDS = ("name", "size", "region", "count", "os", "price_model", "service", "pool")
LAYOUT = Layout(
    header=FIELDS, fields={name: place for place, name in enumerate(FIELDS) if name != "pool"}, tags={"module": 7}
)


@dataclass(frozen=True, slots=True)
class Unresolved:
    """An expression that the file alone does not answer; `default` is what it would be if nobody says otherwise."""

    text: str
    default: str = ""


Value = str | Unresolved | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One resource that makes machines. `titles` are the file's own names of fields, for messages."""

    name: str
    size: Value
    region: Value = None
    count: Value = "1"
    os: str = ""
    spot: bool = False
    service: str = "vm"
    module: str = ""
    titles: tuple[tuple[str, str], ...] = ()


def add_declared(collector: Collector, place: int, machine: Declared, default_region: str | None, instead: str) -> None:
    """Add the machine, or say which of its values is not in the file and what to hand in `instead`.

    A region that is not in the file is that of the whole file, where the user names one.
    """
    titles = dict(machine.titles)
    open_values = [
        (field, value)
        for field, value in (("size", machine.size), ("count", machine.count), ("region", machine.region))
        if isinstance(value, Unresolved) and not (field == "region" and default_region)
    ]
    for field, value in open_values:
        default = f" Its default is {shown(value.default)}." if value.default else ""
        collector.say(
            "error",
            place,
            "unresolved_value",
            f"“{shown(machine.name)}”: {shown(value.text)} is an expression whose value is not in this file.{default} "
            f"{instead}",
            column=titles.get(field, field),
            value=value.text,
            suggestions=(value.default,) if value.default else (),
        )
    if open_values:
        collector.spoilt += 1
        return
    cells = [machine.name, _text(machine.size), _text(machine.region), _text(machine.count), machine.os]
    collector.add(place, [*cells, "spot" if machine.spot else "", machine.service, machine.module])


def _text(value: Value) -> str:
    return value if isinstance(value, str) else ""


def whole_number(value: object) -> str:
    """A count as text; empty for what is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value) if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value) else ""
    return f"{value:.0f}" if value >= 0 and float(value).is_integer() else ""
