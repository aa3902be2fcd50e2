"""Monitoring whose figures are not those of a GPU of a machine: named, with what to export instead."""

from __future__ import annotations

import re

from advisor.engine.readers.head import PREAMBLE_LINES, Head
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import refuse

_QUERY = (
    "`nvidia-smi --query-gpu=timestamp,index,name,uuid,utilization.gpu,memory.used,memory.total,power.draw "
    '--format=csv -l 60 > "$(hostname).csv"`'
)
_PROCESS = re.compile(r"^#\s*(?:date\s+)?(?:time\s+)?gpu\s+pid\s", re.IGNORECASE | re.MULTILINE)
_CELLS = re.compile(r"^(?=.*\d\s?%)(?=.*\d\s?MiB)[^#\n]*,[^\n]*$", re.IGNORECASE)
_AZURE = re.compile(r'"Gpu(?:Utilization(?:MilliGPUs|Percentage)?|MemoryUtilizationPercentage)"')


def recognises(head: Head) -> bool:
    """One of the kinds below."""
    return _said(head) is not None


def read(head: Head) -> Reading:
    """A refusal that says what the figures are of."""
    name, kind, message = _said(head) or ("unknown", "unknown_format", "")
    return refuse(head.name, name, kind, message, head=head)


def _said(head: Head) -> tuple[str, str, str] | None:
    start = head.text[:50_000]
    if _PROCESS.search("\n".join(start.split("\n", PREAMBLE_LINES)[:PREAMBLE_LINES])):
        message = (
            "This is nvidia-smi pmon: figures of processes, from which those of a GPU cannot be told. Run "
            "`nvidia-smi dmon -s pum -o DT -d 60` instead."
        )
        return "nvidia-smi-pmon", "wrong_level", message
    if head.is_json and _AZURE.search(start) and '"timeseries"' in start:
        message = (
            "These are Azure Monitor metrics of a workspace or an app: means over its GPUs, not figures of a machine's "
            f"GPU. Plain VMs have no GPU metric in Azure Monitor. On each machine run {_QUERY}."
        )
        return "azure-monitor-json", "wrong_level", message
    first = start.split("\n", 1)[0]
    if not head.is_json and len(first) < 2_000 and _CELLS.match(first):
        message = (
            "This looks like nvidia-smi with noheader: nothing says which column is the busy share and which the "
            f"memory in use. Leave noheader out: {_QUERY}."
        )
        return "nvidia-smi-csv", "no_header", message
    return None
