"""Several files of one fleet: a machine that stands in more than one of them counts once.

What a usage file says of a machine goes before what a list says, and an earlier list before a later one; what the
first does not say is filled from the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.columns import FLEET
from advisor.engine.gpu_use import NOT_FLEET
from advisor.engine.readers.fleet_table import empty_fleet
from advisor.engine.readers.manifest import parts_told
from advisor.engine.readers.problems import Problems, shown
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.usage_fleet import ledger_fleet, ledger_period, usage_notes, warn_about_usage
from advisor.engine.readers.usage_ledger import UsageLedger
from advisor.engine.readers.usage_pool import add_parts, pool_ledgers, share_machines

#: Never filled from another file: what a row counts, and its figures, which belong to the period of its own file.
_OWN = frozenset({"line", "item", "name", "size", "count", "hours", "hours_per_vm", "cost", "currency", "service"})
#: Kinds of warning about the whole of a usage file, which are said anew of several files together.
_OF_USAGE = frozenset(
    {"period_short", "period_long", "period_part", "no_period", "count_from_hours", "term_assumed", "no_hours"}
) | {"cost_of_commitment", "size_changed"}


def together(readings: Sequence[Reading]) -> list[Reading]:
    """The readings in their order with every machine in one of them only, and a warning where one was taken out."""
    found = [_with_parts(reading, readings) for reading in readings]
    if any(reading.usable for reading in found):
        found = [beside_a_fleet(reading) for reading in found]
    if sum(reading.usable and not reading.fleet.empty for reading in found) < 2:
        return found
    _pool_usage(found)
    _drop_repeated(found)
    _warn_unnamed(found)
    return found


def _with_parts(reading: Reading, readings: Sequence[Reading]) -> Reading:
    """A manifest beside usage files says which parts are missing instead of being refused."""
    files = [other.file for other in readings if other.ledger is not None]
    told = parts_told(reading, files) if files else None
    return replace(reading, problems=(told,)) if told else reading


def beside_a_fleet(reading: Reading) -> Reading:
    """Utilisation that comes with machines is used, and nothing is wrong with its having none."""
    if not reading.utilisation:
        return reading
    return replace(reading, problems=tuple(problem for problem in reading.problems if problem.kind != NOT_FLEET))


def _pool_usage(found: list[Reading]) -> None:
    """Count usage files that share machines as one: their hours stand in the first of them."""
    left = [place for place, reading in enumerate(found) if reading.ledger is not None and reading.ledger.owners]
    while left:
        group = [left.pop(0)]
        ledgers = [_ledger(found[group[0]])]
        for place in list(left):
            if any(share_machines(own, _ledger(found[place])) for own in ledgers):
                group.append(place)
                ledgers.append(_ledger(found[place]))
                left.remove(place)
        if len(group) > 1:
            _pool(found, group, ledgers)


def _ledger(reading: Reading) -> UsageLedger:
    if reading.ledger is None:
        raise ValueError(f"{reading.file} is no usage file")
    return reading.ledger


def _pool(found: list[Reading], group: Sequence[int], ledgers: Sequence[UsageLedger]) -> None:
    first = found[group[0]]
    names = ", ".join(f"“{shown(found[place].file)}”" for place in group)
    pooled = pool_readings([found[place] for place in group], ledgers, f"{names} have machines in common and")
    for place, reading in zip(group, pooled, strict=True):
        found[place] = reading
        if place != group[0]:
            note = _counted_together(
                f"The machines of “{shown(reading.file)}” are counted with those of “{shown(first.file)}”."
            )
            found[place] = replace(reading, problems=(note, *reading.problems))


def _counted_together(message: str) -> Problem:
    return Problem(kind="counted_together", severity="warning", message=message)


def pool_readings(readings: Sequence[Reading], ledgers: Sequence[UsageLedger], which: str) -> list[Reading]:
    """Usage files as one, whose machines, period and warnings stand in the first; `which` begins the sentence on it."""
    pooled, repeated = pool_ledgers(ledgers)
    message = f"{which} are counted as one: machines once, and their hours by day."
    if repeated:
        message += f" Days of a machine that stand in several of them count once ({repeated:,})."
    return _as_one(readings, pooled, (_counted_together(message),))


def add_readings(readings: Sequence[Reading]) -> list[Reading]:
    """The usage files that one run of an export wrote, as the file that they were; it stands in the first."""
    return _as_one(readings, add_parts([_ledger(reading) for reading in readings]), ())


def _as_one(readings: Sequence[Reading], pooled: UsageLedger, said: tuple[Problem, ...]) -> list[Reading]:
    problems = Problems()
    fleet, period = ledger_fleet(pooled), ledger_period(pooled)
    warn_about_usage(pooled, fleet, period, problems)
    said = (*said, *problems.listed()[0])
    rest = [tuple(p for p in reading.problems if p.kind not in _OF_USAGE) for reading in readings]
    notes = usage_notes(pooled)
    first = replace(readings[0], fleet=fleet, period=period, ledger=pooled, notes=notes, problems=(*said, *rest[0]))
    others = zip(readings[1:], rest[1:], strict=True)
    return [
        first,
        *(replace(r, fleet=empty_fleet(), period=None, ledger=None, notes=(), problems=kept) for r, kept in others),
    ]


def _drop_repeated(found: list[Reading]) -> None:
    """Take machines out of later readings that an earlier one has; usage files come first."""
    order = sorted(range(len(found)), key=lambda place: found[place].period is None)
    seen: dict[str, list[tuple[int, int]]] = {}
    tables = {place: _records(found[place]) for place in order}
    filled: dict[int, dict[int, dict[str, Any]]] = {}
    for place in order:
        own = tables[place]
        dropped: dict[int, str] = {}
        for row, record in own.items():
            match = next((at for at in seen.get(record["key"], ()) if _same(tables[at[0]][at[1]], record)), None)
            if match is None:
                continue
            dropped[row] = found[match[0]].file
            filled.setdefault(match[0], {}).setdefault(match[1], {}).update(
                _missing(tables[match[0]][match[1]], record)
            )
        for row, record in own.items():
            if row not in dropped:
                seen.setdefault(record["key"], []).append((place, row))
        if dropped:
            found[place] = _without(found[place], dropped)
    for place, rows in filled.items():
        found[place] = _with(found[place], rows)


def _warn_unnamed(found: list[Reading]) -> None:
    """Say where machines without a name may be those of a usage file: nothing tells whether they are."""
    usage = [reading for reading in found if reading.period is not None and not reading.fleet.empty]
    kinds = {(row[0], row[1]) for reading in usage for row in _places(reading.fleet)}
    for place, reading in enumerate(found):
        if reading.period is not None or reading.fleet.empty or not kinds:
            continue
        unnamed = reading.fleet[reading.fleet["name"].isna() | (reading.fleet["count"] > 1)]
        same = [count for size, region, count in _places(unnamed) if (size, region) in kinds]
        if same:
            message = (
                f"“{shown(reading.file)}” has {sum(same):,} machines without a name of their own, of sizes and regions "
                f"that “{shown(usage[0].file)}” has too. They count beside those; if they are the same machines, hand "
                "in one of the files only."
            )
            note = Problem(kind="may_be_the_same", severity="warning", message=message)
            found[place] = replace(reading, problems=(note, *reading.problems))


def _places(fleet: pd.DataFrame) -> list[tuple[str, str | None, int]]:
    """Size, region and number of machines of each row."""
    regions = fleet["region"].astype(object).where(fleet["region"].notna(), None)
    return list(zip(fleet["size"].astype(object), regions, fleet["count"].astype(int), strict=True))


def _records(reading: Reading) -> dict[int, dict[str, Any]]:
    """The rows that are one machine with a name, by their place in the fleet."""
    fleet = reading.fleet
    if not reading.usable or fleet.empty:
        return {}
    places = np.flatnonzero((fleet["name"].notna() & (fleet["count"] == 1)).to_numpy(dtype=bool))
    single = fleet.iloc[places]
    plain = single.astype(object).where(single.notna(), None)
    rows = (dict(zip(plain.columns, values, strict=True)) for values in plain.itertuples(index=False, name=None))
    return {place: row | {"key": str(row["name"]).casefold()} for place, row in zip(places.tolist(), rows, strict=True)}


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """The same name is the same machine where nothing that both say speaks against it."""
    if one["size"] != other["size"]:
        return False
    pairs = [(one[name], other[name]) for name in ("resource_group", "region")]
    return all(a is None or b is None or str(a).casefold() == str(b).casefold() for a, b in pairs)


def _missing(kept: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """What `other` says and `kept` does not, and whether the machine is off."""
    new = {
        column.name: other[column.name]
        for column in FLEET
        if column.name not in _OWN and kept[column.name] is None and other[column.name] is not None
    }
    return new | ({"deallocated": other["deallocated"]} if other["deallocated"] else {})


def _without(reading: Reading, dropped: dict[int, str]) -> Reading:
    fleet = reading.fleet.reset_index(drop=True)
    files = ", ".join(f"“{shown(file)}”" for file in dict.fromkeys(dropped.values()))
    number = len(dropped)
    message = (
        f"“{shown(reading.file)}”: {number:,} machine{'s' if number != 1 else ''} of the same name, size and group "
        f"stand{'' if number != 1 else 's'} in {files} too and count{'' if number != 1 else 's'} there, once."
    )
    note = Problem(kind="counted_once", severity="warning", message=message, rows=number)
    kept = fleet.drop(index=list(dropped)).reset_index(drop=True)
    return replace(reading, fleet=kept, problems=(note, *reading.problems))


def _with(reading: Reading, rows: dict[int, dict[str, Any]]) -> Reading:
    """The reading with cells of its fleet filled."""
    fleet = reading.fleet.reset_index(drop=True).astype(object)
    for row, cells in rows.items():
        for name, value in cells.items():
            fleet.loc[row, name] = value
    fleet = fleet.where(fleet.notna(), None)
    table = pd.DataFrame({column.name: fleet[column.name] for column in FLEET})
    return replace(reading, fleet=table.astype({column.name: column.dtype for column in FLEET}))
