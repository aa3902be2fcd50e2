"""Variants: which questions are asked, and which of them would change the first choice."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.conftest import Ask


def asked(ask: Ask, *args: Any, **values: Any) -> dict[str, bool]:
    """Codes of the questions of a pool, each with whether its answer would change the first choice."""
    return {question.code: question.changes_first_choice for question in ask(*args, **values).questions}


def test_a_question_changes_the_first_choice_exactly_when_the_answer_does(ask: Ask) -> None:
    before = ask("NC6", 12, workload="training", pattern="steady")
    after = ask("NC6", 12, workload="training", pattern="steady", utilisation=0.3)
    changes = before.options[0].size != after.options[0].size
    assert {q.code: q.changes_first_choice for q in before.questions}["utilisation"] is changes


def test_the_memory_question_changes_the_first_choice_where_less_memory_would_win(ask: Ask) -> None:
    found = asked(ask, "NC24ads_A100_v4", 10, workload="inference", utilisation=0.1)
    assert found["gpu_memory_gib"]
    # K80: nothing below 12 GiB is cheaper than one A100 or eight T4
    assert not asked(ask, "NC6", 12, workload="training")["gpu_memory_gib"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("utilisation", {"utilisation": 0.5}),
        ("workload", {"workload": "training"}),
        ("gpu_memory_gib", {"gpu_memory_gib": 10.0}),
        ("multi_node", {"multi_node": False}),
        ("hours", {"pattern": "steady"}),
    ],
)
def test_what_was_said_is_not_asked(ask: Ask, code: str, said: dict[str, Any]) -> None:
    assert code in asked(ask, "NC24s_v2", 4)
    assert code not in asked(ask, "NC24s_v2", 4, **said)


def test_what_the_file_says_is_not_asked(ask: Ask) -> None:
    columns = {"hours": 730.0, "data_disks": 2.0, "generation": 2.0}
    assert not {"hours", "data_disks", "generation", "os"} & set(asked(ask, "NC24s_v2", 4, columns=columns))
    assert "os" in asked(ask, "NC24s_v2", 4, columns={"os": None})


def test_a_seat_is_not_asked_how_busy_it_is(ask: Ask) -> None:
    assert "utilisation" not in asked(ask, "NV12s_v3", 20, workload="graphics")


def test_one_vm_has_no_job_over_several(ask: Ask) -> None:
    assert "multi_node" not in asked(ask, "NC24s_v2", 1, workload="training")


def test_hpc_is_asked_for_double_precision(ask: Ask) -> None:
    assert "precision" in asked(ask, "NC24rs_v2", 1, workload="hpc")
    assert "precision" not in asked(ask, "NC24rs_v2", 1, workload="training")


def test_questions_that_change_something_come_first(ask: Ask) -> None:
    for size in ("NC6", "ND6s", "NV12s_v3", "NC24rs_v3"):
        flags = [question.changes_first_choice for question in ask(size, 4, "eastus").questions]
        assert flags == sorted(flags, reverse=True)


def test_no_question_is_asked_twice(ask: Ask) -> None:
    for size in ("NC6", "ND40rs_v2", "NV12s_v3", "NC24ads_A100_v4"):
        questions = ask(size, 4, "eastus", columns={"os": None}).questions
        assert len({question.message for question in questions}) == len(questions)
        assert len({question.code for question in questions}) == len(questions)
