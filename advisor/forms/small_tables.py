"""A small table beside a fleet, as a file or as pasted lines. The reader of its kind judges what is inside."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, TypeVar, cast

from django import forms
from django.core.files.uploadedfile import UploadedFile

FILE_BYTES = 2 * 1024 * 1024  # a thousand rows of the portal's reservations, or with long notes, are a third of that
LINES_MAX_CHARACTERS = 500_000
PROBLEMS_SHOWN = 20
PASTED_NAME = "Pasted lines"

T = TypeVar("T")


class TableFileForm(forms.Form):
    """A table as a file."""

    file = forms.FileField(
        label="As a file",
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

    def with_stream(self, read: Callable[[str, BinaryIO], T]) -> T:
        """What `read` makes of the name and the content; the temporary file goes. Only of a valid form."""
        upload = self.cleaned_data["file"]
        try:
            return read(str(upload.name), cast(BinaryIO, upload.file))
        finally:
            upload.close()


class TableLinesForm(forms.Form):
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

    def with_stream(self, read: Callable[[str, BinaryIO], T]) -> T:
        """What `read` makes of the pasted lines, which are called so. Only of a valid form."""
        return read(PASTED_NAME, io.BytesIO(self.cleaned_data["lines"].encode("utf-8", "replace")))


def refuse(form: forms.Form, field: str, wrong: Sequence[str]) -> None:
    """Put what is wrong with a table beside the field it came from, a sentence for each line."""
    for message in wrong[:PROBLEMS_SHOWN]:
        form.add_error(field, message)
    if len(wrong) > PROBLEMS_SHOWN:
        form.add_error(field, f"And {len(wrong) - PROBLEMS_SHOWN:,} more.")
