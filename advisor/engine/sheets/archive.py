"""Price sheets that come as a zip of CSV parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from advisor.engine.readers import archive
from advisor.engine.readers.workbook import is_workbook

PARTS_MAX = 50
UNPACKED_MAX = 1 << 29  # bytes of all parts together; Azure cuts a sheet into parts of 75 MB at most


def is_zip(stream: BinaryIO) -> bool:
    """True for a zip that is no workbook."""
    stream.seek(0)
    return stream.read(4) == b"PK\x03\x04" and not is_workbook(stream)


def parts(stream: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    """Name and content of each CSV file in a zip, in the order of names; raises BadArchive."""
    return archive.parts(stream, _is_csv, called="CSV file", limit=UNPACKED_MAX, most=PARTS_MAX)


def _is_csv(name: str) -> bool:
    return name.lower().endswith((".csv", ".txt"))
