"""What Prometheus answers to a query, of a range or of a moment, and what promtool prints of it as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from advisor.engine.readers.head import Head
from advisor.engine.readers.jsontext import BrokenJson, iterate_elements, pick
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.records import open_text
from advisor.engine.readers.utilisation.figures import of_epoch
from advisor.engine.readers.utilisation.prometheus import Levels
from advisor.engine.readers.utilisation.samples import BadSample, Samples

NAME = "prometheus-json"
_WRAPPED = re.compile(r'"resultType"\s*:\s*"(?:matrix|vector)"')
_RESULT = re.compile(r'"result"\s*:\s*(?=\[)')
_BARE = re.compile(r'^\s*\[\s*\{\s*"metric"\s*:\s*\{')
_HEAD_CHARACTERS = 20_000


def recognises(head: Head) -> bool:
    """The frame of an answer of Prometheus, or its bare list of series."""
    start = head.text[:_HEAD_CHARACTERS]
    return head.is_json and bool((_WRAPPED.search(start) and _RESULT.search(start)) or _BARE.match(start))


def read(head: Head) -> Reading:
    """A sample per value; series come one by one, so that a long answer is never in memory as a whole."""
    samples, levels = Samples(head), Levels()
    index = -1
    try:
        for index, element in enumerate(_elements(head)):  # noqa: B007 - a broken one is named by it
            _take(element, samples, levels)
            head.progress(head.stream.tell(), samples.rows)
    except BrokenJson as error:
        message = f"Element {index + 1:,}: the file stops being JSON here: {error}. What came before is read."
        samples.problems.add(Problem(kind="broken_json", severity="error", message=message, item=index + 1))
    levels.warn(samples)
    return samples.reading(NAME)


def _elements(head: Head) -> Iterator[object]:
    text = open_text(head.stream, head.decoding)
    try:
        if (found := _RESULT.search(head.text[:_HEAD_CHARACTERS])) is not None and not _BARE.match(head.text):
            text.read(found.end())
        yield from iterate_elements(text)
    finally:
        text.detach()


def _take(element: object, samples: Samples, levels: Levels) -> None:
    metric = pick(element, "metric")
    if not isinstance(metric, dict):
        return
    labels = {str(name): str(value) for name, value in metric.items()}
    series = levels.series(labels.get("__name__", ""), labels)
    if series is None:
        return
    values = pick(element, "values")
    one = pick(element, "value")
    pairs: list[Any] = values if isinstance(values, list) else [one] if one else []
    for pair in pairs:
        try:
            when, value = list(pair)
            sample = series.sample(float(value), of_epoch(float(when)))
            if sample is not None:
                samples.add(None, sample)
        except BadSample as error:
            samples.refuse(None, error)
        except (TypeError, ValueError):
            samples.refuse(None, BadSample("values", shown(str(pair)), "is no pair of a time and a number"))
