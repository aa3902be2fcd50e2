"""Workbooks, .xlsx and .xls, into one delimited text per visible sheet: the only module that knows their libraries.

A record stands on the line of its row, so that what is said about line 12 is true of row 12. Formulas count with the
value that was stored with them. docs/adr/0023 says why two libraries.
"""

from __future__ import annotations

import csv
import io
import tempfile
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime, time
from itertools import islice
from typing import IO, Any, BinaryIO, cast

MIB = 1 << 20
SHEETS_MAX = 200
COLUMNS_MAX = 16_384  # Excel's own limits
ROWS_MAX = 1 << 20
CELLS_MAX = 10_000_000  # of one sheet, empty ones up to the last of a row included
EMPTY_MAX = 2_000_000  # cells left of filled ones, after which a sheet has to have some more of these
EMPTY_SHARE = 0.95
UNPACKED_MAX = 256 * MIB  # of all parts of a workbook
HELPER_MAX = 32 * MIB  # of a part that is held in memory: shared texts, styles
OLD_MAX = 64 * MIB  # of an .xls file, which is held in memory
IN_MEMORY = 16 * MIB
CELL_MAX = MIB  # characters between two marks of XML; Excel's own limit of a cell is 32,767
MARKS_MAX = 250_000  # of XML outside of rows, which the library keeps until the end of the sheet
GAP_MAX = 10_000  # empty rows, after which the rest of a sheet is a stray cell
_ZIP, _ZIP_NAME = b"PK\x03\x04", 30  # how a zip begins, and where its first member's name stands
_FIRST_NAMES = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/")
_SAVE = "Save the sheet with the machines as “CSV UTF-8” and hand that in."


class BadWorkbook(Exception):
    """A workbook that is not read; the message says why and what to do."""


def is_workbook(stream: BinaryIO) -> bool:
    """True for an .xls file by its first bytes, for an .xlsx file by the names in it, which is a zip."""
    return _is_new(stream) or _start(stream).startswith(b"\xd0\xcf\x11\xe0")


def _is_new(stream: BinaryIO) -> bool:
    """By the names of its members: bytes of a zip that merely holds a workbook may look the same."""
    start = _start(stream)
    if not start.startswith(_ZIP):
        return False
    try:
        with zipfile.ZipFile(stream) as archive:
            return "[Content_Types].xml" in archive.namelist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError):  # cut short: what its first member is called
        return start[_ZIP_NAME:].startswith(_FIRST_NAMES)


def _start(stream: BinaryIO) -> bytes:
    stream.seek(0)
    return stream.read(100)


def sheets(stream: BinaryIO, left_out: list[str], rows_max: int | None = None) -> Iterator[tuple[str, BinaryIO]]:
    """Name and text of each visible sheet; what is not read is said in `left_out`. Raises BadWorkbook.

    A text is open until the next sheet is asked for, and has at most `rows_max` rows.
    """
    rows_of = _new_sheets if _is_new(stream) else _old_sheets
    with _told():
        for name, visible, rows in rows_of(stream):
            if not visible:
                left_out.append(f"Sheet “{name[:60]}” is hidden and not read.")
                continue
            with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as text:
                if (end := _write(name, islice(rows, rows_max), cast(BinaryIO, text))) is not None:
                    left_out.append(f"Sheet “{name[:60]}” is read up to row {end:,}: {GAP_MAX:,} empty rows follow.")
                yield name, cast(BinaryIO, text)


@contextmanager
def _told() -> Iterator[None]:
    """Whatever a library raises for a damaged workbook becomes BadWorkbook."""
    try:
        yield
    except (BadWorkbook, GeneratorExit):
        raise
    except MemoryError:
        raise BadWorkbook(f"The workbook is too large to be read. {_SAVE}") from None
    except Exception as error:
        from defusedxml.common import DefusedXmlException  # noqa: PLC0415

        if isinstance(error, DefusedXmlException) or isinstance(error.__context__, DefusedXmlException):
            raise BadWorkbook(f"The workbook defines entities in its XML, which no spreadsheet does. {_SAVE}") from None
        raise BadWorkbook(f"The workbook is damaged, or has a password. Open it in a spreadsheet. {_SAVE}") from error


_Sheet = tuple[str, bool, Iterable[list[str]]]  # name, whether it is visible, rows


def _new_sheets(stream: BinaryIO) -> Iterator[_Sheet]:
    import openpyxl  # noqa: PLC0415 - only when a workbook comes
    from openpyxl.worksheet._read_only import ReadOnlyWorksheet  # noqa: PLC0415
    from openpyxl.xml import DEFUSEDXML  # noqa: PLC0415

    # What a sheet says of its size is not trusted, and to look for it the library reads a whole sheet that says none.
    ReadOnlyWorksheet._get_size = lambda _sheet: None
    if not DEFUSEDXML:
        raise RuntimeError("defusedxml is not installed")
    _check_sizes(stream)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about charts and rules of a sheet, which nobody reads here
        with closing(openpyxl.load_workbook(stream, read_only=True, data_only=True, keep_links=False)) as book:
            _check_number(len(book.worksheets))
            for sheet in book.worksheets:
                yield str(sheet.title), sheet.sheet_state == "visible", _new_rows(sheet)


