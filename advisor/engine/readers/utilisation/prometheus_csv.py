"""DCGM metrics as CSV: a column per metric, a column per series (Grafana), or a row per metric and value."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.catalogue import squash
from advisor.engine.readers.head import Head, body_records
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.records import Record
from advisor.engine.readers.text import BLANKS
from advisor.engine.readers.utilisation.figures import NotAFigure, figure, moment
from advisor.engine.readers.utilisation.prometheus import METRICS, Levels, Series, series_name
from advisor.engine.readers.utilisation.samples import BadSample, Sample, Samples

NAME = "dcgm-csv"
_TIMES = frozenset(("time", "timestamp", "date", "datetime"))
#: Columns that hold a label, by their names as compared.
_LABELS = {
    **{squash(name): name for name in ("Hostname", "hostname", "kubernetes_node", "node", "instance", "host")},
    **{"gpu": "gpu", "gpuid": "gpu", "device": "device", "uuid": "UUID", "gpuuuid": "UUID", "modelname": "modelName"},
    **{"gpuiid": "GPU_I_ID", "gpuiprofile": "GPU_I_PROFILE", "name": "__name__", "metric": "__name__"},
}
_METRIC_KEYS = {squash(name): name for name in METRICS}
_MARK = "DCGM_FI_"


def recognises(head: Head) -> bool:
    """A column is a DCGM metric or a series of one, or a cell of the first rows names one."""
    if head.table is None or head.is_json:
        return False
    cells = [*head.table.header, *(cell for row in head.table.sample[:20] for cell in row)]
    return any(_MARK in cell.upper() for cell in cells)


def read(head: Head) -> Reading:
    """A sample per cell of a metric."""
    samples, levels = Samples(head), Levels()
    table = _Table(head.table.header if head.table else (), levels)
    for record in body_records(head):
        for sample in () if record.blank else table.samples(record, samples):
            try:
                samples.add(record.line, sample)
            except BadSample as error:
                samples.refuse(record.line, error)
    levels.warn(samples)
    return samples.reading(NAME)


class _Table:
    """What each column is: the time, a label, a metric, a series, or the value of the metric that the row names."""

    def __init__(self, header: tuple[str, ...], levels: Levels) -> None:
        keys = [squash(cell) for cell in header]
        self.header, self.levels = header, levels
        self.time = next((place for place, key in enumerate(keys) if key in _TIMES), None)
        self.value = next((place for place, key in enumerate(keys) if key == "value"), None)
        self.labels = {place: _LABELS[key] for place, key in enumerate(keys) if key in _LABELS}
        self.metrics = {place: _METRIC_KEYS[key] for place, key in enumerate(keys) if key in _METRIC_KEYS}
        named = {place: series_name(cell) for place, cell in enumerate(header) if "{" in cell}
        found = {place: levels.series(*name) for place, name in named.items() if name is not None}
        self.series = {place: series for place, series in found.items() if series is not None}
        self.known: dict[tuple[tuple[str, str], ...], dict[int, Series]] = {}  # by labels, so that each is read once

    def samples(self, record: Record, samples: Samples) -> Iterator[Sample]:
        """The samples of one row; what is wrong with a cell is told."""
        cells = record.cells
        when = moment(cells[self.time]) if self.time is not None and self.time < len(cells) else None
        for place, series in (self.series or self._of_row(cells)).items():
            try:
                value = figure(cells[place]) if place < len(cells) else None
            except NotAFigure:
                where = self.header[place]
                samples.refuse(record.line, BadSample(where, shown(cells[place]), "is no figure"))
                continue
            sample = None if value is None else series.sample(value, when)
            if sample is not None:
                yield sample

    def _of_row(self, cells: list[str]) -> dict[int, Series]:
        labels = {name: cells[place].strip(BLANKS) for place, name in self.labels.items() if place < len(cells)}
        key = tuple(labels.items())
        if key not in self.known and len(self.known) < 100_000:
            metrics = self.metrics
            if not metrics and self.value is not None:
                metrics = {self.value: labels.get("__name__", "")}
            found = {place: self.levels.series(metric, labels) for place, metric in metrics.items()}
            self.known[key] = {place: series for place, series in found.items() if series is not None}
        return self.known.get(key, {})
