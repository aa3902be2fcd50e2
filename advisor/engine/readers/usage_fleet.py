"""From the hours of machines to a fleet: one row per machine with its sums, its period, and what was assumed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.readers.packing import fleet_of
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Period, Problem
from advisor.engine.readers.usage_days import period_of, usage_span
from advisor.engine.readers.usage_ledger import Entries, Floats, Numbers, UsageLedger, summed
from advisor.engine.readers.usage_texts import MODELS, NO_SIZE_SAID, NOT_USAGE

DAY_HOURS = 24.0
SHORT_DAYS = 7  # a shorter file says little about a month
LONG_DAYS = 31
_SLACK = 1e-6  # hours: 24.0000001 is one machine


def ledger_period(ledger: UsageLedger) -> Period | None:
    """The billing period of the file, else its first to last usage day; of several files from the first to the last.

    Hours count the days that some file covers: of January and March there are 62.
    """
    if ledger.periods:
        hours = sum(period.hours for period in ledger.periods)
        return Period(start=ledger.periods[0].start, end=ledger.periods[-1].end, hours=hours)
    return period_of(ledger.used, ledger.starts, ledger.ends, open_end=ledger.open_end)


def ledger_fleet(ledger: UsageLedger) -> pd.DataFrame:
    """One row per owner, in the order of first rows, with `columns.FLEET`.

    Hours and cost are sums over the days; cost is NaN where a part of it is unknown. The price model is the one with
    most hours. A licence of Windows that is a row of its own is added to the cost, once per machine. Machines that the
    file does not tell apart are at least as many as their busiest day needs at 24 h each.
    """
    entries = ledger.entries()
    number = len(ledger.owners)
    hours, cost = summed(entries.hours, entries.owner, number), summed(entries.cost, entries.owner, number)
    counts, models = _busiest(ledger, entries, number), _models(entries, number)
    licences = dict(ledger.licences)
    rows: list[dict[str, Any]] = []
    for place, owner in enumerate(ledger.owners):
        licence = licences.pop(owner.key, None)
        money = cost[place] + (licence if licence is not None and not owner.licence_in_meter else 0.0)
        model = MODELS[models[place]]
        rows.append(
            {
                "line": None if ledger.is_items else owner.place,
                "item": owner.place if ledger.is_items else None,
                "name": owner.machine.name,
                "resource_group": owner.machine.group,
                "size": owner.size,
                "region": owner.region,
                "os": "windows"
                if owner.windows or licence is not None
                else "linux"
                if owner.windows is False
                else None,
                "price_model": "spot" if model == "low" else model,
                "low_priority": model == "low",
                "count": 1 if owner.machine.single else counts[place],
                "deallocated": 0,
                "hours": _known(hours[place]),
                "hours_per_vm": False,
                "cost": _known(money),
                "currency": owner.currency,
                "service": owner.machine.service,
                "tags": owner.tags,
            }
        )
    return fleet_of(rows)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _busiest(ledger: UsageLedger, entries: Entries, number: int) -> list[int]:
    """The least number of machines of each owner: the hours of its busiest day over 24, at least one."""
    days = len(ledger.days) + 1
    keys, group = np.unique(entries.owner * days + entries.day, return_inverse=True)
    totals = np.nan_to_num(summed(entries.hours, group, len(keys)))
    if None in ledger.days:
        totals[keys % days == ledger.days[None]] = 0.0  # no day: not the hours of one
    most = np.zeros(number)
    np.maximum.at(most, keys // days, totals)
    return [max(1, math.ceil(hours / DAY_HOURS - _SLACK)) for hours in most.tolist()]


def _models(entries: Entries, number: int) -> Numbers:
    """The price model of each owner with most hours, without hours with most entries; ties: the earlier in `MODELS`."""
    by_model: Floats = np.zeros((number, len(MODELS)))
    np.add.at(by_model, (entries.owner, entries.model), np.nan_to_num(entries.hours) + 1e-9)
    return np.asarray(by_model.argmax(axis=1), dtype=np.int64)


def warn_about_usage(ledger: UsageLedger, fleet: pd.DataFrame, period: Period | None, problems: Problems) -> None:
    """Say what the advice will take from the file and what it had to assume; each thing once."""

    def warn(kind: str, message: str) -> None:
        problems.add(Problem(kind=kind, severity="warning", message=message))

    unsized = sum(entry.rows for entry in ledger.ignored.values() if entry.why == NO_SIZE_SAID)
    if unsized:
        warn(
            "no_size_said",
            f"Rows that are hours of machines and do not say of which size: {unsized:,}. They are left out; some may "
            "be GPU machines.",
        )
    if fleet.empty:
        return
    _warn_period(ledger, period, warn)
    several = sum(not owner.machine.single for owner in ledger.owners)
    if several:
        warn(
            "count_from_hours",
            f"The file does not name the machines of scale sets, Batch accounts or workspaces ({several:,} of them): "
            "they are counted as many as their busiest day needs at 24 hours each, which is the least there can be.",
        )
    if ledger.terms_assumed:
        warn(
            "term_assumed",
            f"Rows covered by a commitment that do not say its term: {ledger.terms_assumed:,}. It is taken as a year.",
        )
    if ledger.bare_commitments:
        warn(
            "cost_of_commitment",
            f"Rows covered by a reservation or savings plan that cost 0 here: {ledger.bare_commitments:,}. Their price "
            "stands in the purchase, so what these machines cost is not known from this file; export the amortised "
            "cost to see it.",
        )
    names = [(owner.key, owner.size) for owner in ledger.owners if owner.machine.single]
    if moved := len({key for key, _ in names}) and len(set(names)) - len({key for key, _ in names}):
        warn(
            "size_changed",
            f"Machines that changed their size within the file: {moved:,}. Each counts once under each of its sizes, "
            "with the hours that it ran there.",
        )
    if fleet["hours"].isna().any():
        warn("no_hours", "The file has costs without hours; 730 h a month are taken for each machine.")


def _warn_period(ledger: UsageLedger, period: Period | None, warn: Any) -> None:
    if period is None:
        warn("no_period", "The file names no days, so its hours and costs are taken as those of one month.")
        return
    days = round(period.hours / DAY_HOURS)
    shown = f"{period.start.isoformat()} to {period.end.isoformat()}, {days} day{'s' if days != 1 else ''}"
    scaled = "Hours and costs are scaled to a month of 730 h."
    if days < SHORT_DAYS:
        warn("period_short", f"The file covers {shown}, less than a week: a month may look different. {scaled}")
    elif days > LONG_DAYS:
        warn("period_long", f"The file covers {shown}, more than a month. {scaled}")
    span = usage_span(ledger.used, [*ledger.starts, *ledger.ends])
    if span is None or not ledger.starts:
        return
    seen = (span[1] - span[0]).days + 1
    if span[1] < period.end:
        warn(
            "period_part",
            f"The billing period is {shown}, but the last day with usage is {span[1].isoformat()} ({seen} "
            f"day{'s' if seen != 1 else ''} from the first). If the period was not over when this was exported, hours "
            "and costs a month are too low; export it again when it is.",
        )


def usage_notes(ledger: UsageLedger) -> tuple[str, ...]:
    """What was left out and would be money: purchases and what else is no usage."""
    charges = sum(entry.rows for entry in ledger.ignored.values() if entry.why in NOT_USAGE)
    if not charges:
        return ()
    return (
        f"Purchases, refunds, unused commitments, taxes and credits are no hours of machines and add neither machines "
        f"nor costs: {charges:,} rows.",
    )
