"""Changing assumptions: on their page and beside the working; by mouse, by keyboard alone, with scripts off."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import change_assumptions, open_answer, open_assumptions, open_pool
from tests.browser.test_journeys import reach

pytestmark = pytest.mark.browser

RATE = "#assume-labour_rate"


@pytest.fixture
def refused(browser: Browser, site: str) -> Iterator[Page]:
    """A page whose console may tell of a status 422, which browsers call an error."""
    context = new_context(browser, site)
    yield context.new_page()
    context.close()


def once(page: Page) -> str:
    """The cost of moving that the answer's headline tells."""
    return page.locator(".figs div", has_text="Cost of moving, once").locator("dd").first.inner_text()


def test_all_on_one_page_by_mouse(page: Page) -> None:
    address = open_answer(page)
    before = once(page)
    page.get_by_role("link", name="Assumptions used").click()
    page.locator(RATE).fill("190")
    page.locator("#save").click()
    expect(page.locator("#saved")).to_contain_text("1 changed")
    expect(page.locator("#labour_rate")).to_contain_text("95")
    page.goto(address)
    expect(page.locator(".answer")).to_contain_text("An engineer's hour 190 USD/hour instead of 95")
    assert once(page) != before
    page.get_by_role("link", name="1 assumption changed").click()
    page.locator("#labour_rate").get_by_role("button", name="Back to the default").click()
    expect(page.locator("#saved")).to_contain_text("All as in the list")
    page.goto(address)
    assert once(page) == before


def test_a_figure_that_cannot_be_used_is_kept_and_leads_to_its_field(refused: Page) -> None:
    page = refused
    open_assumptions(page)
    page.locator(RATE).fill("many")
    page.locator("#assume-disk_price").fill("25")
    with page.expect_response(lambda response: response.request.method == "POST") as answered:
        page.locator("#save").click()
    assert answered.value.status == 422
    expect(page.get_by_role("alert")).to_contain_text("“many” cannot be read as a number")
    expect(page.locator("#assume-disk_price")).to_have_value("25")
    page.get_by_role("alert").get_by_role("link").click()
    expect(page.locator(RATE)).to_be_in_viewport()
    expect(page.locator(RATE)).to_have_attribute("aria-invalid", "true")
    page.locator(RATE).fill("110")
    page.locator("#save").click()
    expect(page.locator("#saved")).to_contain_text("2 changed")


def test_beside_the_working_in_place(page: Page) -> None:
    open_pool(page)
    page.evaluate("() => { window.stays = true }")
    page.get_by_text("How was this worked out?").click()
    labour = page.locator(".formulas div", has_text="once for the pool and for each new VM").locator("b")
    before = labour.inner_text()
    page.locator("#edit-labour_rate summary").click()
    page.locator(RATE).fill("190")
    page.locator("#use-labour_rate").click()
    expect(page.locator("main")).to_contain_text("you; the default is 95")
    assert page.evaluate("() => window.stays === true"), "the page was loaded anew"
    expect(page.locator(RATE)).to_be_focused()
    after = labour.inner_text()
    assert 2 * money(before) == pytest.approx(money(after), abs=2)  # twice the rate; both are rounded
    page.locator("#edit-labour_rate").get_by_role("button", name="Back to the default").click()
    expect(page.locator("main")).not_to_contain_text("you; the default is 95")
    assert labour.inner_text() == before


def money(text: str) -> float:
    """USD 2,280 of "= USD 2,280"."""
    return float(text.rpartition("USD")[2].replace(",", ""))


def test_a_bad_figure_in_place_says_so_there(refused: Page) -> None:
    page = refused
    open_pool(page)
    page.get_by_text("How was this worked out?").click()
    page.locator("#edit-labour_rate summary").click()
    page.locator(RATE).fill("-3")
    page.locator("#use-labour_rate").click()
    expect(page.locator("#edit-labour_rate")).to_contain_text(
        "-3 is outside the range. Allowed are 0 to 1,000 USD/hour."
    )
    page.locator(RATE).fill("110")
    page.locator("#use-labour_rate").click()
    expect(page.locator("main")).to_contain_text("you; the default is 95")


def test_by_keyboard_alone(page: Page) -> None:
    open_assumptions(page)
    reach(page, RATE)
    page.keyboard.press("Control+A")
    page.keyboard.type("110")
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_contain_text("1 changed")
    expect(page.locator(RATE)).to_have_value("110")
    reach(page, "#labour_rate button")
    page.keyboard.press("Enter")
    expect(page.locator("#saved")).to_contain_text("All as in the list")


def test_beside_the_working_by_keyboard_alone(page: Page) -> None:
    open_pool(page)
    page.locator("details[id^=how-] > summary").focus()
    page.keyboard.press("Enter")
    reach(page, "#edit-labour_rate summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(RATE)).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("110")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("you; the default is 95")
    expect(page.locator(RATE)).to_be_focused()


def test_everything_works_without_scripts(browser: Browser, site: str) -> None:
    context = new_context(browser, site, scripts=False)
    page = context.new_page()
    change_assumptions(page)
    expect(page.locator("#saved")).to_contain_text("3 changed")
    open_pool(page)
    page.get_by_text("How was this worked out?").click()
    page.locator("#edit-labour_rate summary").click()
    page.locator(RATE).fill("nothing")
    page.locator("#use-labour_rate").click()
    expect(page.get_by_role("alert")).to_contain_text("“nothing” cannot be read as a number")
    page.locator(RATE).fill("110")
    page.locator("#save").click()
    expect(page.locator("main")).to_contain_text("How was this worked out?")  # back where it was changed
    expect(page.locator("#edit-labour_rate")).to_be_in_viewport()
    expect(page.locator("main")).to_contain_text("you; the default is 95")
    context.close()


def test_a_phone_opens_what_an_address_points_at(browser: Browser, site: str) -> None:
    context = new_context(browser, site, width=390)
    page = context.new_page()
    page.goto("/assumptions/#labour_rate")
    expect(page.locator("#labour_rate")).to_be_in_viewport()
    expect(page.locator("#disk_price")).not_to_be_visible()
    context.close()
