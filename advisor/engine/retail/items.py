"""Items of the Azure Retail Prices API as hourly prices: which items count, and what each of them says.

An item is a JSON object of the reply. Size names are compared as they stand, without blanks around them; a part of a
name matches nothing. `isPrimaryMeterRegion` is not looked at: it is false on rows that are in force.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import Os, Price, PriceModel
from advisor.engine.retail.findings import MODEL_WORDS, Finding

Item = Mapping[str, Any]

#: What is read of an item; the rest need not be kept.
FIELDS = (
    "armRegionName",
    "armSkuName",
    "currencyCode",
    "effectiveEndDate",
    "effectiveStartDate",
    "meterName",
    "productName",
    "reservationTerm",
    "retailPrice",
    "savingsPlan",
    "serviceName",
    "skuName",
    "tierMinimumUnits",
    "type",
    "unitOfMeasure",
)
#: A reservation is listed at the price of its whole term, although its unit says "1 Hour".
RESERVATIONS: Mapping[str, tuple[PriceModel, int]] = {"1 Year": ("ri_1y", 8760), "3 Years": ("ri_3y", 26280)}
SAVINGS_PLANS: Mapping[str, PriceModel] = {"1 Year": "sp_1y", "3 Years": "sp_3y"}
_WINDOWS = re.compile(r"Win(dows)?$")
_DEDICATED_SKU = re.compile(r"Type ?\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one region was asked for, and how its answer is to be read.

    `names` leads from every spelling that the API may use to the canonical name; `day` is the day of reading.
    """

    region: str
    currency: str
    day: date
    source: str
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One hourly price, with the day since which it is in force."""

    price: Price
    since: date


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionList:
    """The prices of one region, what was wrong with items, how many were left out by reason, and unknown names."""

    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]
    left_out: Mapping[str, int]
    unknown: frozenset[str]


def known_names(catalogue: Catalogue) -> dict[str, str]:
    """Canonical names by every spelling of the API: the names themselves and their aliases."""
    names = {f"Standard_{alias}": size.name for size in catalogue.sizes.values() for alias in size.aliases}
    return names | {name: name for name in (*catalogue.sizes, *catalogue.listed_names)}


def read_items(items: Iterable[Item], asked: Asked) -> RegionList:
    """The rows of one region's items, in their order; several of one key stay several.

    A price that is no number, or below 0, is an error; one of 0 is left out with a warning.
    """
    rows: list[Row] = []
    findings: dict[Finding, None] = {}
    left_out: Counter[str] = Counter()
    unknown: set[str] = set()
    for item in items:
        why = _left_out(item, asked)
        if why:
            left_out[why] += 1
            if why == "unknown name":
                unknown.add(_text(item, "armSkuName"))
            continue
        for model, amount, hours in _offers(item):
            read = _read(item, model, amount, hours, asked)
            if isinstance(read, Row):
                rows.append(read)
            else:
                findings[read] = None
    return RegionList(rows=tuple(rows), findings=tuple(findings), left_out=left_out, unknown=frozenset(unknown))


def _left_out(item: Item, asked: Asked) -> str:
    """Why an item is no price of an N-series VM of the region; "" when it is one."""
    size, kind = _text(item, "armSkuName"), _text(item, "type")
    if _text(item, "serviceName") != "Virtual Machines" or _text(item, "unitOfMeasure") != "1 Hour":
        return "no virtual machine by the hour"
    if "Dedicated" in _text(item, "productName") or _DEDICATED_SKU.search(_text(item, "skuName")):
        return "dedicated host"
    if any(_text(item, name).endswith("Low Priority") for name in ("meterName", "skuName")):
        return "low priority"
    if kind not in ("Consumption", "Reservation"):
        return "dev/test" if kind == "DevTestConsumption" else "another type"
    if size not in asked.names:
        return "unknown name" if size.casefold().startswith("standard_n") else "another series"
    if _text(item, "armRegionName") != asked.region:
        return "another region"
    if not _starts(item) <= asked.day <= _ends(item):
        return "not in force"
    if item.get("tierMinimumUnits") not in (None, 0):
        return "another tier"
    if kind == "Reservation" and (_os(item) == "windows" or _text(item, "reservationTerm") not in RESERVATIONS):
        return "another term"
    return ""


def _offers(item: Item) -> Iterator[tuple[PriceModel, Any, int]]:
    """Price models of an item, each with its amount as it stands there and the hours that the amount pays for."""
    if _text(item, "type") == "Reservation":
        model, hours = RESERVATIONS[_text(item, "reservationTerm")]
        yield model, item.get("retailPrice"), hours
    elif any(_text(item, name).endswith(" Spot") for name in ("skuName", "meterName")):
        yield "spot", item.get("retailPrice"), 1
    else:
        yield "payg", item.get("retailPrice"), 1
        yield from _plans(item)


def _plans(item: Item) -> Iterator[tuple[PriceModel, Any, int]]:
    """Savings plans of a Linux item; those of the few Windows items discount the licence too and are not read."""
    plans = item.get("savingsPlan")
    if _os(item) == "windows" or not isinstance(plans, list):
        return
    for plan in plans:
        if isinstance(plan, dict) and _text(plan, "term") in SAVINGS_PLANS:
            yield SAVINGS_PLANS[_text(plan, "term")], plan.get("retailPrice"), 1


def _read(item: Item, model: PriceModel, amount: Any, hours: int, asked: Asked) -> Row | Finding:
    size, os, money = asked.names[_text(item, "armSkuName")], _os(item), _number(amount)
    what = f"{os} {MODEL_WORDS[model]}"
    if _text(item, "currencyCode") != asked.currency:
        found = _text(item, "currencyCode") or "no currency"
        return _finding("other-currency", "", asked, f"prices are in {found}; {asked.currency} was asked for")
    if money is None or money < 0:
        return _finding("bad-price", size, asked, f"{what} is {amount!r}; a price is a number above 0")
    if money == 0:
        return _finding("zero-price", size, asked, f"{what} is 0, which is no price: left out", warning=True)
    price = Price(
        size=size,
        region=asked.region,
        os=os,
        price_model=model,
        hourly_price=money / hours,
        as_of=asked.day,
        source=asked.source,
    )
    return Row(price=price, since=_starts(item))


def _finding(code: str, size: str, asked: Asked, message: str, *, warning: bool = False) -> Finding:
    severity: Any = "warning" if warning else "error"
    return Finding(code=code, severity=severity, size=size, region=asked.region, message=message)


def _os(item: Item) -> Os:
    return "windows" if _WINDOWS.search(_text(item, "productName")) else "linux"


def _text(item: Item, name: str) -> str:
    value = item.get(name)
    return value.strip() if isinstance(value, str) else ""


def _number(value: Any) -> float | None:
    """A finite number; None for text, NaN, infinity and anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _starts(item: Item) -> date:
    return _day(item, "effectiveStartDate") or date.min


def _ends(item: Item) -> date:
    return _day(item, "effectiveEndDate") or date.max


def _day(item: Item, name: str) -> date | None:
    try:
        return datetime.fromisoformat(_text(item, name)).date()
    except ValueError:
        return None
