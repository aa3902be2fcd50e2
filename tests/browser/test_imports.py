"""A large file: how far it is, a reload in the middle, a stop; and a worker that is killed while it reads."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.test_accessibility import OPTIONS

pytestmark = pytest.mark.browser

ROW = b"gpu-1,NC6s_v3,West Europe,4\n"
ROWS = 7_150_000 if "AUDIT" in os.environ else 1_070_000  # of 28 bytes: 200 or 30 MB
PATIENCE = 90_000 if "AUDIT" in os.environ else 20_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("large") / "large.csv"
    path.write_bytes(b"name,size,region,count\n" + ROW * ROWS)
    yield path
    path.unlink()


def ask(var: Path, query: str) -> Any:
    """The first row that the site's database answers, None where there is none."""
    with closing(sqlite3.connect(var / "advisor.sqlite3", timeout=20)) as database:
        return database.execute(query).fetchone()


def worker_in_the_middle(var: Path) -> int:
    """The process that reads, once it has read a part."""
    for _ in range(400):
        found = ask(var, "select worker from advisor_storedimport where state = 'reading' and bytes_done > 0")
        if found:
            return int(found[0].split("-")[-2])
        time.sleep(0.05)
    pytest.fail("no worker began to read")


def send(page: Page, path: Path) -> None:
    page.goto("/")
    page.locator("#f").set_input_files(path)
    page.get_by_role("button", name="Read the file").click()
    page.wait_for_url("**/imports/**")


def test_progress_reload_and_stop(page: Page, var: Path, large: Path) -> None:
    before = set((var / "uploads").iterdir())  # tables of other tests, kept to match their columns
    send(page, large)
    worker = worker_in_the_middle(var)
    os.kill(worker, signal.SIGSTOP)  # so that the middle is long enough to look at
    try:
        label = page.locator("label[for=pg]")
        expect(label).to_contain_text(re.compile(r"[\d,]+ rows"))
        assert 0 < page.locator("#pg").evaluate("bar => bar.value / bar.max") <= 1
        assert [found["id"] for found in Axe().run(page, options=OPTIONS).response["violations"]] == []
        page.reload()
        expect(label).to_contain_text(re.compile(r"[\d,]+ rows"))
        page.goto("/fleets/")
        page.get_by_role("link", name="large.csv").click()
        page.get_by_role("button", name="Stop reading").click()
    finally:
        os.kill(worker, signal.SIGCONT)
    expect(page.locator("h1")).to_have_text("Stopped")
    assert set((var / "uploads").iterdir()) <= before
    page.goto("/fleets/")
    expect(page.locator("h2")).to_have_text("No fleet yet")


def test_a_killed_worker_is_taken_over(page: Page, var: Path, large: Path) -> None:
    send(page, large)
    os.kill(worker_in_the_middle(var), signal.SIGKILL)
    expect(page.locator("#progress")).to_contain_text("another one began anew, attempt 2 of 3", timeout=PATIENCE)
    page.wait_for_url("**/fleets/*-*/", timeout=PATIENCE)
    expect(page.locator(".say")).to_contain_text(f"{4 * ROWS:,} GPU machines")
