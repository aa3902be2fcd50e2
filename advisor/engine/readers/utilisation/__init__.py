"""Files that say how busy GPUs were: nvidia-smi, DCGM, Prometheus. They hold no fleet; they stand beside one.

`recognises` and `read` are those of a format; each module here reads one kind of file.
"""

from __future__ import annotations

from typing import Protocol

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.head import Head
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.rows import Options
from advisor.engine.readers.utilisation import (
    device_monitor,
    prometheus_csv,
    prometheus_json,
    prometheus_text,
    smi_query,
    smi_table,
    smi_xml,
    wrong_level,
)

NAME = "utilisation"
NAMES = (
    *(smi_query.NAME, smi_table.NAME, smi_xml.NAME, *device_monitor.NAMES.values()),
    *(prometheus_csv.NAME, prometheus_text.NAME, prometheus_json.NAME),
)


class _Part(Protocol):
    def recognises(self, head: Head) -> bool: ...

    def read(self, head: Head) -> Reading: ...


_PARTS: tuple[_Part, ...] = (
    wrong_level,
    smi_xml,
    prometheus_json,
    prometheus_text,
    device_monitor,
    prometheus_csv,
    smi_query,
    smi_table,
)


def recognises(head: Head) -> bool:
    """True when one of the parts knows the file by its content."""
    return any(part.recognises(head) for part in _PARTS)


def read(head: Head, _catalogue: Catalogue, _options: Options) -> Reading:
    """No fleet; `utilisation` has a value per host and GPU."""
    return next(part for part in _PARTS if part.recognises(head)).read(head)
