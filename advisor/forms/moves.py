"""Which documented moves are shown: by size, series, judgement and page; the address holds it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

from django import forms

from advisor.engine.documented import Judgement
from advisor.forms.catalogue import DayForm

JUDGEMENTS: tuple[Judgement, ...] = get_args(Judgement)


class MovesForm(DayForm):
    """Every filter may be left out."""

    field_order = ("q", "series", "judgement", "as_of")
    q = forms.CharField(
        label="Size", required=False, max_length=80, widget=forms.TextInput(attrs={"placeholder": "NC6, T4, NV12s_v3"})
    )
    series = forms.ChoiceField(label="From series", required=False)
    judgement = forms.ChoiceField(
        label="Judgement", required=False, choices=[("", "any"), *((word, word) for word in JUDGEMENTS)]
    )

    def __init__(self, data: Any, series: Iterable[str]) -> None:
        super().__init__(data)
        self.fields["series"].choices = [("", "all"), *((name, name) for name in series)]  # type: ignore[attr-defined]

    def said(self, name: str) -> str:
        """The value of a filter; "" where it asks for nothing or the form is wrong."""
        return str(getattr(self, "cleaned_data", {}).get(name) or "")
