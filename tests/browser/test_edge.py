"""Edge pages in a browser: planner, sharing, checker and reader, by mouse, by keyboard alone, without scripts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import new_context
from tests.browser.pages import APPS, edge_report
from tests.browser.test_journeys import reach

pytestmark = pytest.mark.browser
EDGE = Path(__file__).resolve().parents[2] / "fixtures" / "samples" / "edge"


def test_a_plan_is_built_and_mended_by_mouse(page: Page) -> None:
    page.goto("/edge/")
    page.get_by_role("link", name="Order planner").click()
    page.evaluate("() => { window.stays = true }")
    page.get_by_label("Add a step").select_option("k8s")
    page.get_by_role("button", name="Add the step").click()
    expect(page.locator(".say")).to_contain_text("Kubernetes holds every GPU.")
    page.get_by_label("Add a step").select_option("vm")
    page.get_by_role("button", name="Add the step").click()
    expect(page.locator(".say")).to_contain_text("This order fails at step 2")
    expect(page.locator("#edge-said")).to_contain_text("This order fails at step 2")
    page.get_by_role("button", name="Move step 2 earlier").click()
    expect(page.locator(".say")).to_contain_text("One GPU is with a VM, one with Kubernetes.")
    expect(page).to_have_url(re.compile("steps=vm%3Ek8s$"))
    assert page.evaluate("() => window.stays === true"), "the page was loaded anew"
    page.go_back()
    expect(page.locator(".say")).to_contain_text("This order fails at step 2")


def test_a_step_is_dragged_to_another_place(page: Page) -> None:
    page.goto("/edge/order/?steps=k8s%3Evm")
    page.locator("[data-step='2']").drag_to(page.locator("[data-step='1']"))
    expect(page.locator(".say")).to_contain_text("This order works.")
    expect(page).to_have_url(re.compile("steps=vm%3Ek8s"))


def test_a_plan_by_keyboard(page: Page) -> None:
    page.goto("/edge/order/?steps=k8s%3Evm")
    reach(page, "#up-2")
    page.keyboard.press("Enter")
    expect(page.locator(".say")).to_contain_text("This order works.")
    expect(page.locator(":focus")).to_have_count(1)
    reach(page, "#find")
    page.keyboard.press("Enter")
    expect(page.locator("#want-answer")).to_contain_text("There is an order.")
    reach(page, "#make-report")
    page.keyboard.press("Enter")
    page.wait_for_url("**/reports/**")


def test_planner_and_sharing_work_without_scripts(browser: Browser, site: str) -> None:
    context = new_context(browser, site, scripts=False)
    page = context.new_page()
    page.goto("/edge/order/?steps=k8s%3Evm")
    page.get_by_role("button", name="Move step 2 earlier").click()
    expect(page.locator(".say")).to_contain_text("This order works.")
    page.goto("/edge/sharing/" + APPS)
    page.get_by_role("button", name="Equal MPS shares").click()
    expect(page.locator("main")).to_contain_text("33.33 %")
    page.goto("/edge/check/")
    page.get_by_label("The deployment, as YAML").fill((EDGE / "deployment.yaml").read_text())
    page.get_by_role("button", name="Check it").click()
    expect(page.locator("#corrected")).to_have_value(re.compile('value: "20"'))
    context.close()


def test_a_deployment_is_checked_by_keyboard(page: Page) -> None:
    page.goto("/edge/check/")
    reach(page, "#id_text")
    page.keyboard.insert_text((EDGE / "deployment.yaml").read_text())
    reach(page, "#check")
    page.keyboard.press("Enter")
    expect(page.locator(".say")).to_contain_text("errors")
    expect(page.locator("#corrected")).to_have_value(re.compile('value: "20"'))
    expect(page.locator("#id_text")).to_have_value(re.compile("gate 2"))


def test_outputs_are_read_and_compared(page: Page) -> None:
    page.goto("/edge/smi/")
    page.locator("#id_file").set_input_files(EDGE / "smi_after.txt")
    page.get_by_text("Compare with an earlier output").click()
    page.get_by_label("An earlier output").fill((EDGE / "smi_before.txt").read_text())
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("main")).to_contain_text("+13,841 MiB")
    expect(page.locator(".say")).to_contain_text("2 GPUs read.")


def test_an_output_is_read_by_keyboard(page: Page) -> None:
    page.goto("/edge/smi/")
    reach(page, "#id_text")
    page.keyboard.insert_text((EDGE / "smi_after.txt").read_text())
    reach(page, "#read")
    page.keyboard.press("Enter")
    expect(page.locator(".say")).to_contain_text("2 GPUs read.")


def test_apps_become_a_manifest(page: Page) -> None:
    page.goto("/edge/sharing/")
    page.get_by_role("link", name="Three apps by MPS").click()
    page.get_by_label("MPS share, %, app 1").fill("60")
    page.get_by_role("button", name="Work it out").click()
    expect(page.locator("main")).to_contain_text("60 %, 24 SMs")
    page.get_by_role("link", name="Write the manifests for this plan").click()
    expect(page.locator("#made")).to_have_value(re.compile('value: "60"'))


def test_a_shared_plan_is_one_file(page: Page, browser: Browser, tmp_path: Path) -> None:
    edge_report(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as one HTML file").click()
    file = tmp_path / "plan.html"
    download.value.save_as(file)
    asked: list[str] = []
    alone = browser.new_context().new_page()
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(file.as_uri())
    expect(alone.locator("main")).to_contain_text("This order fails at step 2")
    assert asked == [file.as_uri()]


@pytest.mark.parametrize(
    "address", ["/edge/", "/edge/order/?steps=k8s%3Evm", "/edge/sharing/" + APPS, "/edge/smi/?sample=1"]
)
def test_a_phone_does_not_scroll_sideways(browser: Browser, site: str, address: str) -> None:
    context = new_context(browser, site, width=360)
    page = context.new_page()
    page.goto(address)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    context.close()
