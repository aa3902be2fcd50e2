"""Kinds of machine: rows of a fleet that agree in everything that advice looks at, made one row with their sums.

Reading ends here: whatever the number of rows in the file, later stages see only its kinds.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from advisor.engine.columns import FLEET
from advisor.engine.grouping import group_rows, sums

_SUMS = ("count", "deallocated", "hours", "cost", "hours_written")
_NOT_KEYS = (*_SUMS, "line", "item", "name")
#: What tells two kinds apart; whether hours and cost are known does too, so that unknown never counts as 0.
KEYS = (*(column.name for column in FLEET if column.name not in _NOT_KEYS), "has_hours", "has_cost")


def grouped(fleet: pd.DataFrame) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """The kinds of a fleet table, in the order in which the file names them, and the kind of each of its rows.

    The table has the columns of `columns.FLEET` without line, item and name. `hours` is the total of all machines (so
    `hours_per_vm` is False), `hours_written` the sum as the file has it; both, and `cost`, are NaN where unknown.
    """
    hours = fleet["hours"].to_numpy(dtype=float)
    per_vm = fleet["hours_per_vm"].to_numpy(dtype=bool)
    table = fleet.assign(
        hours=np.where(per_vm, hours * fleet["count"].to_numpy(dtype=float), hours),
        hours_written=hours,
        hours_per_vm=False,
        has_hours=~np.isnan(hours),
        has_cost=~np.isnan(fleet["cost"].to_numpy(dtype=float)),
    )
    first, groups = group_rows(table, KEYS)
    kept = [name for name in table.columns if name not in ("line", "item", "name")]
    kinds = table[kept].iloc[first].reset_index(drop=True)
    added: dict[str, Any] = {name: sums(table[name].astype("float64"), groups, len(first)) for name in _SUMS}
    for name, known in (("hours", "has_hours"), ("hours_written", "has_hours"), ("cost", "has_cost")):
        added[name] = np.where(kinds[known], added[name], np.nan)
    return kinds.assign(**added), groups
