"""From an uploaded file, pasted text or typed rows to what is kept of it."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import BinaryIO
from uuid import UUID

from advisor import store_mappings, store_uploads
from advisor.engine.catalogue import Catalogue
from advisor.engine.readers import Reading, graph_csv, hand_list, portal, read_file
from advisor.engine.readers.overview import whole_file_problem
from advisor.engine.readers.pasted import read_pasted, typed_text
from advisor.engine.readers.progress import Progress, unwatched
from advisor.engine.readers.refused import refused_rows
from advisor.engine.readers.together import together
from advisor.engine.readers.tops import recall
from advisor.engine.readers.workbook import is_workbook
from advisor.store_fleets import ReadFile
from advisor.store_mappings import Matched

logger = logging.getLogger(__name__)

#: Formats in which columns are found by their names.
MATCHABLE = frozenset({hand_list.NAME, portal.NAME, graph_csv.NAME})
PASTED_NAME = "pasted lines"
TYPED_NAME = "typed list"


def read_upload(
    name: str,
    stream: BinaryIO,
    catalogue: Catalogue,
    *,
    owner: str | None = None,
    matched: Matched | None = None,
    progress: Progress = unwatched,
) -> ReadFile:
    """One file as read, with its columns `matched` by hand, or as its `owner` matched those of such a file before.

    A table is then kept for the owner, to match its columns anew. `progress` is told how far it is, once for each time
    that the file is read.
    """
    if matched is None and owner is not None:
        matched = _recall(owner, name, stream, catalogue)
    mapping = matched.mapping if matched else None
    reading = read_file(name, stream, catalogue, mapping=mapping, progress=progress)
    logger.info("upload read: %s, %s rows, usable %s", reading.format, reading.rows_read, reading.usable)
    other = None
    if hours_open(reading):
        other = read_file(name, stream, catalogue, mapping=mapping, hours="per-row", progress=progress)
    refused = refused_rows(stream, reading, catalogue, mapping)
    kept = _keep(owner, name, stream, reading) if owner is not None else None
    return ReadFile(reading=reading, other=other, refused=refused, upload=kept, matched=matched)


def _recall(owner: str, name: str, stream: BinaryIO, catalogue: Catalogue) -> Matched | None:
    """How the owner matched the columns of a file of the same shape."""
    known = store_mappings.known(owner)
    found = recall(name, stream, catalogue, {shape: matched.mapping for shape, matched in known.items()})
    return found and replace(known[found[0]], mapping=found[1])


def _keep(owner: str, name: str, stream: BinaryIO, reading: Reading) -> UUID | None:
    """Keep a table whose columns may have to be matched by hand; any other file is gone once it is read."""
    if not has_columns(reading, stream):
        return None
    problem = whole_file_problem(reading)
    kept = store_uploads.keep(owner, name, stream, problem.message if problem else "")
    return kept.pk if kept else None


def has_columns(reading: Reading, stream: BinaryIO) -> bool:
    """True for a list of machines as delimited text or workbook: what its columns hold is a matter of their names."""
    return reading.format in MATCHABLE and (reading.delimiter is not None or is_workbook(stream))


def as_one_fleet(files: Sequence[ReadFile]) -> list[ReadFile]:
    """The files with each machine in one of them only, also where their hours are read the other way."""
    readings = together([file.reading for file in files])
    others = together([file.other or file.reading for file in files]) if any(file.other for file in files) else readings
    return [
        replace(file, reading=reading, other=other if file.other else None)
        for file, reading, other in zip(files, readings, others, strict=True)
    ]


def read_lines(text: str, catalogue: Catalogue) -> ReadFile:
    """Pasted text, with or without column names."""
    stream = io.BytesIO(text.encode("utf-8", "replace"))
    reading, refused = read_pasted(PASTED_NAME, stream, catalogue)
    other = read_pasted(PASTED_NAME, stream, catalogue, hours="per-row")[0] if hours_open(reading) else None
    return ReadFile(reading=reading, other=other, refused=refused)


def read_typed(rows: Sequence[Sequence[str]], catalogue: Catalogue) -> Reading:
    """The rows of the form; row i of the form is line i + 2 of the reading."""
    return read_file(TYPED_NAME, io.BytesIO(typed_text(rows)), catalogue)


def hours_open(reading: Reading) -> bool:
    """True where hours may be those of each machine or of the whole row."""
    return any(problem.kind == "hours_reading" for problem in reading.problems)
