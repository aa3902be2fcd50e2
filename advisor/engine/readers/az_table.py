"""Tables of the command line (`-o table`): none of them is a fleet, because none has the size."""

from __future__ import annotations

import re
from collections.abc import Mapping

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.head import Head
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.records import open_text
from advisor.engine.readers.refusals import LIST_COMMAND, refuse
from advisor.engine.readers.rows import Options
from advisor.engine.readers.text import BLANKS

NAME = "az-vm-list-table"
QUOTA_NAME = "az-vm-list-usage-table"
HEADER_LINES = 2


def recognises(head: Head) -> bool:
    """A second line of dashes under the column names."""
    return head.fixed_width_header is not None


def read(head: Head, _catalogue: Catalogue, _options: Options, _columns: Mapping[str, str] | None = None) -> Reading:
    """A refusal that names the command which gives the size; each line of the table is an error row."""
    columns = re.split(r" {2,}", (head.fixed_width_header or "").strip())
    rows = max(0, _count_lines(head) - HEADER_LINES)
    if {"CurrentValue", "Limit"} <= set(columns):
        return refuse(
            head.name,
            QUOTA_NAME,
            "quota_not_fleet",
            "This is a quota table: it has vCPUs per family, but no machines and no region, so it cannot tell which "
            f"sizes run. Export the machines: `{LIST_COMMAND}`.",
            head=head,
            rows=rows,
        )
    return refuse(
        head.name,
        NAME,
        "no_size_column",
        f"A table of the command line (columns {', '.join(columns[:8])}) has no usable size column. "
        f"Run the command with JSON instead: `{LIST_COMMAND}`.",
        head=head,
        rows=rows,
    )


def _count_lines(head: Head) -> int:
    text = open_text(head.stream, head.decoding)
    try:
        return sum(1 for line in text if line.strip(BLANKS))
    finally:
        text.detach()
