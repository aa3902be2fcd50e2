"""Can a person do it: by mouse, by keyboard alone, with scripts off, on a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import PAGES, SAMPLES, make_report, open_answer, open_fleet

pytestmark = pytest.mark.browser


def test_a_sample_becomes_a_shared_report_in_four_clicks(page: Page, browser: Browser, site: str) -> None:
    page.goto("/")
    page.locator("form[action='/fleets/sample/retired/'] button").click()  # 1
    page.get_by_role("link", name=re.compile(r"^Go on with \d+ machines")).click()  # 2
    expect(page.locator(".say")).to_contain_text("a month")
    page.locator("#share button[type=submit]").first.click()  # 3, with no fourth needed
    page.wait_for_url("**/reports/**")
    stranger = new_context(browser, site).new_page()
    stranger.goto(page.url)
    expect(stranger.locator("main")).to_contain_text("NV12s_v3")
    expect(stranger.locator("form[action$='/revoke/']")).to_have_count(0)


def test_a_real_portal_export_becomes_a_report(page: Page) -> None:
    page.goto("/")
    page.locator("#f").set_input_files(SAMPLES / "01_portal_vm_export_en.csv")
    page.get_by_role("button", name="Read the file").click()
    expect(page.locator(".say")).to_contain_text("9 GPU machines")
    page.get_by_role("link", name=re.compile(r"^Go on with 9 machines")).click()
    page.locator("#share button[type=submit]").first.click()
    page.wait_for_url("**/reports/**")
    expect(page.locator("main")).not_to_contain_text("gpu-train-01")


def test_the_whole_way_by_keyboard(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Skip to the content")
    reach(page, "form[action='/fleets/sample/retired/'] button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/fleets/*-*/")
    reach(page, "a.btn.main")
    page.keyboard.press("Enter")
    page.wait_for_url("**/answer/**")
    reach(page, "#share button[type=submit]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/reports/**")


def reach(page: Page, selector: str, most: int = 120) -> None:
    """Press Tab until the focus is on what `selector` names; it must show where it is."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", f"the focus on {selector} cannot be seen"
            return
    pytest.fail(f"{selector} was not reached with {most} times Tab")


def test_everything_works_without_scripts(browser: Browser, site: str) -> None:
    context = new_context(browser, site, scripts=False)
    page = context.new_page()
    open_answer(page)
    page.locator("select[name=strategy]").select_option("least_change")
    page.get_by_role("button", name="Rank again").click()
    expect(page).to_have_url(re.compile("strategy=least_change"))
    page.locator("table a[href*='/answer/']").first.click()
    expect(page.locator("main")).to_contain_text("What these machines do")
    make_report(page)
    expect(page.locator("main")).to_contain_text("Download as one HTML file")
    context.close()


def test_a_switch_ranks_again_in_place(page: Page) -> None:
    open_answer(page)
    page.evaluate("() => { window.stays = true }")
    page.locator("select[name=strategy]").select_option("least_change")
    page.get_by_role("button", name="Rank again").click()
    expect(page).to_have_url(re.compile("strategy=least_change"))
    assert page.evaluate("() => window.stays === true"), "the page was loaded anew"


def test_a_refused_row_is_corrected_in_place(page: Page) -> None:
    open_fleet(page)
    expect(page.locator("main")).to_contain_text("NC6s_v33")
    page.locator("select[name]").first.select_option("Standard_NC6s_v3")
    page.get_by_role("button", name="Use these corrections").click()
    expect(page.locator(".say")).to_contain_text("45 GPU machines")


def test_the_report_is_one_file_that_needs_nothing(page: Page, browser: Browser, tmp_path: Path) -> None:
    make_report(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as one HTML file").click()
    file = tmp_path / "report.html"
    download.value.save_as(file)
    asked: list[str] = []
    alone = browser.new_context().new_page()
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(file.as_uri())
    expect(alone.locator("main")).to_contain_text("NV12s_v3")
    assert asked == [file.as_uri()]


@pytest.mark.parametrize("address", ["/", "/sizes/", "/sizes/Standard_NC24rs_v3/", "/sources/"])
def test_a_phone_does_not_scroll_sideways(browser: Browser, site: str, address: str) -> None:
    context = new_context(browser, site, width=360)
    page = context.new_page()
    page.goto(address)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    context.close()


def test_a_phone_reads_the_answer_without_scrolling_sideways(browser: Browser, site: str) -> None:
    context = new_context(browser, site, width=360)
    page = context.new_page()
    open_answer(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    context.close()


@pytest.mark.parametrize(("name", "most"), [("rejected", 4000), ("size", 6000), ("report-made", 6500)])
def test_a_long_page_is_folded_on_a_phone(browser: Browser, site: str, name: str, most: int) -> None:
    context = new_context(browser, site, width=390)
    page = context.new_page()
    PAGES[name](page)
    assert page.evaluate("() => document.documentElement.scrollHeight") <= most
    context.close()


def test_parallel_uploads_all_become_fleets(page: Page, site: str) -> None:
    open_fleet(page)  # gives the browser its session
    page.goto("/")
    statuses = page.evaluate(
        """async () => {
            const token = document.querySelector("[name=csrfmiddlewaretoken]").value
            const send = number => {
                const form = new FormData()
                form.append("csrfmiddlewaretoken", token)
                form.append("file", new File([`size,region,count\\nNC6s_v3,westeurope,${number + 1}`], "fleet.csv"))
                form.append("end", "1")
                return fetch("/fleets/", {method: "POST", body: form})
            }
            const answers = await Promise.all([...Array(20).keys()].map(send))
            return answers.map(answer => [answer.status, answer.redirected])
        }"""
    )
    assert statuses == [[200, True]] * 20
