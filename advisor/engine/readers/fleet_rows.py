"""The fleet table of a file that is read in blocks: its rows, or of a long one its kinds of machine."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd

from advisor.engine.kinds import Pooling, joined
from advisor.engine.readers.fleet_table import empty_fleet
from advisor.engine.readers.table import NAMES_KEPT_ROWS, Integers


@dataclass(slots=True)
class FleetRows:
    """Blocks of a fleet; beyond `NAMES_KEPT_ROWS` records only sums by kind of machine are kept."""

    _fleets: list[pd.DataFrame] = field(default_factory=list)
    _records: int = 0
    _pooled: Pooling | None = None

    def add(self, fleet: pd.DataFrame, *, records: int) -> None:
        """The next block, which was made of so many records of the file."""
        self._records += records
        self._fleets.append(fleet)
        if self._records > NAMES_KEPT_ROWS:
            self._pooled = self._pooled or Pooling()
            for waiting in self._fleets:
                self._pooled.add(waiting)
            self._fleets = []

    def add_alike(self, fleet: pd.DataFrame, of: Integers, lines: Integers) -> None:
        """A block of a long file, in which the row `of` each record stands for several of them."""
        self._records = max(self._records, NAMES_KEPT_ROWS) + len(lines)
        self.add(empty_fleet(), records=0)
        if self._pooled is not None:
            self._pooled.add(fleet, of, lines)

    def table(self) -> pd.DataFrame:
        """The fleet with the columns of `columns.FLEET`; of a long file also those of `Pooling.table`."""
        if self._pooled is not None and len(self._pooled):
            return self._pooled.table()
        return joined(self._fleets) if len(self._fleets) > 1 else next(iter(self._fleets), empty_fleet())
