"""What the catalogue's pages draw on: citations, the timeline's coordinates, prices of one size."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.charts.timeline import timeline
from advisor.engine.catalogue import Catalogue
from advisor.engine.citations import cite, publisher_of
from advisor.engine.life import lanes_of, ledger_of
from advisor.engine.listing import gpus_named
from advisor.engine.prices import Os, PriceBook
from advisor.engine.size_prices import by_price, prices_of

TODAY = date(2026, 11, 30)
OSES: tuple[Os, ...] = ("linux", "windows")


@pytest.mark.parametrize(
    ("source", "short", "url"),
    [
        ("github.com/Azure/AKS/issues/4949", "Azure/AKS#4949", "https://github.com/Azure/AKS/issues/4949"),
        ("a/b docs/x-y.md", "x-y.md", "https://github.com/a/b/blob/HEAD/docs/x-y.md"),
        ("a/b@0123abc data/p.json (note)", "b: p.json", "https://github.com/a/b/blob/0123abc/data/p.json"),
        ("https://docs.nvidia.com/x/y.html (9.10 as read)", "docs.nvidia.com", "https://docs.nvidia.com/x/y.html"),
        ("Azure update 516070", "Azure update 516070", None),
        ("javascript:alert(1)", "javascript:alert(1)", None),
    ],
)
def test_a_page_has_a_short_name_and_an_address(source: str, short: str, url: str | None) -> None:
    (page,) = cite(source)
    assert (page.short, page.url) == (short, url)


def test_sources_are_divided(catalogue: Catalogue) -> None:
    assert [page.short for page in cite("a/b x.md; Azure update 1")] == ["x.md", "Azure update 1"]
    assert publisher_of(cite("a/b x.md")[0]) == "a/b"
    assert publisher_of(cite("https://docs.nvidia.com/x")[0]) == "docs.nvidia.com"


def test_addresses_are_https_or_none(catalogue: Catalogue) -> None:
    for row in (*catalogue.sizes.values(), *catalogue.events, *catalogue.software, *catalogue.gpus.values()):
        for page in cite(row.source):
            assert page.url is None or page.url.startswith(("https://", "http://"))


def test_a_short_gpu_name_means_all_kinds() -> None:
    known = ["A100 PCIe 80GB", "A100 SXM 80GB", "A10", "T4"]
    assert gpus_named("A100", known) == {"A100 PCIe 80GB", "A100 SXM 80GB"}
    assert gpus_named("A10", known) == {"A10"}
    assert gpus_named("", known) == gpus_named("V9", known) == frozenset()


@pytest.mark.parametrize("width", [340, 640])
@pytest.mark.parametrize("today", [date(2015, 1, 1), TODAY, date(2040, 12, 31)])
def test_the_drawing_stays_within_its_width(catalogue: Catalogue, width: int, today: date) -> None:
    for name in catalogue.sizes:
        drawing = timeline(lanes_of(catalogue, name, today), today, width)
        xs = [drawing.today, drawing.today_label.x, *(year.x for year in drawing.years)]
        for bar in drawing.bars:
            assert bar.start <= bar.solid <= (bar.dashed or bar.solid)
            xs += [bar.solid, bar.dashed or 0, bar.tick or 0, *(label.x for label in bar.ends)]
            xs += [badge.x for badge in bar.badges]
        assert all(0 <= x <= width for x in xs), name


def test_a_later_day_stands_further_right(catalogue: Catalogue) -> None:
    general, government, last, *_services = timeline(lanes_of(catalogue, "Standard_NC24rs_v3", TODAY), TODAY, 640).bars
    assert general.tick and government.tick and last.tick
    assert general.solid < general.tick < government.tick < last.tick
    assert government.solid < government.dashed == government.tick  # type: ignore[operator]
    assert last.dashed is None


def test_a_size_without_an_end_reaches_the_edge(catalogue: Catalogue) -> None:
    (bar,) = timeline(lanes_of(catalogue, "Standard_ND96asr_v4", TODAY), TODAY, 640).bars
    assert (bar.tick, bar.dashed) == (None, None)
    assert [label.text for label in bar.ends] == ["no end announced"]


def test_an_unknown_status_has_no_bar(catalogue: Catalogue) -> None:
    (bar,) = timeline(lanes_of(catalogue, "Standard_NV6s_v2", TODAY), TODAY, 640).bars
    assert bar.unknown
    assert bar.solid == bar.start


def test_the_ledger_keeps_every_entry(catalogue: Catalogue) -> None:
    for name in catalogue.sizes:
        assert len(ledger_of(catalogue, name, TODAY)) == len(catalogue.events_of.get(name, ()))


def test_no_price_is_lost_and_none_is_invented(catalogue: Catalogue, price_book: PriceBook) -> None:
    for size in catalogue.sizes.values():
        rows = [row for os in OSES for row in prices_of(catalogue, price_book, size, os, TODAY)]
        shown = {
            (size.name, row.region, cell.os, cell.model): cell.hourly
            for row in rows
            for cell in row.cells
            if cell.kind in ("listed", "history")
        }
        own = {key: price.hourly_price for key, price in price_book.prices.items() if key[0] == size.name}
        assert shown == own
        assert all(
            (cell.hourly is None) == (cell.kind in ("unknown", "not-sold")) for row in rows for cell in row.cells
        )


def test_sorted_prices_put_history_behind(catalogue: Catalogue, price_book: PriceBook) -> None:
    rows = by_price(prices_of(catalogue, price_book, catalogue.sizes["Standard_NC6s_v3"], "linux", TODAY), 0)
    kinds = [row.cells[0].kind for row in rows]
    order = ["listed", "history", "unknown"]
    assert kinds == sorted(kinds, key=order.index)
