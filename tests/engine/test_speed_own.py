"""Speed-ups that a user measured: a table is read whole or not at all, with everything that is wrong by line."""

from __future__ import annotations

import io

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.speed import SpeedModel
from advisor.engine.speed_own import OwnRatio, UnreadableRatios, later_counts, read_ratios

K80_T4 = OwnRatio(from_gpu="K80", to_gpu="T4", ratio=2.5, note="our ResNet, batch 64")


def read(text: str, catalogue: Catalogue) -> tuple[OwnRatio, ...]:
    return read_ratios(io.BytesIO(text.encode("utf-8")), catalogue)


@pytest.mark.parametrize(
    "text",
    [
        'from,to,ratio,note\nk80,T4,2.5,"our ResNet, batch 64"\n',
        "\ufeffFrom;To;Ratio;Note\r\nK80;T4;2,5;our ResNet, batch 64\r\n",
        "note\tto\tfrom\tfrom speed\tto speed\nour  ResNet, batch 64\tT4\tK80\t30\t75\n",  # 75 / 30
        'measured by Ann\n\nfrom,to,ratio,note,who\nK80,T4,2.5,"our ResNet, batch 64",Ann\n',
    ],
)
def test_a_table_as_people_write_it(catalogue: Catalogue, text: str) -> None:
    assert read(text, catalogue) == (K80_T4,)


def test_a_table_in_utf_16_is_read(catalogue: Catalogue) -> None:
    assert read_ratios(io.BytesIO("from\tto\tratio\nK80\tT4\t2\n".encode("utf-16")), catalogue)[0].ratio == 2


def test_everything_that_is_wrong_is_told_by_line(catalogue: Catalogue) -> None:
    text = "from,to,ratio\nK80,V100,2\n\nK80,T4,0\nT4,T4,1\nK80,A10,2,5\nK80,M60,5000\nP40,T4,nan\nP40,A2,\n"
    with pytest.raises(UnreadableRatios) as refused:
        read(text, catalogue)
    assert [(problem.line, problem.column) for problem in refused.value.problems] == [
        (2, "to"), (4, "ratio"), (5, "to"), (6, None), (7, "ratio"), (8, "ratio"), (9, "ratio"),
    ]  # fmt: skip
    assert "line 6: more cells than the first line has" in str(refused.value)  # 2,5 is no 2
    assert "line 7: the ratio is 5000, must be 0.001 to 1,000" in [p.message for p in refused.value.problems]
    assert str(refused.value).endswith("and 2 more")


def test_the_same_gpus_twice_are_refused_in_any_order(catalogue: Catalogue) -> None:
    with pytest.raises(UnreadableRatios, match="line 3: T4 and K80 stand in the file twice"):
        read("from,to,ratio\nK80,T4,2\nT4,K80,0.5\n", catalogue)


@pytest.mark.parametrize("data", [b"", b"\x00\x01\x02", b"[]", b"K80,T4,2\n", b"PK\x03\x04"])
def test_what_is_no_table_is_refused_with_the_columns_it_needs(catalogue: Catalogue, data: bytes) -> None:
    with pytest.raises(UnreadableRatios, match="the first line must name from, to and ratio"):
        read_ratios(io.BytesIO(data), catalogue)


def test_more_rows_than_pairs_of_gpus_are_refused(catalogue: Catalogue) -> None:
    with pytest.raises(UnreadableRatios, match="line 1002: more than 1,000 rows"):
        read("from,to,ratio\n" + "K80,T4,2\n" * 1001, catalogue)


def test_the_later_of_two_counts_in_any_order() -> None:
    back = OwnRatio(from_gpu="T4", to_gpu="K80", ratio=0.5)
    assert later_counts((K80_T4, back)) == (back,)


def test_a_note_stands_with_the_evidence_and_a_slice_counts_by_its_share(catalogue: Catalogue) -> None:
    plain = SpeedModel(catalogue)
    own = plain.with_own((K80_T4,))
    answer = own.speedup("T4", "K80", "training", "fp32", source_share=0.5)
    assert answer is not None and plain.speedup("T4", "K80", "training", "fp32") != answer
    assert answer.evidence[0].note == "T4 to K80: 0.4; our ResNet, batch 64"  # 1 / 2.5
    assert (answer.low, answer.expected, answer.high) == (0.8, 0.8, 0.8)  # a whole K80 against half a T4
