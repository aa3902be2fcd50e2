"""Laws of the checker and the nvidia-smi reader: no text raises, a corrected text stays as it is, the counts add up."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.engine.edge.check import check_deployment
from advisor.engine.edge.smi import read_smi
from advisor.engine.edge.smi_advice import advise_smi, compare
from advisor.engine.edge.smi_json import smi_json
from tests import shipped
from tests.engine.edge.test_check import GOOD
from tests.profiles import examples

EDGE = shipped.edge()
SAMPLES = [
    path.read_text(encoding="utf-8") for path in sorted((Path(__file__).parents[1] / "samples/edge/smi").glob("*.txt"))
]
#: What people and copying put into a file.
SCRAPS = st.sampled_from(
    [
        "\t",
        "//",
        "- ",
        "-",
        ":",
        ": ",
        "#",
        '"',
        "\u201c",
        "%",
        "  ",
        "\n",
        "env:",
        "value: 20\n",
        "*a",
        "&a ",
        "|\n",
        "[",
        "{",
        "}",
    ]
)
edits = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), SCRAPS | st.text(max_size=6)), max_size=6)
many = settings(max_examples=examples(30), deadline=None)


def edited(text: str, changes: list[tuple[float, int, str]]) -> str:
    """`text` with pieces cut out and others put in, each at its share of the length."""
    for place, cut, scrap in changes:
        at = int(place * len(text))
        text = text[:at] + scrap + text[at + cut :]
    return text


@many
@given(edits)
def test_a_damaged_file_is_never_too_much(changes: list[tuple[float, int, str]]):
    text = edited(GOOD, changes)
    found = check_deployment(EDGE, text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(problem.line is None or 1 <= problem.line <= lines for problem in found.problems)
    assert found.accepted == (not found.left)
    if found.changed:
        assert found.errors


@many
@given(edits)
def test_what_was_accepted_is_not_changed_again(changes: list[tuple[float, int, str]]):
    first = check_deployment(EDGE, edited(GOOD, changes))
    if first.accepted and first.corrected:
        second = check_deployment(EDGE, first.corrected)
        assert (second.errors, second.changed) == (0, False)


@many
@given(st.sampled_from(SAMPLES), edits, st.booleans())
def test_a_damaged_output_is_read_or_refused(text: str, changes: list[tuple[float, int, str]], planned: bool):
    reading = read_smi(edited(text, changes))
    assert reading.gpus or reading.problems
    answer = smi_json(reading, advise_smi(EDGE, reading, planned), compare(read_smi(text), reading))
    assert [gpu["processes"] for gpu in answer["gpus"]] == [len(gpu.processes) for gpu in reading.gpus]
    for gpu in reading.gpus:
        assert gpu.name
        assert gpu.memory_share is None or gpu.memory_share >= 0


@many
@given(st.binary(max_size=3000))
def test_any_bytes_are_answered(data: bytes):
    assert read_smi(data).gpus or read_smi(data).problems
    found = check_deployment(EDGE, data)
    assert found.problems or found.accepted
