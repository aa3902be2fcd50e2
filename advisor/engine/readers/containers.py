"""Files that are no text and are told by their first bytes; each says what to do.

Archives and workbooks come here only where one table is wanted: fleets are unpacked before (`packed.py`).
"""

from __future__ import annotations

from typing import BinaryIO

from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import LIST_INSTEAD, refuse

_AS_CSV = "Save its sheet as “CSV UTF-8” and choose that file."
_SIGNATURES: tuple[tuple[bytes, str, str, str], ...] = (
    (b"PK\x03\x04", "workbook", "unsupported_format", f"This is an Excel workbook. {_AS_CSV}"),
    (b"\xd0\xcf\x11\xe0", "xls", "unsupported_format", f"This is an old Excel workbook. {_AS_CSV}"),
    (b"\x1f\x8b", "gzip", "unsupported_format", "This is a gzip file. Unpack it (gunzip) and choose the file inside."),
    (b"\x89PNG", "picture", "not_text", f"This is a picture, not a list of machines. {LIST_INSTEAD}"),
    (b"\xff\xd8\xff", "picture", "not_text", f"This is a picture, not a list of machines. {LIST_INSTEAD}"),
    (b"GIF8", "picture", "not_text", f"This is a picture, not a list of machines. {LIST_INSTEAD}"),
    (b"%PDF", "pdf", "not_text", f"This is a PDF document, not a list of machines. {LIST_INSTEAD}"),
    (
        b"version https://git-lfs",
        "git-lfs-pointer",
        "not_data",
        "This is a Git LFS pointer, not the file itself. Run `git lfs pull` and read the file that it fetches.",
    ),
)


def refuse_container(name: str, stream: BinaryIO) -> Reading | None:
    """The refusal of a file whose first bytes say that it is no text, or of an empty one; None for any other."""
    stream.seek(0)
    start = stream.read(4096)
    if not start.strip(b"\0 \t\r\n\xef\xbb\xbf\xfe\xff") and not stream.read(1):
        return refuse(name, "unknown", "empty_file", f"The file is empty. {LIST_INSTEAD}")
    for signature, format_name, kind, message in _SIGNATURES:
        if start.startswith(signature):
            return refuse(name, format_name, kind, message)
    return None
