"""A person sees how far off the speeds are, and gives a ratio of their own: by keyboard, with and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import paste

pytestmark = pytest.mark.browser


def test_from_a_size_to_the_pairs_of_its_gpu_by_keyboard(page: Page) -> None:
    page.goto("/sizes/Standard_NC6/")
    page.get_by_role("link", name="How far off the model is, pair by pair").press("Enter")
    expect(page.locator("h1")).to_contain_text("pair by pair")
    page.get_by_label("From GPU").select_option("K80")
    expect(page.locator("#pairs .because")).to_contain_text("from K80")
    expect(page.locator("#pairs tbody th").filter(has_text="K80 to").first).to_be_visible()
    assert "gpu=K80" in page.url


def test_the_filters_work_without_scripts(browser: Browser, site: str) -> None:
    page = new_context(browser, site, scripts=False).new_page()
    page.goto("/speed/")
    page.get_by_label("Kind of work:").select_option("training")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#pairs .because")).to_contain_text("training")


def test_a_measured_ratio_is_typed_at_its_question_seen_in_answer_and_report_and_taken_back(page: Page) -> None:
    paste(page, "NC6, West Europe, 12, 730, training")
    page.locator("table a[href*='/answer/']").first.click()
    page.get_by_role("link", name="How fast is your own work on").click()
    own = page.locator("section[id^=own-]")
    own.get_by_label("To GPU").select_option("T4")
    own.get_by_label("Speed of one, new").fill("1.75")
    own.get_by_label("What was measured").fill("our ResNet")
    own.get_by_label("What was measured").press("Enter")
    expect(own).to_contain_text("measured by you K80 to T4: 1.75, our ResNet")
    expect(own).to_be_in_viewport()
    row = page.locator("#open-pool tbody tr").filter(has_text="7 \u00d7 NC4as_T4_v3").first  # 12 / 1.75 = 6.9
    expect(row).to_contain_text("1.75")
    expect(row).to_contain_text("measured by you")

    page.locator("#share button[type=submit]").first.click()
    page.wait_for_url("**/reports/**")
    expect(page.locator("main")).to_contain_text("Measured speeds")
    page.go_back()

    own.get_by_role("button", name="Remove K80 to T4").click()
    expect(own).not_to_contain_text("measured by you")


def test_a_wrong_table_is_told_by_line_without_scripts_on_a_phone(browser: Browser, site: str) -> None:
    page = new_context(browser, site, width=360, scripts=False).new_page()
    paste(page, "NC6, West Europe, 12, 730, training")
    page.get_by_role("link", name="Speeds you measured").click()
    page.get_by_label("Or paste lines").fill("from,to,ratio\nK80,V100,2\nK80,T4,fast")
    page.get_by_role("button", name="Read these lines").click()
    expect(page.locator("#own-lines-e p")).to_have_count(2)
    expect(page.locator("#own-lines-e")).to_contain_text("Line 3: ratio is 'fast'")
    page.get_by_label("Or paste lines").fill("from,to,ratio\nK80,T4,1.75")
    page.get_by_role("button", name="Read these lines").click()
    expect(page.locator("#list [role=status]")).to_contain_text("1 measured speed kept")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
