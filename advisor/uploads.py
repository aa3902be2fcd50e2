"""From an uploaded file, pasted text or typed rows to what is kept of it; the file itself is kept by nobody."""

from __future__ import annotations

import io
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import BinaryIO

from advisor import store_fleets
from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import Reading, read_file
from advisor.engine.readers.mapping import ColumnMapping
from advisor.engine.readers.pasted import read_pasted, typed_text
from advisor.engine.readers.progress import Progress, unwatched
from advisor.engine.readers.refused import refused_rows
from advisor.engine.readers.together import together
from advisor.store_fleets import ReadFile

logger = logging.getLogger(__name__)

PASTED_NAME = "pasted lines"
TYPED_NAME = "typed list"


def read_upload(
    name: str,
    stream: BinaryIO,
    catalogue: Catalogue,
    *,
    keep_for: str | None = None,
    progress: Progress = unwatched,
) -> ReadFile:
    """One file as read. One whose size column is not found is kept for the owner `keep_for`, to map its columns.

    `progress` is told how far it is, once for each time that the file is read.
    """
    reading = read_file(name, stream, catalogue, progress=progress)
    upload = None
    if keep_for and needs_columns(reading):
        upload = store_fleets.keep_upload(keep_for, name, stream)
    logger.info("upload read: %s, %s rows, usable %s", reading.format, reading.rows_read, reading.usable)
    other = None
    if hours_open(reading):
        other = read_file(name, stream, catalogue, hours="per-row", progress=progress)
    return ReadFile(
        reading=reading,
        other=other,
        refused=refused_rows(stream, reading, catalogue),
        upload=upload.pk if upload else None,
    )


def as_one_fleet(files: Sequence[ReadFile]) -> list[ReadFile]:
    """The files with each machine in one of them only, also where their hours are read the other way."""
    readings = together([file.reading for file in files])
    others = together([file.other or file.reading for file in files]) if any(file.other for file in files) else readings
    return [
        replace(file, reading=reading, other=other if file.other else None)
        for file, reading, other in zip(files, readings, others, strict=True)
    ]


def read_mapped(name: str, stream: BinaryIO, catalogue: Catalogue, columns: Mapping[str, str]) -> ReadFile:
    """A file whose columns a person has named."""
    mapping = ColumnMapping(columns={field: column for column, field in columns.items() if field})
    reading = read_file(name, stream, catalogue, mapping=mapping)
    return ReadFile(
        reading=reading,
        other=read_file(name, stream, catalogue, mapping=mapping, hours="per-row") if hours_open(reading) else None,
        refused=refused_rows(stream, reading, catalogue, mapping),
    )


def read_lines(text: str, catalogue: Catalogue) -> ReadFile:
    """Pasted text, with or without column names."""
    stream = io.BytesIO(text.encode("utf-8", "replace"))
    reading, refused = read_pasted(PASTED_NAME, stream, catalogue)
    other = read_pasted(PASTED_NAME, stream, catalogue, hours="per-row")[0] if hours_open(reading) else None
    return ReadFile(reading=reading, other=other, refused=refused)


def read_typed(rows: Sequence[Sequence[str]], catalogue: Catalogue) -> Reading:
    """The rows of the form; row i of the form is line i + 2 of the reading."""
    return read_file(TYPED_NAME, io.BytesIO(typed_text(rows)), catalogue)


def needs_columns(reading: Reading) -> bool:
    """True for a table in which no column of sizes was found."""
    return reading.delimiter is not None and any(problem.kind == "no_size_column" for problem in reading.problems)


def hours_open(reading: Reading) -> bool:
    """True where hours may be those of each machine or of the whole row."""
    return any(problem.kind == "hours_reading" for problem in reading.problems)
