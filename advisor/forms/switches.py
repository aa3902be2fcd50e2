"""The switches of the answer: strategy, price model, horizon, region, day. From query text to an AdviceRequest."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import PRICE_MODELS
from advisor.engine.ranking import STRATEGIES
from advisor.engine.request import AdviceRequest
from advisor.engine.workload import ProfileFields
from advisor.templatetags.figures import PRICE_MODELS as PRICE_MODEL_WORDS

STRATEGY_WORDS = {
    "lowest_cost": "Lowest cost of ownership",
    "same_count": "Same number of machines",
    "lowest_hourly_price": "Lowest price per hour",
    "least_change": "Least change",
    "fastest": "Fastest",
    "longest_lived": "Longest-lived",
}
HORIZONS = (12, 36, 60)


class SwitchesForm(forms.Form):
    """All switches have a default, so that an empty query is a valid one."""

    strategy = forms.ChoiceField(choices=[(code, STRATEGY_WORDS[code]) for code in STRATEGIES], label="Strategy")
    price_model = forms.ChoiceField(
        choices=[(code, PRICE_MODEL_WORDS[code]) for code in PRICE_MODELS], label="Price model"
    )
    horizon = forms.IntegerField(
        min_value=1,
        max_value=120,
        label="Horizon, months",
        error_messages={"invalid": "Write whole months, for example 36.", "min_value": "At least 1 month.",
                        "max_value": "At most 120 months."},
    )  # fmt: skip
    target_region = forms.CharField(required=False, label="Region")
    as_of = forms.DateField(required=False, label="As of", error_messages={"invalid": "Write a day as 2026-11-30."})

    def __init__(self, data: Any, catalogue: Catalogue) -> None:
        defaults = {"strategy": "lowest_cost", "price_model": "payg", "horizon": "36", "target_region": "own"}
        given = {name: data[name] for name in data if name in self.base_fields and data[name] != ""}
        super().__init__(defaults | given)
        self.catalogue = catalogue

    def clean_target_region(self) -> str:
        """own, geography, any, or the ARM name of a known region."""
        text = str(self.cleaned_data["target_region"] or "own")
        if text in ("own", "geography", "any"):
            return text
        name = self.catalogue.canonical_region(text)
        if name is None:
            near = ", ".join(self.catalogue.nearest_regions(text))
            raise forms.ValidationError(f"No Azure region is called “{text}”." + (f" Nearest: {near}." if near else ""))
        return name

    def request(self, by_pool: dict[str, ProfileFields], *, top: int = 12) -> AdviceRequest:
        """The request that the switches make; only for a valid form."""
        values = self.cleaned_data
        return AdviceRequest(
            as_of=values["as_of"] or timezone.now().date(),
            horizon_months=values["horizon"],
            price_model=values["price_model"],
            strategy=values["strategy"],
            target_region=values["target_region"],
            by_pool=by_pool,
            top=top,
        )
