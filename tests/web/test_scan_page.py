"""/scan/ and the command: what is dead in any text, by line; nothing is stored, hostile text stays text."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from advisor.engine.scan import MAX_BYTES
from advisor.models import StoredFleet, StoredUpload
from tests.pages import Page

pytestmark = pytest.mark.django_db

LETTERS = "abcdefghijklmnopqrstuvwxyz"
TEXT = 'size = "Standard_NC6"\nother: NC4as_T4_v3\nNC6x'


def rows(response: Any) -> list[list[str]]:
    return Page(response.content).rows.get("f-h", [])[1:]


def test_u11_a_dead_size_in_pasted_text_is_named_with_its_line_and_what_to_use(client: Client) -> None:
    response = client.post("/scan/", {"text": TEXT})
    assert response.status_code == 200
    found = {row[0]: row[1:] for row in rows(response)}
    assert found["NC6"][0] == "dead"
    assert found["NC6"][1].startswith("2023-09-06") and found["NC6"][3] == "1"
    assert found["NC6"][2].startswith("NC4as_T4_v3")
    assert (found["NC6x"][0], found["NC6x"][3]) == ("unknown", "3")
    assert found["NC4as_T4_v3"][0] == "current"
    assert not StoredFleet.objects.exists() and not StoredUpload.objects.exists()


def test_a_file_is_scanned_in_its_own_encoding(client: Client) -> None:
    file = SimpleUploadedFile("main.tf", TEXT.encode("utf-16"))
    assert len(rows(client.post("/scan/", {"file": file}))) == 3


def test_the_sample_has_every_state(client: Client) -> None:
    assert {row[1] for row in rows(client.get("/scan/", {"sample": "1"}))} == {"dead", "dying", "current", "unknown"}


def test_a_text_without_sizes_says_so(client: Client) -> None:
    assert b"No N-series size stands in these 1 line." in client.post("/scan/", {"text": "Standard_D4s_v5"}).content


@pytest.mark.parametrize("text", ["", " \n ", "\0" * 9])
def test_nothing_is_refused(client: Client, text: str) -> None:
    assert client.post("/scan/", {"text": text}).status_code == 422


def test_what_is_too_large_or_no_text_is_refused(client: Client) -> None:
    for data in (b"NC6 " * (MAX_BYTES // 4 + 1), bytes(range(256)) * 9):
        response = client.post("/scan/", {"file": SimpleUploadedFile("x", data)})
        assert response.status_code == 422
        assert b"Nothing was scanned." in response.content


def test_hostile_text_is_shown_as_text(client: Client) -> None:
    hostile = 'Standard_NC9<script>alert(1)</script> NC6"><img src=x onerror=alert(1)>'
    body = client.post("/scan/", {"text": hostile}).content
    assert b"<script>alert" not in body and b"<img" not in body


def test_htmx_gets_only_the_part(client: Client) -> None:
    part = client.post("/scan/", {"text": TEXT}, headers={"HX-Request": "true"}).content
    assert b"<h1" not in part and b'id="f-h"' in part


def test_a_text_beside_a_file_is_not_dropped_without_a_word(client: Client) -> None:
    file = SimpleUploadedFile("main.tf", b"Standard_NC6")
    response = client.post("/scan/", {"file": file, "text": "Standard_NV12"})
    assert [row[0] for row in rows(response)] == ["NC6"]
    assert b"the pasted text was not" in response.content
    for alone in ({"text": TEXT}, {"file": SimpleUploadedFile("main.tf", b"NC6"), "text": " \n"}):
        assert b"the pasted text was not" not in client.post("/scan/", alone).content


def command(*arguments: str) -> str:
    out = io.StringIO()
    call_command("scan", *arguments, "--as-of", "2026-11-30", stdout=out)
    return out.getvalue()


def test_the_command_tells_place_state_and_replacement(tmp_path: Path) -> None:
    file = tmp_path / "main.tf"
    file.write_text(TEXT)
    lines = command(str(file)).splitlines()
    assert lines[0] == f"{file}:1:9: dead: Standard_NC6 retired 2023-09-06; instead: Standard_NC4as_T4_v3"
    answer = json.loads(command(str(file), "--json"))
    assert answer["counts"] == {"dead": 1, "dying": 0, "unknown": 1, "current": 1}
    assert answer["files"][0]["sizes"][0]["mentions"] == [{"line": 1, "column": 9, "text": "Standard_NC6"}]


def test_a_pipeline_may_fail_on_what_it_asks_for(tmp_path: Path) -> None:
    """Exit codes 1 and 2 are those of the contract; 0 unless something is asked for."""
    file = tmp_path / "main.tf"
    file.write_text("NC6")
    command(str(file))
    command(str(file), "--fail-on", "dying")
    with pytest.raises(SystemExit) as ended:
        command(str(file), "--fail-on", "dead")
    assert ended.value.code == 3


def test_a_file_that_cannot_be_read_is_one_clear_line(tmp_path: Path) -> None:
    binary = tmp_path / "x.bin"
    binary.write_bytes(bytes(range(256)) * 9)
    for name, said in (
        (str(tmp_path / "none"), "No such file"),
        (str(tmp_path), "directory"),
        (str(binary), "is no text"),
    ):
        with pytest.raises(CommandError, match=said):
            command(name)


def test_a_part_that_was_not_read_fails_where_something_is_to_fail(tmp_path: Path) -> None:
    path = tmp_path / "names.txt"
    path.write_text("".join(f"NC{number}{a}{b}\n" for number in (5, 7, 9) for a in LETTERS for b in LETTERS))
    assert "read up to here, 2,000 different names are the most" in command(str(path))
    with pytest.raises(CommandError, match="not read to the end"):
        command(str(path), "--fail-on", "dead")


def test_a_long_file_is_read_to_its_dead_end(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("Standard_NC4as_T4_v3\n" * 2_100 + "Standard_NC6\n")
    assert "in 1,100 more places" in command(str(path))
    with pytest.raises(SystemExit) as stop:
        command(str(path), "--fail-on", "dead")
    assert stop.value.code == 3
