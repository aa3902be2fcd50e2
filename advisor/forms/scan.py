"""Text or a file to be searched for sizes; it is read for one answer and never stored."""

from __future__ import annotations

from typing import Any

from django import forms

from advisor.engine.scan import MAX_BYTES, decoded
from advisor.forms.edge_text import data_of, file_field, text_field

NO_TEXT = "This is no text. Choose a text file, for example Terraform, YAML, JSON or Markdown."


class ScanForm(forms.Form):
    """One text; a file goes before what was pasted, and the answer says so."""

    text = text_field("Any text: Terraform, Bicep, YAML, documentation, a list of names", MAX_BYTES)
    file = file_field("Or a file with it")

    def clean(self) -> dict[str, Any]:
        """Put the text into `data`; `text_unread` where a file went before a pasted text."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        data = data_of(self, "text", "file", MAX_BYTES)
        read = decoded(data) if isinstance(data, bytes) else data
        if read is None:
            self.add_error("file", NO_TEXT)
        elif not read.strip() and not self.errors:
            self.add_error("text", "Paste a text, or choose a file with it.")
        values["data"] = read or ""
        values["text_unread"] = isinstance(data, bytes) and bool(str(values.get("text") or "").strip())
        return values
