"""Items as the Azure Retail Prices API gives them: the real ones of the sample, and made-up ones of the same form."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from advisor.engine.prices import Price, PriceBook

Item = dict[str, Any]
SAMPLE = Path(__file__).resolve().parent.parent / "samples" / "retail" / "items.json"
TERMS = {"ri_1y": ("1 Year", 8760), "ri_3y": ("3 Years", 26280), "sp_1y": ("1 Year", 1), "sp_3y": ("3 Years", 1)}


def sample_items() -> list[Item]:
    """Real items, in the order: NC48ads A100 pay-as-you-go, its 1-year and 3-year reservation, NV36ads A10 with
    Windows, its Dev/Test twin, ND96ams A100 spot, NC80adis H100 Low Priority, D2s v3 with savings plans."""
    return [dict(item) for item in _sample()]


@cache
def _sample() -> list[Item]:
    items: list[Item] = json.loads(SAMPLE.read_text(encoding="utf-8"))
    return items


def make_item(size: str, price: Any, region: str = "westeurope", os: str = "linux", **changes: Any) -> Item:
    """A pay-as-you-go item of `size`, without Standard_; `changes` replace its fields, None removes one."""
    item = _sample()[0] | {
        "armSkuName": f"Standard_{size}",
        "armRegionName": region,
        "retailPrice": price,
        "unitPrice": price,
        "meterName": size,
        "skuName": size,
        "productName": f"Virtual Machines {size} Series{' Windows' if os == 'windows' else ''}",
    }
    return {name: value for name, value in (item | changes).items() if value is not None}


def make_reservation(size: str, total: Any, term: str = "1 Year", region: str = "westeurope", **changes: Any) -> Item:
    return make_item(size, total, region, type="Reservation", reservationTerm=term, **changes)


def make_spot(size: str, price: Any, region: str = "westeurope", os: str = "linux", **changes: Any) -> Item:
    return make_item(size, price, region, os, **{"meterName": f"{size} Spot", "skuName": f"{size} Spot"} | changes)


def items_of(prices: Iterable[Price], currency: str = "USD", factor: float = 1.0) -> list[Item]:
    """What the API would list for these prices: savings plans inside the Linux item, terms as totals, each Windows
    item with its Dev/Test twin. Windows commitments are left out, as the API has none; so are commitments of sizes
    without a Linux price."""
    by_size: dict[tuple[str, str], dict[tuple[str, str], float]] = {}
    for price in prices:
        by_size.setdefault((price.size, price.region), {})[price.os, price.price_model] = price.hourly_price * factor
    items: list[Item] = []
    for (size, region), found in by_size.items():
        name = size.removeprefix("Standard_")
        for os in ("linux", "windows"):
            if (os, "payg") in found:
                items.append(make_item(name, found[os, "payg"], region, os))
            if (os, "spot") in found:
                items.append(make_spot(name, found[os, "spot"], region, os))
        if ("windows", "payg") in found:
            twin = found.get(("linux", "payg"), found["windows", "payg"])
            items.append(make_item(name, twin, region, "windows", type="DevTestConsumption"))
        if ("linux", "payg") in found:
            plans = [
                {"term": TERMS[model][0], "retailPrice": found["linux", model], "unitPrice": found["linux", model]}
                for model in ("sp_3y", "sp_1y")
                if ("linux", model) in found
            ]
            if plans:
                next(i for i in items if i["armSkuName"] == size and i["armRegionName"] == region)["savingsPlan"] = (
                    plans
                )
            for model in ("ri_1y", "ri_3y"):
                if ("linux", model) in found:
                    term, hours = TERMS[model]
                    items.append(make_reservation(name, found["linux", model] * hours, term, region))
    return [item | {"currencyCode": currency} for item in items]


def live_prices(book: PriceBook, region: str, days: int = 183) -> list[Price]:
    """Prices of the book in a region that are at most `days` older than it."""
    return [p for p in book.prices.values() if p.region == region and (book.as_of - p.as_of).days <= days]
