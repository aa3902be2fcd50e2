"""Commitments that are held: one in a form, and what is wrong with a list. One reader judges what is inside."""

from __future__ import annotations

import csv
import io
from typing import Any

from django import forms

from advisor.engine.catalogue import Catalogue
from advisor.engine.held import HeldCommitment
from advisor.engine.held_file import COLUMNS, HeldReading, read_held
from advisor.forms import small_tables

KINDS = (("reservation", "Reservation"), ("savings_plan", "Savings plan"))
TERMS = (("P1Y", "1 year"), ("P3Y", "3 years"), ("P5Y", "5 years"))


def typed(label: str, **attrs: Any) -> forms.CharField:
    """A cell of the list, any text: the reader says what is wrong with it."""
    widget = forms.TextInput(attrs={"autocomplete": "off"} | attrs)
    return forms.CharField(label=label, required=False, max_length=100, widget=widget)


class HeldForm(forms.Form):
    """One commitment, with the columns of a list but the total."""

    kind = forms.ChoiceField(label="Kind", choices=KINDS)
    order = typed("Order", placeholder="any name")
    size = typed("Size", list="held-sizes", placeholder="NC6s_v3")
    region = typed("Region", list="held-regions", placeholder="West Europe")
    quantity = typed("Machines", inputmode="numeric", size=7)
    term = forms.ChoiceField(label="Term", choices=TERMS, initial="P3Y")
    bought = typed("Bought on", size=11, placeholder="2025-06-30")
    end = typed("Ends on", size=11, placeholder="2028-06-30")
    hourly_price = typed("Price an hour", inputmode="decimal", size=9)
    currency = typed("Currency", size=5, placeholder="USD")

    def commitment(self, catalogue: Catalogue) -> HeldCommitment | None:
        """What was typed; None where it cannot be used, and then the form says why beside each field."""
        values = self.cleaned_data
        plan = values["kind"] == "savings_plan"
        if plan:  # what a plan does not have is left out, though it may be typed
            values = values | {"size": "", "region": "", "quantity": ""}
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerow([" ".join(str(values.get(name, "")).split()) for name in COLUMNS])
        reading = read_held("form", io.BytesIO(text.getvalue().encode("utf-8", "replace")), catalogue)
        for problem in reading.problems:
            field = problem.column if problem.column in self.fields else None
            what = dict(problem.parameters).get("what", problem.message)
            self.add_error(field, f"{what[:1].upper()}{what[1:]}")
        if not reading.held and not reading.problems:
            self.add_error("size", "That is no GPU size. Only commitments for GPU machines matter here.")
        return reading.held[0] if reading.held and not self.errors else None


def refuse(form: forms.Form, field: str, reading: HeldReading) -> bool:
    """Put what is wrong with a list beside the field it came from; True when it cannot be used as a whole."""
    wrong = [problem.message for problem in reading.problems if problem.severity == "error"]
    small_tables.refuse(form, field, wrong)
    if not wrong and not reading.held:
        form.add_error(
            field, f"No commitment for GPU machines is in it; rows about something else: {reading.skipped:,}."
        )
    return bool(form.errors)
