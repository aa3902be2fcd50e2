"""What a person says about a report they make: its title, and whether names are shown."""

from __future__ import annotations

from django import forms

DEFAULT_TITLE = "GPU migration report"


class ReportForm(forms.Form):
    """An empty title is the usual one; unticked, no name leaves the fleet."""

    title = forms.CharField(
        required=False,
        max_length=200,
        error_messages={"max_length": "At most 200 characters; this title has %(show_value)d."},
    )
    with_names = forms.BooleanField(required=False)

    def clean_title(self) -> str:
        """The title on one line."""
        return " ".join(str(self.cleaned_data["title"]).split()) or DEFAULT_TITLE
