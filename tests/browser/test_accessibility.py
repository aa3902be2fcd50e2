"""axe finds nothing wrong. A short run here; every page in both themes and widths with `make audit`."""

from __future__ import annotations

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.browser.conftest import WIDTHS, new_context
from tests.browser.pages import PAGES

pytestmark = pytest.mark.browser

#: The audit looks at every page in both themes and widths, the short run at the main ones.
AUDIT = os.environ.get("AUDIT") == "1"
SHORT = ("start", "fleet", "answer", "pool", "report-made", "sizes", "size", "fit", "columns-tried")
LOOKS = [(width, dark) for width in WIDTHS for dark in (False, True)] if AUDIT else [(1440, False)]
CASES = [(name, *look) for name in (PAGES if AUDIT else SHORT) for look in LOOKS]
#: WCAG 2.2 AA and axe's own best practices.
OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
LIMIT_BYTES = 150_000


@pytest.mark.parametrize(("name", "width", "dark"), CASES)
def test_axe_finds_nothing(browser: Browser, site: str, name: str, width: int, dark: bool) -> None:
    context = new_context(browser, site, width=width, dark=dark)
    page = context.new_page()
    PAGES[name](page)
    found = Axe().run(page, options=OPTIONS).response["violations"]
    told = [
        f"{v['id']}: {v['help']} at {', '.join(str(n['target']) for n in v['nodes'][:3])} ({len(v['nodes'])})"
        for v in found
    ]
    context.close()
    assert told == []


@pytest.mark.parametrize(
    ("name", "width"),
    [("start", 1440), ("fleet", 1440), ("answer", 1440), ("sizes", 1440), ("sizes", 360), ("size", 360), ("pool", 360)],
)
def test_a_page_is_light_and_asks_nobody_else(browser: Browser, site: str, name: str, width: int) -> None:
    context = new_context(browser, site, width=width)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    PAGES[name](page)
    assert {url.split("/")[2] for url in asked} == {site.removeprefix("http://")}
    assert len(page.content().encode()) <= LIMIT_BYTES
    shift = page.evaluate(
        "() => new Promise(done => { let sum = 0; new PerformanceObserver(list => { for (const entry of "
        "list.getEntries()) sum += entry.value }).observe({type: 'layout-shift', buffered: true}); "
        "setTimeout(() => done(sum), 300) })"
    )
    assert shift < 0.01
    context.close()
