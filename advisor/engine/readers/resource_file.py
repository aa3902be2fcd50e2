"""A JSON file of Azure resources into a Reading, whether its list is bare or inside an answer with more about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from advisor.engine.catalogue import Catalogue
from advisor.engine.readers.collecting import Collector
from advisor.engine.readers.delimited import finish
from advisor.engine.readers.head import LIST_MEMBERS, WATCHED_RECORDS, Head
from advisor.engine.readers.jsontext import BrokenJson, iterate_elements, iterate_members, rows_of
from advisor.engine.readers.problems import Problems
from advisor.engine.readers.reading import Problem, Reading
from advisor.engine.readers.records import open_text
from advisor.engine.readers.resources import Resources, flat
from advisor.engine.readers.rows import Options
from advisor.engine.readers.table import Layout
from advisor.engine.readers.vm_cells import LAYOUT


def read_resources(
    head: Head, catalogue: Catalogue, options: Options, format_name: str, layout: Layout = LAYOUT
) -> Reading:
    """VMs, scale sets and node pools are rows; elements of any other type are other rows."""
    problems = Problems()
    collector = Collector(layout, problems)
    resources = Resources(collector, catalogue)
    about: dict[str, object] = {}
    with broken_is_told(collector):
        for index, item in enumerate(elements_of(head, about)):
            resources.add(index, flat(item))
    resources.close()
    return finish_collected(head, collector, catalogue, options, format_name)


def finish_collected(
    head: Head, collector: Collector, catalogue: Catalogue, options: Options, format_name: str
) -> Reading:
    """The Reading of what was collected."""
    return finish(
        head,
        collector.build(),
        collector.layout,
        catalogue,
        options,
        collector.problems,
        format_name=format_name,
        spoilt=collector.spoilt,
        skipped=collector.skipped,
    )


def elements_of(head: Head, about: dict[str, object]) -> Iterator[object]:
    """The elements of the file's list one by one; what the file says beside its list goes into `about`."""
    text = open_text(head.stream, head.decoding)
    try:
        if not head.wrapped:
            for count, item in enumerate(iterate_elements(text), start=1):
                yield item
                if count % WATCHED_RECORDS == 0:
                    head.progress(head.stream.tell(), count)
            return
        for name, value in iterate_members(text, LIST_MEMBERS):
            if name in LIST_MEMBERS:
                yield from rows_of(value)
            else:
                about[name] = value
    finally:
        text.detach()


@contextmanager
def broken_is_told(collector: Collector) -> Iterator[None]:
    """Where the text stops being JSON, the rest is one element that cannot be used."""
    try:
        yield
    except BrokenJson as error:
        collector.spoilt += 1
        collector.problems.add(
            Problem(
                kind="broken_json",
                severity="error",
                item=error.index,
                message=f"Element {error.index}: {error}. "
                "It and everything after it could not be read; export the file again.",
            )
        )
