"""The real site in a process of its own, and Debian's Chromium. A missing browser fails, it never skips."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
START_SECONDS = 60
WIDTHS = (360, 1440)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Return when the site answers; fail when its process ends or it stays silent."""
    for _ in range(START_SECONDS * 5):
        try:
            with urllib.request.urlopen(url, timeout=60):  # noqa: S310 (our own address)
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if server.poll() is not None:
                break
            time.sleep(0.2)
    pytest.fail(f"the site did not start at {url}")


@pytest.fixture(scope="session")
def var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the site keeps its database and uploads."""
    return tmp_path_factory.mktemp("var")


@pytest.fixture(scope="session")
def site(var: Path) -> Iterator[str]:
    """The address of a fresh site, as `make run` serves it, with a database and an import worker of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ADVISOR_")}
    environment |= {"ADVISOR_VAR_DIR": str(var), "ADVISOR_LEASE_SECONDS": "4"}
    port = free_port()
    subprocess.run([sys.executable, "manage.py", "load_catalogue"], cwd=ROOT, env=environment, check=True)
    command = [sys.executable, "-m", "gunicorn", "advisor.wsgi", "--bind", f"127.0.0.1:{port}", "--threads", "4"]
    with (var / "server.log").open("wb") as log:
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        try:
            wait_for(f"http://127.0.0.1:{port}/", server)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=20)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium; CHROMIUM names another one."""
    if not Path(CHROMIUM).exists():
        pytest.fail(f"there is no Chromium at {CHROMIUM}; `make test` installs it, or set CHROMIUM")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGS))
        yield running
        running.close()


def new_context(
    browser: Browser, site: str, *, width: int = 1440, dark: bool = False, scripts: bool = True
) -> BrowserContext:
    """A clean browser profile of one width and theme, with or without scripts."""
    return browser.new_context(
        base_url=site,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
        java_script_enabled=scripts,
        accept_downloads=True,
    )


@pytest.fixture
def page(browser: Browser, site: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Page]:
    """A page in a clean profile; a screenshot is kept when the test fails."""
    context = new_context(browser, site)
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    yield opened
    report = getattr(request.node, "report_call", None)
    if report is not None and report.failed:
        opened.screenshot(path=str(tmp_path / "failed.png"), full_page=True)
    context.close()
    assert problems == [], "the page's own console shows errors"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Let fixtures see how the test ended."""
    report = yield
    if report.when == "call":  # type: ignore[attr-defined]
        item.report_call = report  # type: ignore[attr-defined]
    return report
