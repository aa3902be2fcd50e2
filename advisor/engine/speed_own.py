"""Speed-ups that a user measured, typed or as a small table: from, to, their ratio or the two speeds, and a note."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.head import body_records, read_head
from advisor.engine.readers.numbers import Numbers, read_numbers
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Problem
from advisor.engine.readers.records import Record
from advisor.engine.readers.text import BLANKS, detect
from advisor.engine.speed_gpus import UnknownGpu, resolve_gpu

#: The columns of a table of ratios, in the order in which a template has them.
COLUMNS = ("from", "to", "ratio", "note")
SPEEDS = ("from_speed", "to_speed")  # work per unit of time, in place of a ratio
MOST_ROWS = 1000  # there are about 1,000 pairs of GPUs
NOTE_CHARACTERS = 200
LEAST_RATIO, MOST_RATIO = 0.001, 1000.0  # from a K80 to a B200 no published factor is beyond 300
ROUNDING = 0.02  # how far a ratio may be from its own two speeds: it is printed to two digits or more
SHOWN_PROBLEMS = 5  # of a table, on one line


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRatio:
    """Speed of one whole `to_gpu` over one whole `from_gpu`, as the user measured it; `note` says on what.

    Raises ValueError on a ratio that is no number above 0.
    """

    from_gpu: str
    to_gpu: str
    ratio: float
    note: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.ratio < math.inf:
            raise ValueError(f"measured speed-up {self.from_gpu} to {self.to_gpu} is {self.ratio}, must be above 0")

    @property
    def gpus(self) -> frozenset[str]:
        """The two GPUs in no order: the way back is the inverse."""
        return frozenset((self.from_gpu, self.to_gpu))


class UnreadableRatios(ValueError):
    """No table of measured speed-ups; each of `problems` says where, what was found and what is needed."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        told = [problem.message for problem in self.problems[:SHOWN_PROBLEMS]]
        more = len(self.problems) - len(told)
        super().__init__("; ".join(told) + (f"; and {more} more" if more else ""))


@dataclass(slots=True)
class _Table:
    """The records of a table with the numbers of its columns, and what is wrong with them so far."""

    delimiter: str
    width: int
    columns: Mapping[str, int]  # where each known column stands
    records: list[Record] = field(default_factory=list)
    numbers: Mapping[str, Numbers] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def text(self, place: int, name: str) -> str:
        cells, at = self.records[place].cells, self.columns.get(name)
        return "" if at is None or at >= len(cells) else cells[at].strip(BLANKS)

    def wrong(self, place: int, column: str | None, what: str) -> None:
        """Note what is wrong in a record; a page shows `what` alone beside the field of that name."""
        line = self.records[place].line
        self.problems.append(_problem(f"line {line}: {what}", line=line, column=column, parameters=(("what", what),)))


def read_ratios(stream: BinaryIO, catalogue: Catalogue) -> tuple[OwnRatio, ...]:
    """Every ratio of a seekable stream, whole GPU against whole GPU, in its order.

    Columns: `from`, `to` (names as resolve_gpu takes them) and `ratio`, or `from_speed` and `to_speed` in work per unit
    of time; `note` may say what was measured. A ratio that is wrong would silently be believed, so every row must be
    right. Raises UnreadableRatios with all that is wrong.
    """
    table = _table(stream, catalogue)
    found: dict[frozenset[str], OwnRatio] = {}
    for place in range(len(table.records)):
        one = _row(table, place, catalogue)
        if one is not None and one.gpus in found:
            table.wrong(place, None, f"{one.from_gpu} and {one.to_gpu} stand in the file twice")
        elif one is not None:
            found[one.gpus] = one
    if table.problems:
        raise UnreadableRatios(table.problems)
    if not found:
        raise _unreadable("no measured speed-up stands below the first line")
    return tuple(found.values())


def is_ratio(ratio: float) -> bool:
    """False for a factor that no two GPUs of the catalogue come near."""
    return LEAST_RATIO <= ratio <= MOST_RATIO


def later_counts(ratios: Iterable[OwnRatio]) -> tuple[OwnRatio, ...]:
    """Each two GPUs once, with the ratio that comes last."""
    found: dict[frozenset[str], OwnRatio] = {}
    for one in ratios:
        found.pop(one.gpus, None)
        found[one.gpus] = one
    return tuple(found.values())


