"""The rows of a block that are hours of GPU machines: their fields are read and added to their owner."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from advisor.engine.readers import usage_texts as words
from advisor.engine.readers.fields import HOURS_MAX, MONEY_MAX
from advisor.engine.readers.problems import shown
from advisor.engine.readers.table import Integers, Mask
from advisor.engine.readers.text import BLANKS
from advisor.engine.readers.usage_block import Block, Floats, first_of
from advisor.engine.readers.usage_days import Day, read_day
from advisor.engine.readers.usage_ledger import Entries, Owner
from advisor.engine.readers.usage_texts import MODELS, Sized

_COMMITTED = [place for place, model in enumerate(MODELS) if model.startswith(("ri_", "sp_"))]


def add_gpu_rows(block: Block, gpu: Mask, sizes: Sequence[Sized]) -> None:
    """Add the rows in `gpu`, whose sizes are `sizes`; a row with a bad field is refused, with all its bad fields."""
    regions, bad = _regions(block, gpu)
    hours, bad_hours = block.numbers("quantity", gpu, HOURS_MAX)
    if block.factors("quantity"):
        bad_hours = bad_hours | np.isnan(hours)
    cost, bad_cost = block.numbers("cost", gpu, MONEY_MAX)
    days, bad_days = _days(block, gpu)
    _refuse(block, gpu, bad_hours, "quantity", "bad_number", "a number of hours, 0 or more")
    _refuse(block, gpu, bad_cost, "cost", "bad_number", "an amount of money, 0 or more")
    _refuse(block, gpu, bad_days, "date", "bad_date", "a day such as 2026-10-31")
    good = ~(bad | bad_hours | bad_cost | bad_days)
    kept: list[int] = np.flatnonzero(good).tolist()
    if kept:
        _add(block, np.flatnonzero(gpu)[kept], [sizes[k] for k in kept], [regions[k] for k in kept], hours[kept],
             cost[kept], [days[k] for k in kept])  # fmt: skip


def _regions(block: Block, gpu: Mask) -> tuple[list[str | None], Mask]:
    """The region of each row, and which rows have none that is known."""
    default = block.file.options.default_region
    if not block.factors("region"):
        number = int(gpu.sum())
        return [default] * number, np.zeros(number, dtype=np.bool_)
    codes, texts = block.combinations(("region",), gpu)
    found = [words.read_region(text.split("\n"), block.file.catalogue) for (text,) in texts]
    names = [name or (None if said else default) for name, said in found]
    bad = np.array([name is None for name in names], dtype=np.bool_)[codes]
    places = np.flatnonzero(gpu)
    for row in np.flatnonzero(bad).tolist():
        said = found[int(codes[row])][1]
        near = block.file.catalogue.nearest_regions(said[:64]) if said else ()
        what = f"“{shown(said)}” is no Azure region that is known here." if said else "the region is empty."
        kind = "unknown_region" if said else "missing_region"
        block.refuse(kind, int(places[row]), "region", what, value=said, near=near)
    return [names[code] for code in codes.tolist()], bad


def _days(block: Block, gpu: Mask) -> tuple[list[Day | None], Mask]:
    """The day of each row, None where it has none, and which rows have one that cannot be read."""
    factors = block.factors("date")
    if not factors:
        number = int(gpu.sum())
        return [None] * number, np.zeros(number, dtype=np.bool_)
    codes = factors[0].codes[gpu].tolist()
    texts = {code: words.cell(factors[0].values[code]) for code in set(codes)}
    days = {code: read_day(text) for code, text in texts.items()}
    bad = [days[code] is None and bool(texts[code]) for code in codes]
    return [days[code] for code in codes], np.array(bad, dtype=np.bool_)


def _refuse(block: Block, gpu: Mask, bad: Mask, name: str, kind: str, allowed: str) -> None:
    if not bad.any():
        return
    for row in np.flatnonzero(gpu)[bad].tolist():
        text = shown(block.factors(name)[0].cell(row).strip(BLANKS))
        found = f"“{text}” cannot be read" if text else "the cell is empty"
        block.refuse(kind, row, name, f"{found}; allowed is {allowed}.", value=text)


def _add(
    block: Block,
    rows: Integers,
    sizes: Sequence[Sized],
    regions: Sequence[str | None],
    hours: Floats,
    cost: Floats,
    days: Sequence[Day | None],
) -> None:
    """Add good rows to their owners. What a commitment's hours cost is unknown where another row has their price."""
    ledger = block.file.ledger
    ledger.gpu_rows += len(rows)
    mask = np.zeros(len(block.lines), dtype=np.bool_)
    mask[rows] = True
    models = _models(block, mask, sizes)
    if not block.file.layout.amortised:
        bare = np.isin(models, _COMMITTED) & (cost == 0)
        ledger.bare_commitments += int(bare.sum())
        cost = np.where(bare, np.nan, cost)
    numbers = np.array([ledger.day_number(day) for day in days], dtype=np.int64)
    ledger.add(Entries(_owners(block, mask, sizes, regions, models), numbers, models, hours, cost))


def _models(block: Block, mask: Mask, sizes: Sequence[Sized]) -> Integers:
    """The price model of each row as its place in `MODELS`."""
    codes, texts = block.combinations(("model", "commitment", "commitment_type", "term", "info"), mask)
    seen: dict[tuple[int, bool, bool], tuple[int, bool]] = {}
    numbers = []
    for size, code in zip(sizes, codes.tolist(), strict=True):
        key = (code, size.spot, size.low)
        if key not in seen:
            model, commitment, kind, term, info = texts[code]
            ids = f"{commitment} {words.read_info(info).reservation}"
            found, assumed = words.read_model(size, model, ids, kind, first_of(term))
            seen[key] = MODELS.index(found), assumed
        number, assumed = seen[key]
        numbers.append(number)
        block.file.ledger.terms_assumed += assumed
    return np.array(numbers, dtype=np.int64)


def _owners(
    block: Block, mask: Mask, sizes: Sequence[Sized], regions: Sequence[str | None], models: Integers
) -> Integers:
    """The number of each row's owner. Machines that the file does not tell apart are told apart by price model."""
    codes, texts = block.combinations(("resource", "group", "info", "service", "tags", "currency"), mask)
    machines = [words.read_machine(r, first_of(g), i, s, t) for r, g, i, s, t, _ in texts]
    seen: dict[tuple[object, ...], int] = {}
    numbers = []
    for row, size, region, code, model in zip(
        np.flatnonzero(mask).tolist(), sizes, regions, codes.tolist(), models.tolist(), strict=True
    ):
        machine = machines[code]
        apart = None if machine.single else model
        key = (code, size.name.name, region, apart, size.meter_windows)
        if key not in seen:
            known = (machine.resource, machine.vm_name, size.name.name, region, apart)
            number = block.file.ledger.number(known)
            if number is None:
                number = block.file.ledger.number_of(known, _owner(block, texts[code], machine, size, region, row))
            seen[key] = number
        numbers.append(seen[key])
    return np.array(numbers, dtype=np.int64)


def _owner(
    block: Block, texts: Sequence[str], machine: words.Machine, size: Sized, region: str | None, row: int
) -> Owner:
    currency = words.cell(texts[5]).upper()
    windows = True if size.meter_windows or size.image_windows else False if size.image_linux else None
    return Owner(
        machine=machine,
        size=size.name.name or "",
        region=region,
        currency="USD" if block.file.layout.in_dollars else currency if len(currency) == 3 else None,
        windows=windows,
        licence_in_meter=size.meter_windows,
        tags=words.tag_text(texts[4]),
        place=int(block.lines[row]),
    )
