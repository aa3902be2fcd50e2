"""Which host a monitoring file is about: a label or column, a line above the figures, or the file's name at last."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from advisor.engine.gpu_use import HostFrom
from advisor.engine.readers.head import PREAMBLE_LINES, Head

HOST_MAX = 253  # of a DNS name
#: Labels that name the machine, the surest first. The exporter's Hostname may be that of its own pod.
HOST_LABELS = ("Hostname", "hostname", "exported_hostname", "kubernetes_node", "node", "nodename", "host", "instance")
#: Columns that name the machine, as compared.
HOST_COLUMNS = frozenset(
    ("hostname", "host", "node", "nodename", "machine", "machinename", "computer", "computername", "vm", "vmname")
) | {"server", "servername", "instance", "kubernetesnode"}
_LINE = re.compile(
    r"^[#/;\s]*(?:host(?:\s?name)?|node|vm|computer(?:\s?name)?|machine)\s*[:=]\s*([\w.-]{1,253})\s*$", re.IGNORECASE
)
_NODE = re.compile(r"^\s*(K8S-[\w.-]{1,80}):\s*$", re.IGNORECASE)
_PROMPT = re.compile(r"^\W{0,3}[\w.-]{1,64}@([\w.-]{1,253})[:\s].{0,200}nvidia-smi")
_PORT = re.compile(r":\d{1,5}$")
_TOOL = r"(?:nvidia[-_ ]?smi|dcgmi?|dmon|smi)"
_TOOL_WORDS = re.compile(rf"^{_TOOL}[-_. ]+|[-_. ]+{_TOOL}$", re.IGNORECASE)
_ENDINGS = (".gz", ".csv", ".txt", ".log", ".tsv", ".json", ".xml", ".prom", ".out")


@dataclass(frozen=True, slots=True)
class Host:
    """The name of a host as written, and where it stands."""

    name: str
    found: HostFrom


def host_of_file(head: Head) -> Host:
    """The host that a line near the top names, else the file's name without its ending and the tool's name."""
    for line in head.text.split("\n", PREAMBLE_LINES)[:PREAMBLE_LINES]:
        if (found := host_in_line(line)) is not None:
            return found
    return Host(_stem(head.name)[:HOST_MAX], "file name")


def host_in_line(line: str) -> Host | None:
    """`# host: gpu-01`, the node line of an edge device, or a shell prompt before nvidia-smi; None for all others."""
    found = _LINE.match(line[:400]) or _NODE.match(line[:400]) or _PROMPT.match(line[:800])
    return Host(found[1], "line") if found else None


def host_of_labels(labels: Mapping[str, str]) -> Host | None:
    """The machine that a Prometheus series is of; None where no label says."""
    names = [_PORT.sub("", labels[label]) for label in HOST_LABELS if labels.get(label)]
    own = [name for name in names if not name.startswith("dcgm-exporter")]
    return Host((own or names)[0][:HOST_MAX], "label") if names else None


def _stem(name: str) -> str:
    stem = PurePosixPath(name.replace("\\", "/")).name
    while stem.lower().endswith(_ENDINGS):
        stem = stem.rpartition(".")[0]
    bare = _TOOL_WORDS.sub("", stem)
    return bare or stem or "file"
