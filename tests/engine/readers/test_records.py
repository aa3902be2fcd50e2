"""Records one by one: physical lines, quotes, and lines that spoil only themselves."""

from __future__ import annotations

import io

from advisor.engine.readers.records import LINE_CHARACTERS, RECORD_CHARACTERS, iterate_records, open_text
from advisor.engine.readers.text import Decoding


def records(text: str, delimiter: str = ",") -> list[tuple[int, list[str], str | None]]:
    return [tuple(record) for record in iterate_records(iter(text.splitlines(keepends=True)), delimiter)]


def test_a_break_inside_quotes_counts_as_a_line():
    assert records('a,"x\ny"\nb,c\n') == [(1, ["a", "x\ny"], None), (3, ["b", "c"], None)]


def test_an_open_quote_spoils_its_own_line_only():
    assert records('a,"x\nb,y\nc,z\n') == [
        (1, ['a,"x'], "unclosed_quote"),
        (2, ["b", "y"], None),
        (3, ["c", "z"], None),
    ]


def test_an_open_quote_in_a_long_file_loses_no_line():
    found = records('"a\n' + "b,1\n" * RECORD_CHARACTERS)
    assert (len(found), found[0][2], found[-1]) == (
        RECORD_CHARACTERS + 1,
        "unclosed_quote",
        (RECORD_CHARACTERS + 1, ["b", "1"], None),
    )


def test_a_line_of_megabytes_spoils_itself_only():
    found = records("a,b\n" + "x" * (LINE_CHARACTERS + 1) + "\nc,d\n")
    assert [record[2] for record in found] == [None, "line_too_long", None]
    assert found[2][:2] == (3, ["c", "d"])


def test_nuls_are_dropped():
    assert records("a\0,b\n\0\n")[0] == (1, ["a", "b"], None)


def test_every_line_end_is_one():
    text = open_text(io.BytesIO(b"a\rb\r\nc\n"), Decoding(codec="utf-8", label="utf-8"))
    assert list(text) == ["a\n", "b\n", "c\n"]
