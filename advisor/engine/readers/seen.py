"""What the blocks of a list have shown to those that follow: known spellings, decimal marks, columns of tags."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.names import SUGGESTED_MAX, SizeName, canonical_regions, classify_sizes
from advisor.engine.readers.numbers import DecimalMark, ReadAgain

T = TypeVar("T")
KNOWN_MAX = 20_000  # spellings of sizes and of regions that are remembered


@dataclass(slots=True)
class Seen:
    """Of one file. `again` is what a second reading of it begins with."""

    delimiter: str | None = None
    marks: dict[str, DecimalMark] = field(default_factory=dict)  # by field
    left_out: set[str] = field(default_factory=set)  # columns that are no tags
    _sizes: dict[str, SizeName] = field(default_factory=dict)
    _regions: dict[str, str | None] = field(default_factory=dict)
    _suggested: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    _tags: dict[str, set[str]] = field(default_factory=dict)

    def again(self) -> Seen:
        """What is known of the file when it is read once more."""
        return replace(self, _tags={})

    def mark(self, name: str) -> DecimalMark:
        """The decimal mark of a field's column."""
        return self.marks.setdefault(name, DecimalMark(self.delimiter))

    def sizes(self, texts: Sequence[str], catalogue: Catalogue) -> list[SizeName]:
        """`classify_sizes` of each text; of many texts only exact names are looked up in the rest."""
        new = [text for text in texts if text not in self._sizes]
        found = dict(zip(new, classify_sizes(new, catalogue, known=len(self._sizes)), strict=True))
        return _remember(self._sizes, found, texts)

    def regions(self, texts: Sequence[str], catalogue: Catalogue) -> list[str | None]:
        """`canonical_regions` of each text, likewise."""
        new = [text for text in texts if text not in self._regions]
        found = dict(zip(new, canonical_regions(new, catalogue, known=len(self._regions)), strict=True))
        return _remember(self._regions, found, texts)

    def near(self, text: str, find: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
        """What may be meant by a text, of the first ones that are asked for: finding it takes a millisecond."""
        known = self._suggested.setdefault(find.__name__, {})
        if text not in known:
            if len(known) >= SUGGESTED_MAX:
                return ()
            known[text] = find(text[:64])
        return known[text]

    def tag_values(self, name: str, values: Sequence[str], most: int) -> bool:
        """Add the values of a column of tags; False where they are more than `most`, in this block or all of them.

        Raises ReadAgain where blocks before this one took it for a tag.
        """
        if name in self.left_out:
            return False
        known = self._tags.get(name)
        if len(values) <= most and len((known or set()).union(values)) <= most:
            self._tags[name] = (known or set()).union(values)
            return True
        self.left_out.add(name)
        if known is not None:
            raise ReadAgain
        return False


def _remember(known: dict[str, T], found: dict[str, T], texts: Sequence[str]) -> list[T]:
    answers = [found[text] if text in found else known[text] for text in texts]
    known.update(itertools.islice(found.items(), KNOWN_MAX - len(known)))
    return answers
