"""The table that `nvidia-smi` prints, once or again and again: each table is one moment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from advisor.engine.edge.smi import read_smi
from advisor.engine.readers.head import Head
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.utilisation.figures import moment
from advisor.engine.readers.utilisation.hosts import Host, host_in_line
from advisor.engine.readers.utilisation.samples import BadSample, Sample, Samples, numbered_lines

NAME = "nvidia-smi-text"
_TITLE = re.compile(r"NVIDIA-SMI\s+(?:version\s*:?\s*)?\d", re.IGNORECASE)
_DATE = re.compile(r"\b((?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d:\d\d \d{4})\b")
TABLE_LINES = 2_000  # of one table; a machine of 16 GPUs with many processes has some hundred


def recognises(head: Head) -> bool:
    """The title line of the table."""
    return not head.is_json and _TITLE.search(head.text[:50_000]) is not None


def read(head: Head) -> Reading:
    """A sample per GPU and table."""
    samples = Samples(head)
    for start, when, host, lines in _tables(head):
        found = read_smi("\n".join(lines))
        for problem in found.problems:
            if problem.severity == "error" and problem.line is not None:
                samples.refuse(start + problem.line - 1, BadSample("", lines[problem.line - 1], problem.message))
        for gpu in found.gpus:
            sample = Sample(
                gpu=str(gpu.index),
                host=host,
                when=when,
                busy=gpu.utilisation_percent,
                used_mib=gpu.memory_used_mib,
                total_mib=gpu.memory_total_mib,
                power_w=gpu.power_w,
                name=gpu.name,
            )
            try:
                samples.add(start + gpu.line - 1, sample)
            except BadSample as error:
                samples.refuse(start + gpu.line - 1, error)
    return samples.reading(NAME)


def _tables(head: Head) -> Iterator[tuple[int, datetime | None, Host | None, list[str]]]:
    """Each table with its first line, its time and its host; the line of the time stands above the title."""
    lines: list[str] = []
    start, when, next_when = 1, None, None
    host: Host | None = None
    next_host: Host | None = None
    for number, line in numbered_lines(head):
        if (date := _DATE.search(line[:200])) is not None:
            next_when = moment(" ".join(date[1].split()))
        next_host = host_in_line(line) or next_host
        if _TITLE.search(line[:400]):
            if lines:
                yield start, when, host, lines
            lines, start, when, host, next_when = [line[:400]], number, next_when, next_host, None
        if lines and start != number and len(lines) < TABLE_LINES:
            lines.append(line[:400])
    if lines:
        yield start, when, host, lines
