"""From a pool to its runbook, and from an open question to an answer that changes the path."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import bad_facts, open_pool, paste

pytestmark = pytest.mark.browser


def old_pool(page: Page) -> None:
    """One machine whose first choice is a resize in place."""
    paste(page, "NC6, westeurope, 1, 730")
    address = page.locator("table a[href*='/answer/']").first.get_attribute("href")
    assert address is not None
    page.goto(address)


def test_the_runbook_loads_into_the_page_by_keyboard(page: Page) -> None:
    open_pool(page)
    address = page.url
    page.locator("[id^=runbook-of-]").focus()
    page.keyboard.press("Enter")
    book = page.locator("div[id^=runbook-]")
    expect(book.locator("h3").first).to_have_text("Before the move")
    expect(book.locator("pre").first).to_contain_text("az vm list-skus")
    assert page.url == address


def test_a_fact_that_is_said_changes_verdict_and_steps(page: Page) -> None:
    old_pool(page)
    move = page.locator("section[id^=move-]")
    expect(move.locator(".verdict")).to_have_text("Resize in place")
    expect(move).to_contain_text("Are the VMs in an availability set")
    page.locator("[id^=facts-of-]").click()
    form = page.locator("div[id^=facts-] form")
    form.get_by_label("In an availability set").select_option("yes")
    page.get_by_role("button", name="Judge this pool again").click()
    expect(move.locator("ol.steps").first).to_contain_text("Stop the whole set or group, and move it as one")
    expect(move.locator(".verdict")).to_have_text("Redeploy")
    expect(move).not_to_contain_text("Are the VMs in an availability set")


def test_with_scripts_off_both_are_pages(browser: Browser, site: str) -> None:
    context = new_context(browser, site, scripts=False)
    page = context.new_page()
    open_pool(page)
    page.locator("[id^=runbook-of-]").click()
    expect(page.locator("h1")).to_contain_text("Runbook for one pool")
    page.go_back()
    page.locator("[id^=facts-of-]").click()
    page.get_by_label("Secure Boot").select_option("no")
    page.get_by_role("button", name="Judge this pool again").click()
    expect(page.locator("h1")).to_contain_text("One pool of")
    context.close()


def test_a_bad_fact_is_told_at_its_field(browser: Browser, site: str) -> None:
    context = new_context(browser, site)  # a status of 422 is an error on the console, and no mistake here
    page = context.new_page()
    bad_facts(page)
    field = page.get_by_label("CUDA of the code")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("eleven")
    expect(page.locator("text=Allowed is a version such as 11.2.")).to_be_visible()
    context.close()
