"""Speed-ups that a user measured, from a small CSV file: from, to, and their ratio or the two speeds."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from typing import TextIO

from advisor.engine.catalogue import Catalogue
from advisor.engine.speed_gpus import UnknownGpu, resolve_gpu

MOST_ROWS = 1000  # there are about 1,000 pairs of GPUs


class UnreadableRatios(ValueError):
    """A file that is no table of measured speed-ups; the message says where, what was found and what is needed."""


def read_ratios(stream: TextIO, catalogue: Catalogue) -> dict[tuple[str, str], float]:
    """Ratios by (from GPU, to GPU), whole GPU against whole GPU.

    Columns: `from`, `to` (names as resolve_gpu takes them) and `ratio`, or `from_speed` and `to_speed` in work per unit
    of time. A ratio that is wrong would silently be believed, so every row must be right. Raises UnreadableRatios.
    """
    reader = csv.DictReader(stream, strict=True)
    try:
        names = {(name or "").strip().casefold() for name in reader.fieldnames or ()}
        if not {"from", "to"} <= names or not ({"ratio"} <= names or {"from_speed", "to_speed"} <= names):
            raise UnreadableRatios("the first line must name from, to and ratio (or from_speed and to_speed)")
        found: dict[tuple[str, str], float] = {}
        for line in reader:
            cells = {(key or "").strip().casefold(): (value or "").strip() for key, value in line.items() if key}
            where = f"line {reader.line_num}"
            pair, ratio = _pair(cells, catalogue, where), _ratio(cells, where)
            if pair in found or pair[::-1] in found:
                raise UnreadableRatios(f"{where}: {pair[0]} and {pair[1]} stand in the file twice")
            if len(found) >= MOST_ROWS:
                raise UnreadableRatios(f"{where}: more than {MOST_ROWS} rows")
            found[pair] = ratio
    except csv.Error as error:
        raise UnreadableRatios(f"line {reader.line_num}: not a CSV table ({error})") from error
    if not found:
        raise UnreadableRatios("no measured speed-up stands below the first line")
    return found


def _pair(cells: Mapping[str, str], catalogue: Catalogue, where: str) -> tuple[str, str]:
    try:
        source, target = (resolve_gpu(catalogue, cells.get(end, "")) for end in ("from", "to"))
    except UnknownGpu as error:
        raise UnreadableRatios(f"{where}: {error}") from error
    if source == target:
        raise UnreadableRatios(f"{where}: from and to are both {source}; name two GPUs")
    return source, target


def _ratio(cells: Mapping[str, str], where: str) -> float:
    if cells.get("ratio"):
        return _number(cells, "ratio", where)
    return _number(cells, "to_speed", where) / _number(cells, "from_speed", where)


def _number(cells: Mapping[str, str], name: str, where: str) -> float:
    text = cells.get(name, "")
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise UnreadableRatios(f"{where}: {name} is {text!r}, must be a number above 0 like 2.5")
    return value