def _check_sizes(stream: BinaryIO) -> None:
    """Refuse what would unpack to more than is read; a member never gives more bytes than the archive says it has."""
    with zipfile.ZipFile(stream) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > UNPACKED_MAX or len(members) > 10 * SHEETS_MAX:
            raise BadWorkbook(
                f"The workbook unpacks to more than {UNPACKED_MAX // MIB} MiB, the most that is read. {_SAVE}"
            )
        for member in members:
            if "worksheets/" not in member.filename and member.file_size > HELPER_MAX:
                raise BadWorkbook(
                    f"Part {member.filename[:60]} of the workbook has more than {HELPER_MAX // MIB} MiB, the most that "
                    f"is read. {_SAVE}"
                )
            if member.filename.endswith(".xml") and member.file_size > CELL_MAX:
                with archive.open(member) as source:
                    _check_marks(source)


def _check_marks(source: IO[bytes]) -> None:
    """Refuse a part that the library would hold in memory for one endless cell, or for what stands in no row."""
    unmarked = marks = 0
    while block := source.read(MIB):
        first = block.find(b"<")
        unmarked = unmarked + len(block) if first < 0 else len(block) - block.rfind(b"<")
        marks = 0 if b"</row>" in block else marks + block.count(b"<") - block.count(b"<row")
        if unmarked > CELL_MAX:
            raise BadWorkbook(f"A cell has more than {CELL_MAX:,} characters, the most that is read. {_SAVE}")
        if marks > MARKS_MAX:
            raise BadWorkbook(f"A sheet has more than {MARKS_MAX:,} elements outside of its rows. {_SAVE}")


def _new_rows(sheet: Any) -> Iterator[list[str]]:
    from openpyxl.cell.read_only import EMPTY_CELL  # noqa: PLC0415

    for row in sheet.iter_rows():
        yield ["" if cell is EMPTY_CELL else _cell_text(cell) for cell in row]


def _cell_text(cell: Any) -> str:
    return _text(cell.value, cell.number_format if isinstance(cell.value, float) else "")


def _old_sheets(stream: BinaryIO) -> Iterator[_Sheet]:
    import xlrd  # noqa: PLC0415 - only when an old workbook comes

    stream.seek(0)
    content = stream.read(OLD_MAX + 1)
    if len(content) > OLD_MAX:
        raise BadWorkbook(f"The workbook has more than {OLD_MAX // MIB} MiB, the most that is read. {_SAVE}")
    book = xlrd.open_workbook(file_contents=content, on_demand=True, ragged_rows=True, logfile=io.StringIO())
    _check_number(book.nsheets)
    for number in range(book.nsheets):
        sheet = book.sheet_by_index(number)
        yield str(sheet.name), sheet.visibility == 0, _old_rows(sheet, book.datemode)
        book.unload_sheet(number)


def _old_rows(sheet: Any, date_mode: int) -> Iterator[list[str]]:
    import xlrd  # noqa: PLC0415

    for number in range(sheet.nrows):
        cells = []
        for cell in sheet.row(number):
            value = cell.value
            if cell.ctype == xlrd.XL_CELL_DATE:
                value = xlrd.xldate_as_datetime(value, date_mode)
            elif cell.ctype == xlrd.XL_CELL_BOOLEAN:
                value = bool(value)
            elif cell.ctype == xlrd.XL_CELL_ERROR:
                value = xlrd.error_text_from_code.get(value, "#ERROR")
            cells.append(_text(value))
        yield cells


def _check_number(number: int) -> None:
    if number > SHEETS_MAX:
        raise BadWorkbook(f"The workbook has {number:,} sheets; at most {SHEETS_MAX} are read. {_SAVE}")


def _write(name: str, rows: Iterable[list[str]], stream: BinaryIO) -> int | None:
    """Write the rows; answers the last one that is read where a long gap ends the sheet."""
    target = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", newline="")
    writer = csv.writer(target, lineterminator="\n")
    cells = empty = width = gap = 0
    ended = None
    for number, row in enumerate(rows, start=1):
        cells += len(row) or 1
        empty += row.count("")
        if empty > EMPTY_MAX and empty > EMPTY_SHARE * cells:
            raise BadWorkbook(f"Sheet “{name[:60]}” is next to empty and has cells far to the right. {_SAVE}")
        if number > ROWS_MAX or len(row) > COLUMNS_MAX or cells > CELLS_MAX:
            raise BadWorkbook(
                f"Sheet “{name[:60]}” has more than {ROWS_MAX:,} rows, {COLUMNS_MAX:,} columns or {CELLS_MAX:,} cells "
                f"(row {number:,}), the most that is read. {_SAVE}"
            )
        while row and not row[-1]:
            row.pop()
        gap = 0 if row else gap + 1
        if gap > GAP_MAX:
            ended = number - gap
            break
        if row:
            width = max(width, len(row))
            writer.writerow(row + [""] * (width - len(row)))
        else:
            target.write("\n")
    target.flush()
    target.detach()
    return ended


def _text(value: object, number_format: str = "") -> str:
    """A cell as a list would have it: whole numbers without a point, percent with its sign, texts on one line."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return _number(float(value), percent="%" in number_format)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return " ".join(str(value).split("\n")).replace("\r", " ")


def _number(value: float, *, percent: bool) -> str:
    if percent:
        return f"{value * 100:.10g}%"
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = repr(value)
    return f"{text}0" if text[-4:-3] == "." else text  # 1.234 might be read as thousands, 1.2340 is not
