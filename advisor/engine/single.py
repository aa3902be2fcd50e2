"""One machine of each size as a fleet: what the advice says of a size when nothing else is known of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from advisor.engine.columns import FLEET
from advisor.engine.readers.reading import Reading

#: The region of a size of which no region is said: every documented target is offered there (docs/adr/0018).
REGION = "westeurope"
#: What a machine has that nobody said; all else of it is unknown.
_PLAIN: dict[str, Any] = {"count": 1, "deallocated": 0, "hours_per_vm": False, "service": "vm", "region": REGION}


def single_machines(rows: Iterable[Mapping[str, Any]]) -> Reading:
    """A usable reading with one machine per row; a row names columns of FLEET, at least `size`.

    FPGA sizes are let in, which no file reader does: the rules say what becomes of them.
    """
    cells = [_PLAIN | dict(row) for row in rows]
    columns = {c.name: pd.Series([row.get(c.name) for row in cells], dtype=c.dtype) for c in FLEET}
    number = len(cells)
    return Reading(
        file="one machine each", format="hand-list", encoding=None, delimiter=None, usable=True,
        rows_read=number, gpu_rows=number, other_rows=0, error_rows=0, fleet=pd.DataFrame(columns),
    )  # fmt: skip
