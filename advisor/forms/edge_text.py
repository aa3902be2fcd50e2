"""Text that is pasted or uploaded, judged at once and never stored: nvidia-smi outputs and deployments."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from advisor.engine.edge.smi_text import MAX_BYTES

CHECK_MAX_BYTES = 500_000  # a deployment is 2 kB


def text_field(label: str, most: int, *, required: bool = False) -> forms.CharField:
    """Pasted text as it is."""
    widget = forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "autocomplete": "off", "wrap": "off"})
    errors = {"max_length": f"That is more than {most:,} characters, the most that is read here."}
    return forms.CharField(
        label=label, required=required, strip=False, max_length=most, widget=widget, error_messages=errors
    )


def file_field(label: str) -> forms.FileField:
    return forms.FileField(label=label, required=False, allow_empty_file=True, max_length=500)


def data_of(form: forms.Form, text: str, file: str, most: int) -> bytes | str:
    """What was uploaded, else what was pasted; too large a file is an error beside its field."""
    upload: UploadedFile[Any] | None = form.cleaned_data.get(file)
    if upload is None:
        return str(form.cleaned_data.get(text) or "")
    if (upload.size or 0) > most:
        form.add_error(file, f"{upload.name} has {upload.size:,} bytes; at most {most:,} are read here.")
        return ""
    data: bytes = upload.read()
    return data


class SmiForm(forms.Form):
    """One output of nvidia-smi, or two to compare."""

    text = text_field("What nvidia-smi printed", MAX_BYTES)
    file = file_field("Or a file with it")
    text_before = text_field("An earlier output", MAX_BYTES)
    file_before = file_field("Or a file with the earlier one")
    mps_planned = forms.BooleanField(label="MPS should be on", required=False)

    def clean(self) -> dict[str, Any]:
        """Put the outputs into `now` and `before`; one of the first two is needed."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        values["now"] = data_of(self, "text", "file", MAX_BYTES)
        values["before"] = data_of(self, "text_before", "file_before", MAX_BYTES)
        if not values["now"] and not self.errors:
            self.add_error("text", "Paste what nvidia-smi printed, or choose a file with it.")
        return values


class CheckForm(forms.Form):
    """One deployment."""

    text = text_field("The deployment, as YAML", CHECK_MAX_BYTES)
    file = file_field("Or a file with it")
    mps = forms.ChoiceField(
        label="MPS on the device",
        required=False,
        choices=(("", "not known"), ("on", "on"), ("off", "off")),
    )

    def clean(self) -> dict[str, Any]:
        """Put the text into `data`."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        values["data"] = data_of(self, "text", "file", CHECK_MAX_BYTES)
        if not values["data"] and not self.errors:
            self.add_error("text", "Paste a deployment, or choose a file with it.")
        return values

    def mps_is_on(self) -> bool | None:
        """None: not known."""
        return {"on": True, "off": False}.get(self.cleaned_data["mps"])
