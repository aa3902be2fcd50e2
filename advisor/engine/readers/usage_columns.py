"""Columns of cost and usage exports: which name holds which field, and which format a header belongs to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from advisor.engine.readers.table import Layout
from advisor.engine.readers.text import header_keys

#: Names per field, best first, as `header_keys` gives them. Where a row's first one is empty the next is looked at,
#: but for the fields of `ONLY_ONE`: two columns of money are two figures.
NAMES: Mapping[str, tuple[str, ...]] = {
    "category": ("metercategory", "xskumetercategory", "servicename"),
    "subcategory": ("metersubcategory", "xskumetersubcategory", "servicetier"),
    "meter": ("metername", "xskumetername", "skumeter", "meter"),
    "product": ("productname", "product", "xskudescription", "chargedescription"),
    "info": ("additionalinfo", "xskudetails", "skupricedetails"),
    "charge": ("chargetype", "chargecategory"),
    "charge_class": ("chargeclass",),
    "commitment_status": ("commitmentdiscountstatus",),
    "provider": ("providername", "serviceprovidername", "hostprovidername"),
    "quantity": ("consumedquantity", "usagequantity", "quantity"),
    "cost": (
        *("costinbillingcurrency", "effectivecost", "cost", "pretaxcost", "extendedcost", "billedcost"),
        *("costinusd", "costusd"),
    ),
    "currency": ("billingcurrencycode", "billingcurrency", "currency", "currencycode"),
    "resource": ("resourceid", "instanceid", "instancename"),
    "group": ("resourcegroup", "resourcegroupname", "xresourcegroupname"),
    "region": (
        *("resourcelocationnormalized", "location", "resourcelocation", "regionid", "regionname", "region"),
        *("meterregion", "xskuregion"),
    ),
    "date": ("date", "usagedatetime", "usagedate", "chargeperiodstart"),
    "bill_start": ("billingperiodstartdate", "billingperiodstart"),
    "bill_end": ("billingperiodenddate", "billingperiodend"),
    "model": ("pricingmodel", "pricingcategory"),
    "commitment": ("reservationid", "benefitid", "commitmentdiscountid"),
    "commitment_type": ("commitmentdiscounttype",),
    "term": ("term", "xskuterm"),
    "service": ("consumedservice",),
    "tags": ("tags",),
}
#: The formats that are told apart.
FORMATS = (
    *("cost-ea", "cost-ea-legacy", "cost-mca", "cost-payg-usage", "cost-analysis"),
    *("focus-1.0", "focus-1.1", "focus-1.2", "focus-1.3"),
)
ONLY_ONE = frozenset({"cost", "quantity", "date", "currency", "info", "resource", "category", "tags"})
#: Costs that share the price of a commitment out over the hours that use it.
AMORTISED = frozenset({"effectivecost"})
IN_DOLLARS = frozenset({"costinusd", "costusd"})


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageLayout:
    """The places of a usage file's fields, best first. `names` are those of the header, as compared."""

    format: str
    header: tuple[str, ...]
    places: Mapping[str, tuple[int, ...]]
    names: Mapping[str, tuple[str, ...]]

    @property
    def is_focus(self) -> bool:
        return self.format.startswith("focus")

    @property
    def amortised(self) -> bool:
        """The cost column itself is of the kind that counts commitments by the hour."""
        return bool(AMORTISED.intersection(self.names.get("cost", ())))

    @property
    def says_sizes(self) -> bool:
        """Some column can name what was used."""
        return any(name in self.places for name in ("info", "meter", "subcategory", "product"))

    @property
    def in_dollars(self) -> bool:
        return bool(IN_DOLLARS.intersection(self.names.get("cost", ())))

    @property
    def read(self) -> Layout:
        """The same as a layout of cells, one made-up field per column that is read."""
        fields = {f"{field} {n}": place for field, found in self.places.items() for n, place in enumerate(found)}
        return Layout(header=self.header, fields=fields, tags={})

    def title(self, field: str) -> str | None:
        """The file's own name of a field's first column."""
        found = self.places.get(field)
        return self.header[found[0]] if found else None


def usage_format(keys: Collection[str]) -> str | None:
    """The format of a header whose names have these keys; None when it is no cost or usage export."""
    has = frozenset(keys)
    if {"billedcost", "chargeperiodstart"} <= has:
        return _focus_version(has)
    if "metercategory" in has:
        if {"resourcegroupname", "costinbillingcurrency"} <= has:
            return "cost-mca"
        if "consumedquantity" in has:
            return "cost-ea-legacy"
        if "usagequantity" in has:
            return "cost-payg-usage"
        if "quantity" in has and not has.isdisjoint({"costinbillingcurrency", "cost", "pretaxcost"}):
            return "cost-ea"
    if "meter" in has and not has.isdisjoint({"costusd", "cost"}) and not has.isdisjoint({"usagedate", "resourceid"}):
        return "cost-analysis"
    return None


def _focus_version(has: frozenset[str]) -> str:
    """By the columns that a version added; the specification's list of changes."""
    if not has.isdisjoint({"contractapplied", "serviceprovidername", "hostprovidername"}):
        return "focus-1.3"
    if "skupricedetails" in has and not has.isdisjoint({"invoiceid", "pricingcurrency"}):
        return "focus-1.2"
    if not has.isdisjoint({"capacityreservationid", "skupricedetails", "skumeter", "commitmentdiscountquantity"}):
        return "focus-1.1"
    return "focus-1.0"


def usage_layout(header: tuple[str, ...]) -> UsageLayout | None:
    """The layout of a header, None when it is no cost or usage export."""
    by_key: dict[str, int] = {}
    for place, title in enumerate(header):
        for key in header_keys(title):
            by_key.setdefault(key, place)
    found = usage_format(by_key)
    if found is None:
        return None
    names = {field: tuple(name for name in known if name in by_key) for field, known in NAMES.items()}
    names = {field: known[:1] if field in ONLY_ONE else known for field, known in names.items() if known}
    places = {field: tuple(dict.fromkeys(by_key[name] for name in known)) for field, known in names.items() if known}
    return UsageLayout(format=found, header=header, places=places, names=names)
