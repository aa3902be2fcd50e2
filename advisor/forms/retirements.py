"""How the ledger is looked at: whose ends, of which kind and service, coming or past; the address holds it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms

from advisor.engine.life import EVENT_WORDS, SERVICE_WORDS
from advisor.engine.retirements import ENDING
from advisor.forms.catalogue import DayForm

WHEN = (("", "coming and past"), ("coming", "coming"), ("past", "past"))


class LedgerForm(DayForm):
    """Day, kind, service and time; of the whole catalogue also the series."""

    field_order = ("series", "service", "kind", "when", "as_of")
    service = forms.ChoiceField(label="Service", required=False, choices=[("", "any"), *SERVICE_WORDS.items()])
    kind = forms.ChoiceField(
        label="What happens",
        required=False,
        choices=[("", "anything"), *((kind, EVENT_WORDS[kind]) for kind in ENDING)],
    )
    when = forms.ChoiceField(label="When", required=False, choices=WHEN)

    def said(self, name: str) -> str:
        """The value of a filter; "" where it asks for nothing or the form is wrong."""
        return str(getattr(self, "cleaned_data", {}).get(name) or "")


class RetirementsForm(LedgerForm):
    """The ledger of the whole catalogue."""

    series = forms.ChoiceField(label="Series", required=False)

    def __init__(self, data: Any, series: Iterable[str]) -> None:
        super().__init__(data)
        self.fields["series"].choices = [("", "all"), *((name, name) for name in series)]  # type: ignore[attr-defined]
