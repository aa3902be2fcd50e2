"""Settings of a server that others reach: it starts only with a key of its own, and speaks TLS only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KEY = "k" * 60
SHOW = """
import json, django
from django.conf import settings
django.setup()
from django.test import Client
client = Client(raise_request_exception=False)
def ask(host, secure):
    answer = client.get("/nowhere/", secure=secure, headers={"host": host})
    return [answer.status_code, dict(answer.headers), answer.content.decode()]
print(json.dumps({
    "cookies": [settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.SESSION_COOKIE_HTTPONLY],
    "debug": settings.DEBUG,
    "plain": ask("advisor.example", False),
    "tls": ask("advisor.example", True),
    "other": ask("evil.example", True),
}))
"""


def start(tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ADVISOR_")}
    clean |= {"ADVISOR_VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "advisor.settings"} | environment
    command = [sys.executable, "-c", SHOW]
    return subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"ADVISOR_ALLOWED_HOSTS": "advisor.example"}, "ADVISOR_SECRET_KEY must be set"),
        ({"ADVISOR_ALLOWED_HOSTS": "advisor.example", "ADVISOR_SECRET_KEY": "short"}, "at least 50 characters"),
        ({"ADVISOR_ALLOWED_HOSTS": " ", "ADVISOR_SECRET_KEY": KEY}, "name at least one host"),
        ({"ADVISOR_DEBUG": "yes"}, "write True or False"),
    ],
)
def test_it_does_not_start_with_settings_that_are_not_safe(tmp_path: Path, environment: dict[str, str], words: str):
    found = start(tmp_path, **environment)
    assert found.returncode != 0
    assert words in found.stderr


def test_cookies_hosts_and_transport(tmp_path: Path):
    run = start(tmp_path, ADVISOR_ALLOWED_HOSTS="advisor.example", ADVISOR_SECRET_KEY=KEY)
    found = json.loads(run.stdout)
    assert found["cookies"] == [True, True, True]
    assert found["debug"] is False
    assert found["plain"][0] == 301
    assert found["plain"][1]["Location"] == "https://advisor.example/nowhere/"
    assert found["tls"][0] == 404
    assert found["tls"][1]["Strict-Transport-Security"] == "max-age=31536000"
    status, headers, text = found["other"]
    assert status == 400
    assert "evil.example" not in text + str(headers)
    assert "Traceback" not in text
