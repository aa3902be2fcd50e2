"""Which column holds what: the form beside the first lines of a file, and what was said as a mapping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.html import escape

from advisor.engine.fact_kinds import KINDS
from advisor.engine.readers.head import HEADER_LINES_MAX
from advisor.engine.readers.mapping import ColumnMapping
from advisor.engine.readers.tops import TableTop

#: The fields that most lists have: what each is called, and what its column may hold.
FIELDS: Mapping[str, tuple[str, str]] = {
    "size": ("Size", "the VM size, such as Standard_NC6s_v3 or NC6s v3"),
    "count": ("Machines", "how many the row stands for; one where no column says"),
    "region": ("Region", "such as westeurope or West Europe"),
    "name": ("Name", "of the machine; shown to nobody else"),
    "state": ("State", "running, stopped or deallocated"),
    "hours_per_vm": ("Hours a month, each machine", "0 to 744"),
    "hours": ("Hours a month, whole row", "of all its machines together"),
    "os": ("Operating system", "Linux or Windows, also with a version"),
    "price_model": ("Price model", "pay as you go, Spot, reserved or savings plan, 1 or 3 years"),
    "cost": ("Cost", "of the row, a month"),
    "currency": ("Currency", "of the cost: EUR"),
    "workload": ("Kind of work", "training, inference, HPC, graphics or dev"),
    "utilisation": ("GPU utilisation", "percent at peak"),
    "gpu_memory_gib": ("GPU memory needed", "GiB for each GPU"),
}
_MORE: dict[str, str] = {
    "resource_group": "resource group",
    "pool": "pool: your own name of a group",
    "pattern": "pattern: burst or steady",
    "shape": "shape: queue, stream or seat",
    "precision": "precision: fp64 to int8",
    "multi_node": "one job spans machines: yes or no",
    "job_gpus": "GPUs that work as one",
    "interruptible": "can be interrupted: yes or no",
    "min_vms": "fewest machines",
    "service": "service: vm, vmss, aks, batch or aml",
}
#: Fields that few lists have; those that are not chosen are found by the names of their columns.
FURTHER: Mapping[str, str] = _MORE | {name: f"{kind.label}: {kind.allowed}" for name, kind in KINDS.items()}
FURTHER_ROWS = 3
LABEL_CHARACTERS = 40
#: Of all the options of all the selects of a page, so that it stays a page.
OPTIONS_CHARACTERS = 60_000
_OPTION_CHARACTERS = 34  # of one option besides its words
_NO_LINE = f"Write the number of one of the first {HEADER_LINES_MAX} lines, or 0 for a file without column names."
_NO_COLUMN = dict.fromkeys(("invalid", "min_value", "max_value"), "Choose one of the columns.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One field with its select, and the column that is chosen."""

    bound: Any
    hint: str
    chosen: int | None


