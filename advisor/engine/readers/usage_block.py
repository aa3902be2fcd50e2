"""One block of rows of a usage file, and what all blocks of the file share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.numbers import Convention, read_numbers
from advisor.engine.readers.problems import Problems, shown
from advisor.engine.readers.reading import Problem
from advisor.engine.readers.rows import Options
from advisor.engine.readers.table import Factor, Integers, Mask
from advisor.engine.readers.tags import combined
from advisor.engine.readers.usage_columns import UsageLayout
from advisor.engine.readers.usage_ledger import UsageLedger
from advisor.engine.readers.usage_texts import Sized, cell, read_size

SIZES_KEPT = 50_000  # combinations of cells whose size is remembered; names of scale-set members make ever new ones

Floats = NDArray[np.float64]


@dataclass
class UsageFile:
    """What the blocks of one usage file share: how it is laid out, and where its figures and problems go."""

    layout: UsageLayout
    catalogue: Catalogue
    options: Options
    problems: Problems
    ledger: UsageLedger
    delimiter: str | None = None
    decimal_mark: Convention | None = None  # once a number has proved it
    _sizes: dict[tuple[str, ...], Sized] = field(default_factory=dict)

    def size_of(self, info: str, meter: str, subcategory: str, product: str) -> Sized:
        """`read_size`, asked once per combination of cells."""
        key = (info, meter, subcategory, product)
        found = self._sizes.get(key)
        if found is None:
            if len(self._sizes) >= SIZES_KEPT:
                self._sizes.clear()
            found = self._sizes[key] = read_size(*key, self.catalogue)
        return found

    def numbers(self, texts: Sequence[str], most: float) -> tuple[Floats, Mask]:
        """The number of each text (NaN: empty), and which are none from 0 to `most`; one decimal mark for the file."""
        read = read_numbers([cell(text) for text in texts], delimiter=self.delimiter, convention=self.decimal_mark)
        if read.proved and self.decimal_mark is None:
            self.decimal_mark = read.convention
        with np.errstate(invalid="ignore"):
            return read.values, read.bad | (read.values < 0) | (read.values > most)


@dataclass(frozen=True)
class Block:
    """Some rows: their physical lines (or elements), and the columns of the layout that are read."""

    file: UsageFile
    lines: Integers
    columns: Mapping[int, Factor]

    def factors(self, name: str) -> list[Factor]:
        """The columns of a field, best first."""
        return [self.columns[place] for place in self.file.layout.places.get(name, ())]

    def combinations(self, names: Sequence[str], rows: Mask) -> tuple[Integers, list[list[str]]]:
        """The combination of cells of each of the `rows`, and of each combination the text per name.

        Of a field with several columns the texts stand on lines of their own, best first.
        """
        found = [(name, factor) for name in names for factor in self.factors(name)]
        codes, places = combined([factor for _, factor in found], rows)
        return codes, [
            ["\n".join(factor.cell(row) for own, factor in found if own == name) for name in names]
            for row in places.tolist()
        ]

    def numbers(self, name: str, rows: Mask, most: float) -> tuple[Floats, Mask]:
        """The numbers of a field on the `rows`, NaN where there is none, and which cannot be used."""
        found = self.factors(name)
        if not found:
            number = int(rows.sum())
            return np.full(number, np.nan), np.zeros(number, dtype=np.bool_)
        used, inverse = np.unique(found[0].codes[rows], return_inverse=True)
        values, bad = self.file.numbers([found[0].values[code] for code in used.tolist()], most)
        return values[inverse], bad[inverse]

    def cell(self, name: str, row: int) -> str:
        """The cell of a field's first column."""
        return next((cell(factor.cell(row)) for factor in self.factors(name)), "")

    def refuse(self, kind: str, row: int, name: str, what: str, *, value: str, near: tuple[str, ...] = ()) -> None:
        """Report one row as an error; the place is put before what was found, and what was meant after it."""
        problems, items = self.file.problems, self.file.ledger.is_items
        if problems.count_unlisted("error"):
            return
        place, title = int(self.lines[row]), self.file.layout.title(name)
        at = f"{'Element' if items else 'Line'} {place}" + (f", column {shown(title)}" if title else "")
        meant = f" Did you mean {' or '.join(near)}?" if near else ""
        problems.add(
            Problem(
                kind=kind,
                severity="error",
                message=f"{at}: {what}{meant}",
                column=title,
                value=shown(value) or None,
                line=None if items else place,
                item=place if items else None,
                suggestions=near,
                parameters=(("field", name),),
            )
        )


def first_of(texts: str) -> str:
    """Of the texts of a field the first that is not empty."""
    return next((text for part in texts.split("\n") if (text := cell(part))), "")
