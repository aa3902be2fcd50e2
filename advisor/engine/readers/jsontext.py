"""The elements of a JSON file one by one, so that a file of any size is never in memory as a whole."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import TextIO

from advisor.engine.readers.text import BLANKS

CHUNK_CHARACTERS = 1 << 20
ELEMENT_CHARACTERS = 16 << 20  # a resource of Azure is a few thousand


class BrokenJson(Exception):
    """The text stops being JSON at or inside element `index`."""

    def __init__(self, index: int, reason: str) -> None:
        super().__init__(reason)
        self.index = index


@dataclass(slots=True)
class _Window:
    """A part of the text; `fill` makes it longer, doubling, so that retries stay linear in the element's length."""

    source: TextIO
    text: str = ""
    at: int = 0
    decoder: json.JSONDecoder = field(default_factory=lambda: json.JSONDecoder(parse_int=float))

    def fill(self) -> bool:
        rest = self.text[self.at :]
        more = self.source.read(max(CHUNK_CHARACTERS, len(rest)))
        self.text, self.at = rest + more, 0
        return bool(more)

    def peek(self) -> str:
        """The next character that is not blank, "" at the end."""
        while True:
            while self.at < len(self.text) and self.text[self.at] in BLANKS:
                self.at += 1
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.fill():
                return ""

    def value(self, index: int) -> object:
        """The value that starts here, after blanks."""
        self.peek()
        while True:
            try:
                found, end = self.decoder.raw_decode(self.text, self.at)
            except RecursionError:
                raise BrokenJson(index, "it is nested too deeply") from None
            except ValueError as error:
                if len(self.text) - self.at > ELEMENT_CHARACTERS:
                    long = f"it is longer than {ELEMENT_CHARACTERS >> 20} MiB of text, the most of one element"
                    raise BrokenJson(index, long) from None
                if not self.fill():
                    raise BrokenJson(index, getattr(error, "msg", "") or "it is no JSON") from None
                continue
            length = end - self.at
            if end < len(self.text) or not self.fill():  # a number at the end of the window may go on
                self.at += length
                return found


def iterate_elements(source: TextIO) -> Iterator[object]:
    """The elements of a top-level array, or the top-level values one after another; numbers are floats.

    Of a key that stands twice in an object the last value counts. Raises BrokenJson where the text is no JSON or
    ends too early.
    """
    window = _Window(source)
    in_array = window.peek() == "["
    if in_array:
        window.at += 1
        if window.peek() == "]":
            return
    index = 0
    while window.peek():
        yield window.value(index)
        index += 1
        mark = window.peek()
        if not in_array:
            if mark == ",":
                window.at += 1
            continue
        window.at += 1
        if mark == "]":
            return
        if mark != ",":
            raise BrokenJson(index, "a comma or the closing bracket is missing")
    if in_array:
        raise BrokenJson(index, "the file ends before its list does")


def iterate_members(source: TextIO, lists: Collection[str]) -> Iterator[tuple[str, object]]:
    """Name and value of each member of a top-level object; a list under a name of `lists` comes element by element.

    Raises BrokenJson as `iterate_elements` does, with the number of elements that came before.
    """
    window = _Window(source)
    if window.peek() != "{":
        raise BrokenJson(0, "it is no JSON object")
    window.at += 1
    index = 0
    while (mark := window.peek()) != "}":
        if mark == ",":
            window.at += 1
        name = window.value(index)
        if not isinstance(name, str) or window.peek() != ":":
            raise BrokenJson(index, "a name and a colon are missing")
        window.at += 1
        if name in lists and window.peek() == "[":
            window.at += 1
            while window.peek() != "]":
                yield name, window.value(index)
                index += 1
                if window.peek() == ",":
                    window.at += 1
                elif window.peek() != "]":
                    raise BrokenJson(index, "the file ends before its list does")
            window.at += 1
        else:
            yield name, window.value(index)


def pick(value: object, *path: str) -> object:
    """What stands at `path` inside nested objects, also with a capital first letter; None where there is nothing."""
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value[name] if name in value else value.get(name[:1].upper() + name[1:])
    return value


def plain_text(value: object) -> str:
    """A JSON value as the text of a cell; None is empty, half surrogates are replaced."""
    if value is None or isinstance(value, (dict, list)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    return str(value).encode("utf-8", "replace").decode("utf-8")


def rows_of(value: object) -> Iterator[object]:
    """The value itself, or the objects of an older answer of Resource Graph, which gives columns and rows apart."""
    columns, rows = pick(value, "columns"), pick(value, "rows")
    if not isinstance(columns, list) or not isinstance(rows, list):
        yield value
        return
    names = [plain_text(pick(column, "name")) for column in columns]
    for row in rows:
        yield dict(zip(names, row, strict=False)) if isinstance(row, list) else row
