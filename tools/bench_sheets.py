"""A made-up EA price sheet for `make bench`: the columns and spellings of a real one, a tenth of it GPU machines."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROWS = 100_000
HEADER = (
    "BasePrice,CurrencyCode,EffectiveEndDate,EffectiveStartDate,IncludedQuantity,MarketPrice,MeterId,MeterCategory,"
    "MeterName,MeterSubCategory,MeterRegion,MeterType,PartNumber,priceType,Product,ProductID,ServiceFamily,SkuID,Term,"
    "UnitOfMeasure,UnitPrice"
)
OTHERS = ("Virtual Machines", "Storage", "SQL Database", "Bandwidth", "Azure App Service")
GPU_SHARE = 0.1


def rows(catalogue: Any, number: int) -> Iterator[list[str]]:
    """The same rows for the same number."""
    rng = random.Random(20261130)  # noqa: S311 (a seed, not a secret)
    regions = sorted(region.aliases[0] for region in catalogue.regions.values() if region.aliases)
    sizes = sorted((size.short, size.series) for size in catalogue.sizes.values() if size.is_gpu)
    for line in range(number):
        region = rng.choice(regions)
        if rng.random() < GPU_SHARE:
            (size, series), category = rng.choice(sizes), "Virtual Machines"
            meter, product = size.replace("_", " "), f"{series} Series{rng.choice(('', ' Windows'))}"
        else:
            category, product = rng.choice(OTHERS), "Dsv5 Series"
            meter = f"D{rng.randint(1, 96)}s v{rng.randint(2, 6)}"
        kind, term, unit, price = rng.choice(
            (
                ("Consumption", "", "100 Hours", rng.uniform(300, 900)),
                ("SavingsPlan", "P1Y", "1 Hour", rng.uniform(2, 3)),
                ("ReservedInstance", "P3Y", "1 Hour", rng.uniform(50_000, 70_000)),
            )
        )
        amount, full = f"{price:.15f}", f"Virtual Machines {product} - {meter} - {region}"
        yield [
            amount, "USD", "2026-11-30T00:00:00Z", "2026-11-01T00:00:00Z", "0", amount, f"{line:036d}", category, meter,
            product, region, "ComputeHours", f"AAA-{line:05d}", kind, full,
            f"DZH{line % 3000:04d}", "Compute", f"DZH{line % 3000:04d}/{line % 97:04d}", term, unit, amount,
        ]  # fmt: skip


def write_sheet(path: Path, catalogue: Any, number: int = ROWS) -> Path:
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        file.write(HEADER + "\n")
        csv.writer(file, lineterminator="\n").writerows(rows(catalogue, number))
    return path
