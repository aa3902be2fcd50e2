"""Will it fit: by keyboard alone, with scripts off, and from a pool and back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import open_pool
from tests.browser.test_journeys import reach

pytestmark = pytest.mark.browser


def test_a_known_model_by_keyboard(page: Page) -> None:
    page.goto("/fit/")
    reach(page, "#id_model")
    page.keyboard.type("Mixtral")
    reach(page, "#id_context")
    page.keyboard.press("Control+A")
    page.keyboard.type("32768")
    page.keyboard.press("Enter")
    expect(page.locator("#fit h1")).to_contain_text("Mixtral 8x7B")
    expect(page.locator("#fit .say")).to_contain_text("Standard_N")
    expect(page).to_have_url(re.compile("context=32768"))


def test_an_own_model_without_scripts(browser: Browser, site: str) -> None:
    context = new_context(browser, site, width=360, scripts=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Will it fit").click()
    page.locator("#id_model").select_option("own")
    page.get_by_text("A model of your own").click()
    page.locator("#id_parameters").fill("1.1")
    page.locator("#id_layers").fill("lots")
    page.locator("#work").click()
    expect(page.get_by_role("alert")).to_contain_text("Layers: Write a whole number")
    page.locator("#id_layers").fill("22")
    page.locator("#work").click()
    expect(page.locator(".answer")).to_contain_text("What would settle it")
    for name, value in {
        "hidden_size": "2048", "heads": "32", "kv_heads": "4", "mlp_size": "5632", "vocab_size": "32000",
    }.items():  # fmt: skip
        page.locator(f"#id_{name}").fill(value)
    page.locator("#work").click()
    expect(page.locator(".say")).to_contain_text("The smallest size that holds it is Standard_N")
    context.close()


def test_from_a_pool_and_back(page: Page) -> None:
    open_pool(page)
    link = page.get_by_role("link", name="Work it out")
    if not link.is_visible():
        page.get_by_text("What these machines do").first.click()
    link.click()
    page.locator("#id_context").fill("2048")
    page.locator("#work").click()
    button = page.get_by_role("button", name=re.compile(r"^Use [\d.,]+ GiB for this pool"))
    expect(button).to_be_visible()
    button.click()
    page.wait_for_url("**/answer/**")
