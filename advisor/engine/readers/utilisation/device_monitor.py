"""Tables of fixed columns under `#` lines: `nvidia-smi dmon` and `dcgmi dmon`."""

from __future__ import annotations

import itertools

from advisor.engine.readers.head import PREAMBLE_LINES, Head
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.utilisation.figures import NotAFigure, figure, moment
from advisor.engine.readers.utilisation.hosts import host_in_line
from advisor.engine.readers.utilisation.samples import BadSample, Sample, Samples, numbered_lines

NAMES = {"gpu": "nvidia-smi-dmon", "entity": "dcgmi-dmon"}
#: Columns by their short names. dmon's `mem` and DCGM's MCUTL are how busy the memory's bus is, so they are none.
COLUMNS = {
    "sm": "busy",
    "fb": "used_mib",
    "pwr": "power_w",
    "gputl": "busy",
    "gract": "engine",
    "fbusd": "used_mib",
    "fbttl": "total_mib",
    "power": "power_w",
}
_UNDER = frozenset(("idx", "id", "yyyymmdd", "hh:mm:ss"))  # words of the second header line, that of units
TOKENS_MAX = 200


def recognises(head: Head) -> bool:
    """A `#` line names the GPU or entity and at least one column that is known, and no process."""
    return _first_header(head.text) is not None


def _first_header(text: str) -> list[str] | None:
    lines = itertools.islice(text.split("\n", PREAMBLE_LINES), PREAMBLE_LINES)
    return next((names for line in lines if (names := header_of(line)) is not None), None)


def header_of(line: str) -> list[str] | None:
    """The names of the columns of a `#` line in lower case, None for any other line."""
    if "#" not in line[:80]:
        return None
    names = line[:2_000].replace("#", " ").lower().split()
    if not names or not {"gpu", "entity"} & set(names[:4]) or "pid" in names:
        return None
    return names if any(name in COLUMNS for name in names) else None


def read(head: Head) -> Reading:
    """A sample per line; the header may come again and change."""
    samples = Samples(head)
    names: list[str] = []
    kinds = _first_header(head.text) or []
    parts = 0
    for number, line in numbered_lines(head):
        if (header := header_of(line)) is not None:
            names = header
            continue
        tokens = line[:4_000].split()[:TOKENS_MAX]
        words = {token.lstrip("#").lower() for token in tokens[:4]}
        if not names or words <= {""} or words & _UNDER or host_in_line(line):
            continue
        if "entity" in names and not _is_gpu(tokens):
            parts += len(tokens) > 1  # an instance of a GPU, or a switch; a time alone is none
            continue
        try:
            samples.add(number, _entity(tokens, names) if "entity" in names else _row(tokens, names))
        except BadSample as error:
            samples.refuse(number, error)
    if parts:
        message = f"Lines about other than whole GPUs are not read, such as instances of MIG ({parts:,})."
        samples.warn("other_entities", message)
    return samples.reading(NAMES["entity" if "entity" in kinds else "gpu"])


def _is_gpu(tokens: list[str]) -> bool:
    return "GPU" in tokens[:4]


def _entity(tokens: list[str], names: list[str]) -> Sample:
    """`GPU 0  98 ...`, where a time may stand before."""
    at = tokens.index("GPU")
    columns = names[names.index("entity") + 1 :]
    cells = tokens[at + 2 :]
    if len(cells) < len(columns):
        raise BadSample("", shown(" ".join(tokens)), f"is cut short: {len(columns)} figures are needed")
    return _sample(tokens[at + 1], moment(" ".join(tokens[:at])), columns, cells)


def _row(tokens: list[str], names: list[str]) -> Sample:
    """A line of nvidia-smi: a cell for each name."""
    if len(tokens) < len(names):
        raise BadSample("", shown(" ".join(tokens)), f"is cut short: {len(names)} cells are needed")
    cells = dict(zip(names, tokens, strict=False))
    if not cells["gpu"].isdecimal():
        raise BadSample("gpu", shown(cells["gpu"]), "is no number of a GPU")
    when = moment(f"{cells.get('date', '')} {cells.get('time', '')}")
    return _sample(cells["gpu"], when, names, tokens)


def _sample(gpu: str, when: object, names: list[str], cells: list[str]) -> Sample:
    figures: dict[str, float | None] = {}
    for name, cell in zip(names, cells, strict=False):
        if (field := COLUMNS.get(name)) is None:
            continue
        try:
            figures[field] = figure(cell)
        except NotAFigure:
            raise BadSample(name, shown(cell), "is no figure; a number or - is") from None
    if (engine := figures.get("engine")) is not None:
        figures["engine"] = 100 * engine
    return Sample(gpu=gpu, when=when, **figures)  # type: ignore[arg-type]
