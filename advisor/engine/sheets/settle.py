"""From rows to one price per key: one currency, one day, and a stated rule where a thing is priced more than once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Problem, Severity

KEY = ["size", "region", "os", "price_model"]
#: Prices of one thing that differ by less than this share are the same price, written twice.
SAME = 1e-9
#: A commitment for less than this share of pay-as-you-go is none: Microsoft's headline is 72 % off, so 28 % is left.
LEAST_SHARE = 0.1
#: The rule where one thing is priced more than once.
RULE = "the newest price counts, and of several of one day the highest: the cheaper ones are offers such as dev/test"
_COMMITTED = ("ri_1y", "ri_3y", "sp_1y", "sp_3y")


@dataclass(kw_only=True)
class Settled:
    """One price per key, and what became of the other rows; `as_of` is None where the sheet does not say its day."""

    prices: pd.DataFrame
    currency: str | None
    as_of: date | None
    others: Counter[str] = field(default_factory=Counter)
    errors: int = 0


def settle(
    rows: pd.DataFrame, problems: Problems, *, currency: str | None, billing_day: date | None, as_of: date | None
) -> Settled:
    """One price for each size, region, system and price model.

    The sheet's currency is that of most rows; `currency` where no row names one. Rows in another one are refused, so
    that two currencies are never mixed. Its day is that of its billing period, else the newest day on which a price
    begins, else `as_of`. See RULE for what counts where a thing is priced more than once.
    """
    settled = Settled(prices=rows, currency=currency, as_of=billing_day or as_of)
    _one_currency(settled, problems)
    if billing_day is None and settled.prices["start"].notna().any():
        settled.as_of = date.fromordinal(int(settled.prices["start"].max()))
    _in_force(settled)
    _one_price(settled, problems)
    _plausible(settled, problems)
    return settled


def _one_currency(settled: Settled, problems: Problems) -> None:
    named = settled.prices["currency"]
    counts = named[named != ""].value_counts(sort=False)
    if counts.empty:
        return
    settled.currency = str(counts.idxmax())
    strange = (named != settled.currency) & (named != "")
    for row in settled.prices.loc[strange].itertuples():
        if not problems.count_unlisted("error"):
            message = f"the price is in {row.currency}, the sheet in {settled.currency}; two are never mixed."
            problems.add(_problem("other_currency", row, message, value=str(row.currency)))
    settled.errors += int(strange.sum())
    settled.prices = settled.prices.loc[~strange]


def _in_force(settled: Settled) -> None:
    if settled.as_of is None:
        return
    ended = (settled.prices["end"] < settled.as_of.toordinal()).to_numpy()
    settled.others["not_in_force"] += int(ended.sum())
    settled.prices = settled.prices.loc[~ended]


def _one_price(settled: Settled, problems: Problems) -> None:
    """Keep, of each key, the newest start, then the highest price, then the first line."""
    rows = settled.prices.assign(day=settled.prices["start"].fillna(0.0))
    ordered = rows.sort_values([*KEY, "day", "hourly", "line"], ascending=[True] * 4 + [False, False, True])
    first = ~ordered.duplicated(KEY).to_numpy()
    kept = ordered.loc[first]
    place = np.cumsum(first) - 1
    best = kept["hourly"].to_numpy()[place] if len(kept) else np.array([])
    same = ~first & (np.abs(ordered["hourly"].to_numpy() - best) <= SAME * best)
    differs = ~first & ~same
    settled.others["repeated"] += int(same.sum())
    settled.others["superseded"] += int(differs.sum())
    if differs.any():
        at = int(np.flatnonzero(differs)[0])
        loser, winner = ordered.iloc[at], kept.iloc[place[at]]
        message = (
            f"{int(differs.sum()):,} prices stand beside another price of the same thing, for example {_at(loser)} and "
            f"{_at(winner)} ({loser['size']} in {loser['region']}, {loser['os']}, {loser['price_model']}: "
            f"{loser['hourly']:.6g} and {winner['hourly']:.6g} an hour). Of such prices {RULE}."
        )
        problems.add(Problem(kind="several_prices", severity="warning", message=message, rows=int(differs.sum())))
    settled.prices = kept.drop(columns="day").sort_values("line", kind="stable")


def _plausible(settled: Settled, problems: Problems) -> None:
    """Refuse commitments so cheap that the price cannot be that of the term; warn of those dearer than none."""
    rows = settled.prices
    payg = rows.loc[rows["price_model"] == "payg"].set_index(["size", "region", "os"])["hourly"]
    committed = rows["price_model"].isin(_COMMITTED).to_numpy()
    if payg.empty or not committed.any():
        return
    places = pd.MultiIndex.from_frame(rows[["size", "region", "os"]])
    share = rows["hourly"].to_numpy() / payg.reindex(places).to_numpy()
    cheap, dear = committed & (share < LEAST_SHARE), committed & (share > 1.0)
    for of, row in zip(share[cheap], rows.loc[cheap].itertuples(), strict=True):
        if not problems.count_unlisted("error"):
            message = (
                f"{row.price_model} would cost {of:.1%} of pay as you go; no commitment is so cheap. The price of a "
                "reservation is that of its whole term, in a list made by hand that of an hour."
            )
            problems.add(_problem("implausible_price", row, message))
    if dear.any():
        row = next(rows.loc[dear].itertuples())
        message = (
            f"{row.price_model} costs more an hour than pay as you go, as do {int(dear.sum()):,} commitments in all. "
            "They are used as they are written; check unit and term."
        )
        problems.add(_problem("dear_commitment", row, message, severity="warning", rows=int(dear.sum())))
    settled.errors += int(cheap.sum())
    settled.prices = rows.loc[~cheap]


def _at(row: Any) -> str:
    """Where a row stands: its line, and of a zip its file."""
    return f"line {row.line}" + (f" of {row.part}" if row.part else "")


def _problem(
    kind: str, row: Any, message: str, *, severity: Severity = "error", value: str | None = None, rows: int = 1
) -> Problem:
    at = _at(row)
    return Problem(
        kind=kind,
        severity=severity,
        message=f"{at[0].upper()}{at[1:]}: {message}",
        line=int(row.line),
        sheet=row.part or None,
        value=value,
        rows=rows,
    )
