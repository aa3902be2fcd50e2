"""Measured speeds: one typed into a form, a file, or pasted lines. What is inside is judged by the engine's reader."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.reading import Problem
from advisor.engine.speed_own import COLUMNS, NOTE_CHARACTERS, OwnRatio, UnreadableRatios, read_ratios

FILE_BYTES = 1024 * 1024  # a thousand rows with long notes are a third of that
LINES_MAX_CHARACTERS = 300_000
PROBLEMS_SHOWN = 20
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


class MeasuredFileForm(forms.Form):
    """A table as a file."""

    file = forms.FileField(
        label="A table as a file",
        allow_empty_file=True,
        max_length=500,
        error_messages={"required": "No file came with the form. Choose one.",
                        "invalid": "No file came with the form. Choose one."},
    )  # fmt: skip

    def clean_file(self) -> UploadedFile[Any]:
        upload: UploadedFile[Any] = self.cleaned_data["file"]
        if (upload.size or 0) > FILE_BYTES:
            raise forms.ValidationError(f"{upload.name} is larger than {FILE_BYTES // 2**20} MiB, the most of a table.")
        return upload


class MeasuredLinesForm(forms.Form):
    """A table as pasted text."""

    lines = forms.CharField(
        label="Or paste lines with column names",
        strip=False,
        max_length=LINES_MAX_CHARACTERS,
        widget=forms.Textarea,
        error_messages={
            "required": "Paste column names and at least one line.",
            "max_length": "That is more than a page takes. Save it as a file and choose the file.",
        },
    )


def refuse(form: forms.Form, field: str, problems: Iterable[Problem]) -> None:
    """Put what is wrong with a table beside the field it came from, a sentence for each line."""
    wrong = list(problems)
    for problem in wrong[:PROBLEMS_SHOWN]:
        form.add_error(field, f"{capitalised(problem.message)}.")
    if len(wrong) > PROBLEMS_SHOWN:
        form.add_error(field, f"And {len(wrong) - PROBLEMS_SHOWN:,} more.")


def capitalised(text: str) -> str:
    """A message of the engine as a sentence of its own."""
    return text[:1].upper() + text[1:]


def _what(problem: Problem) -> str:
    """What is wrong, without the line that a form does not have."""
    return dict(problem.parameters).get("what", problem.message)
