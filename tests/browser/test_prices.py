"""Own prices in a browser: hand in a sheet, agree a discount, answer in euro, share it; by keyboard and phone too."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import PAGES, PRICES, give_prices, open_answer, open_prices
from tests.browser.test_accessibility import OPTIONS
from tests.browser.test_journeys import reach

pytestmark = pytest.mark.browser


def test_an_own_price_sheet_from_the_answer_to_the_report(page: Page, browser: Browser, site: str) -> None:
    open_answer(page)
    page.get_by_role("link", name="Own prices, discounts, currency").click()
    page.locator("#sheet-file").set_input_files(PRICES / "ea_2023-05-01.csv")
    page.get_by_role("button", name="Read the price sheet").click()
    expect(page.locator(".say")).to_contain_text("8 of your own prices go first")
    expect(page.locator("#sheet")).to_contain_text("Line 15, column MeterRegion")
    page.locator("#id_d-0-series").fill("NC_A100_v4")
    page.locator("#id_d-0-percent").fill("12")
    page.get_by_role("button", name="Save the discounts").click()
    expect(page.locator(".answer")).to_contain_text("12 % on NC_A100_v4")
    page.get_by_role("link", name="See the answer with these prices").click()
    expect(page.locator("#answer")).to_contain_text("8 own prices of 2026-11-01 first")
    page.locator("#share button[type=submit]").first.click()
    page.wait_for_url("**/reports/**")
    stranger = new_context(browser, site).new_page()
    stranger.goto(page.url)
    expect(stranger.locator("main")).to_contain_text("8 own prices of 2026-11-01 first")
    expect(stranger.locator("main")).not_to_contain_text("ea_2023-05-01.csv")


def test_a_sheet_in_euro_asks_for_its_rate(page: Page) -> None:
    give_prices(page, "by_hand.csv")
    expect(page.locator(".note.warn").first).to_contain_text("Your price sheet is not used")
    for name, text in (("code", "EUR"), ("rate", "0,86"), ("day", "2026-11-27")):
        page.locator(f"#id_r-0-{name}").fill(text)
    page.get_by_role("button", name="Save currency and list").click()
    expect(page.locator(".say")).to_contain_text("4 of your own prices go first")
    expect(page.locator("#sheet")).to_contain_text("1.16279 USD for one EUR")
    page.get_by_role("button", name="Remove this price sheet").click()
    expect(page.locator(".say")).to_contain_text("List prices, as they are.")


def test_prices_are_pasted_without_scripts(browser: Browser, site: str) -> None:
    context = new_context(browser, site, scripts=False)
    page = context.new_page()
    open_prices(page)
    page.locator("#sheet-lines").fill("size,region,hourly_price\nNC6s_v3,West Europe,2.5")
    page.get_by_role("button", name="Read these prices").click()
    expect(page.locator("#sheet-lines-e")).to_contain_text("neither its currency nor the day")
    page.locator("#lines-currency").fill("USD")
    page.locator("#lines-day").fill("2026-11-15")
    page.get_by_role("button", name="Read these prices").click()
    expect(page.locator(".say")).to_contain_text("1 of your own price goes first")
    context.close()


def test_a_discount_by_keyboard_alone(page: Page) -> None:
    open_prices(page)
    reach(page, "#id_d-0-series")
    page.keyboard.type("*")
    page.keyboard.press("Tab")
    page.keyboard.type("7.5")
    page.keyboard.press("Enter")
    page.wait_for_url("**/prices/#discounts")
    expect(page.locator(".answer")).to_contain_text("7.5 % on every series")


@pytest.mark.parametrize("name", ["prices", "prices-sheet", "prices-bad"])
@pytest.mark.parametrize(("width", "dark"), [(1440, False), (360, True)])
def test_axe_finds_nothing(browser: Browser, site: str, name: str, width: int, dark: bool) -> None:
    context = new_context(browser, site, width=width, dark=dark)
    page = context.new_page()
    PAGES[name](page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width
    found = Axe().run(page, options=OPTIONS).response["violations"]
    told = [f"{v['id']}: {v['help']} at {[str(n['target']) for n in v['nodes'][:3]]}" for v in found]
    context.close()
    assert told == []


def test_a_large_sheet_says_that_it_is_being_read(page: Page) -> None:
    open_prices(page)
    limit = page.locator("form.drop").get_attribute("data-limit")
    page.evaluate("() => { document.querySelector('form.drop').dataset.limit = '10' }")
    page.locator("#sheet-file").set_input_files(PRICES / "by_hand.csv")
    page.get_by_role("button", name="Read the price sheet").click()
    expect(page.locator("[data-too-large]")).to_be_visible()
    assert limit is not None and re.fullmatch(r"\d+", limit)
