"""Further columns of a file as tags: JSON text with sorted keys, made once per distinct combination."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd

from advisor.engine.readers.problems import Problems, shown
from advisor.engine.readers.reading import Problem
from advisor.engine.readers.rows import Judged
from advisor.engine.readers.table import Factor, Integers, Mask
from advisor.engine.readers.text import BLANKS

TAG_VALUES_MAX = 10_000  # a column with more different values tells machines apart; tags tell groups apart
TAG_COLUMNS_MAX = 50
COMBINATIONS_MAX = 1 << 40  # before they are numbered anew, to stay within 64 bits


def tag_category(judged: Judged, problems: Problems) -> pd.Categorical:
    """The tags of each GPU row, None where it has none; a column of too many values is left out, and said so."""
    rows = judged.gpu
    columns = {}
    for name, place in judged.layout.tags.items():
        column = judged.table.columns[place]
        if judged.seen.tag_values(name, column.values, TAG_VALUES_MAX):
            columns[name] = column
        else:
            problems.once(_left_out(name))
    if not columns:
        return pd.Categorical.from_codes(np.full(int(rows.sum()), -1), categories=pd.Index([], dtype="str"))
    codes, places = combined(list(columns.values()), rows)
    texts = [_tag_text({name: column.cell(row) for name, column in columns.items()}) for row in places.tolist()]
    categories = sorted({text for text in texts if text is not None})
    number = {text: code for code, text in enumerate(categories)}
    own = np.array([-1 if text is None else number[text] for text in texts] or [-1], dtype=np.int64)
    return pd.Categorical.from_codes(own[codes], categories=pd.Index(categories, dtype="str"))


def combined(columns: Sequence[Factor], rows: Mask) -> tuple[Integers, Integers]:
    """The number of the combination of cells in each of the `rows`, and a row of the table that has it."""
    numbers = np.zeros(int(rows.sum()), dtype=np.int64)
    combinations = 1
    for column in columns:
        if combinations * len(column.values) > COMBINATIONS_MAX:
            numbers = pd.factorize(numbers)[0].astype(np.int64)
            combinations = int(numbers.max(initial=0)) + 1
        numbers = numbers * max(len(column.values), 1) + column.codes[rows]
        combinations *= max(len(column.values), 1)
    numbers = pd.factorize(numbers)[0].astype(np.int64)
    first = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]  # the first row of each combination is written last
    return numbers, np.flatnonzero(rows)[first]


def _tag_text(cells: dict[str, str]) -> str | None:
    tags: dict[str, object] = {}
    for name, cell in cells.items():
        text = cell.strip(BLANKS)
        if not text or (name.casefold() == "tags" and text in ("{}", "null")):
            continue
        inner = _object(text) if name.casefold() == "tags" and text.startswith("{") else None
        tags.update(inner if inner is not None else {name: text})
    return json.dumps(tags, ensure_ascii=False, sort_keys=True) if tags else None


def _object(text: str) -> dict[str, object] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else None


def _left_out(name: str) -> Problem:
    message = f"Column {shown(name)} has more than {TAG_VALUES_MAX:,} different values and is not kept as a tag."
    return Problem(kind="tag_left_out", severity="warning", message=message, column=name)
