"""Advice back from the JSON of the contract: a frozen report is read with this, and nothing else.

What the JSON does not carry stays at its default: a reading's fleet has one row per size and region, no names.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from advisor.engine.advice_json import SCHEMA
from advisor.engine.answer import Advice, OptionInShort, PoolAdvice
from advisor.engine.commitment_answer import HeldUnused
from advisor.engine.readers.packing import fleet_of
from advisor.engine.readers.reading import Period, Problem, Reading

Json = Mapping[str, Any]


class UnknownSchema(ValueError):
    """Not an advice as this version writes it; the message says what was found and what is read."""


def advice_from_json(document: Any) -> Advice:
    """The advice that `advice_json` wrote: `advice_json(advice_from_json(x)) == x`.

    A key that an older version did not write yet is its field's default, else None. Raises UnknownSchema.
    """
    found = document.get("schema") if isinstance(document, Mapping) else None
    if found != SCHEMA:
        raise UnknownSchema(f"the schema is {found!r}, this version reads {SCHEMA!r}")
    try:
        asked = [name for name in _PLAIN if name in document or name not in _with_default(Advice)]
        values = {name: _value(_hints(Advice)[name], document.get(name)) for name in asked}
        return Advice(
            **values,
            price_book={key: _day(key, value) for key, value in document["price_book"].items()},
            readings=tuple(reading_from_json(reading) for reading in document["import"]),
            pools=tuple(_pool(pool) for pool in document["pools"]),
            held_unused=tuple(_value(HeldUnused, unused) for unused in document.get("held_unused", ())),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise UnknownSchema(f"an advice under schema {SCHEMA!r} that cannot be read: {error}") from error


_PLAIN = (
    *("as_of", "horizon_months", "currency", "price_model", "strategy", "totals"),
    *("unmatched_hosts",),
    *("assumptions", "assumptions_changed", "measured"),
)


def _day(key: str, value: Any) -> Any:
    return date.fromisoformat(value) if key.endswith("as_of") and value is not None else value


def _pool(pool: Json) -> PoolAdvice:
    """A pool, whose options in full and in short stand in one list."""
    in_full = [option for option in pool["options"] if "why" in option]
    in_short = [
        OptionInShort(
            rank=option["rank"],
            size=option["size"],
            monthly_cost=option["monthly_cost"],
            tco_expected=option["tco"]["expected"],
        )
        for option in pool["options"]
        if "why" not in option
    ]
    planned = [pool["commitments"]] if pool.get("commitments") else []
    lists = {"options": in_full, "more_options": in_short, "planned": planned}
    filled: PoolAdvice = _value(PoolAdvice, {**pool, **lists})
    return filled


def _value(hint: Any, value: Any) -> Any:
    """`value` as the type that a field asks for: dataclasses, tuples, days; all else as it is."""
    if value is None or is_dataclass(value):
        return value
    origin = get_origin(hint)
    if origin in (types.UnionType, Union):
        return _value(next(kind for kind in get_args(hint) if kind is not type(None)), value)
    if origin in (tuple, Sequence):
        return tuple(_value(get_args(hint)[0], item) for item in value)
    if hint is date:
        return date.fromisoformat(value)
    return _fill(hint, value) if is_dataclass(hint) and isinstance(hint, type) else value


def _fill(kind: Any, values: Json) -> Any:
    given = {}
    for name, hint in _hints(kind).items():
        if name in values:
            given[name] = _value(hint, values[name])
        elif name not in _with_default(kind):
            given[name] = None
    return kind(**given)


@cache
def _hints(kind: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


@cache
def _with_default(kind: type[Any]) -> frozenset[str]:
    found = (f.name for f in fields(kind) if f.default is not MISSING or f.default_factory is not MISSING)
    return frozenset(found)


def reading_from_json(entry: Json) -> Reading:
    """A reading whose summary is `entry`: its fleet has no lines, names, groups or tags."""
    rest = {name: value for name, value in entry.items() if name not in ("gpu", "problems", "notes", "period")}
    return Reading(
        **{entry.name: rest[entry.name] for entry in fields(Reading) if entry.name in rest},
        fleet=fleet_of([row for gpu in entry["gpu"] for row in _rows(gpu)]),
        problems=tuple(_value(Problem, problem) for problem in entry["problems"]),
        period=_value(Period, entry["period"]),
        notes=tuple(entry["notes"]),
    )


def _rows(gpu: Json) -> list[dict[str, Any]]:
    """Fleet rows whose sums are those of one size in one region; the first has the hours and the cost.

    Which reservation or savings plan a machine has is not in the JSON; one year stands for any.
    """
    spot, reserved, planned = gpu["spot"], gpu["reservation"], gpu["savings_plan"]
    by_model = {None: gpu["count"] - spot - reserved - planned, "spot": spot, "ri_1y": reserved, "sp_1y": planned}
    rows: list[dict[str, Any]] = [
        {
            **{name: gpu[name] for name in ("size", "region", "currency")},
            "price_model": model,
            "count": count,
            "deallocated": 0,
            "hours_per_vm": False,
        }
        for model, count in by_model.items()
        if count or model is None
    ]
    rows[0] |= {"deallocated": gpu["deallocated"], "hours": gpu["hours"], "cost": gpu["cost"]}
    return rows
