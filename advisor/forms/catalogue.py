"""The filters of the catalogue: from query text to what a size must have, and back to the shortest query text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils import timezone

from advisor.engine.catalogue import Catalogue
from advisor.engine.listing import FAMILIES, SORTS, STATUSES, Wanted, family_of, gpus_named

SORT_WORDS = {
    "status": "Status",
    "name": "Size",
    "gpu": "GPU",
    "gpus": "GPUs",
    "memory": "GPU memory, each",
    "total": "GPU memory, VM",
    "vcpus": "vCPU",
    "ram": "Memory",
    "infiniband": "InfiniBand",
    "price": "Price per VM",
    "gpu_price": "Price per GPU",
    "priced": "Date of price",
}
SORT_ENDS = {
    "status": ("current", "unknown"),
    "name": ("A", "Z"),
    "gpu": ("A", "Z"),
    "price": ("cheapest", "dearest"),
    "gpu_price": ("cheapest", "dearest"),
    "priced": ("oldest", "newest"),
}
VENDORS = (("", "any"), ("nvidia", "NVIDIA"), ("amd", "AMD"), ("fpga", "FPGA, no GPU"))
FIRST_DAY, LAST_DAY = date(2015, 1, 1), date(2040, 12, 31)
DEFAULT_REGION = "westeurope"
NUMBER = "Write a number, for example %s."


def number(label: str, example: str, most: float) -> forms.FloatField:
    """A figure from 0 on."""
    errors = {"invalid": NUMBER % example, "min_value": "At least 0.", "max_value": f"At most {most:,.0f}."}
    widget = forms.TextInput(attrs={"inputmode": "decimal", "size": 6})  # text, so that a mistake stays to be seen
    return forms.FloatField(
        label=label, required=False, min_value=0, max_value=most, error_messages=errors, widget=widget
    )


class DayForm(forms.Form):
    """The day from which a lifecycle is seen; today when nothing is said."""

    as_of = forms.DateField(
        label="Status on",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": "Write a day as 2026-11-30."},
    )

    def clean_as_of(self) -> date | None:
        """A day within the range for which the ledger makes sense."""
        day: date | None = self.cleaned_data["as_of"]
        if day is not None and not FIRST_DAY <= day <= LAST_DAY:
            raise forms.ValidationError(f"Write a day between {FIRST_DAY} and {LAST_DAY}.")
        return day

    def day(self) -> date:
        """The day asked for; today also where the form is not valid."""
        return getattr(self, "cleaned_data", {}).get("as_of") or timezone.localdate()


class CatalogueForm(DayForm):
    """Every filter may be left out, so that an empty query lists all sizes."""

    field_order = ("q", "series", "gpu", "vendor", "memory", "gpus", "price", "region", "as_of", "sort")
    q = forms.CharField(
        label="Text", required=False, max_length=80, widget=forms.TextInput(attrs={"placeholder": "A100, NC24"})
    )
    series = forms.ChoiceField(label="Series", required=False)
    gpu = forms.ChoiceField(label="GPU", required=False)
    vendor = forms.ChoiceField(label="Vendor", required=False, choices=VENDORS)
    status = forms.MultipleChoiceField(
        label="Status", required=False, choices=[(word, word) for word in STATUSES],
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip
    region = forms.ChoiceField(label="Prices and status in", required=False)
    offered = forms.BooleanField(label="offered in the region", required=False)
    memory = number("GPU memory from, GiB", "24", 10_000)
    gpus = number("GPUs from", "4", 1_000)
    infiniband = forms.BooleanField(label="InfiniBand", required=False)
    generation_1 = forms.BooleanField(label="Generation 1", required=False)
    price = number("USD / VM-hour up to", "2.5", 100_000)
    sort = forms.ChoiceField(label="Sort by", required=False)

    def __init__(self, data: Any, catalogue: Catalogue, currency: str) -> None:
        super().__init__(data, label_suffix="")
        sizes = list(catalogue.sizes.values())
        gpus = sorted({size.gpu for size in sizes if size.gpu})
        self.choose("series", series_choices(catalogue))
        self.choose("gpu", gpu_choices(gpus, str(self.data.get("gpu", ""))))
        self.choose("region", region_choices(catalogue))
        self.choose("sort", sort_choices())
        self.fields["price"].label = f"{currency} / VM-hour up to"

    def choose(self, name: str, choices: Sequence[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 (for the type checker)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        """Offered and price speak of a region, so they need one."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("region") == "none":
            for name in ("offered", "price"):
                if values.get(name):
                    self.add_error(name, "Choose a region: without one there is no price and no offer.")
        return values

    def priced_region(self) -> str | None:
        """The ARM name of the region; None where none is wanted."""
        name = self.cleaned_data["region"] or DEFAULT_REGION
        return None if name == "none" else str(name)

    def sorting(self) -> tuple[str, bool]:
        """Key of engine.listing.SORTS, and whether it descends."""
        text = self.cleaned_data["sort"] or "status"
        return text.removeprefix("-"), text.startswith("-")

    def wanted(self) -> Wanted:
        """What a size must have; only for a valid form."""
        values = self.cleaned_data
        same = ("series", "gpu", "vendor", "offered", "memory", "gpus", "infiniband", "generation_1", "price")
        return Wanted(text=values["q"], status=tuple(values["status"]), **{name: values[name] for name in same})

    def query(self, **changes: Any) -> str:
        """The shortest query text for this list, with changes; None, "" and False leave a field out."""
        values = {name: self.cleaned_data.get(name) for name in self.fields} | changes
        if values.get("region") == DEFAULT_REGION:
            values["region"] = ""
        if values.get("sort") == "status":
            values["sort"] = ""
        pairs = [(name, _text(value)) for name, value in values.items() if value not in (None, "", False, [])]
        return urlencode(pairs, doseq=True)

    def problems(self) -> list[tuple[str, str, str]]:
        """Field id, label and message of each mistake."""
        found = [(self[name], str(text)) for name, texts in self.errors.items() for text in texts]
        return [(str(field.auto_id), str(field.label), text) for field, text in found]


