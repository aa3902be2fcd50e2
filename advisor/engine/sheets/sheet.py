"""A price sheet as read: the user's own prices per hour, counts that add up, and everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast

from advisor.engine.prices import OWN_SOURCE, Price, PriceKey
from advisor.engine.readers.packing import problem_of
from advisor.engine.readers.reading import Problem
from advisor.engine.readers.summary import problem_json

Json = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class PriceSheet:
    """One price sheet. rows_read = priced_rows + other_rows + error_rows, and each priced row is one of `prices`.

    `prices` are per VM-hour in `currency`, by the key of a price book, each with the source "your price sheet FILE" and
    its day. `usable` is False when it holds no price, or when `needs` names what it does not say: `currency`, `as_of`.
    """

    file: str
    format: str
    encoding: str | None = None
    delimiter: str | None = None
    usable: bool = False
    currency: str | None = None
    as_of: date | None = None  # the first day of its billing period, or the newest day from which a price holds
    rows_read: int = 0
    priced_rows: int = 0
    other_rows: int = 0
    error_rows: int = 0
    prices: Mapping[PriceKey, Price] = field(default_factory=dict)
    others: Mapping[str, int] = field(default_factory=dict)  # other rows by reason, see rows.OTHER_REASONS
    needs: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    problems_left_out: int = 0

    def __post_init__(self) -> None:
        if self.rows_read != self.priced_rows + self.other_rows + self.error_rows:
            raise ValueError(
                f"{self.file}: {self.rows_read} rows read, but {self.priced_rows} priced + {self.other_rows} other + "
                f"{self.error_rows} error rows"
            )

    @property
    def source(self) -> str:
        """The source of its prices."""
        return f"{OWN_SOURCE} {self.file}"


_HEAD = ("file", "format", "encoding", "delimiter", "usable", "currency", "rows_read", "priced_rows", "other_rows")


def sheet_json(sheet: PriceSheet) -> Json:
    """The sheet as JSON values: `head` without its prices, and `prices` as rows of key, price and day."""
    head = {name: getattr(sheet, name) for name in (*_HEAD, "error_rows", "problems_left_out")}
    head |= {
        "as_of": sheet.as_of.isoformat() if sheet.as_of else None,
        "others": dict(sheet.others),
        "needs": list(sheet.needs),
        "problems": [problem_json(problem) for problem in sheet.problems],
    }
    prices = [[*key, price.hourly_price, price.as_of.isoformat()] for key, price in sheet.prices.items()]
    return {"head": head, "prices": prices}


def sheet_of(values: Json) -> PriceSheet:
    """The sheet that `sheet_json` wrote; without its `prices` it has counts and problems only."""
    head = dict(values["head"])
    source = f"{OWN_SOURCE} {head['file']}"
    prices = {
        cast(PriceKey, (size, region, os, model)): Price(
            size=size,
            region=region,
            os=os,
            price_model=model,
            hourly_price=hourly,
            as_of=date.fromisoformat(day),
            source=source,
        )
        for size, region, os, model, hourly, day in values.get("prices", ())
    }
    head |= {
        "as_of": date.fromisoformat(head["as_of"]) if head["as_of"] else None,
        "needs": tuple(head["needs"]),
        "problems": tuple(problem_of(problem) for problem in head["problems"]),
    }
    return PriceSheet(**head, prices=prices)
