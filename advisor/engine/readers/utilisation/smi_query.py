"""`nvidia-smi --query-gpu=... --format=csv`, once or with -l, of one host or of several put together."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from advisor.engine.readers.head import PREAMBLE_LINES, Head
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.records import Record, iterate_records
from advisor.engine.readers.text import BLANKS, guess_delimiter, header_keys
from advisor.engine.readers.utilisation.figures import NotAFigure, figure, moment
from advisor.engine.readers.utilisation.hosts import HOST_COLUMNS, HOST_MAX, Host
from advisor.engine.readers.utilisation.samples import BadSample, Sample, Samples, numbered_lines

NAME = "nvidia-smi-csv"
#: Columns by their names as compared. utilization.memory is how busy the memory's bus is, so it is none of them.
COLUMNS = {
    "timestamp": "time",
    "index": "index",
    "name": "name",
    "gpuname": "name",
    "uuid": "uuid",
    "gpuuuid": "uuid",
    "pcibusid": "bus",
    "gpubusid": "bus",
    "utilizationgpu": "busy",
    "memoryused": "used_mib",
    "memorytotal": "total_mib",
    "powerdraw": "power_w",
    "powerdrawaverage": "power_w",
} | dict.fromkeys(HOST_COLUMNS, "host")
_MARKS = frozenset(("busy", "used_mib"))
_SIZES = frozenset(("size", "vmsize", "sku"))
_HEADER = re.compile("utilization.?gpu|memory.?used", re.IGNORECASE)  # a quick look, since most rows are none
_FIGURES = ("busy", "used_mib", "total_mib", "power_w")


def recognises(head: Head) -> bool:
    """A line near the top names the busy share or the memory in use as --query-gpu does, and no VM size."""
    return not head.is_json and _header_line(head) is not None


def _header_line(head: Head) -> int | None:
    """The line of the header, 1-based."""
    for number, line in enumerate(head.text.split("\n", PREAMBLE_LINES)[:PREAMBLE_LINES], start=1):
        if _is_header(line.split(guess_delimiter(line[:5_000])) if len(line) < 5_000 else ()):
            return number
    return None


def _is_header(cells: Iterator[str] | list[str] | tuple[str, ...]) -> bool:
    cells = list(cells)
    keys = {key for cell in cells for key in header_keys(cell)}
    return len(cells) > 1 and bool(_MARKS & {COLUMNS.get(key) for key in keys}) and keys.isdisjoint(_SIZES)


def columns_of(cells: list[str]) -> dict[str, int]:
    """Where each column stands; of two with the same meaning the first counts."""
    found: dict[str, int] = {}
    for place, cell in enumerate(cells):
        field = next((COLUMNS[key] for key in header_keys(cell) if key in COLUMNS), None)
        if field is not None:
            found.setdefault(field, place)
    return found


def read(head: Head) -> Reading:
    """A sample per row. A header that comes again, as of files put together, begins anew."""
    samples = Samples(head)
    start = _header_line(head) or 1
    lines = itertools.islice(numbered_lines(head), start - 1, None)
    number, header = next(lines)
    delimiter = guess_delimiter(header)
    columns = columns_of(next(iterate_records(iter([header]), delimiter), Record(number, [])).cells)
    if not {"index", "uuid", "bus"} & columns.keys():
        samples.warn("no_gpu_index", "No column tells the GPUs of a host apart. Ask for index and uuid too.")
    for record in iterate_records((line + "\n" for _, line in lines), delimiter, start + 1):
        if record.blank or record.cells[0].lstrip().startswith("#"):
            continue
        if _HEADER.search(",".join(record.cells)) and record.fault is None and _is_header(record.cells):
            columns = columns_of(record.cells)
            continue
        try:
            samples.add(record.line, _sample(record, columns))
        except BadSample as error:
            samples.refuse(record.line, error)
    return samples.reading(NAME)


def _sample(record: Record, columns: dict[str, int]) -> Sample:
    cells = record.cells
    needed = max(columns.values(), default=len(cells)) + 1
    if record.fault is not None or len(cells) < needed:
        raise BadSample("", cells[0] if cells else "", f"is cut short: {needed} cells are needed")

    def text(name: str) -> str:
        return cells[columns[name]].strip(BLANKS) if name in columns else ""

    figures: dict[str, float | None] = {}
    for name in _FIGURES:
        try:
            figures[name] = figure(text(name))
        except NotAFigure:
            raise BadSample(name, shown(text(name)), "is no figure; a number or [N/A] is") from None
    when = moment(text("time"))
    if when is None and text("time"):
        raise BadSample("timestamp", shown(text("time")), "is no time, such as 2026/11/30 08:15:30.123")
    name = text("host")
    return Sample(
        gpu=text("index") or text("uuid") or text("bus"),
        host=Host(name[:HOST_MAX], "column") if name else None,
        when=when,
        name=text("name") or None,
        uuid=text("uuid") or None,
        **figures,
    )
