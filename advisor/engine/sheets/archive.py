"""Price sheets that come as a zip of CSV parts: unpacked one by one, within limits, on no path of the archive's."""

from __future__ import annotations

import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

PARTS_MAX = 50
UNPACKED_MAX = 1 << 29  # bytes of all parts together; Azure cuts a sheet into parts of 75 MB at most
BLOCK_BYTES = 1 << 20
IN_MEMORY = 1 << 24
_TOO_LARGE = f"The zip archive unpacks to more than {UNPACKED_MAX >> 20} MiB, the most that is read."


class BadArchive(Exception):
    """An archive that is not read; the message says why."""


def is_zip(stream: BinaryIO) -> bool:
    """True for a zip that is no workbook."""
    stream.seek(0)
    start = stream.read(4096)
    return start.startswith(b"PK\x03\x04") and b"xl/" not in start and b"[Content_Types].xml" not in start


def parts(stream: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    """Name and content of each CSV file in a zip, in the order of names; raises BadArchive.

    Every other file in it is left alone. What the archive says of its sizes is not trusted: bytes are counted as they
    come out.
    """
    left = UNPACKED_MAX
    try:
        with zipfile.ZipFile(stream) as archive:
            members = sorted((i for i in archive.infolist() if _is_csv(i)), key=lambda info: info.filename)
            if not members:
                raise BadArchive("The zip archive holds no CSV file.")
            if len(members) > PARTS_MAX:
                raise BadArchive(f"The zip archive holds {len(members)} CSV files; at most {PARTS_MAX} are read.")
            for info in members:
                with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as part:
                    with archive.open(info) as source:
                        while block := source.read(BLOCK_BYTES):
                            left -= len(block)
                            if left < 0:
                                raise BadArchive(_TOO_LARGE)
                            part.write(block)
                    yield info.filename.rsplit("/", 1)[-1][:100], cast(BinaryIO, part)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError) as error:
        raise BadArchive("The zip archive is damaged or packed in a way that is not read.") from error
    except RuntimeError as error:
        raise BadArchive("The zip archive has a password. Unpack it and choose the CSV file inside.") from error


def _is_csv(info: zipfile.ZipInfo) -> bool:
    return not info.is_dir() and info.filename.lower().endswith((".csv", ".txt"))
