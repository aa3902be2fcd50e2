"""What both kinds of price sheet become: a table of hourly prices by line, and counts of everything else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from advisor.engine.readers.table import Factor, Integers, Mask

#: Why a row is no price of a GPU machine, in the order in which it is asked.
OTHER_REASONS = {
    "no_vm": "other services than virtual machines",
    "no_gpu": "machines without a GPU",
    "not_gpu": "FPGA and media sizes",
    "dedicated": "dedicated hosts",
    "low_priority": "low priority, a kind of Azure Batch that is no price of a VM",
    "expired": "meters that Azure has closed",
    "dev_test": "dev/test prices, which production may not use",
    "other_term": "terms other than one and three years",
    "tier": "graduated prices from a higher quantity on",
    "not_in_force": "prices that ended before the sheet's day",
    "repeated": "the same price once more",
    "superseded": "cheaper or older prices of the same thing, which do not count",
}
COLUMNS = ("line", "size", "region", "os", "price_model", "hourly", "currency", "start", "end")


@dataclass(kw_only=True)
class Judged:
    """The rows of one file: `prices`, a row per price with COLUMNS, and how many are others and errors.

    Prices are per hour; `start` and `end` are ordinals of days or NaN; `currency` is "" where none is given.
    """

    prices: pd.DataFrame
    others: Counter[str]
    errors: int


@dataclass(kw_only=True)
class Sorter:
    """Gives each row one reason at most for being no price; the first reason that is given counts."""

    rows: int

    def __post_init__(self) -> None:
        self.left: Mask = np.ones(self.rows, dtype=np.bool_)
        self.others: Counter[str] = Counter()

    def out(self, why: str, rows: Mask) -> None:
        """Put the rows, as far as they are left, among the others."""
        gone = rows & self.left
        if number := int(gone.sum()):
            self.others[why] += number
            self.left &= ~gone


def table_of(lines: Integers, keep: Mask, columns: dict[str, Any]) -> pd.DataFrame:
    """The rows to keep as a table of COLUMNS."""
    kept = {name: np.asarray(values)[keep] for name, values in columns.items()}
    return pd.DataFrame({"line": lines[keep], **kept}, columns=list(COLUMNS))


def looked_up(column: Factor, values: list[Any]) -> np.ndarray[Any, Any]:
    """One value per row from one value per distinct text of its column."""
    table = np.empty(max(1, len(values)), dtype=object)
    table[: len(values)] = values
    return table[column.codes]
