"""What a dcgm-exporter answers at /metrics: one moment, or several put together, with or without times."""

from __future__ import annotations

import re

from advisor.engine.readers.head import Head
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.utilisation.figures import of_epoch
from advisor.engine.readers.utilisation.prometheus import METRICS, Levels, series_name
from advisor.engine.readers.utilisation.samples import BadSample, Samples, numbered_lines

NAME = "dcgm-prometheus"
_FIRST = re.compile(r"^(?:# (?:HELP|TYPE) )?DCGM_FI_\w+[ {]", re.MULTILINE)
_LINE = re.compile(r"^([A-Za-z_:][\w:]*\{.*\})\s+(\S{1,40})(?:\s+(-?\d{1,16}))?\s*$")


def recognises(head: Head) -> bool:
    """A line begins with a DCGM metric and its labels, or is the help of one."""
    return not head.is_json and (_FIRST.search(head.text[:20_000]) is not None) and "{" in head.text


def read(head: Head) -> Reading:
    """A sample per line of a metric that is read."""
    samples, levels = Samples(head), Levels()
    for number, line in numbered_lines(head):
        if not line.startswith(tuple(METRICS)):
            continue
        found = _LINE.match(line)
        named = series_name(found[1]) if found else None
        try:
            if found is None or named is None:
                raise BadSample("", shown(line), "is no line of Prometheus: a metric, labels in braces and a value")
            series = levels.series(*named)
            if series is None:
                continue
            sample = series.sample(_number(found[2]), of_epoch(float(found[3])) if found[3] else None)
            if sample is not None:
                samples.add(number, sample)
        except BadSample as error:
            samples.refuse(number, error)
    levels.warn(samples)
    return samples.reading(NAME)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadSample("value", shown(text), "is no number") from None
