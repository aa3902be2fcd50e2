"""Columns of price sheets: those of Azure's exports by their several names, and those of a list made by hand.

EA and MCA sheets of 2023-05-01, the older EA download and a saved Retail Prices answer name the same things; names are
compared squashed, so that `Meter sub-category`, `MeterSubCategory` and `meterSubCategory` are one.
"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.engine.catalogue import squash
from advisor.engine.readers.head import Table
from advisor.engine.readers.table import Layout
from advisor.engine.readers.text import header_keys
from advisor.engine.readers.words import field_of, words_of

METERS = "price-sheet"
BY_HAND = "price-list"
#: Field of a meter sheet: its header names, the one to be preferred first.
METER_FIELDS: Mapping[str, tuple[str, ...]] = {
    "size": ("metername",),
    "category": ("metercategory", "servicename"),
    "subcategory": ("metersubcategory",),
    "product": ("product", "productname"),
    "region": ("meterregion", "armregionname", "location"),
    "unit": ("unitofmeasure", "unit"),
    "price": ("unitprice", "retailprice"),
    "currency": ("currencycode", "currency", "billingcurrency"),  # in MCA prices are in Currency, bills in the other
    "offer": ("offerid",),
    "term": ("term", "reservationterm"),
    "type": ("pricetype", "type"),
    "start": ("effectivestartdate",),
    "end": ("effectiveenddate",),
    "tier": ("tierminimumunits",),
}
METER_NEEDED = ("size", "category", "region", "unit", "price")
#: Titles of those columns in Azure's own exports, for messages.
METER_TITLES = "MeterName, MeterCategory, MeterRegion, UnitOfMeasure and UnitPrice"
HAND_NEEDED = ("size", "region", "price")
HAND_TITLES = "size, region and hourly_price"
_HOURLY = words_of(
    """
    hourly price, hourly_price, price, price per hour, price/hour, price hour, unit price, hourly rate, rate per hour,
    rate, hourly cost, stundenpreis, preis pro stunde, preis, precio por hora, preço por hora, prix horaire,
    prezzo orario, 시간당 가격, 시간당 요금, 시간당 단가, 단가, 時間単価, 時間あたりの価格, 每小时价格
    """
)
_DAYS = words_of("as of, as_of, price date, date, day, valid from, effective date, effectivestartdate, stand, 기준일")
_HAND_BY_KEY = {squash(word): field for field, many in (("price", _HOURLY), ("start", _DAYS)) for word in many}
_METER_KEYS = frozenset(key for names in METER_FIELDS.values() for key in names)


def known_name(header: str) -> str | None:
    """The name under which a column is known in any price sheet, None for a column that none has."""
    for key in header_keys(header):
        if key in _METER_KEYS:
            return key
    return hand_field(header)


def hand_field(header: str) -> str | None:
    """The field of a column of a list made by hand."""
    for key in header_keys(header):
        if key in _HAND_BY_KEY:
            return _HAND_BY_KEY[key]
    fleet_field = field_of(header)
    return fleet_field if fleet_field in ("size", "region", "os", "price_model", "currency") else None


def meter_layout(table: Table) -> Layout | None:
    """Which column of a meter sheet holds which field; None where a needed one is missing."""
    places: dict[str, int] = {}
    for place, name in enumerate(table.header):
        for key in header_keys(name):
            places.setdefault(key, place)
    fields = {}
    for field, names in METER_FIELDS.items():
        if found := [places[name] for name in names if name in places]:
            fields[field] = found[0]
    return _layout(table, fields, METER_NEEDED)


def hand_layout(table: Table) -> Layout | None:
    """Which column of a list made by hand holds which field; None where a needed one is missing."""
    fields: dict[str, int] = {}
    for place, name in enumerate(table.header):
        if not table.headless and (field := hand_field(name)) is not None:
            fields.setdefault(field, place)
    return _layout(table, fields, HAND_NEEDED)


def _layout(table: Table, fields: dict[str, int], needed: tuple[str, ...]) -> Layout | None:
    return Layout(header=table.header, fields=fields, tags={}) if fields.keys() >= set(needed) else None
