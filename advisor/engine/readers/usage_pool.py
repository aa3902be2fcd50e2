"""Usage files as one: parts of an export, months of a subscription, runs that overlap. No hour is added twice.

An hour is the same in two files when its machine, size, day and kind of price are: the larger figure stays, so that a
later run completes an earlier one, and amortised costs those of the actual export. Within one file nothing is ever
taken for the same, and nothing in the parts that one run wrote, which were one file.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np

from advisor.engine.readers.reading import Period
from advisor.engine.readers.usage_days import Day, day_first, to_date
from advisor.engine.readers.usage_fleet import DAY_HOURS, ledger_period
from advisor.engine.readers.usage_ledger import Entries, Numbers, UsageLedger, joined
from advisor.engine.readers.usage_texts import MODELS

_FAMILIES = tuple(dict.fromkeys(model.partition("_")[0] for model in MODELS))
_FAMILY_OF = np.array([_FAMILIES.index(model.partition("_")[0]) for model in MODELS])


def share_machines(one: UsageLedger, other: UsageLedger) -> bool:
    """True when some machine stands in both."""
    return not {owner.key for owner in one.owners}.isdisjoint(owner.key for owner in other.owners)


def pool_ledgers(ledgers: Sequence[UsageLedger]) -> tuple[UsageLedger, int]:
    """One ledger of all, in their order, and how many hours' entries (machine, day and price) stood in several."""
    pooled = UsageLedger(open_end=False, is_items=ledgers[0].is_items)
    parts: list[Entries] = []
    for ledger in ledgers:
        parts.append(_renumbered(ledger, pooled))
        _add_counts(pooled, ledger)
    pooled.periods = _union([period for ledger in ledgers if (period := ledger_period(ledger))])
    entries, repeated = _without_repeats(parts)
    pooled.add(entries)
    return pooled, repeated


def add_parts(ledgers: Sequence[UsageLedger]) -> UsageLedger:
    """The parts of one export as the file that they were: everything adds up, in the order of the parts."""
    whole = UsageLedger(open_end=ledgers[0].open_end, is_items=ledgers[0].is_items)
    for ledger in ledgers:
        entries = ledger.entries()
        days = np.array([whole.day_number(day) for day in ledger.days], dtype=np.int64)
        owners = np.array([whole.number_of(key, owner) for key, owner in ledger.keyed()], dtype=np.int64)
        foreign = [whole.owners[n].currency != o.currency for n, o in zip(owners.tolist(), ledger.owners, strict=True)]
        if len(entries.owner):
            cost = np.where(np.array(foreign)[entries.owner], np.nan, entries.cost)
            whole.add(Entries(owners[entries.owner], days[entries.day], entries.model, entries.hours, cost))
        for name in ("used", "starts", "ends"):
            getattr(whole, name).update(getattr(ledger, name))
        for key, money in ledger.licences.items():
            whole.licences[key] = whole.licences.get(key, 0.0) + money
        _add_rows(whole, ledger)
    return whole


def _renumbered(ledger: UsageLedger, pooled: UsageLedger) -> Entries:
    """The entries with the numbers that their owners and days have in `pooled`."""
    entries = ledger.entries()
    order = day_first([*ledger.used, *ledger.starts, *ledger.ends])
    days = {number: pooled.day_number(_settled(day, order)) for day, number in ledger.days.items()}
    owners, foreign = [], []
    for owner, apart in zip(ledger.owners, _apart(ledger, entries), strict=True):
        number = pooled.number_of((*owner.key, owner.size, owner.region, apart), owner)
        owners.append(number)
        foreign.append(pooled.owners[number].currency != owner.currency)
    owner_of, day_of = np.array(owners, dtype=np.int64), np.array([days[n] for n in range(len(days))], dtype=np.int64)
    if not len(entries.owner):
        return entries
    other_money = np.array(foreign)[entries.owner]
    return Entries(
        owner_of[entries.owner],
        day_of[entries.day],
        entries.model,
        entries.hours,
        np.where(other_money, np.nan, entries.cost),
    )


def _settled(day: Day | None, first_is_day: bool) -> Day | None:
    found = to_date(day, first_is_day) if day else None
    return Day(found.year, found.month, found.day, sure=True) if found else None


def _apart(ledger: UsageLedger, entries: Entries) -> list[int | None]:
    """The price model by which owners that are several machines are told apart."""
    models: Numbers = np.full(len(ledger.owners), -1)
    models[entries.owner] = entries.model
    return [None if o.machine.single else m for o, m in zip(ledger.owners, models.tolist(), strict=True)]


def _add_counts(pooled: UsageLedger, ledger: UsageLedger) -> None:
    for key, cost in ledger.licences.items():
        pooled.licences[key] = max(cost, pooled.licences.get(key, 0.0))
    _add_rows(pooled, ledger)


def _add_rows(pooled: UsageLedger, ledger: UsageLedger) -> None:
    for name in ("rows", "gpu_rows", "terms_assumed", "bare_commitments"):
        setattr(pooled, name, getattr(pooled, name) + getattr(ledger, name))
    for entry in ledger.ignored.values():
        pooled.ignore(entry.why, entry.size or "", entry.rows, entry.first or 0, entry.last or 0)


def _without_repeats(parts: Sequence[Entries]) -> tuple[Entries, int]:
    """Of entries of several files with the same owner, day and kind of price one with the larger figures."""
    everything = joined(list(parts))
    if not len(everything.owner):
        return everything, 0
    source = np.repeat(np.arange(len(parts)), [len(part.owner) for part in parts])
    days = int(everything.day.max()) + 1
    keys = (everything.owner * days + everything.day) * len(_FAMILIES) + _FAMILY_OF[everything.model]
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    again = source != source[first][group]
    hours, cost = everything.hours.copy(), everything.cost.copy()
    for figures, own in ((hours, everything.hours), (cost, everything.cost)):
        largest = figures[first]
        np.fmax.at(largest, group[again], own[again])
        figures[first] = largest
    kept = ~again
    columns = (everything.owner, everything.day, everything.model, hours, cost)
    return Entries(*(column[kept] for column in columns)), int(again.sum())


def _union(periods: Sequence[Period]) -> tuple[Period, ...]:
    """The periods as ones that do not touch, in order."""
    found: list[tuple[date, date]] = []
    for period in sorted(periods, key=lambda p: (p.start, p.end)):
        if found and period.start <= found[-1][1] + timedelta(days=1):
            found[-1] = (found[-1][0], max(found[-1][1], period.end))
        else:
            found.append((period.start, period.end))
    return tuple(Period(start=a, end=b, hours=DAY_HOURS * ((b - a).days + 1)) for a, b in found)
