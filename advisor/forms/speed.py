"""Which published pairs are shown: by kind of work and by the GPU they start from; the address holds it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms


class PairsForm(forms.Form):
    """Both filters may be left out."""

    kind = forms.ChoiceField(label="Kind of work", required=False)
    gpu = forms.ChoiceField(label="From GPU", required=False)

    def __init__(self, data: Any, kinds: Iterable[str], gpus: Iterable[str]) -> None:
        super().__init__(data)
        self.fields["kind"].choices = [("", "all"), *((name, name) for name in kinds)]  # type: ignore[attr-defined]
        self.fields["gpu"].choices = [("", "all"), *((name, name) for name in gpus)]  # type: ignore[attr-defined]

    def said(self, name: str) -> str:
        """The value of a filter; "" where it asks for nothing or the form is wrong."""
        return str(getattr(self, "cleaned_data", {}).get(name) or "")
