"""Facts of the machines of a pool: a form whose empty fields leave what the file says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django import forms

from advisor.engine.answer import FactUsed
from advisor.engine.fact_kinds import KINDS, FactKind
from advisor.engine.vm_facts import NAMES, NOTHING, BadFact, VmFacts, read_fact, shown

#: Facts in the order of the page, by the heading under which they stand.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "Image and start": ("generation", "image", "security_type", "secure_boot", "extensions"),
    "Software inside": ("driver", "cuda", "pytorch", "tensorflow"),
    "Disks": (
        *("os_disk_gib", "ephemeral_os_disk", "temp_used_gib", "data_disks", "premium_disks"),
        *("disk_encryption", "disk_controller"),
    ),
    "Network and place": ("nics", "accelerated_networking", "availability_set", "proximity_group", "zone"),
}
LONGEST = 200


class MachineForm(forms.Form):
    """One field for each fact. What is typed beats the file; an empty field says nothing."""

    def __init__(self, data: Any = None, *, key: str = "", initial: dict[str, Any] | None = None) -> None:
        super().__init__(data, auto_id=f"id_{key}_%s", initial=initial)
        self.hints: dict[str, str] = {}
        for name in NAMES:
            self.fields[name] = _field(KINDS[name])

    def explain(self, facts: tuple[FactUsed, ...]) -> None:
        """Beside each field what the file says, and how many machines say it where they differ."""
        for fact in facts:
            if fact.basis == "file":
                self.hints[fact.name] = _hint(fact)

    def said(self) -> VmFacts:
        """What was typed; only of a valid form."""
        values: dict[str, Any] = {name: value for name in NAMES if (value := self.cleaned_data.get(name)) is not None}
        return VmFacts(**values) if values else NOTHING

    def groups(self) -> list[tuple[str, list[tuple[forms.BoundField, str]]]]:
        """The fields under their headings, each with its hint."""
        return [(title, [(self[name], self.hints.get(name, "")) for name in names]) for title, names in GROUPS.items()]


def _field(kind: FactKind) -> forms.Field:
    label = f"{kind.label}, {kind.unit}" if kind.unit else kind.label
    if kind.choices:
        field: forms.Field = forms.ChoiceField(
            choices=[("", "Not said"), *kind.choices], label=label, required=False, help_text=" "
        )
    else:
        widget = forms.TextInput(attrs={"autocomplete": "off", "maxlength": LONGEST})
        field = forms.CharField(label=label, required=False, max_length=LONGEST, widget=widget, help_text=" ")
    field.clean = _cleaner(kind, field.clean)  # type: ignore[method-assign, assignment]
    return field


def _cleaner(kind: FactKind, plain: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The field's own check, then the engine's reading of the text; an error says what is allowed."""

    def clean(value: Any) -> Any:
        text = str(plain(value) or "").strip()
        if not text:
            return None
        try:
            return read_fact(kind.name, text)
        except BadFact:
            raise forms.ValidationError(f"Allowed is {kind.allowed}.") from None

    return clean


def _hint(fact: FactUsed) -> str:
    if not fact.values:
        return f"Your file: {fact.value}"
    spread = ", ".join(f"{entry.value or 'not said'} on {entry.vms}" for entry in fact.values)
    counts = f"; {fact.value} counts" if fact.value else "; unknown for the pool"
    return f"Your file: {spread}{counts}"


def initial_of(facts: VmFacts) -> dict[str, Any]:
    """What was said before, as the form shows it."""
    values: dict[str, Any] = {}
    for name in NAMES:
        value = getattr(facts, name)
        if value is None:
            continue
        kind = KINDS[name]
        if dict(kind.choices).keys() == {"yes", "no"}:
            values[name] = "yes" if value else "no"
        elif isinstance(value, float):
            values[name] = f"{value:g}"
        else:
            values[name] = value if kind.choices else shown(name, value)
    return values
