"""A person sees how far off the speeds are, by keyboard, with and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context

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
