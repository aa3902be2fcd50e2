"""Measured speeds: one in a form, and what is wrong with a table. One reader judges what is inside."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from django import forms

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.reading import Problem
from advisor.engine.speed_own import COLUMNS, NOTE_CHARACTERS, OwnRatio, UnreadableRatios, read_ratios
from advisor.forms import small_tables

_FIELDS = {"from": "from_gpu", "to": "to_gpu"}  # columns whose names Python keeps for itself


class MeasuredForm(forms.Form):
    """One measured speed: two GPUs of the catalogue, their ratio, and what was measured."""

    from_gpu = forms.CharField(label="From GPU", required=False, max_length=100)
    to_gpu = forms.CharField(label="To GPU", required=False, max_length=100)
    ratio = forms.CharField(label="Speed of one, new ÷ old", required=False, max_length=30)
    note = forms.CharField(label="What was measured", required=False, max_length=NOTE_CHARACTERS)

    def ratios(self, catalogue: Catalogue) -> tuple[OwnRatio, ...]:
        """What was typed; nothing where it cannot be used, and then the form says why beside each field."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerow(COLUMNS)
        writer.writerow([" ".join(self.cleaned_data[_FIELDS.get(name, name)].split()) for name in COLUMNS])
        try:
            return read_ratios(io.BytesIO(text.getvalue().encode("utf-8", "replace")), catalogue)
        except UnreadableRatios as error:
            for problem in error.problems:
                column = problem.column or "ratio"
                self.add_error(_FIELDS.get(column, column), capitalised(_what(problem)))
            return ()


def refuse(form: forms.Form, field: str, problems: Iterable[Problem]) -> None:
    """Put what is wrong with a table beside the field it came from, a sentence for each line."""
    small_tables.refuse(form, field, [f"{capitalised(problem.message)}." for problem in problems])


def capitalised(text: str) -> str:
    """A message of the engine as a sentence of its own."""
    return text[:1].upper() + text[1:]


def _what(problem: Problem) -> str:
    """What is wrong, without the line that a form does not have."""
    return dict(problem.parameters).get("what", problem.message)
