"""`hand-list` as JSON: a list of flat objects, such as `az vm list --query "[].{...}"` and scripts print."""

from __future__ import annotations

import json

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.collecting import Collector
from advisor.engine.readers.hand_list import NAME as HAND_LIST
from advisor.engine.readers.head import Head, Table
from advisor.engine.readers.jsontext import plain_text
from advisor.engine.readers.layout import find_layout
from advisor.engine.readers.names import is_known_size
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import LIST_INSTEAD, refuse
from advisor.engine.readers.resource_file import broken_is_told, elements_of, finish_collected
from advisor.engine.readers.rows import Options
from advisor.engine.readers.table import Layout

NAME = HAND_LIST
_KEYS_MAX = 500  # of one object


def recognises(head: Head) -> bool:
    """Elements that are flat: some value is a text or a number, and none holds an object but tags."""
    return bool(head.elements) and all(
        isinstance(item, dict)
        and any(isinstance(value, str) for value in item.values())
        and not any(isinstance(value, dict) for name, value in item.items() if name.casefold() not in ("tags", "sku"))
        for item in head.elements
    )


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """Each element is a row, its keys are the columns."""
    layout = flat_layout(head, catalogue)
    if layout is None:
        keys = ", ".join(str(key) for item in head.elements[:1] if isinstance(item, dict) for key in list(item)[:8])
        message = f"No key of the objects holds VM sizes (keys read: {keys or 'none'})."
        return refuse(head.name, "unknown", "no_size_column", f"{message} {LIST_INSTEAD}", head=head)
    collector = Collector(layout, Problems())
    with broken_is_told(collector):
        for index, item in enumerate(elements_of(head, {})):
            collector.add(index, row_cells(item, layout))
    return finish_collected(head, collector, catalogue, options, NAME)


def flat_layout(head: Head, catalogue: Catalogue) -> Layout | None:
    """The layout of flat objects by the keys of the first ones, None where no key holds sizes."""
    keys = dict.fromkeys(key for item in head.elements if isinstance(item, dict) for key in list(item)[:_KEYS_MAX])
    header = tuple(keys)
    sample = tuple([_text(item.get(key)) for key in header] for item in head.elements if isinstance(item, dict))
    table = Table(delimiter=",", line=1, next_line=2, header=header, keys=frozenset(), sample=sample, headless=False)
    layout = find_layout(table, catalogue)
    if layout is None:
        return layout
    place = layout.fields["size"]
    return layout if any(is_known_size(row[place], catalogue) for row in sample) else None


def row_cells(item: object, layout: Layout) -> list[str]:
    """The object's values in the order of the layout's header; missing keys are empty."""
    values = item if isinstance(item, dict) else {}
    return [_text(values.get(key)) for key in layout.header]


def _text(value: object) -> str:
    if isinstance(value, dict):
        if isinstance(value.get("name"), str) and set(value) <= {"name", "tier", "capacity", "family", "size"}:
            return str(value["name"])  # a `sku`
        return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""
    if isinstance(value, list):
        return "+".join(plain_text(part) for part in value)
    return plain_text(value)
