"""Price sheets out of a few lines, and the samples."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.sheets import PriceSheet, read_price_sheet

SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "prices"
Read = Callable[..., PriceSheet]

#: What a row of an EA sheet has unless a test says otherwise.
ROW = {
    "CurrencyCode": "USD",
    "EffectiveStartDate": "2026-11-01T00:00:00Z",
    "EffectiveEndDate": "2026-11-30T00:00:00Z",
    "MeterCategory": "Virtual Machines",
    "MeterName": "NC4as T4 v3",
    "MeterSubCategory": "NCasT4 v3 Series",
    "MeterRegion": "US East",
    "priceType": "Consumption",
    "Term": "",
    "UnitOfMeasure": "1 Hour",
    "UnitPrice": "0.5",
}


def meters(*rows: dict[str, str], header: tuple[str, ...] = tuple(ROW), above: str = "") -> str:
    """An EA sheet with one line per dictionary of what differs from ROW."""
    lines = [",".join(f'"{cell}"' for cell in [(ROW | row).get(name, "") for name in header]) for row in rows]
    return above + "\n".join([",".join(header), *lines]) + "\n"


@pytest.fixture(scope="session")
def read(catalogue: Catalogue) -> Read:
    """The sheet that text, bytes or a sample's name holds."""

    def reading(content: str | bytes | Path, name: str = "sheet.csv", **said: Any) -> PriceSheet:
        if isinstance(content, Path):
            name, content = content.name, content.read_bytes()
        raw = content if isinstance(content, bytes) else content.encode()
        return read_price_sheet(name, io.BytesIO(raw), catalogue, **said)

    return reading


@pytest.fixture(scope="session")
def hourly(read: Read) -> Callable[..., dict[str, float]]:
    """Price per hour by price model, of a sheet of meters of one size, region and system."""

    def prices(*rows: dict[str, str], **said: Any) -> dict[str, float]:
        return {key[3]: price.hourly_price for key, price in read(meters(*rows), **said).prices.items()}

    return prices
