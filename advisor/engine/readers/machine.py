"""Facts of the machine itself as JSON text with sorted keys, made once per distinct combination of the columns."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from advisor.engine.readers.rows import Judged
from advisor.engine.readers.tags import combined
from advisor.engine.vm_facts import NAMES

#: Facts with a column of their own in the fleet table; the others stand together in `facts`.
OWN_COLUMNS = ("generation", "data_disks", "premium_disks")
TOGETHER = tuple(name for name in NAMES if name not in OWN_COLUMNS)


def facts_category(judged: Judged) -> pd.Categorical:
    """The facts of each GPU row, None where it has none."""
    read = [name for name in TOGETHER if name in judged.parsed]
    if not read:
        nothing = np.full(int(judged.gpu.sum()), -1)
        return pd.Categorical.from_codes(nothing, categories=pd.Index([], dtype="str"))
    columns = [judged.table.columns[judged.layout.fields[name]] for name in read]
    codes, places = combined(columns, judged.gpu)
    texts = []
    for place in places.tolist():
        cells = {
            name: judged.parsed[name].values[column.codes[place]] for name, column in zip(read, columns, strict=True)
        }
        known = {name: value for name, value in cells.items() if value is not None}
        texts.append(json.dumps(known, sort_keys=True) if known else None)
    categories = sorted({text for text in texts if text is not None})
    number = {text: code for code, text in enumerate(categories)}
    own = np.array([-1 if text is None else number[text] for text in texts] or [-1], dtype=np.int64)
    return pd.Categorical.from_codes(own[codes], categories=pd.Index(categories, dtype="str"))
