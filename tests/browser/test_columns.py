"""A list whose column names nobody knows: matched by hand, tried, used, known again, and forgotten; by keyboard too."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import match_columns, use_columns
from tests.engine.readers.test_mapping import book

pytestmark = pytest.mark.browser

NEXT = b"Zahl,Std,KISTE,Bauart,Wo\n3,300,k,NC4as_T4_v3,northeurope\n1,1,k,bare,northeurope\n1,1,k,bare,northeurope\n"


def hand_in(page: Page, name: str, content: bytes) -> None:
    page.goto("/")
    page.locator("#f").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
    page.get_by_role("button", name="Read the file").click()
    page.wait_for_load_state()


def test_match_try_use_and_the_next_file_goes_straight(page: Page) -> None:
    use_columns(page)
    expect(page.get_by_text("Columns of odd.csv are matched by hand.")).to_be_visible()
    hand_in(page, "next.csv", NEXT)
    expect(page.locator(".say")).to_contain_text("3 GPU machines found.")
    page.get_by_role("link", name="Go on with 3 machines").click()
    expect(page.get_by_text("Columns of next.csv are matched as you did on")).to_be_visible()
    page.get_by_role("link", name="Change").click()
    expect(page.get_by_label("Machines", exact=True)).to_have_value("0")  # the first column, Zahl
    page.go_back()
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("It is not remembered")).to_be_visible()
    hand_in(page, "next.csv", NEXT)
    expect(page.locator("h1")).to_have_text("Match the columns")


def test_a_workbook_with_two_sheets(page: Page) -> None:
    rows = [["Typ", "Zahl"], ["NC12", 3], ["large", 1], ["small", 1]]
    content = book(Old=[["Typ", "Zahl"], ["large", 5]], Notes=[["none"]], New=rows)
    match_columns(page, content, "odd.xlsx")
    page.get_by_label("Sheet or file").select_option(label="New")
    page.get_by_role("button", name="Show these").click()
    page.get_by_label("Machines", exact=True).select_option(label="Zahl")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".say")).to_contain_text("1 row of GPU machines, 2 refused.")
    page.get_by_role("button", name="Use this").click()
    page.wait_for_url("**/answer/")
    page.goto(page.url.removesuffix("answer/"))
    expect(page.locator(".say")).to_contain_text("3 GPU machines found.")


def test_a_good_list_can_be_matched_anew_without_scripts_and_by_keyboard(browser: Browser, site: str) -> None:
    context = new_context(browser, site, width=360, scripts=False)
    page = context.new_page()
    hand_in(page, "good.csv", b"size,region,pieces\nNC6s_v3,westeurope,4\n")
    expect(page.locator(".say")).to_contain_text("1 GPU machine found.")
    page.get_by_role("link", name="Columns are read wrongly?").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Machines", exact=True).focus()
    page.keyboard.type("pie")
    page.get_by_role("button", name="Preview").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Use this").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/answer/")
    expect(page.locator(".crumbs")).to_contain_text("4 GPU machines")
    context.close()


def test_a_large_list_is_read_once_more_by_the_worker(page: Page) -> None:
    rows = b"k1;NC6s_v3;westeurope;2;500\n" + b"k2;large;westeurope;2;400\n" * 2
    match_columns(page, b"Kiste;Bauart;Wo;Zahl;Std\n" + rows * 30_000)
    page.get_by_label("Machines", exact=True).select_option(label="Zahl")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Use this").click()
    page.wait_for_url("**/answer/", timeout=60_000)
    expect(page.locator(".crumbs")).to_contain_text("60,000 GPU machines")
