"""Numbers as people and programs write them: one decimal convention per column, and nothing guessed into 0."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from advisor.engine.readers.text import BLANKS

Convention = Literal["point", "comma"]  # the decimal mark
LONGEST = 64  # characters of a number; what is longer is none, and is not searched for one
_PLAIN = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_NUMERIC = re.compile(r"[+-]?[0-9.,\s'\u2019]*[0-9][0-9.,]*(?:[eE][+-]?[0-9]{1,3})?")
_POINT = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d*)?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}([.,])\d{3}", re.ASCII)
_MANY_GROUPS = re.compile(r"[+-]?\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+", re.ASCII)
_GROUP_BLANKS = re.compile(r"(?<=\d)[\s\u00a0\u202f'\u2019](?=\d{3}(?:\D|$))")  # 1 234,5 and 1'234.5


@dataclass(frozen=True, slots=True)
class Numbers:
    """One number per text: NaN for an empty text, and NaN with `bad` True for one that is no number."""

    values: NDArray[np.float64]
    bad: NDArray[np.bool_]
    convention: Convention
    assumed: bool  # `1,460` alone does not say; it was read as thousands
    proved: bool = False  # some text shows which mark is the decimal one


def read_numbers(
    texts: Sequence[str], *, delimiter: str | None = None, convention: Convention | None = None
) -> Numbers:
    """Read the distinct texts of one column, with the decimal mark `convention` where it is known already.

    The decimal mark is the one that the column's own texts prove; texts that prove the other one are refused. With
    no proof a mark before exactly three digits groups thousands when it is a comma, or a point in a file with
    semicolons (whose writer's decimal mark is the comma), else it is decimal. Units, words, NaN and infinity are
    refused.
    """
    values = np.full(len(texts), np.nan)
    bad = np.zeros(len(texts), dtype=np.bool_)
    hard: list[tuple[int, str]] = []
    for place, text in enumerate(texts):
        if _PLAIN.fullmatch(text) and (len(text) < 5 or text[-4] != "."):
            values[place] = float(text)
        elif stripped := text.strip(BLANKS):
            if len(stripped) <= LONGEST and _NUMERIC.fullmatch(stripped):
                hard.append((place, _GROUP_BLANKS.sub("", stripped)))
            else:
                bad[place] = True
    proved = any("." in text and _PLAIN.fullmatch(text) and text[-4:-3] != "." for text in texts)
    proved = proved or any(_proof(text) and not _GROUPED.fullmatch(text) for _, text in hard)
    assumed = False
    if convention is None:
        convention, assumed = _decide([text for _, text in hard], texts if hard else (), delimiter)
    if convention == "comma":
        hard = [(place, text.strip(BLANKS)) for place, text in enumerate(texts) if "." in text] + hard
    for place, text in hard:
        number = _number(text, convention)
        bad[place] = number is None
        values[place] = np.nan if number is None else number
    return Numbers(values, bad, convention, assumed, proved)


class ReadAgain(Exception):
    """A block shows that blocks before it were read otherwise than it asks for: the file is read once more."""


@dataclass(slots=True)
class DecimalMark:
    """The decimal mark of a column that is read in blocks: what one of them proves is true of all.

    Kept when a file is read again, so that each reading knows more than the one before.
    """

    delimiter: str | None = None
    mark: Convention | None = None  # proved, or taken for some text that a comma or point makes doubtful
    proved: bool = False

    def read(self, texts: Sequence[str]) -> Numbers:
        """`read_numbers` of the distinct texts of the next block; raises ReadAgain."""
        found = read_numbers(texts, delimiter=self.delimiter, convention=self.mark if self.proved else None)
        if self.proved:
            return found
        if found.proved:
            other = self.mark is not None and self.mark != found.convention
            self.mark, self.proved = found.convention, True
            if other:
                raise ReadAgain
        elif any("." in text or "," in text for text in texts):
            if self.mark is not None and self.mark != found.convention:
                found = read_numbers(texts, delimiter=self.delimiter, convention=self.mark)
            self.mark = found.convention
        return found


def _decide(hard: list[str], texts: Sequence[str], delimiter: str | None) -> tuple[Convention, bool]:
    votes = {"point": 0, "comma": 0}
    grouped = {",": 0, ".": 0}
    for text in hard:
        if found := _GROUPED.fullmatch(text):
            grouped[found.group(1)] += 1
        elif mark := _proof(text):
            votes[mark] += 1
    votes["point"] += sum(1 for text in texts if "." in text and _PLAIN.fullmatch(text) and text[-4:-3] != ".")
    if votes["point"] or votes["comma"]:
        return ("comma" if votes["comma"] > votes["point"] else "point"), False
    if grouped["."] and delimiter == ";":
        return "comma", True
    return "point", bool(grouped[","])


def _proof(text: str) -> Convention | None:
    """The decimal mark that one text proves, None when it proves none."""
    if found := _MANY_GROUPS.fullmatch(text):
        return "point" if found.group(1) == "," else "comma"
    point, comma = text.rfind("."), text.rfind(",")
    if point < 0 and comma < 0:
        return None
    last: Convention = "point" if point > comma else "comma"
    return last if (_POINT if last == "point" else _COMMA).fullmatch(text) else None


def _number(text: str, convention: Convention) -> float | None:
    if convention == "comma":
        if not _COMMA.fullmatch(text):
            return None
        text = text.replace(".", "").replace(",", ".")
    elif not _POINT.fullmatch(text):
        return None
    number = float(text.replace(",", ""))
    return number if np.isfinite(number) else None
