"""What one page says about everything that was read: figures that add up, and the machines by size and region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from advisor.engine.catalogue import Catalogue
from advisor.engine.pools import HOURS_PER_MONTH
from advisor.engine.readers.ignored import merge_ignored
from advisor.engine.readers.packing import unpack
from advisor.engine.readers.reading import Ignored, Problem, Reading
from advisor.engine.readers.summary import Json

REMARKS_SHOWN = 40  # beyond that a page is no longer read


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Machines of one size and region. None is unknown; `first` and `last` are lines, None for JSON."""

    size: str
    region: str | None
    vms: int
    gpus: float | None
    deallocated: int
    hours: float | None  # of all machines a month, see Overview.scaled; None where some row has none
    first: int | None
    last: int | None
    has_page: bool  # False: the name is known and has no size page, so nothing can be advised from it
    slice_of_gpu: float | None  # GPUs per machine where that is less than one


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """One file, or all of them: rows_read = gpu_rows + other_rows + error_rows."""

    rows_read: int
    gpu_rows: int
    other_rows: int
    error_rows: int
    groups: tuple[Group, ...]
    vms: int
    gpus: float | None
    deallocated: int
    hours: float | None
    scaled: bool  # hours of a usage file are those of its period times 730 h over the hours of the period
    ignored: tuple[Ignored, ...]
    remarks: tuple[Problem, ...]
    remarks_left_out: int


def overview(packed: Sequence[Json], catalogue: Catalogue) -> Overview:
    """The overview of packed readings together; readings that cannot be used count with their rows.

    Quota lists do not: none of their lines is a machine that was refused.
    """
    readings = [reading for reading in map(unpack, packed) if not reading.quota]  # which lists no machines to count
    groups = _groups([row for item in packed for row in _monthly(item)], catalogue)
    warnings = [problem for reading in readings for problem in reading.problems if problem.severity == "warning"]
    left_out = sum(reading.problems_left_out for reading in readings)
    return Overview(
        rows_read=sum(reading.rows_read for reading in readings),
        gpu_rows=sum(reading.gpu_rows for reading in readings),
        other_rows=sum(reading.other_rows for reading in readings),
        error_rows=sum(reading.error_rows for reading in readings),
        groups=groups,
        vms=sum(group.vms for group in groups),
        gpus=_sum([group.gpus for group in groups]),
        deallocated=sum(group.deallocated for group in groups),
        hours=_sum([group.hours for group in groups]),
        scaled=any(reading.period and reading.period.hours != HOURS_PER_MONTH for reading in readings),
        ignored=merge_ignored(entry for reading in readings for entry in reading.ignored),
        remarks=tuple(warnings[:REMARKS_SHOWN]),
        remarks_left_out=max(0, len(warnings) - REMARKS_SHOWN) + left_out,
    )


def _monthly(packed: Json) -> list[Json]:
    """The rows of a packed reading with the hours of a month."""
    period = packed["summary"]["period"]
    if period is None:
        return list(packed["rows"])
    scale = HOURS_PER_MONTH / period["hours"]
    return [row | {"hours": None if row["hours"] is None else row["hours"] * scale} for row in packed["rows"]]


def whole_file_problem(reading: Reading) -> Problem | None:
    """Why a file is not used, None for one that is."""
    if reading.usable:
        return None
    errors = [problem for problem in reading.problems if problem.severity == "error"]
    whole = [problem for problem in errors if problem.line is None and problem.item is None]
    return next(iter(whole or errors), None)


def _groups(rows: Sequence[Json], catalogue: Catalogue) -> tuple[Group, ...]:
    """Packed rows by size and region, sorted by both; those without a region last."""
    by_key: dict[tuple[str, str | None], list[Json]] = {}
    for row in rows:
        by_key.setdefault((row["size"], row["region"]), []).append(row)
    found = [_group(size, region, same, catalogue) for (size, region), same in by_key.items()]
    return tuple(sorted(found, key=lambda g: (g.size, g.region is None, g.region or "")))


def _group(size: str, region: str | None, rows: Sequence[Json], catalogue: Catalogue) -> Group:
    known = catalogue.sizes.get(size)
    per_vm = known.gpus if known else None
    vms = sum(row["count"] for row in rows)
    return Group(
        size=size,
        region=region,
        vms=vms,
        gpus=None if per_vm is None else per_vm * vms,
        deallocated=sum(row["deallocated"] for row in rows),
        hours=_sum([row["hours"] for row in rows]),
        first=_least([row["line"] for row in rows]),
        last=_most([row["last_line"] for row in rows]),
        has_page=known is not None,
        slice_of_gpu=per_vm if per_vm is not None and per_vm < 1 else None,
    )


def _sum(values: Sequence[float | None]) -> float | None:
    """The sum, None where a value is unknown or there are none."""
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


def _least(values: Sequence[Any]) -> int | None:
    return min((value for value in values if value is not None), default=None)


def _most(values: Sequence[Any]) -> int | None:
    return max((value for value in values if value is not None), default=None)
