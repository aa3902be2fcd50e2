"""Holding the first choice against a size: by keyboard, with scripts off, and with a name that is no size."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import compare, open_pool

pytestmark = pytest.mark.browser


def test_by_keyboard_only_the_section_changes_and_the_focus_stays(page: Page) -> None:
    open_pool(page)
    address = page.url
    page.evaluate("document.querySelector('h1').dataset.kept = 'yes'")
    page.locator("input[name=against]").focus()
    page.keyboard.type("nc 64as t4 v3")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    section = page.locator("[id^=contrast-]")
    expect(section.locator("h4")).to_contain_text("NC64as_T4_v3")
    expect(section).to_contain_text("It takes")
    assert page.url == address
    assert page.evaluate("document.querySelector('h1').dataset.kept") == "yes"
    assert str(page.evaluate("document.activeElement.id")).startswith("compare-")
    expect(page.locator("input[name=against]")).to_have_value("nc 64as t4 v3")


def test_with_scripts_off_it_is_a_page(browser: Browser, site: str) -> None:
    context = new_context(browser, site, scripts=False)
    page = context.new_page()
    compare(page, "NC64as_T4_v3")
    assert "/contrast/?" in page.url
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("[id^=contrast-] h4")).to_contain_text("NC64as_T4_v3")
    context.close()


def test_a_name_that_is_no_size_is_told_at_the_field(browser: Browser, site: str) -> None:
    context = new_context(browser, site)  # a status of 422 is an error on the console, and no mistake here
    page = context.new_page()
    compare(page, "NC64as_T4_v9")
    field = page.locator("input[name=against]")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.locator("[id^=against-err-]")).to_contain_text("Nearest: Standard_NC64as_T4_v3")
    context.close()
