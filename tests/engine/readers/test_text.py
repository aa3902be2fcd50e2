"""Bytes to text: encodings by evidence, helper lines, delimiters, header names."""

from __future__ import annotations

import io

import pytest

from advisor.engine.readers.text import detect, guess_delimiter, header_keys, is_type_line, separator_line


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("name,size\nvm,NC6\n", "utf-8"),
        ("이름,크기\n학습서버,NC6\n", "cp949"),
        ("名前,サイズ\n学習サーバー,NC6\n", "cp932"),
        ("名称,大小\n训练服务器,NC6\n推理服务器一号,NC6\n", "gb18030"),
        ("name,größe\nmüller,NC6\n", "cp1252"),
        ("имя,размер\nсервер обучения,NC6\n", "cp1251"),  # noqa: RUF001
        ("name,size\n東京一号,NC6\n大阪二号,NC6\n画像処理,NC6\n", "cp932"),  # no kana at all
        ("name,size\nvm,NC6\n", "utf-16-le"),
        ("name,size\nvm,NC6\n", "utf-16-be"),
    ],
)
def test_encoding_without_mark(text, codec):
    found = detect(io.BytesIO(text.encode(codec)))
    assert found is not None and found.codec == codec


def test_marks_are_reported():
    assert detect(io.BytesIO("größe".encode("utf-8-sig"))).label == "utf-8-sig"
    assert detect(io.BytesIO("größe".encode("utf-16"))).label == "utf-16"


def test_one_bad_byte_is_a_scratch_and_not_another_encoding():
    found = detect(io.BytesIO("학습서버".encode() * 100 + b"\xff"))
    assert (found.codec, found.replaces) == ("utf-8", True)


def test_bad_byte_far_behind_the_head_is_found():
    found = detect(io.BytesIO(b"name,size\n" * 600_000 + "größe".encode("cp1252")))
    assert found.codec == "cp1252"


def test_random_bytes_are_no_text():
    assert detect(io.BytesIO(bytes(range(256)) * 100)) is None


def test_helper_lines():
    assert separator_line("SEP=;") == ";"
    assert separator_line("separator") is None
    assert is_type_line("#TYPE Selected.System.Object")


def test_delimiter_comes_from_outside_quotes():
    assert guess_delimiter('"a,b,c";d') == ";"
    assert guess_delimiter("a\tb\tc, d") == "\t"
    assert guess_delimiter("size") == ","


def test_header_names_prefer_the_word_in_brackets():
    assert header_keys("Meter Sub-Category") == ("metersubcategory",)
    assert header_keys("Maßeinheit (UnitOfMeasure)")[0] == "unitofmeasure"
    assert "utilization" in header_keys("utilization [%]")