class MatchingForm(forms.Form):
    """A column for each field. Columns are named by their place, since names may repeat, be empty or be hostile."""

    find = forms.CharField(required=False, max_length=100, label="Find a column by name")

    def __init__(self, top: TableTop, guess: Mapping[str, int], data: Any = None, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        self.top = top
        self.guess = guess
        for name, (label, _) in FIELDS.items():
            self.fields[f"f-{name}"] = self._column(label, guess.get(name))
        for number in range(FURTHER_ROWS):
            self.fields[f"x{number}-field"] = forms.ChoiceField(
                required=False, label="Further field", choices=(("", "nothing"), *FURTHER.items())
            )
            self.fields[f"x{number}-column"] = self._column("is held by", None)

    def _column(self, label: str, initial: int | None) -> forms.IntegerField:
        last = len(self.top.names) - 1
        return forms.IntegerField(
            required=False, label=label, initial=initial, min_value=0, max_value=last, error_messages=_NO_COLUMN
        )

    def rows(self) -> list[Row]:
        """The fields that most lists have."""
        return [
            Row(bound=self[f"f-{name}"], hint=hint, chosen=self._chosen(f"f-{name}"))
            for name, (_, hint) in FIELDS.items()
        ]

    def further(self) -> list[tuple[Any, Row]]:
        """The rows in which a further field is chosen, and its column."""
        names = [(f"x{number}-field", f"x{number}-column") for number in range(FURTHER_ROWS)]
        return [(self[name], Row(bound=self[column], hint="", chosen=self._chosen(column))) for name, column in names]

    @property
    def further_used(self) -> bool:
        """True when something was chosen there."""
        return any(field.value() or row.chosen is not None for field, row in self.further())

    def found_by_name(self) -> list[str]:
        """Further fields for which a column has the name."""
        return [FURTHER[name].partition(":")[0] for name in self.guess if name in FURTHER]

    def _chosen(self, name: str) -> int | None:
        value = self[name].value()
        return int(value) if value is not None and str(value).isdecimal() and len(str(value)) < 7 else None

    def options(self) -> list[tuple[int, str]]:
        """Place and name of the columns that are offered: those that are chosen or look right, then as many as fit."""
        names = self.top.names
        selects = len(FIELDS) + FURTHER_ROWS
        room = OPTIONS_CHARACTERS
        offered = []
        for place in dict.fromkeys(self._by_importance()):
            label = (
                names[place] if len(names[place]) <= LABEL_CHARACTERS else f"{names[place][: LABEL_CHARACTERS - 1]}…"
            )
            room -= selects * (len(escape(label)) + _OPTION_CHARACTERS)
            if room < 0:
                break
            offered.append((place, label))
        return sorted(offered)

    def _by_importance(self) -> Iterator[int]:
        places = range(len(self.top.names))
        chosen = [self._chosen(name) for name in self.fields if name.startswith("f-") or name.endswith("-column")]
        yield from (place for place in chosen if place is not None and place in places)
        yield from self.guess.values()
        if words := str(self["find"].value() or "").casefold():
            yield from (place for place in places if words in self.top.names[place].casefold())
        yield from places

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("f-size") is None and "f-size" not in self.errors:
            self.add_error("f-size", "Say which column holds the sizes, such as Standard_NC6s_v3.")
        taken: dict[int, str] = {}
        for name in [*(f"f-{name}" for name in FIELDS), *(f"x{number}-column" for number in range(FURTHER_ROWS))]:
            place = values.get(name)
            if place in taken:
                self.add_error(name, f"This column is chosen for “{taken[place]}” already. Choose it once.")
            elif place is not None:
                taken[place] = str(self.fields[name].label)
        self._clean_further(values)
        return values

    def _clean_further(self, values: Mapping[str, Any]) -> None:
        named = [values.get(f"x{number}-field") or "" for number in range(FURTHER_ROWS)]
        for number, name in enumerate(named):
            if name and name in named[:number]:
                self.add_error(f"x{number}-field", "This field is chosen above already. Choose it once.")
            elif not name and values.get(f"x{number}-column") is not None:
                self.add_error(f"x{number}-field", "Say what this column holds.")

    def mapping(self, *, every_sheet: bool = False) -> ColumnMapping:
        """What was said; of a valid form only. A field of `FIELDS` without a column has none, whatever its name."""
        places = {name: self.cleaned_data[f"f-{name}"] for name in FIELDS}
        for number in range(FURTHER_ROWS):
            if name := self.cleaned_data[f"x{number}-field"]:
                places[name] = self.cleaned_data[f"x{number}-column"]
        return ColumnMapping(
            columns={name: "" if place is None else self.top.names[place] for name, place in places.items()},
            header_line=self.top.header_line,
            sheet=None if every_sheet else self.top.part,
        )

    def hidden(self) -> list[tuple[str, str]]:
        """Names and values of what was sent, to send it once more."""
        return [(name, str(self.data[name])) for name in self.fields if self.data.get(name)]


class WhereForm(forms.Form):
    """Which sheet, and which of its lines has the column names."""

    sheet = forms.IntegerField(required=False, min_value=0, label="Sheet")
    line = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=HEADER_LINES_MAX,
        label="Line with the column names",
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), _NO_LINE),
    )

    def sheet_of(self, tops: Sequence[TableTop]) -> TableTop | None:
        """The table that was chosen, None where none was."""
        place = self.cleaned_data.get("sheet")
        return tops[place] if place is not None and place < len(tops) else None
