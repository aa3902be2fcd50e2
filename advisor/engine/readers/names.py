"""Sizes and regions of a file against the catalogue, once per distinct spelling."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from advisor.engine.catalogue import NOT_GPU_PREFIXES, Catalogue, size_key, squash
from advisor.engine.readers.text import BLANKS
from advisor.engine.readers.words import LOCAL_REGIONS, is_total

DISTINCT_MAX = 20_000  # Azure has under 2,000 size names; beyond this a column is not one of sizes
SUGGESTED_MAX = 100  # distinct wrong names that get suggestions: finding them takes a millisecond each
_SPOT = re.compile(r"\s(spot|low priority)$", re.IGNORECASE)
_OTHER_SERIES = re.compile(r"(?:a|b|bs|d|ds|dc|e|eb|ec|f|fx|g|gs|h|hb|hc|hx|l|ls|m|ms|pb)\d{1,4}[a-z0-9]{0,24}")
_PREFIX = re.compile(r"(?:standard|basic)[\s_]", re.IGNORECASE)
_OTHER_TIER = re.compile(r"(?:standard|basic)[a-z]{1,4}\d")


class Kind(IntEnum):
    """What a cell of the size column is."""

    BLANK = 0
    GPU = 1
    NOT_GPU = 2  # FPGA and media sizes, which begin with N
    OTHER = 3  # an Azure size of another series
    UNKNOWN = 4  # written like an N-series size that nobody lists
    TOTAL = 5  # names a line of totals
    NO_SIZE = 6  # no Azure size at all


@dataclass(frozen=True, slots=True)
class SizeName:
    """One spelling in the size column: what it is, its canonical name when known, and a meter's ` Spot`."""

    kind: Kind
    name: str | None = None
    spot: bool = False


def classify_size(text: str, catalogue: Catalogue) -> SizeName:
    """What `text` names. Meter suffixes ` Spot` and ` Low Priority` are not part of the name and mean spot."""
    plain = text.strip(BLANKS)
    if not plain:
        return SizeName(Kind.BLANK)
    if len(plain) > 64:
        return SizeName(Kind.NO_SIZE)
    name = catalogue.canonical_size(plain)
    key = size_key(plain)
    if key.startswith(NOT_GPU_PREFIXES) and (name or catalogue.looks_like_n_series(plain)):
        return SizeName(Kind.NOT_GPU, name)
    if name is not None:
        size = catalogue.sizes.get(name)
        gpu = size is None or size.is_gpu
        return SizeName(Kind.GPU if gpu else Kind.NOT_GPU, name, bool(_SPOT.search(plain)))
    if catalogue.looks_like_n_series(plain):
        return SizeName(Kind.UNKNOWN)
    if is_total(plain):
        return SizeName(Kind.TOTAL)
    if (
        _OTHER_SERIES.fullmatch(key)
        or (_PREFIX.match(plain) and re.match(r"[a-z]{1,4}\d", key))
        or _OTHER_TIER.match(key)
    ):
        return SizeName(Kind.OTHER)
    return SizeName(Kind.NO_SIZE)


def classify_sizes(texts: Sequence[str], catalogue: Catalogue, *, known: int = 0) -> list[SizeName]:
    """`classify_size` of each text. Beyond `DISTINCT_MAX`, `known` before these, only exact names are looked up."""
    room = max(0, DISTINCT_MAX - known)
    found = [classify_size(text, catalogue) for text in texts[:room]]
    if len(texts) > room:
        exact = {spelling.casefold() for name in catalogue.sizes for spelling in (name, name.removeprefix("Standard_"))}
        blank = SizeName(Kind.BLANK)
        none = SizeName(Kind.NO_SIZE)
        for text in texts[room:]:
            plain = text.strip(BLANKS)
            listed = plain.casefold() in exact
            found.append(classify_size(plain, catalogue) if listed else none if plain else blank)
    return found


def is_known_size(text: str, catalogue: Catalogue) -> bool:
    """True for the name of any Azure size, N-series or not: evidence that a column holds sizes."""
    return classify_size(text, catalogue).kind in (Kind.GPU, Kind.NOT_GPU, Kind.OTHER, Kind.UNKNOWN)


def canonical_region(text: str, catalogue: Catalogue) -> str | None:
    """The ARM name of the region that `text` spells, localised display names included, else None."""
    return catalogue.canonical_region(text) or LOCAL_REGIONS.get(squash(text))


def canonical_regions(texts: Sequence[str], catalogue: Catalogue, *, known: int = 0) -> list[str | None]:
    """`canonical_region` of each text; beyond `DISTINCT_MAX`, `known` before these, only ARM names are looked up."""
    room = max(0, DISTINCT_MAX - known)
    found = [canonical_region(text, catalogue) for text in texts[:room]]
    found += [text if text in catalogue.regions else None for text in texts[room:]]
    return found
