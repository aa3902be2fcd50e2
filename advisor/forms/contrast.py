"""Which size to hold against the first choice: from what a person typed to the name of the catalogue."""

from __future__ import annotations

from typing import Any

from django import forms

from advisor.engine.catalogue import Catalogue
from advisor.engine.contrast.named import LONGEST, UnknownSize, size_named


class ContrastForm(forms.Form):
    """One size, in any spelling; without data an empty form."""

    against = forms.CharField(
        label="Compare with a size",
        max_length=LONGEST,
        error_messages={
            "required": "Write the name of a size, for example NC24ads_A100_v4.",
            "max_length": f"A name has at most {LONGEST} characters.",
        },
    )

    def __init__(self, data: Any, catalogue: Catalogue, *, key: str = "") -> None:
        super().__init__(data, auto_id=f"id_{key}_%s", label_suffix="")
        self.catalogue = catalogue

    def clean_against(self) -> str:
        """The canonical name of a size with a page of its own."""
        try:
            return size_named(self.catalogue, self.cleaned_data["against"])
        except UnknownSize as error:
            raise forms.ValidationError(str(error)) from error

    @property
    def sizes(self) -> tuple[str, ...]:
        """All names that can be compared, as people write them."""
        return tuple(sorted(size.short for size in self.catalogue.sizes.values()))
