"""Apps that share the GPUs of a device, as rows of an address: repeated names, one value per row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict

from advisor.engine.edge.apps import App, InvalidApps, apps_of
from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.edge.sharing import equal_shares
from advisor.forms.edge_order import DeviceForm

MOST_ROWS = 16
METHODS = (
    ("", "choose for me"),
    ("mps", "MPS"),
    ("time", "time sharing"),
    ("whole", "whole GPU"),
    ("vm", "GPU VM"),
)
#: Address name of a column, its field in the engine's App, what an empty cell means in the address.
COLUMNS = ("name", "method", "share", "memory", "processes", "replicas", "gpus", "trusts", "image", "kind")
NUMBERS = {"share": "share_percent", "memory": "memory_mib", "processes": "processes", "replicas": "replicas"}
DEFAULTS = {"processes": "1", "replicas": "1", "gpus": "1", "trusts": "yes", "kind": "Deployment"}


def errors(least: float, most: float, example: str) -> dict[str, str]:
    return {
        "invalid": f"Write a number, for example {example}.",
        "min_value": f"At least {least:g}.",
        "max_value": f"At most {most:,g}.",
    }


def written() -> forms.TextInput:
    """Text, so that a mistake stays to be seen."""
    return forms.TextInput(attrs={"inputmode": "numeric"})


def number(label: str, least: float, most: float, example: str) -> forms.FloatField:
    """A figure, or nothing."""
    told = errors(least, most, example)
    return forms.FloatField(
        label=label, required=False, min_value=least, max_value=most, error_messages=told, widget=written()
    )


def count(label: str) -> forms.IntegerField:
    """A whole number, or nothing."""
    told = errors(1, 1000, "1")
    return forms.IntegerField(
        label=label, required=False, min_value=1, max_value=1000, error_messages=told, widget=written()
    )


class AppForm(forms.Form):
    """One row."""

    name = forms.CharField(label="App", max_length=63, required=False)
    method = forms.ChoiceField(label="Way", choices=METHODS, required=False)
    share = number("MPS share, %", 0.1, 100, "20")
    memory = number("GPU memory, MiB", 0, 1_000_000, "2048")
    processes = count("Processes")
    replicas = count("Copies")
    gpus = forms.ChoiceField(label="GPUs", choices=(("1", "1"), ("2", "2")), required=False)
    trusts = forms.ChoiceField(label="Trusts the others", choices=(("yes", "yes"), ("no", "no")), required=False)
    image = forms.CharField(label="Image", max_length=400, required=False)
    kind = forms.ChoiceField(
        label="Kind", choices=(("Deployment", "Deployment"), ("Job", "Job")), required=False
    )  # fmt: skip

    @property
    def is_empty(self) -> bool:
        return not any(str(self.data.get(name) or "").strip() for name in ("name", "share", "memory", "image"))

    def clean(self) -> dict[str, Any]:
        """A row that says anything is judged by the engine, whose message stands beside the name."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and not self.is_empty:
            try:
                apps_of({"apps": [self.entry()]})
            except InvalidApps as error:
                field = "image" if "image" in str(error) else "name"
                self.add_error(field, str(error).partition(f"{field}: ")[2] or str(error))
        return values

    def entry(self) -> dict[str, Any]:
        """The row with the names of the engine, without what is not said."""
        values = self.cleaned_data
        found = {own: values[name] for name, own in NUMBERS.items() if values.get(name) is not None}
        found |= {"name": values["name"], "gpus": int(values["gpus"] or 1), "trusts": values["trusts"] != "no"}
        found |= {"image": values["image"], "kind": values["kind"] or "Deployment"}
        return found | ({"method": values["method"]} if values["method"] else {})


