"""Blocks of infrastructure source by their first and last line, so that one broken block costs itself only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TextIO

from advisor.engine.readers.records import bounded_lines

BLOCK_CHARACTERS = 1 << 16  # of one block; those of machines have a few thousand
SOURCE_CHARACTERS = 8 << 20  # of one file that are looked at


@dataclass(frozen=True, slots=True)
class Block:
    """A block with the physical line on which it starts; `ended` False: no closing brace in its column was found."""

    line: int
    text: str
    ended: bool = True


def iterate_blocks(source: TextIO, opening: re.Pattern[str]) -> Iterator[Block]:
    """Each block that starts on a line which `opening` matches, up to the brace that stands as far in as that line.

    Files formatted by the tools' own formatters are of this shape; a block on one line is too.
    """
    started, indent, size, total = 0, "", 0, 0
    kept: list[str] = []
    for number, line in enumerate(bounded_lines(source), start=1):
        total += len(line)
        if total > SOURCE_CHARACTERS:
            break
        opens = opening.match(line)
        if started and opens is not None:
            yield Block(started, "".join(kept), ended=False)
            started = 0
        if not started:
            if opens is None:
                continue
            started, indent, size, kept = number, line[: len(line) - len(line.lstrip())], 0, []
        size += len(line)
        if size <= BLOCK_CHARACTERS:
            kept.append(line)
        text = line.rstrip()
        if text == indent + "}" or (number == started and text.endswith("}")):
            yield Block(started, "".join(kept), ended=size <= BLOCK_CHARACTERS)
            started = 0
    if started:
        yield Block(started, "".join(kept), ended=False)
