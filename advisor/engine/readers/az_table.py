"""`az-vm-list-table`: what the command line prints with `-o table`. Most of these tables leave the size out."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from dataclasses import replace
from typing import BinaryIO, cast

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.delimited import read_table
from advisor.engine.readers.head import DASHES, Head, read_head
from advisor.engine.readers.layout import find_layout
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.records import bounded_lines, open_text
from advisor.engine.readers.refusals import LIST_COMMAND, refuse
from advisor.engine.readers.rows import Options
from advisor.engine.readers.text import BLANKS, Decoding
from advisor.engine.readers.words import field_of

NAME = "az-vm-list-table"
HEADER_LINES = 2
IN_MEMORY = 1 << 24
_GAP = re.compile(r" {2,}")

#: What to run instead, by columns that only one table has.
_COMMANDS = (
    ({"Capacity", "UpgradePolicy"}, "`az vmss list -o json > scale-sets.json` for the scale sets"),
    ({"KubernetesVersion"}, "`az aks list -o json > clusters.json` for the node pools"),
    (
        {"ResourceType", "Restrictions"},
        f"`{LIST_COMMAND}` for the machines: this table lists what Azure offers, not what runs",
    ),
)


def recognises(head: Head) -> bool:
    """A second line of dashes under the column names."""
    return head.fixed_width_header is not None


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """Where the table has sizes it is read like a list; else a refusal names the command which gives them."""
    columns = _GAP.split((head.fixed_width_header or "").strip(BLANKS))
    if any(field_of(column) == "size" for column in columns):
        with cast(BinaryIO, tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)) as stream:
            _write_delimited(head, stream)
            table = read_head(head.name, stream, Decoding(codec="utf-8", label=head.decoding.label), catalogue)
            layout = find_layout(table.table, catalogue) if table.table else None
            if layout is not None:
                return replace(read_table(table, layout, catalogue, options, NAME), delimiter=None)
    instead = next((text for names, text in _COMMANDS if names <= set(columns)), f"`{LIST_COMMAND}`")
    return refuse(
        head.name,
        NAME,
        "no_size_column",
        f"A table of the command line (columns {', '.join(columns[:8])}) has no usable size column. "
        f"Run the command with JSON instead: {instead}.",
        head=head,
        rows=max(0, _count_lines(head) - HEADER_LINES),
    )


def _write_delimited(head: Head, stream: BinaryIO) -> None:
    """The table as delimited text of which each record stands on the line that it has in the file."""
    target = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(target, lineterminator="\n")
    spans: list[tuple[int, int | None]] = []
    source = open_text(head.stream, head.decoding)
    titles = ""
    try:
        for line in bounded_lines(source):
            text = line.rstrip("\n")
            if not spans and titles and DASHES.fullmatch(text.strip(BLANKS)):
                spans = _spans(text)
                target.write("\n")
            elif not text.strip(BLANKS):
                target.write("\n")
            elif not spans:
                titles = text
                writer.writerow(_GAP.split(text.strip(BLANKS)))
            else:
                writer.writerow(_cells(text, spans))
    finally:
        source.detach()
        target.detach()


def _spans(dashes: str) -> list[tuple[int, int | None]]:
    """Where each column begins and ends; the last one has no end."""
    runs = [(found.start(), found.end()) for found in re.finditer("-+", dashes)]
    return [*runs[:-1], (runs[-1][0], None)]


def _cells(text: str, spans: list[tuple[int, int | None]]) -> list[str]:
    """Cells by their gaps where there are as many as columns (wide characters move columns), else by place."""
    parts = _GAP.split(text.strip(BLANKS))
    return parts if len(parts) == len(spans) else [text[start:end].strip(BLANKS) for start, end in spans]


def _count_lines(head: Head) -> int:
    text = open_text(head.stream, head.decoding)
    try:
        return sum(1 for line in bounded_lines(text) if line.strip(BLANKS))
    finally:
        text.detach()
