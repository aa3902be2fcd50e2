"""Pictures of every page and state in both themes and widths: `make screenshots` writes them to var/screenshots."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import new_context
from tests.browser.pages import PAGES

pytestmark = pytest.mark.browser
FOLDER = Path("var/screenshots")
WIDTHS = (390, 1440)


@pytest.mark.parametrize("name", list(PAGES))
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_take(browser: Browser, site: str, name: str, width: int, dark: bool) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    context = new_context(browser, site, width=width, dark=dark)
    page = context.new_page()
    PAGES[name](page)
    path = FOLDER / f"{name}-{width}-{'dark' if dark else 'light'}.png"
    page.screenshot(path=str(path), full_page=True)
    context.close()
    sys.stdout.write(f"{path}\n")
