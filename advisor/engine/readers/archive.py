"""Files that come packed: gzip, and zip of many parts, unpacked within limits and on no path of the archive's."""

from __future__ import annotations

import gzip
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, BinaryIO, cast

PARTS_MAX = 200
UNPACKED_MAX = 1 << 30  # bytes of all parts together; a cost export of a month is this long at most
#: Bytes that come out of each that goes in. Exports and lists come to 10 to 30, the same row over and over to some 170;
#: deflate itself ends at 1,032, and only bombs come near. Looked at once so much has come out that it matters.
RATIO_MAX = 400
RATIO_FROM = 1 << 26
BLOCK_BYTES = 1 << 20
IN_MEMORY = 1 << 24
NAME_CHARACTERS = 100
_DAMAGED = "The {} is damaged or packed in a way that is not read. Unpack it and choose the file inside."

Wanted = Callable[[str], bool]  # of a member's name within a zip


class BadArchive(Exception):
    """An archive that is not read; the message says why."""


class _Budget:
    """Bytes that may still come out. What an archive says of its sizes is not trusted."""

    def __init__(self, limit: int, what: str) -> None:
        self.left, self.limit, self.what = limit, limit, what
        self.packed = 0  # bytes of all members before this one

    def copy(self, source: IO[bytes], target: BinaryIO, packed: BinaryIO, start: int = 0) -> None:
        """Copy what comes out of `source`, which unpacks `packed` from byte `start` on."""
        while block := source.read(BLOCK_BYTES):
            self.left -= len(block)
            out, used = self.limit - self.left, self.packed + max(1, packed.tell() - start)
            if out > RATIO_FROM and out > RATIO_MAX * used:
                raise BadArchive(
                    f"The {self.what} unpacks to more than {RATIO_MAX} times its size, as no list or export does: it "
                    "is made to fill memory. Unpack it, and hand in the parts with machines."
                )
            if self.left < 0:
                raise BadArchive(
                    f"The {self.what} unpacks to more than {self.limit >> 20} MiB, the most that is read. "
                    "Unpack it, and hand in the parts with machines."
                )
            target.write(block)
        self.packed += max(0, packed.tell() - start)


@contextmanager
def unpacked(stream: BinaryIO, limit: int | None = None) -> Iterator[BinaryIO]:
    """The content of a gzip file; raises BadArchive."""
    stream.seek(0)
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as part:
        try:
            with gzip.GzipFile(fileobj=stream, mode="rb") as source:
                _Budget(limit or UNPACKED_MAX, "gzip file").copy(cast(IO[bytes], source), cast(BinaryIO, part), stream)
        except (OSError, EOFError, zlib.error) as error:
            raise BadArchive(_DAMAGED.format("gzip file")) from error
        yield cast(BinaryIO, part)


def parts(
    stream: BinaryIO,
    wanted: Wanted,
    *,
    called: str = "file that could be read here",
    limit: int | None = None,
    most: int | None = None,
) -> Iterator[tuple[str, BinaryIO]]:
    """Name and content of each wanted file in a zip, in the order of names; raises BadArchive.

    A part is open until the next one is asked for. Names are only ever shown: nothing is written under them.
    """
    most = most or PARTS_MAX
    budget = _Budget(limit or UNPACKED_MAX, "zip archive")
    try:
        with zipfile.ZipFile(stream) as archive:
            members = sorted((i for i in archive.infolist() if _is_file(i, wanted)), key=lambda info: info.filename)
            if not members:
                raise BadArchive(f"The zip archive holds no {called}.")
            if len(members) > most:
                raise BadArchive(f"The zip archive holds {len(members):,} files; at most {most} are read.")
            for info in members:
                with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as part:
                    with archive.open(info) as source:
                        budget.copy(source, cast(BinaryIO, part), stream, info.header_offset)
                    part.seek(0)
                    yield info.filename.replace("\\", "/").rsplit("/", 1)[-1][:NAME_CHARACTERS], cast(BinaryIO, part)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError, OSError) as error:
        raise BadArchive(_DAMAGED.format("zip archive")) from error
    except RuntimeError as error:
        raise BadArchive("The zip archive has a password. Unpack it and choose the file inside.") from error


def _is_file(info: zipfile.ZipInfo, wanted: Wanted) -> bool:
    """No folder, no resource fork of a Mac, no hidden file."""
    name = info.filename.replace("\\", "/")
    hidden = name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1].startswith(".")
    return not info.is_dir() and not hidden and wanted(name)
