"""Can a person see what ends when, subscribe to it, judge a documented move, and find dead sizes in a text?"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import fleet_ends

pytestmark = pytest.mark.browser

TEXT = 'vm_size = "Standard_NC6"\nvm_size = "Standard_NC24ads_A100_v4"\n'


def test_the_ledger_is_filtered_and_its_conflict_read_by_keyboard_alone(page: Page) -> None:
    page.goto("/retirements/?as_of=2026-11-30")
    page.locator("#id_series").focus()
    page.keyboard.type("NP")
    expect(page.locator("#ledger .say")).to_contain_text("Next: NP on 2027-05-31")
    expect(page).to_have_url("/retirements/?series=NP&service=&kind=&when=&as_of=2026-11-30")
    page.goto("/retirements/?as_of=2026-11-30")
    page.locator("#dates-h ~ * a, section[aria-labelledby=dates-h] a.tag").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#conflicts")).to_be_in_viewport()
    gov = page.locator("h3", has_text="NCv3 in US Gov").locator("xpath=..")
    expect(gov).to_contain_text("2026-12-31")
    expect(gov).to_contain_text("2026-06-30")
    expect(gov).to_contain_text("Why:")


def test_a_calendar_link_of_a_fleet_is_made_read_and_taken_back(page: Page, browser: Browser, site: str) -> None:
    fleet_ends(page)
    page.locator("#make-calendar").focus()
    page.keyboard.press("Enter")
    address = page.locator("#address").input_value()
    stranger = new_context(browser, site)
    read = stranger.request.get(address)
    assert read.ok
    assert read.headers["content-type"].startswith("text/calendar")
    assert "SUMMARY:Retires: 12 x NC6 in West Europe" in read.text()
    page.get_by_role("button", name="Take this link back").click()
    expect(page.locator("h1")).to_have_text("What of this fleet stops when")
    assert stranger.request.get(address).status == 404
    stranger.close()


def test_the_catalogue_is_subscribed_to_by_its_address(page: Page, site: str) -> None:
    page.goto("/retirements/?series=NP")
    link = page.get_by_role("link", name="Subscribe: calendar (ICS)").get_attribute("href")
    assert link == "/retirements/calendar.ics?series=NP"
    expect(page.locator("code.address")).to_have_text(f"{site}{link}")
    assert "DTSTART;VALUE=DATE:20270531" in page.request.get(link).text()


def test_a_size_leads_to_its_moves_judged(page: Page) -> None:
    page.goto("/sizes/Standard_ND6s/")
    page.get_by_role("link", name="Each of them judged, with the reason").click()
    expect(page.locator("#ledger")).to_contain_text("16 GiB per GPU; today's machines have 24 GiB")
    page.locator("#id_judgement").select_option("outdated")
    expect(page.locator("#ledger")).to_contain_text("No documented move passes the filters.")


def test_a_text_is_scanned_by_keyboard_alone(page: Page) -> None:
    page.goto("/scan/")
    page.locator("#id_text").focus()
    page.keyboard.insert_text(TEXT)
    page.keyboard.press("Tab")  # to the file
    page.keyboard.press("Tab")  # to the button
    page.keyboard.press("Enter")
    expect(page.locator("#found .say")).to_have_text("1 dead, 1 current")
    row = page.locator("#found tbody tr").first
    expect(row).to_contain_text("2023-09-06")
    row.get_by_role("link", name="NC4as_T4_v3").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("NC4as_T4_v3")


def test_all_of_it_works_without_scripts(browser: Browser, site: str) -> None:
    context = new_context(browser, site, width=360, scripts=False)
    page = context.new_page()
    page.goto("/retirements/?as_of=2026-11-30")
    page.locator("#id_series").select_option("NVv3")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#ledger .say")).to_contain_text("Next: NVv3, UAE North on 2027-01-31")
    page.get_by_role("link", name="Documented moves").click()
    page.locator("#id_q").fill("NV6")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#ledger")).to_contain_text("retired on 2026-09-30")
    page.get_by_role("link", name="Scan a text").click()
    page.locator("#id_text").fill(TEXT)
    page.get_by_role("button", name="Scan it").click()
    expect(page.locator("#found .say")).to_have_text("1 dead, 1 current")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    context.close()
