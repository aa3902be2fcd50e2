"""Records of delimited text, one by one: physical line numbers, every kind of line end, quotes that never close."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple, TextIO

from advisor.engine.readers.text import BLANKS, Decoding

RECORD_CHARACTERS = 131_072  # the csv module's own limit for one field; no exporter writes longer records
LINE_CHARACTERS = 1 << 20  # ten thousand columns fit


class _Unclosed(Exception):
    """A quote was still open at the end of the file or beyond the limit of a record."""


class _TooLong(Exception):
    """A physical line is longer than any table's."""


class Record(NamedTuple):
    """One record; `fault` says why its cells cannot be trusted: unclosed_quote or line_too_long."""

    line: int
    cells: list[str]
    fault: str | None = None

    @property
    def blank(self) -> bool:
        return self.fault is None and not "".join(self.cells).strip(BLANKS)


def open_text(stream: BinaryIO, decoding: Decoding) -> io.TextIOWrapper:
    """The stream from its start as text with every line end as a line feed; detach it when done."""
    stream.seek(decoding.skip)
    errors = "replace" if decoding.replaces or decoding.codec != "utf-8" else "strict"
    return io.TextIOWrapper(stream, encoding=decoding.codec, errors=errors, newline=None)


def bounded_lines(text: TextIO) -> Iterator[str]:
    """The lines of `text`; of one that is longer than any table's only the beginning, so that none fills the memory."""
    while line := text.readline(LINE_CHARACTERS + 1):
        rest = line
        while len(rest) > LINE_CHARACTERS and not rest.endswith("\n"):
            rest = text.readline(LINE_CHARACTERS + 1)
        yield line


@dataclass(slots=True)
class _Lines:
    """Lines for the csv module, which may take several for one record; those of a failed record can be put back."""

    source: Iterator[str]
    line: int  # of the next line to hand out
    waiting: deque[str] = field(default_factory=deque)
    taken: list[str] = field(default_factory=list)
    characters: int = 0

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        text = self.waiting.popleft() if self.waiting else next(self.source, "")
        if not text:
            if self.taken:
                raise _Unclosed
            raise StopIteration
        self.characters += len(text)
        if self.taken and self.characters > RECORD_CHARACTERS:
            self.waiting.appendleft(text)
            raise _Unclosed
        self.taken.append(text)
        self.line += 1
        if len(text) > LINE_CHARACTERS:
            raise _TooLong
        return text

    def begin(self) -> int:
        self.taken.clear()
        self.characters = 0
        return self.line

    def give_back(self) -> list[str]:
        """Put all but the first line of the record back; the first line is answered for its message."""
        first, rest = self.taken[:1], self.taken[1:]
        self.waiting.extendleft(reversed(rest))
        self.line -= len(rest)
        return first


def iterate_records(text: Iterator[str], delimiter: str, first_line: int = 1) -> Iterator[Record]:
    """The records of `text`, blank ones too, each with the physical line on which it starts.

    NULs are dropped. A quote that does not close spoils its own line only: the lines after it are read as if it
    had not been there.
    """
    lines = _Lines((line.replace("\0", "") or "\n" for line in text), first_line)
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=delimiter != "\t")
    while True:
        start = lines.begin()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _Unclosed:
            yield Record(start, [line.rstrip("\n") for line in lines.give_back()], "unclosed_quote")
            continue
        except (csv.Error, _TooLong):
            yield Record(start, [line[:200] for line in lines.give_back()], "line_too_long")
            continue
        yield Record(start, cells)