def _key(name: str) -> str:
    return name.strip(BLANKS).casefold().replace(" ", "_")


def _known(name: str) -> str | None:
    return _key(name) if _key(name) in (*COLUMNS, *SPEEDS) else None


_NEEDED = "the first line must name from, to and ratio (or from_speed and to_speed)"


def _table(stream: BinaryIO, catalogue: Catalogue) -> _Table:
    """The records below the header with their numbers; raises UnreadableRatios where there is no such header."""
    decoding = detect(stream)
    head = read_head("", stream, decoding, catalogue, _known) if decoding else None
    if head is None or head.table is None:
        raise _unreadable(f"this is no table of text; {_NEEDED}")
    header = head.table.header
    columns = {name: at for at, cell in reversed([*enumerate(header)]) if (name := _known(cell))}
    if not {"from", "to"} <= set(columns) or not ("ratio" in columns or set(SPEEDS) <= set(columns)):
        raise _unreadable(_NEEDED)
    table = _Table(delimiter=head.table.delimiter, width=len(header), columns=columns)
    for record in body_records(head):
        if len(table.records) == MOST_ROWS and not record.blank:
            raise _unreadable(f"line {record.line}: more than {MOST_ROWS:,} rows")
        if not record.blank:
            table.records.append(record)
    texts = {name: [table.text(at, name) for at in range(len(table.records))] for name in ("ratio", *SPEEDS)}
    table.numbers = {name: read_numbers(column, delimiter=table.delimiter) for name, column in texts.items()}
    return table


def _problem(message: str, **more: Any) -> Problem:
    return Problem(kind="bad_ratio", severity="error", message=message, **more)


def _unreadable(message: str) -> UnreadableRatios:
    return UnreadableRatios([_problem(message)])


def _row(table: _Table, place: int, catalogue: Catalogue) -> OwnRatio | None:
    """The ratio of one record; None where something is wrong with it, which is then noted."""
    record = table.records[place]
    if record.fault or len(record.cells) > table.width:
        table.wrong(place, None, "more cells than the first line has, or a quotation mark that is not closed")
        return None
    pair, ratio = _pair(table, place, catalogue), _ratio(table, place)
    if pair is None or ratio is None:
        return None
    note = " ".join(table.text(place, "note").split())[:NOTE_CHARACTERS]
    return OwnRatio(from_gpu=pair[0], to_gpu=pair[1], ratio=ratio, note=note)


def _pair(table: _Table, place: int, catalogue: Catalogue) -> tuple[str, str] | None:
    gpus: list[str] = []
    for end in COLUMNS[:2]:
        try:
            gpus.append(resolve_gpu(catalogue, shown(table.text(place, end))))
        except UnknownGpu as error:
            table.wrong(place, end, str(error))
    if len(gpus) < 2:
        return None
    if gpus[0] == gpus[1]:
        table.wrong(place, "to", f"from and to are both {gpus[0]}; name two GPUs")
        return None
    return gpus[0], gpus[1]


def _ratio(table: _Table, place: int) -> float | None:
    """The ratio of a record, typed or from two speeds; both must say the same within ROUNDING."""
    speeds = any(table.text(place, name) for name in SPEEDS)
    typed = _number(table, place, "ratio") if table.text(place, "ratio") or not speeds else None
    old, new = (_number(table, place, name) if speeds else None for name in SPEEDS)
    ratio = typed if not speeds else new / old if old and new else None
    if typed and ratio and abs(math.log(ratio / typed)) > ROUNDING:
        table.wrong(place, "ratio", f"the ratio is {typed:g}, but the speeds give {ratio:.3g}; leave one of them out")
        return None
    if ratio is None or is_ratio(ratio):
        return ratio
    table.wrong(place, "ratio", f"the ratio is {ratio:g}, must be {LEAST_RATIO:g} to {MOST_RATIO:,.0f}")
    return None


def _number(table: _Table, place: int, name: str) -> float | None:
    numbers = table.numbers[name]
    value = float(numbers.values[place])
    if not numbers.bad[place] and 0 < value < math.inf:
        return value
    table.wrong(place, name, f"{name} is {shown(table.text(place, name))!r}, must be a number above 0 like 2.5")
    return None
