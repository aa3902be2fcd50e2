"""Can a person hand in what nvidia-smi wrote, say which machine a host is, and see the advice change by it?"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import match_host, open_utilisation

pytestmark = pytest.mark.browser


def test_u64_one_host_is_known_one_is_matched_and_the_advice_changes(page: Page) -> None:
    open_utilisation(page)
    expect(page.locator("h1 + .say")).to_contain_text("1 of 2 hosts is not known yet")
    expect(page.locator("#pools")).to_contain_text("Watched were 1 of 2 machines; the others may need more.")
    expect(page.locator("#watched tbody tr").first).to_contain_text("gpu-01 of 2 \u00d7 NC6s_v3, westeurope, by name")
    page.locator("#pools h3 a").click()
    expect(page.locator("[id^=profile-]")).to_be_visible()
    before = page.locator(".because").inner_text()
    expect(page.locator(".because")).not_to_contain_text("busy at peak")

    page.go_back()
    page.locator("#match select").select_option(label="gpu-02 (2 \u00d7 NC6s_v3, westeurope)")
    page.get_by_role("button", name="Save which machines they are").click()
    # 8,192 MiB are 8.0 GiB, and a tenth; at peak 42 % and 28 %, mean 35 %
    expect(page.locator("#pools")).to_contain_text("the work is taken to need 8.8 GiB")
    expect(page.locator("#pools")).to_contain_text("35 % busy at peak")

    page.locator("#pools h3 a").click()
    expect(page.locator(".because")).to_contain_text("35 % busy at peak")
    assert page.locator(".because").inner_text() != before
    facts = page.locator("dl.kv").filter(has_text="How busy the GPUs are")
    expect(facts).to_contain_text("memory at most 8.0 GiB in use")
    expect(facts).to_contain_text("worker-b.csv: 384 samples of 1 GPU, 2026-11-01 to 2026-11-08")


def test_files_are_added_later_with_the_keyboard_and_without_scripts(browser: Browser, site: str) -> None:
    context = new_context(browser, site, width=360, scripts=False)
    page = context.new_page()
    match_host(page)
    page.get_by_role("button", name="Remove all of it").click()
    expect(page.locator("h1 + .say")).to_contain_text("Nobody has said yet")
    page.locator("#use-file").set_input_files({"name": "x.pdf", "mimeType": "", "buffer": b"%PDF-1.4 nothing"})
    page.get_by_role("button", name="Read these files").click()
    expect(page.locator("#use-file-e")).to_be_visible()
    page.locator("#use-file").set_input_files(
        {"name": "gpu-01.txt", "mimeType": "", "buffer": b"# gpu sm fb\n# Idx % MB\n 0 50 1024\n"}
    )
    page.locator("#use-file").press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("[role=status]")).to_contain_text("1 file read.")
    expect(page.locator("#pools")).to_contain_text("Watched were 1 of 2 machines")
    context.close()
