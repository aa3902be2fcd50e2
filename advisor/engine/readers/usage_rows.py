"""Judges the rows of a usage file block by block: each is a machine's hours, something else, or an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from advisor.engine.readers import usage_texts as words
from advisor.engine.readers.fields import MONEY_MAX
from advisor.engine.readers.names import Kind
from advisor.engine.readers.problems import shown
from advisor.engine.readers.table import Factor, Integers, Mask
from advisor.engine.readers.usage_block import Block, UsageFile, first_of
from advisor.engine.readers.usage_days import read_day
from advisor.engine.readers.usage_gpu_rows import add_gpu_rows
from advisor.engine.readers.usage_texts import Sized

_NONE = -1  # nothing speaks against the row

Reason = tuple[str, str] | None  # why a row is no hour of a GPU machine, and the size or category that it names


def add_block(file: UsageFile, lines: Integers, columns: Mapping[int, Factor]) -> None:
    """Add some rows to the file's ledger, and what is wrong with them to its problems."""
    if not len(lines):
        return
    block = Block(file, lines, columns)
    file.ledger.rows += len(lines)
    for name, kept in (("bill_start", file.ledger.starts), ("bill_end", file.ledger.ends)):
        texts = (text for factor in block.factors(name) for text in factor.values)
        kept.update(day for text in texts if (day := read_day(text)))
    hours = _machine_hours(block)
    if hours.any():
        _add_machine_hours(block, hours)


def _machine_hours(block: Block) -> Mask:
    """The rows that are hours of machines; the others are counted by why they are not."""
    everything = np.ones(len(block.lines), dtype=np.bool_)
    names = ("provider", "charge", "charge_class", "commitment_status", "category")
    codes, texts = block.combinations(names, everything)
    reasons = [_reason(block, *found) for found in texts]
    compute, software = _flag(block, words.is_compute), _flag(block, words.is_software)
    numbers = np.array([_NONE if why is None else place for place, why in enumerate(reasons)], dtype=np.int64)[codes]
    unnamed = np.array([why == (words.NOT_COMPUTE, "") for why in reasons])[codes]
    numbers[unnamed & compute] = _NONE  # no category says what the row is, but AdditionalInfo does
    numbers[(numbers == _NONE) & software] = len(reasons)
    reasons.append((words.LICENCE, ""))
    _ignore(block, numbers, reasons)
    charges = np.array([why is not None and why[0] in words.NOT_USAGE for why in reasons] + [False])[numbers]
    for factor in block.factors("date"):
        used = np.unique(factor.codes[~charges]).tolist()
        block.file.ledger.used.update(day for code in used if (day := read_day(factor.values[code])))
    licences = np.array([why is not None and why[0] == words.LICENCE for why in reasons] + [False])[numbers]
    if licences.any():
        _add_licences(block, licences)
    hours: Mask = numbers == _NONE
    return hours


def _reason(block: Block, provider: str, charge: str, charge_class: str, status: str, category: str) -> Reason:
    if block.file.layout.is_focus and not words.is_microsoft(first_of(provider)):
        return words.OTHER_PROVIDER, first_of(provider)
    if why := words.charge_reason(charge, charge_class, status):
        return why, ""
    named = first_of(category)
    why = words.category_reason(named)
    return None if why is None else (why, named)


def _flag(block: Block, test: words.Test) -> Mask:
    """The rows whose AdditionalInfo passes a test."""
    found = block.factors("info")
    return found[0].flag(test) if found else np.zeros(len(block.lines), dtype=np.bool_)


def _ignore(block: Block, numbers: Integers, reasons: Sequence[Reason]) -> None:
    for number in np.unique(numbers[numbers != _NONE]).tolist():
        places = block.lines[numbers == number]
        why, size = reasons[number] or ("", "")
        block.file.ledger.ignore(why, shown(size), len(places), int(places[0]), int(places[-1]))


def _add_licences(block: Block, licences: Mask) -> None:
    """Remember which machines pay for Windows in a row of its own, and what."""
    names = ("resource", "info", "meter", "subcategory", "product")
    codes, texts = block.combinations(names, licences)
    cost = np.nan_to_num(block.numbers("cost", licences, MONEY_MAX)[0])
    kept = block.file.ledger.licences
    for code, money in zip(codes.tolist(), cost.tolist(), strict=True):
        resource, info, *rest = texts[code]
        said = words.read_info(info)
        if "windows" in f"{said.image} {' '.join(rest)}".casefold():
            key = words.resource_key(resource), said.vm_name.casefold()
            kept[key] = kept.get(key, 0.0) + money


def _add_machine_hours(block: Block, hours: Mask) -> None:
    """Of the machine hours those of GPU sizes are added; the others are counted, or refused as unknown sizes."""
    codes, texts = block.combinations(("info", "meter", "subcategory", "product"), hours)
    sizes = [block.file.size_of(info, first_of(meter), *rest) for info, meter, *rest in texts]
    reasons = [_size_reason(size) for size in sizes]
    places = np.flatnonzero(hours)
    numbers = np.full(len(block.lines), _NONE)
    numbers[places] = np.array([_NONE if why is None else n for n, why in enumerate(reasons)], dtype=np.int64)[codes]
    _ignore(block, numbers, reasons)
    kinds = np.array([int(size.name.kind) for size in sizes])[codes]
    for row in np.flatnonzero(kinds == Kind.UNKNOWN).tolist():
        _refuse_size(block, int(places[row]), sizes[int(codes[row])])
    gpu = kinds == Kind.GPU
    if gpu.any():
        rows = np.zeros(len(block.lines), dtype=np.bool_)
        rows[places[gpu]] = True
        add_gpu_rows(block, rows, [sizes[code] for code in codes[gpu].tolist()])


def _size_reason(size: Sized) -> Reason:
    kind = size.name.kind
    if kind in (Kind.GPU, Kind.UNKNOWN):
        return None
    if kind == Kind.BLANK:
        return words.NO_SIZE_SAID, ""
    return ("not_gpu" if kind == Kind.NOT_GPU else "no_gpu"), size.name.name or size.text


def _refuse_size(block: Block, row: int, size: Sized) -> None:
    by_info = words.read_info(block.cell("info", row)).size == size.text
    block.refuse(
        "unknown_size",
        row,
        "info" if by_info else "meter",
        f"“{shown(size.text)}”: no N-series size of that name is known.",
        value=size.text,
        near=block.file.catalogue.nearest_sizes(size.text[:64]),
    )
