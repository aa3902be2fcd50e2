"""DCGM metrics as Prometheus names them: what a metric says, and of which GPU of which host a series is."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from advisor.engine.readers.utilisation.hosts import Host, host_of_labels
from advisor.engine.readers.utilisation.samples import Sample, Samples

#: Metrics that are read: the field of a sample, and the factor to its unit (percent, MiB, W).
METRICS: Mapping[str, tuple[str, float]] = {
    "DCGM_FI_DEV_GPU_UTIL": ("busy", 1.0),
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE": ("engine", 100.0),
    "DCGM_FI_DEV_FB_USED": ("used_mib", 1.0),
    "DCGM_FI_DEV_FB_TOTAL": ("total_mib", 1.0),
    "DCGM_FI_DEV_POWER_USAGE": ("power_w", 1.0),
}
_SERIES = re.compile(r"^([A-Za-z_:][\w:]*)?\s*\{(.*)\}$", re.DOTALL)
#: A label begins a word: a long word is looked at once and not from each of its letters.
_LABEL = re.compile(r'(?<!\w)([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"')
#: Labels of a part of a GPU: a figure of a part says nothing of the whole.
_PART_LABELS = ("GPU_I_ID", "GPU_I_PROFILE")
SERIES_MAX = 20_000  # characters of a metric with its labels
BLANK_FROM = 1e12  # DCGM writes 2^63 less a few where it knows nothing; nothing that is read comes near


@dataclass(frozen=True, slots=True)
class Series:
    """One metric of one GPU."""

    field: str
    factor: float
    host: Host | None
    gpu: str
    name: str | None
    uuid: str | None

    def sample(self, value: float, when: datetime | None) -> Sample | None:
        """The sample of a value; None where DCGM knows none."""
        if not math.isfinite(value) or value >= BLANK_FROM:
            return None
        found = Sample(gpu=self.gpu, host=self.host, when=when, name=self.name, uuid=self.uuid)
        setattr(found, self.field, value * self.factor)
        return found


class Levels:
    """Counts series that are of other than one whole GPU; they are never counted as one."""

    def __init__(self) -> None:
        self.sums = self.parts = 0

    def series(self, metric: str, labels: Mapping[str, str]) -> Series | None:
        """The series, None where the metric is not read or is of another level than a whole GPU."""
        if metric not in METRICS:
            return None
        if any(labels.get(label) for label in _PART_LABELS):
            self.parts += 1
            return None
        gpu = next((labels[name] for name in ("gpu", "GPU", "device", "UUID", "uuid") if labels.get(name)), None)
        if gpu is None:
            self.sums += 1
            return None
        field, factor = METRICS[metric]
        uuid = labels.get("UUID") or labels.get("uuid")
        gpu = gpu.removeprefix("nvidia")
        return Series(field, factor, host_of_labels(labels), gpu, labels.get("modelName"), uuid)

    def warn(self, samples: Samples) -> None:
        """Say what was left out."""
        if self.sums:
            samples.warn(
                "sum_of_gpus",
                f"{self.sums:,} series name no GPU: they are means or sums over several, from which no GPU's figure "
                "can be told. They are not read. Query the metric itself, without avg or sum.",
            )
        if self.parts:
            samples.warn(
                "part_of_gpu", f"{self.parts:,} series are of MIG instances, parts of a GPU. They are not read."
            )


def series_name(text: str) -> tuple[str, dict[str, str]] | None:
    """Metric and labels of `NAME{label="value", ...}` or `{__name__="NAME", ...}`; None for other text.

    >>> series_name('DCGM_FI_DEV_GPU_UTIL{gpu="0", Hostname="a"}')
    ('DCGM_FI_DEV_GPU_UTIL', {'gpu': '0', 'Hostname': 'a'})
    """
    found = _SERIES.match(text.strip()) if len(text) <= SERIES_MAX else None
    if found is None:
        return None
    labels = dict(_LABEL.findall(found[2]))
    metric = found[1] or labels.pop("__name__", "")
    return (metric, labels) if metric else None
