"""Can a person say what they hold, see what a move strands of it, and take it back: by mouse, keys, on a phone."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import open_commitments, paste
from tests.browser.test_accessibility import OPTIONS

pytestmark = pytest.mark.browser


def open_held(page: Page) -> str:
    """The commitments page of a fleet of six NC6s_v3; the address of its answer."""
    paste(page, "NC6s_v3, West Europe, 6, 730, training")
    answer = page.url
    page.get_by_role("link", name="Reservations and savings plans you hold").first.click()
    expect(page.locator("h1")).to_have_text("Commitments of this fleet")
    return answer


def fill(page: Page, **fields: str) -> None:
    for name, text in fields.items():
        page.locator(f"#id_{name}").fill(text)


def test_one_is_added_seen_in_the_answer_and_the_report_and_taken_back(page: Page) -> None:
    answer = open_held(page)
    fill(page, order="R-17", size="NC6s_v3", region="West Europe", quantity="8", bought="2024-06-30")
    fill(page, end="2060-06-30", hourly_price="9000")
    page.get_by_role("button", name="Add this commitment").click()
    row = page.locator("#held tbody tr")
    expect(row).to_contain_text("2 of 8 cover no machine of this fleet")

    page.goto(answer)
    page.locator("table a[href*='/answer/']").first.click()
    section = page.locator("[id^=commitments-]")
    expect(section).to_contain_text("What to commit for")
    expect(section).to_contain_text("R-17")
    expect(section).to_contain_text("paid until they end and used by nothing")

    page.goto(answer)
    page.locator("#share button[type=submit]").first.click()
    page.wait_for_url("**/reports/**")
    expect(page.locator("main")).to_contain_text("paid until they end and used by nothing")
    expect(page.locator("main")).not_to_contain_text("R-17")

    page.goto(answer)
    page.get_by_role("link", name="1 commitment you hold").click()
    page.get_by_role("button", name="Remove R-17").click()
    expect(page.locator("#held")).to_contain_text("Nothing yet.")


def test_a_list_is_pasted_with_the_keyboard_alone(page: Page) -> None:
    open_held(page)
    page.locator("#held-lines").focus()
    page.keyboard.insert_text("order,size,region,term,end,quantity\nA,NC6s_v3,West Europe,3,2027-06-30,4")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#held [role=status]")).to_contain_text("1 commitment added.")


def test_it_works_without_scripts_and_on_a_phone(browser: Browser, site: str) -> None:
    context = new_context(browser, site, width=360, scripts=False)
    page = context.new_page()
    open_commitments(page)
    expect(page.locator("#id_size-e")).to_contain_text("Did you mean")
    expect(page.locator("#id_size")).to_have_value("NC6s_v9")
    expect(page.locator("#id_end-e")).to_have_text("Write a day as 2027-11-30.")
    page.get_by_role("button", name="Remove all of them").click()
    expect(page.locator("#held")).to_contain_text("Nothing yet.")
    context.close()


@pytest.mark.parametrize(("width", "dark"), [(360, False), (1440, True)])
def test_axe_finds_nothing(browser: Browser, site: str, width: int, dark: bool) -> None:
    context = new_context(browser, site, width=width, dark=dark)
    page = context.new_page()
    open_commitments(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page, options=OPTIONS).response["violations"]
    page.goto(re.sub(r"commitments/.*", "answer/", page.url))
    page.goto(page.locator("table a[href*='/answer/']").first.get_attribute("href") or "")
    found += Axe().run(page, options=OPTIONS).response["violations"]
    context.close()
    assert [f"{v['id']}: {v['help']} at {v['nodes'][0]['target']}" for v in found] == []