def _text(value: Any) -> Any:
    if value is True:
        return "on"
    return f"{value:g}" if isinstance(value, float) else value


def series_choices(catalogue: Catalogue) -> list[Any]:
    """Any, then per family the whole family and each of its series."""
    choices: list[Any] = [("", "any")]
    for family in FAMILIES:
        series = sorted({size.series for size in catalogue.sizes.values() if family_of(size) == family})
        choices.append((family, [(f"{family} family", f"all {family}"), *((name, name) for name in series)]))
    return choices


def gpu_choices(names: Sequence[str], asked: str) -> list[Any]:
    """Any, each GPU, before kinds of one chip all of them; and what the address asks for where it names some."""
    chips = [name.split()[0] for name in names]
    choices: list[Any] = [("", "any")]
    for name, chip in zip(names, chips, strict=True):
        if chips.count(chip) > 1 and (chip, f"{chip}, all kinds") not in choices:
            choices.append((chip, f"{chip}, all kinds"))
        choices.append((name, name))
    if asked and asked not in dict(choices) and gpus_named(asked, names):
        choices.append((asked, asked))
    return choices


def region_choices(catalogue: Catalogue) -> list[Any]:
    """West Europe first, then no region, then all by name."""
    regions = sorted(catalogue.regions.values(), key=lambda region: region.display_name)
    first = catalogue.regions[DEFAULT_REGION]
    others = [(region.name, region.display_name) for region in regions if region.name != DEFAULT_REGION]
    return [(first.name, first.display_name), ("none", "none: no prices"), *others]


def sort_choices() -> list[Any]:
    """Each key upwards and downwards, the default first."""
    return [
        (sign + key, f"{SORT_WORDS[key]}: {word} first")
        for key in SORTS
        for sign, word in zip(("", "-"), SORT_ENDS.get(key, ("least", "most")), strict=True)
    ]
