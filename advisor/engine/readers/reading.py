"""What a reader answers: the fleet table, the counts that add up, and everything that is wrong with the file."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import pandas as pd

from advisor.engine.gpu_use import GpuUse
from advisor.engine.kinds import grouped

if TYPE_CHECKING:
    from advisor.engine.readers.usage_ledger import UsageLedger

Severity = Literal["error", "warning"]


class UnreadableFile(Exception):
    """No fleet can be read from this file at all; the message says why and what to export instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with a file. `line` is physical and 1-based, `item` a 0-based index of JSON; both None: the file.

    `message` is the English text made from `kind` and `parameters`; the web layer may translate by kind.
    """

    kind: str
    severity: Severity
    message: str
    line: int | None = None
    item: int | None = None
    sheet: str | None = None
    column: str | None = None
    value: str | None = None
    suggestions: tuple[str, ...] = ()
    parameters: tuple[tuple[str, str], ...] = ()
    rows: int = 1  # how many rows of the file it stands for


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """The days that a usage or cost file covers, both included; `hours` is 24 per day."""

    start: date
    end: date
    hours: float

    @property
    def days(self) -> int:
        """Days that are covered; of several files that leave a gap fewer than from start to end."""
        return round(self.hours / 24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Rows that are no GPU machines. `why`: no_gpu, not_gpu (FPGA, media), total, no_machine, or more (the rest).

    Of usage files also: purchase, refund, unused_commitment, other_charge, licence, not_compute (`size` is then the
    category as written), other_provider and no_size_said.
    """

    why: str
    rows: int
    size: str | None = None
    first: int | None = None  # physical lines of the first and the last of them
    last: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """vCPUs of one family, as a quota list names it; None is unknown. The command line does not say the region."""

    family: str
    used: int | None
    limit: int | None
    region: str | None = None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One file as read. rows_read = gpu_rows + other_rows + error_rows, for every input.

    `fleet` has one row per GPU row of the file, of a usage file one per machine, with the columns of `columns.FLEET`;
    of a list of more than `table.NAMES_KEPT_ROWS` records it has one per kind of machine, see `kinds.Pooling.table`.
    `ledger` has a usage file's hours by day, to join it with other files; it is not kept. `usable` is False when no
    fleet can be read from the file; `problems` then says why and what to export instead.
    """

    file: str
    format: str
    encoding: str | None
    delimiter: str | None
    usable: bool
    rows_read: int
    gpu_rows: int
    other_rows: int
    error_rows: int
    fleet: pd.DataFrame
    problems: tuple[Problem, ...] = ()
    problems_left_out: int = 0  # counted but not listed, when a file has more than the limit
    period: Period | None = None
    notes: tuple[str, ...] = field(default_factory=tuple)
    ignored: tuple[Ignored, ...] = ()  # the other rows by size
    quota: tuple[Quota, ...] = ()  # of the GPU families, where the file lists quota
    utilisation: tuple[GpuUse, ...] = ()  # how busy GPUs were, where the file says that
    names: tuple[tuple[str, ...], ...] = ()  # of each row of a fleet that was packed, where `name` is gone
    ledger: UsageLedger | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.rows_read != self.gpu_rows + self.other_rows + self.error_rows:
            raise ValueError(
                f"{self.file}: {self.rows_read} rows read, but {self.gpu_rows} GPU + "
                f"{self.other_rows} other + {self.error_rows} error rows"
            )

    @cached_property
    def kinds(self) -> pd.DataFrame:
        """The fleet with equal rows made one, see engine.kinds; worked out once, when the file is read."""
        return grouped(self.fleet)[0]
