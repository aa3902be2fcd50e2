"""The fast way to read a regular file: blocks cut at line ends, checked by counting, parsed by pandas.

A file is regular when every line has the same number of delimiters, quotes stand only around whole cells and none
holds a line break. Anything else raises Irregular and the file is read record by record, with the same answer.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from advisor.engine.readers.progress import StreamProgress, unwatched_stream
from advisor.engine.readers.records import LINE_CHARACTERS
from advisor.engine.readers.table import NAMES_KEPT_ROWS, Factor, Integers, Layout, Mask, RawTable
from advisor.engine.readers.text import BLANKS
from advisor.engine.readers.words import may_be_total

BLOCK_BYTES = 8 << 20
ALIKE_SHARE = 0.25  # of the records of a block that differ, names aside; where it is more, each is read by itself
COLUMNS_MAX = 200  # wider tables are rare and short
_LF, _CR, _QUOTE = 10, 13, 34

Places = NDArray[np.intp]


class Irregular(Exception):
    """The file needs the careful way."""


@dataclass(frozen=True, slots=True)
class _Block:
    data: bytes
    starts: Places  # of each line
    ends: Places  # of each line, without its line end

    cuts: Places  # lines x delimiters: where each cell but the last ends

    def cell(self, row: int, place: int) -> str:
        """One cell of one line."""
        begin = self.starts[row] if place == 0 else self.cuts[row, place - 1] + 1
        end = self.ends[row] if place == self.cuts.shape[1] else self.cuts[row, place]
        text = self.data[begin:end].decode()
        return text[1:-1].replace('""', '"') if text.startswith('"') else text

    def cells(self, row: int, delimiter: str) -> list[str]:
        """The cells of one line."""
        text = self.data[self.starts[row] : self.ends[row]].decode()
        return next(csv.reader([text], delimiter=delimiter), [])


def table_blocks(
    stream: BinaryIO,
    offset: int,
    first_line: int,
    delimiter: str,
    layout: Layout,
    progress: StreamProgress = unwatched_stream,
) -> Iterator[RawTable]:
    """The records from byte `offset` on, which is the start of line `first_line`, block by block.

    Raises Irregular as soon as a block is not regular; blocks before it have been answered.
    """
    width = len(layout.header)
    if not 1 < width <= COLUMNS_MAX:
        raise Irregular
    is_long = _count_lines(stream, offset) > NAMES_KEPT_ROWS
    line, at, alike = first_line, offset, is_long
    for data in _cut(stream, offset):
        block = _check(data, ord(delimiter), width)
        lines = np.arange(line, line + len(block.starts), dtype=np.int64)
        line += len(block.starts)
        table = _alike(block, lines, delimiter, layout) if alike else None
        alike = table is not None
        yield table or _table(block, lines, delimiter, layout, not is_long and "name" in layout.fields)
        at += len(data)
        progress(at, line - first_line)


def read_blocks(
    stream: BinaryIO,
    offset: int,
    first_line: int,
    delimiter: str,
    width: int,
    places: list[int],
    progress: StreamProgress = unwatched_stream,
) -> Iterator[tuple[Integers, dict[int, Factor]]]:
    """The records from byte `offset` on, block by block: their physical lines and the cells at `places`.

    Blank lines are left out. Raises Irregular as soon as a block is not regular; blocks before it have been answered.
    """
    if not 1 < width <= COLUMNS_MAX:
        raise Irregular
    line, at = first_line, offset
    for data in _cut(stream, offset):
        block = _check(data, ord(delimiter), width)
        lines = np.arange(line, line + len(block.starts), dtype=np.int64)
        line += len(block.starts)
        cells = _parse(data, delimiter, places)
        if len(next(iter(cells.values()))) != len(lines):
            raise Irregular
        columns = {place: _factor(column) for place, column in cells.items()}
        keep = ~_blank(block, delimiter, columns)
        if not keep.all():
            lines = lines[keep]
            columns = {place: Factor(column.codes[keep], column.values) for place, column in columns.items()}
        yield lines, columns
        at += len(data)
        progress(at, line - first_line)


def _count_lines(stream: BinaryIO, offset: int) -> int:
    stream.seek(offset)
    return sum(piece.count(b"\n") for piece in iter(lambda: stream.read(BLOCK_BYTES), b"")) + 1


def _cut(stream: BinaryIO, offset: int) -> Iterator[bytes]:
    """The bytes from `offset` on in blocks that end with a line end; the last one may lack it."""
    stream.seek(offset)
    rest = b""
    while piece := stream.read(BLOCK_BYTES):
        end = piece.rfind(b"\n") + 1
        if end:
            yield rest + piece[:end]
            rest = piece[end:]
        else:
            rest += piece
        if len(rest) > LINE_CHARACTERS:
            raise Irregular
    if rest:
        yield rest


def _check(data: bytes, delimiter: int, width: int) -> _Block:
    """The places of the lines of a block; raises Irregular unless all lines have `width` cells."""
    array = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(array == _LF)
    if not data.endswith(b"\n"):
        ends = np.append(ends, len(data))
    cuts = np.flatnonzero(array == delimiter)
    if b'"' in data:
        cuts, ends = _outside_quotes(array, delimiter, cuts, ends)
    starts = np.concatenate(([0], ends[:-1] + 1))
    if len(cuts) != len(ends) * (width - 1):
        raise Irregular
    by_line = cuts.reshape(-1, width - 1)
    if (by_line[:, 0] < starts).any() or (by_line[:, -1] >= ends).any():
        raise Irregular
    if b"\r" in data:
        returns = np.flatnonzero(array == _CR)
        follows = np.append(array, _LF)[returns + 1] == _LF
        if not follows.all():
            raise Irregular
        ends = ends - (array[np.maximum(ends - 1, 0)] == _CR)
    return _Block(data, starts, ends, by_line)


def _outside_quotes(array: NDArray[np.uint8], delimiter: int, cuts: Places, ends: Places) -> tuple[Places, Places]:
    """Delimiters outside quotes and line ends; raises Irregular unless quotes stand around whole cells."""
    quotes = np.flatnonzero(array == _QUOTE)
    if len(quotes) % 2:
        raise Irregular
    opening, closing = quotes[::2], quotes[1::2]
    around = np.concatenate(([_LF], array, [_LF]))
    before, after = around[opening], around[closing + 2]
    doubled = opening[1:] == closing[:-1] + 1  # "" inside a quoted cell
    opens = np.isin(before, (delimiter, _LF)) | np.concatenate(([False], doubled))
    closes = np.isin(after, (delimiter, _LF, _CR)) | np.concatenate((doubled, [False]))
    if not (opens.all() and closes.all()):
        raise Irregular
    if (np.searchsorted(quotes, ends) % 2).any():
        raise Irregular  # a line break inside quotes
    return cuts[np.searchsorted(quotes, cuts) % 2 == 0], ends


def _table(block: _Block, lines: Integers, delimiter: str, layout: Layout, with_names: bool) -> RawTable:
    name_place = layout.fields.get("name", -1)
    cells = _parse(block.data, delimiter, [*layout.coded, name_place] if with_names else list(layout.coded))
    if len(next(iter(cells.values()))) != len(lines):
        raise Irregular
    names = cells.pop(name_place, None)
    columns = {place: _factor(column) for place, column in cells.items()}
    keep = ~_blank(block, delimiter, columns)
    rare: dict[int, str] = {}
    if name_place >= 0 and not with_names:
        sizes = columns[layout.fields["size"]]
        row_of = np.cumsum(keep) - 1
        for row in np.flatnonzero(keep & sizes.flag(may_be_total)).tolist():
            rare[int(row_of[row])] = block.cell(row, name_place)
    if not keep.all():
        lines = lines[keep]
        columns = {place: Factor(column.codes[keep], column.values) for place, column in columns.items()}
        names = None if names is None else names[keep]
    return RawTable(lines=lines, columns=columns, names=None if names is None else names.tolist(), rare_names=rare)


def _alike(block: _Block, lines: Integers, delimiter: str, layout: Layout) -> RawTable | None:
    """The records without their names, those that say the same once; None where too few do."""
    records, texts = pd.factorize(np.array(_without_names(block, layout.fields.get("name", -1)), dtype=object))
    if len(texts) > len(lines) * ALIKE_SHARE:
        return None
    cells = _parse(b"\n".join(texts) + b"\n", delimiter, list(layout.coded))
    columns = {place: _factor(column) for place, column in cells.items()}
    blank = np.logical_and.reduce([column.flag(lambda value: not value.strip(BLANKS)) for column in columns.values()])
    if len(blank) != len(texts):
        raise Irregular
    if blank.any() or columns[layout.fields["size"]].flag(may_be_total).any():
        return None  # what such a record is depends on its name
    return RawTable(lines=lines, columns=columns, names=None, rare_names={}, records=records.astype(np.int64))


def _without_names(block: _Block, place: int) -> list[bytes]:
    """Each line without the cell at `place`, whose delimiters stay."""
    data, last = block.data, block.cuts.shape[1]
    starts, ends = block.starts.tolist(), block.ends.tolist()
    if place < 0:
        return [data[a:b] for a, b in zip(starts, ends, strict=True)]
    if place == 0:
        return [data[a:b] for a, b in zip(block.cuts[:, 0].tolist(), ends, strict=True)]
    before = (block.cuts[:, place - 1] + 1).tolist()
    if place == last:
        return [data[a:b] for a, b in zip(starts, before, strict=True)]
    after = block.cuts[:, place].tolist()
    return [data[a:b] + data[c:d] for a, b, c, d in zip(starts, before, after, ends, strict=True)]


def _parse(data: bytes, delimiter: str, places: list[int]) -> dict[int, NDArray[np.object_]]:
    """The cells of some columns as text. (With dtype category pandas would read 02 as the number 2.)"""
    frame = pd.read_csv(
        io.BytesIO(data),
        sep=delimiter,
        header=None,
        usecols=places,
        dtype=object,
        na_filter=False,
        skip_blank_lines=False,
        low_memory=False,
        encoding="utf-8",
    )
    return {place: frame[place].to_numpy(dtype=object) for place in places}


def _factor(cells: NDArray[np.object_]) -> Factor:
    codes, values = pd.factorize(cells)
    return Factor(codes.astype(np.int32), list(values))


def _blank(block: _Block, delimiter: str, columns: dict[int, Factor]) -> Mask:
    """True for the lines of which no cell says anything, cells that are not read included."""
    blank = np.ones(len(block.starts), dtype=np.bool_)
    for column in columns.values():
        blank &= column.flag(lambda value: not value.strip(BLANKS))
        if not blank.any():
            return blank
    for row in np.flatnonzero(blank).tolist():
        blank[row] = not "".join(block.cells(row, delimiter)).strip(BLANKS)
    return blank
