"""The three ways to hand in a fleet: files, pasted lines, typed rows. What is inside is judged by the readers alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.names import canonical_region
from advisor.engine.readers.reading import Problem, Reading

FILES_MAX = 20
LINES_MAX_CHARACTERS = 1_000_000
ROWS_SHOWN = 5
ROWS_MAX = 50
WORK_CHOICES = (
    ("", "not said"),
    ("training", "training"),
    ("inference", "inference"),
    ("hpc", "HPC"),
    ("graphics", "graphics"),
    ("dev", "dev and test"),
)


class ManyFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyFiles(forms.FileField):
    """One or more files; empty ones are for the reader to refuse, with what to export instead."""

    widget = ManyFilesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        files = data if isinstance(data, list | tuple) else [data] if data else []
        return [super(ManyFiles, self).clean(file, initial) for file in files] or super().clean(None, initial)


class FilesForm(forms.Form):
    """The drop zone and its file dialog. `bytes_waiting` are those of large files that are not read yet."""

    def __init__(self, *args: Any, bytes_waiting: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bytes_waiting = bytes_waiting

    file = ManyFiles(
        label="Fleet files",
        allow_empty_file=True,
        max_length=500,
        error_messages={"required": "No file came with the form. Choose a file, or drop one here.",
                        "invalid": "No file came with the form. Choose a file, or drop one here."},
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        """The last field of the form came too: an upload of several files may be cut short after the first of them."""
        if self.files and "end" not in self.data:
            self.add_error("file", "The upload was cut short. Nothing of it is kept; send it once more.")
        return self.cleaned_data

    def clean_file(self) -> list[UploadedFile[Any]]:
        files: list[UploadedFile[Any]] = self.cleaned_data["file"]
        if len(files) > FILES_MAX:
            raise forms.ValidationError(f"{len(files)} files were chosen; at most {FILES_MAX} are read together.")
        limit = settings.UPLOAD_LIMIT_BYTES
        if large := [str(file.name) for file in files if (file.size or 0) > limit]:
            raise forms.ValidationError(f"{large[0]} is larger than {limit // 2**20} MiB, the most that is read here.")
        size, room = sum(file.size or 0 for file in files), settings.WAITING_LIMIT_BYTES
        if size > settings.READ_AT_ONCE_BYTES and self.bytes_waiting + size > room:
            raise forms.ValidationError(
                f"Other large files wait to be read, and there is room for {room // 2**20} MiB of them. Nothing of "
                "yours is kept; try again in some minutes."
            )
        return files


class LinesForm(forms.Form):
    """Pasted lines, or a whole small file as text."""

    lines = forms.CharField(
        label="Paste lines: size, region, count, hours a month",
        strip=False,
        max_length=LINES_MAX_CHARACTERS,
        widget=forms.Textarea,
        error_messages={
            "required": "Paste at least one line, for example: NC6s_v3, West Europe, 4, 520",
            "max_length": "That is more than a page takes. Save it as a file and choose the file.",
        },
    )

    def clean_lines(self) -> str:
        lines = str(self.cleaned_data["lines"])
        if not lines.strip():
            raise forms.ValidationError(self.fields["lines"].error_messages["required"], code="required")
        return lines


class TypedRow(forms.Form):
    """One kind of machine. The reader says what is wrong with a row, so each field takes any text."""

    size = forms.CharField(required=False, max_length=100, label="Size")
    region = forms.CharField(required=False, max_length=100, label="Region")
    count = forms.CharField(required=False, max_length=20, label="Machines")
    hours = forms.CharField(required=False, max_length=20, label="Hours a month, each")
    work = forms.ChoiceField(required=False, choices=WORK_CHOICES, label="Work")

    def cells(self) -> list[str]:
        """The row in the order of pasted.TYPED_COLUMNS."""
        return [str(self.cleaned_data.get(name) or "") for name in self.fields]


if TYPE_CHECKING:
    _FormSet = forms.BaseFormSet[TypedRow]
else:
    _FormSet = forms.BaseFormSet


class BaseTypedRows(_FormSet):
    """The typed fleet."""

    def rows(self) -> list[list[str]]:
        return [form.cells() for form in self.forms]

    @property
    def is_empty(self) -> bool:
        return not any(any(row) for row in self.rows())

    def refuse(self, reading: Reading, catalogue: Catalogue) -> bool:
        """Put each error of the reading beside its field; True when there was one.

        A reader judges the region of rows whose size it knows; here both are said at once.
        """
        errors = [problem for problem in reading.problems if problem.severity == "error"]
        for problem in errors:
            if problem.line is None or problem.line - 2 >= len(self.forms):
                continue
            form = self.forms[problem.line - 2]
            form.add_error(_field_of(problem), _message_of(problem))
            region = form["region"].value()
            if "region" not in form.errors and region and canonical_region(region, catalogue) is None:
                near = " or ".join(catalogue.nearest_regions(region)) or "one such as westeurope"
                form.add_error("region", f"“{region}” is no Azure region that is known here. Did you mean {near}?")
        return bool(errors)


_FIELDS = {"hours_per_vm": "hours", "workload": "work", "size": "size", "region": "region", "count": "count"}


def _field_of(problem: Problem) -> str:
    return _FIELDS.get(dict(problem.parameters).get("field", ""), "size")


def _message_of(problem: Problem) -> str:
    """The message without its line and column: it stands beside the field."""
    text = problem.message.partition(f", column {problem.column}: ")[2] or problem.message
    return text[:1].upper() + text[1:]


_TypedRows = forms.formset_factory(
    TypedRow, formset=BaseTypedRows, extra=ROWS_SHOWN, max_num=ROWS_MAX, validate_max=True, absolute_max=ROWS_MAX
)


def typed_rows(data: Any = None) -> BaseTypedRows:
    """The form in which a fleet is typed: empty, or as sent."""
    return cast(BaseTypedRows, _TypedRows(data, prefix="row"))


def more_rows(data: Any) -> BaseTypedRows:
    """The typed rows again, with `ROWS_SHOWN` empty ones more."""
    given = data.copy()
    try:
        total = int(given.get("row-TOTAL_FORMS", ROWS_SHOWN))
    except ValueError:
        total = ROWS_SHOWN
    given["row-TOTAL_FORMS"] = str(min(max(total, 0) + ROWS_SHOWN, ROWS_MAX))
    return typed_rows(given)