class AppsForm(DeviceForm):
    """Device, what is known of its driver, where the manifest goes, and the rows."""

    cuda = forms.RegexField(
        r"^\d{1,2}\.\d$",
        label="CUDA version, if known",
        required=False,
        error_messages={"invalid": "Write it as nvidia-smi prints it, for example 11.2."},
        widget=forms.TextInput(attrs={"size": 6}),
    )
    target = forms.ChoiceField(
        label="For", required=False, choices=(("", "Kubernetes"), ("iotedge", "IoT Edge modules"))
    )
    namespace = forms.RegexField(
        r"^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$",
        label="Namespace",
        required=False,
        error_messages={"invalid": "Lower-case letters, digits and dashes, at most 63."},
        widget=forms.TextInput(attrs={"size": 14}),
    )
    do = forms.CharField(required=False, max_length=20)

    def __init__(self, data: QueryDict, edge: EdgeCatalogue) -> None:
        super().__init__(data, edge)
        self.lists = {name: data.getlist(name) for name in COLUMNS}
        count = min(max(map(len, self.lists.values())), MOST_ROWS)
        self.rows = [AppForm(self.row(place), prefix=None, auto_id=f"id_%s_{place + 1}") for place in range(count)]

    def row(self, place: int) -> dict[str, str]:
        cells = {name: texts[place] for name, texts in self.lists.items() if place < len(texts)}
        return DEFAULTS | {name: text for name, text in cells.items() if text or name not in DEFAULTS}

    def is_valid(self) -> bool:
        found = [row.is_valid() for row in self.rows]  # every row, so that all mistakes are told at once
        return super().is_valid() and all(found)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        names = [str(row.data.get("name", "")).strip() for row in self.rows if not row.is_empty]
        if twice := sorted({name for name in names if name and names.count(name) > 1}):
            self.add_error(None, f"Two apps are called {twice[0]}; a name may stand once.")
        return values

    def apps(self) -> Sequence[App]:
        """The apps of a valid form, in order."""
        entries = [row.entry() for row in self.rows if not row.is_empty]
        return apps_of({"apps": entries}).apps if entries else ()

    def changed(self) -> list[dict[str, str]]:
        """The rows after the change that a button asks for; empty rows go."""
        rows = [dict(row.data) for row in self.rows if not row.is_empty]
        deed, _, place = str(self.data.get("do", "")).partition(":")
        if deed == "remove" and place.isascii() and place.isdigit() and 0 < int(place) <= len(self.rows):
            gone = self.rows[int(place) - 1]
            rows = [dict(row.data) for row in self.rows if not row.is_empty and row is not gone]
        elif deed in ("equal", "twice"):
            share = equal_shares(len(rows), 2.0 if deed == "twice" else 1.0)
            rows = [row | {"method": "mps", "share": f"{share:.4g}"} for row in rows]
        return rows

    def address(self, rows: Sequence[dict[str, str]] | None = None) -> str:
        """The query text of this plan: each column in which any row says more than the usual."""
        kept = [dict(row.data) for row in self.rows if not row.is_empty] if rows is None else rows
        pairs = self.base()
        pairs += [(name, str(self.data[name])) for name in ("cuda", "target", "namespace") if self.data.get(name)]
        for name in COLUMNS:
            cells = [str(row.get(name) or "") for row in kept]
            if any(cell != DEFAULTS.get(name, "") for cell in cells):
                pairs += [(name, cell) for cell in cells]
        return urlencode(pairs)

    def shown(self) -> list[AppForm]:
        """The rows, with an empty one to write on; three when nothing is written yet."""
        more = 0 if self.rows and self.rows[-1].is_empty else 1 if self.rows else 3
        first = len(self.rows) + 1
        last = min(first + more, MOST_ROWS + 1)
        return [*self.rows, *(AppForm(dict(DEFAULTS), auto_id=f"id_%s_{place}") for place in range(first, last))]

    def problems(self) -> list[str]:
        """What is wrong with the whole."""
        return [str(error) for error in self.non_field_errors()]

    def hidden_problems(self) -> list[str]:
        """What is wrong in the fields that only the page of manifests shows."""
        found = [f"{self[name].label}: {text}" for name in ("target", "namespace") for text in self[name].errors]
        for place, row in enumerate(self.rows, 1):
            found += [
                f"{row[name].label}, app {place}: {text}" for name in ("image", "kind") for text in row[name].errors
            ]
        return found
