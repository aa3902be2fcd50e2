"""Files that are told by their first bytes: archives, workbooks, pictures. None is read yet; each says what to do."""

from __future__ import annotations

from typing import BinaryIO

from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import LIST_INSTEAD, refuse

_AS_CSV = "Open it in a spreadsheet program and save the sheet with the machines as “CSV UTF-8”."
_SIGNATURES: tuple[tuple[bytes, str, str, str], ...] = (
    (b"\xd0\xcf\x11\xe0", "xls", "unsupported_format", f"This is an old Excel workbook, which is not read. {_AS_CSV}"),
    (b"\x1f\x8b", "gzip", "unsupported_format", "This is a gzip file. Unpack it (gunzip) and read the file inside."),
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
    if start.startswith(b"PK\x03\x04"):
        if b"xl/" in start or b"[Content_Types].xml" in start or name.lower().endswith((".xlsx", ".xlsm")):
            return refuse(
                name, "workbook", "unsupported_format", f"This is an Excel workbook, which is not read yet. {_AS_CSV}"
            )
        return refuse(name, "zip", "unsupported_format", "This is a zip archive. Unpack it and read the files inside.")
    for signature, format_name, kind, message in _SIGNATURES:
        if start.startswith(signature):
            return refuse(name, format_name, kind, message)
    return None
