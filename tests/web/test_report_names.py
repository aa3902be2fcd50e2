"""What a report does not tell: names, groups, files and cells, unless its maker ticks it; and then as text only."""

from __future__ import annotations

import html
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from advisor.engine.catalogue import Catalogue
from advisor.models import StoredReport
from tests.pages import Page
from tests.sessions import keep

pytestmark = pytest.mark.django_db

HEADER = "name,size,region,count,hours_per_vm,os,workload,pool,resource_group,subscription,currency,env\n"
ROWS = (
    "<script>vm()</script>,NC6s_v3,westeurope,4,730,Linux,training,<b>falcon</b>,rg-secret,sub-secret,,tag-secret\n"
    "vm-secret,NC6s_v3,westeurope,4,730,Linux,inference,<b>falcon</b>,rg-secret,sub-secret,,tag-secret\n"
    "vm-secret-2,NC6x<img src=x onerror=y()>,westeurope,4,730,Linux,training,osprey,rg-secret,sub-secret,,tag\n"
    "vm-secret-3,NC24ads_A100_v4,atlantis-secret,4,730,Linux,training,osprey,rg-secret,sub-secret,,tag\n"
    "vm-secret-4,NC24ads_A100_v4,westeurope,many-secret,730,Linux,training,kestrel,rg-secret,sub-secret,,tag\n"
    "vm-secret-5,NV12s_v3,westeurope,2,100,Linux,graphics,heron,rg-secret,sub-secret,secret-money,tag\n"
)
FILE = "contoso-secret<i>.csv"
NEVER = ("vm-secret,", "rg-secret", "sub-secret", "tag-secret")
UNLESS_TICKED = ("secret", "falcon", "osprey", "kestrel", "heron", "contoso", "vm()", "onerror", "NC6x", "atlantis")


def made(client: Client, catalogue: Catalogue, **fields: str) -> tuple[str, str, str]:
    """The stored JSON, the page as a stranger sees it, and the file."""
    fleet = keep(client, catalogue, (FILE, HEADER + ROWS))
    link = client.post(reverse("make-report", args=[fleet.pk]), fields).headers["Location"]
    stored = json.dumps(StoredReport.objects.get().advice, ensure_ascii=False)
    return stored, Client().get(link).content.decode(), client.get(link + "file/").content.decode()


def test_nothing_of_the_file_is_told_unless_ticked(client: Client, catalogue: Catalogue) -> None:
    for text in made(client, catalogue, title="Report"):
        for word in UNLESS_TICKED:
            assert word not in text, word


def test_ids_do_not_tell_what_a_pool_is_called(client: Client, catalogue: Catalogue) -> None:
    told = client.get(reverse("answer-json", args=[keep(client, catalogue, (FILE, HEADER + ROWS)).pk])).json()
    stored, _, _ = made(client, catalogue, title="Report")
    assert not {pool["id"] for pool in told["pools"]} & {pool["id"] for pool in json.loads(stored)["pools"]}


def test_ticked_names_are_text(client: Client, catalogue: Catalogue) -> None:
    stored, page, file = made(client, catalogue, title="Report", with_names="on")
    assert "<b>falcon</b>" in stored
    for text in (page, file):
        assert html.escape("<b>falcon</b>") in text
        assert html.escape(FILE) in text
        assert html.escape("NC6x<img src=x onerror=y()>") in text
        for word in ("<b>falcon", "<i>.csv", "<img", "<script>vm", *NEVER):
            assert word not in text, word
    assert not [tag for tag, _ in Page(file).elements if tag in ("img", "b", "i", "script")]


def test_a_title_is_text(client: Client, catalogue: Catalogue) -> None:
    _, page, file = made(client, catalogue, title="</title><script>a()</script>")
    for text in (page, file):
        assert "<script>a()" not in text
        assert html.escape("</title><script>a()</script>") in text


def test_refused_rows_are_counted_all_the_same(client: Client, catalogue: Catalogue) -> None:
    _, page, _ = made(client, catalogue, title="Report")
    (row,) = Page(page).rows["files-h"][1:]
    assert row[0] == "file 1"
    assert int(row[2]) == sum(map(int, row[3:]))
    assert int(row[5]) >= 3


def test_the_command_leaves_names_out_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "contoso-secret.csv"
    path.write_text(HEADER + ROWS, encoding="utf-8")
    call_command("advise", str(path), "--html", str(tmp_path / "a.html"))
    call_command("advise", str(path), "--html", str(tmp_path / "b.html"), "--with-names")
    capsys.readouterr()
    without = (tmp_path / "a.html").read_text(encoding="utf-8")
    named = (tmp_path / "b.html").read_text(encoding="utf-8")
    assert not [word for word in UNLESS_TICKED if word in without]
    assert "contoso-secret.csv" in named
    assert html.escape("<b>falcon</b>") in named
