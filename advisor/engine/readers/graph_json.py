"""`resource-graph-json`: answers of `az graph query`, of the REST interface and of Search-AzGraph, raw or projected."""

from __future__ import annotations

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.collecting import Collector
from advisor.engine.readers.flat_json import flat_layout, row_cells
from advisor.engine.readers.head import Head
from advisor.engine.readers.jsontext import pick, plain_text
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.refusals import refuse
from advisor.engine.readers.resource_file import broken_is_told, elements_of, finish_collected
from advisor.engine.readers.resources import Resources, flat
from advisor.engine.readers.rows import Options
from advisor.engine.readers.vm_cells import LAYOUT

NAME = "resource-graph-json"
_COUNTS = ("count", "totalRecords", "total_records", "skip_token", "skipToken", "$skipToken", "facets")
_QUERY = (
    "`az graph query -q \"resources | where type in~ ('microsoft.compute/virtualmachines', "
    "'microsoft.compute/virtualmachinescalesets')\" --first 1000 -o json > machines.json`"
)


def recognises(head: Head) -> bool:
    """A list named `data` beside counts, or elements with the columns of the table `resources`."""
    first = next(iter(head.items), None)
    if head.wrapped and any(pick(first, name) is not None for name in _COUNTS) and pick(first, "data") is not None:
        return True
    return any(pick(item, "properties") is not None and pick(item, "subscriptionId") for item in head.elements)


def read(head: Head, catalogue: Catalogue, options: Options) -> Reading:
    """Raw rows are resources, projected ones a table. A cut-off answer is said, with both numbers."""
    projected = not any(pick(item, "properties") is not None for item in head.elements)
    layout = flat_layout(head, catalogue) if projected else LAYOUT
    if layout is None:
        message = "The rows of this answer of Resource Graph have no size: the query left it out."
        return refuse(head.name, NAME, "no_size_column", f"{message} Run {_QUERY}.", head=head)
    collector = Collector(layout, Problems())
    resources = Resources(collector, catalogue)
    about: dict[str, object] = {}
    number = 0
    with broken_is_told(collector):
        for index, item in enumerate(elements_of(head, about)):
            number = index + 1
            if projected:
                collector.add(index, row_cells(item, layout))
            else:
                resources.add(index, flat(item))
    resources.close()
    _warn_if_cut(collector.problems, about, number)
    return finish_collected(head, collector, catalogue, options, NAME)


def _warn_if_cut(problems: Problems, about: dict[str, object], number: int) -> None:
    total = next((v for n in ("total_records", "totalRecords") if isinstance(v := about.get(n), float)), None)
    more = any(about.get(name) for name in ("skip_token", "skipToken", "$skipToken", "SkipToken"))
    cut = plain_text(about.get("resultTruncated")).casefold() == "true"
    if not (more or cut or (total is not None and total > number)):
        return
    of = f" of {total:,.0f}" if total is not None and total > number else ""
    problems.add(
        Problem(
            kind="truncated_result",
            severity="warning",
            message=f"The file is cut off: it has {number:,}{of} rows, because Resource Graph answers in pages. "
            "Fetch the rest with `--skip-token`, or narrow the query, and hand in all pages.",
        )
    )
