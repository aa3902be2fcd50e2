"""Files that hold files: gzip, zip, workbooks. What is inside is read like any other file, one level deep."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from typing import BinaryIO

from advisor.engine.readers import ari
from advisor.engine.readers.archive import UNPACKED_MAX, BadArchive, parts, unpacked
from advisor.engine.readers.joined import join_readings, without_machines
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import LIST_INSTEAD, refuse
from advisor.engine.readers.workbook import BadWorkbook, is_workbook, sheets

ReadPlain = Callable[[str, BinaryIO], Reading]
NOTES_MAX = 20
_NESTED = "This is an archive inside an archive. Unpack the outer one and hand in what is inside."


def read_packed(
    name: str, stream: BinaryIO, read_plain: ReadPlain, *, nested: bool = False, rows_max: int | None = None
) -> Reading:
    """Read a file, or the files inside it, with `read_plain`; of each sheet of a workbook at most `rows_max` rows."""
    if is_workbook(stream):
        return _read_workbook(name, stream, read_plain, rows_max)
    stream.seek(0)
    start = stream.read(4)
    packs = {b"\x1f\x8b": ("gzip", _read_gzip), b"PK\x03\x04": ("zip", _read_zip), b"PK\x05\x06": ("zip", _read_zip)}
    for mark, (kind, read) in packs.items():
        if start.startswith(mark):
            if nested:
                return refuse(name, kind, "archive_in_archive", _NESTED)
            try:
                return read(name, stream, read_plain)
            except BadArchive as error:
                return refuse(name, kind, "bad_archive", f"{error} {LIST_INSTEAD}")
    return read_plain(name, stream)


def _read_gzip(name: str, stream: BinaryIO, read_plain: ReadPlain) -> Reading:
    with unpacked(stream) as content:
        return read_packed(name, content, read_plain, nested=True)


def _read_zip(name: str, stream: BinaryIO, read_plain: ReadPlain) -> Reading:
    """Every file inside; those that are packed one by one, as parts of an export are, within one limit for all."""
    read, left = [], UNPACKED_MAX
    for part, content in parts(stream, lambda _name: True):
        if content.read(2) == b"\x1f\x8b":
            with unpacked(content, max(left, 1)) as plain:
                left -= plain.seek(0, io.SEEK_END)
                read.append((part, read_packed(part, plain, read_plain, nested=True)))
        else:
            read.append((part, read_packed(part, content, read_plain, nested=True)))
    return join_readings(name, read, what="File")


def _read_workbook(name: str, stream: BinaryIO, read_plain: ReadPlain, rows_max: int | None) -> Reading:
    """The visible sheets that hold machines; of an inventory of ARI only the sheets that it is known by."""
    left_out: list[str] = []
    read: list[tuple[str, Reading]] = []
    try:
        for title, text in sheets(stream, left_out, rows_max):
            read.append((title, replace(read_plain(title, text), encoding=None, delimiter=None)))
    except BadWorkbook as error:
        return refuse(name, "workbook", "bad_workbook", str(error))
    notes = left_out[:NOTES_MAX]
    if not read:
        refused = refuse(name, "workbook", "no_sheets", f"The workbook has no visible sheet. {LIST_INSTEAD}")
        return replace(refused, notes=tuple(notes))
    if any(reading.format == ari.NAME for _, reading in read):
        read = _sheets_of_ari(read)
    return join_readings(name, read, what="Sheet", notes=notes)


def _sheets_of_ari(read: list[tuple[str, Reading]]) -> list[tuple[str, Reading]]:
    """The sheets of machines; node pools count only where the sheet of their scale sets is missing."""
    kept = [(title, reading) for title, reading in read if reading.format == ari.NAME]
    if {ari.POOLS_SHEET, ari.SETS_SHEET} <= {title for title, _ in kept}:
        kept = [
            (title, without_machines(reading, ari.counted_once()) if title == ari.POOLS_SHEET else reading)
            for title, reading in kept
        ]
    return kept
