"""How one size is looked at: from which day, and which of its prices in which order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django import forms

from advisor.engine.prices import Os, PriceModel
from advisor.engine.size_prices import COLUMNS
from advisor.forms.catalogue import DayForm


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceForm:
    """Which prices: of one system, by one price model or by region, the first regions or all of them."""

    os: Os = "linux"
    sort: PriceModel | None = None  # None: by region
    everything: bool = False
    as_of: str = ""  # the day the page is seen from, "" for today

    def address(self, **changes: Any) -> str:
        """The query text of this view of the prices with changes, and the place on the page."""
        new = replace(self, **changes)
        values = {
            "as_of": new.as_of,
            "os": "" if new.os == "linux" else new.os,
            "prices": new.sort or "",
            "regions": "all" if new.everything else "",
        }
        query = urlencode({name: value for name, value in values.items() if value})
        return f"?{query}#prices"

    @property
    def by_region(self) -> str:
        return self.address(sort=None)

    @property
    def all_regions(self) -> str:
        return self.address(everything=True)

    @property
    def other_os(self) -> str:
        return self.address(os="linux" if self.os == "windows" else "windows")


class SizeForm(DayForm):
    """Day and prices; what is not known among the prices means the default."""

    os = forms.ChoiceField(required=False, choices=[("linux", "Linux"), ("windows", "Windows")])
    prices_by = forms.ChoiceField(required=False, choices=[(model, model) for model in COLUMNS])
    regions = forms.ChoiceField(required=False, choices=[("all", "all")])

    def add_prefix(self, field_name: str) -> str:
        """`prices_by` is called prices in the address."""
        return "prices" if field_name == "prices_by" else field_name

    def prices(self) -> PriceForm:
        """Which prices to show."""
        values = self.cleaned_data
        day = values.get("as_of")
        return PriceForm(
            os=values.get("os") or "linux",
            sort=values.get("prices_by") or None,
            everything=bool(values.get("regions")),
            as_of=str(day) if day else "",
        )
