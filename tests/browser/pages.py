"""Every page and state worth a look, and the way to it: used for screenshots and for accessibility."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

SAMPLES = Path(__file__).resolve().parents[1] / "samples" / "fleets"
Way = Callable[[Page], None]


def open_fleet(page: Page, sample: str = "retired") -> str:
    """Read a sample fleet from the start page; the address of its import page."""
    page.goto("/")
    page.locator(f"form[action='/fleets/sample/{sample}/'] button").click()
    page.wait_for_url("**/fleets/*-*/")
    return page.url


def open_answer(page: Page, query: str = "") -> str:
    """The answer for a sample fleet; its address."""
    address = open_fleet(page) + "answer/" + query
    page.goto(address)
    return address


def open_pool(page: Page) -> None:
    open_answer(page)
    address = page.locator("table a[href*='/answer/']").first.get_attribute("href")
    assert address is not None
    page.goto(address)


def open_rejected(page: Page) -> None:
    open_pool(page)
    page.goto(page.url.split("?")[0] + "rejected/")


def make_report(page: Page) -> None:
    """A report of a sample fleet, as its maker sees it."""
    open_answer(page)
    page.locator("#share button[type=submit]").first.click()
    page.wait_for_url("**/reports/**")


def revoke_report(page: Page) -> None:
    make_report(page)
    page.locator("form[action$='/revoke/'] button").click()


def bad_switches(page: Page) -> None:
    open_answer(page, "?horizon=0&as_of=tomorrow")


def refused_file(page: Page) -> None:
    page.goto("/")
    page.locator("#f").set_input_files(SAMPLES / "04_az_vm_list_table_no_size.txt")
    page.locator("form.drop button[type=submit]").click()
    page.wait_for_load_state()


def at(address: str) -> Way:
    def go(page: Page) -> None:
        page.goto(address)

    return go


PAGES: dict[str, Way] = {
    "start": at("/"),
    "fleets-empty": at("/fleets/"),
    "fleet": lambda page: open_fleet(page) and None,
    "fleet-portal": lambda page: open_fleet(page, "portal") and None,
    "answer": lambda page: open_answer(page) and None,
    "answer-bad-switches": bad_switches,
    "pool": open_pool,
    "rejected": open_rejected,
    "report-made": make_report,
    "report-gone": revoke_report,
    "file-refused": refused_file,
    "sizes": at("/sizes/"),
    "sizes-none": at("/sizes/?q=nothing-like-this"),
    "size": at("/sizes/Standard_NC24rs_v3/"),
    "size-unknown": at("/sizes/Standard_NC99/"),
    "assumptions": at("/assumptions/"),
    "sources": at("/sources/"),
    "not-found": at("/nowhere/"),
}
