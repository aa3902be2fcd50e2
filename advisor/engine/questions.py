"""Questions of a pool: what would settle something, those first whose answer would change the first choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from advisor.engine.answer import Option, Question
from advisor.engine.words import Row

#: What is asked where another answer was tried, by the name of the variant: message and field.
VARIANT_QUESTIONS: Mapping[str, tuple[str, str]] = {
    "utilisation": ("How busy are the GPUs at peak? Unknown counts as fully busy.", "utilisation"),
    "workload": ("What do the machines do: training, inference, HPC, graphics, development?", "workload"),
    "multi_node": ("Does one job span several of these VMs?", "multi_node"),
    "precision": ("Does the code use double precision?", "precision"),
    "hours": ("How many hours a month does one VM run? The file does not say.", "hours_per_month"),
    "os": ("Do the machines run Linux or Windows? Linux is taken.", "os"),
    "generation": ("Are the images Generation 1 or 2?", "generation"),
}
OPTIONS_ASKED = 3  # an unknown of an option further down decides nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstChoices:
    """The first choice of a pool as it is, and with another answer to a question; None: nothing can be ranked."""

    base: Row | None
    others: Sequence[tuple[str, Row | None]]  # by the name of the variant; a name may stand for several answers


def open_questions(
    pool: Mapping[Any, Any], options: Sequence[Option], choices: FirstChoices, memory_matters: bool, currency: str
) -> tuple[Question, ...]:
    """Each question once, those that would change the first choice first, else in the order in which they arise.

    `memory_matters`: a size that is refused only for the assumed memory would beat the first choice; `currency` is
    that of the prices.
    """
    asked: dict[str, Question] = {}
    for question in _all(pool, choices, memory_matters, currency):
        known = asked.get(question.code)
        if known is None or not known.changes_first_choice:
            asked[question.code] = question
    for question in _of_options(options):
        asked.setdefault(question.code, question)
    return tuple(sorted(asked.values(), key=lambda question: not question.changes_first_choice))


def _all(pool: Mapping[Any, Any], choices: FirstChoices, memory_matters: bool, currency: str) -> Iterator[Question]:
    if pool["region"] is None:
        yield _question(
            "region", "In which region do the machines run? Without it nothing can be priced.", changes=True
        )
    for name, other in choices.others:
        if name in VARIANT_QUESTIONS:
            message, field = VARIANT_QUESTIONS[name]
            yield _question(name, message, field, _differs(choices.base, other))
    if pool["needed_assumed"]:
        is_known = np.isfinite(pool["needed_gib"])
        taken = "Today's is taken, and less would allow more sizes." if is_known else "No page gives today's."
        message = f"How much GPU memory does the work need per GPU? {taken}"
        yield _question("gpu_memory_gib", message, changes=memory_matters)
    if np.isfinite(pool["cost"]) and pool["baseline_kind"] != "actual":
        rate = f"What is one {currency} in {pool['currency']}?"
        yield _question("currency", f"{rate} Without a rate and its day the cost in the file is left out.")


def _of_options(options: Sequence[Option]) -> Iterator[Question]:
    """What is unknown of the best options."""
    for option in options[:OPTIONS_ASKED]:
        for reason in option.rules:
            if reason.severity == "unknown" and reason.question:
                yield _question(reason.field or reason.code, reason.question, reason.field)


def _question(code: str, message: str, field: str | None = None, changes: bool = False) -> Question:
    """A question on the field that its code names, where no other is given."""
    return Question(code=code, message=message, field=code if field is None else field, changes_first_choice=changes)


def _differs(first: Row | None, other: Row | None) -> bool:
    if first is None or other is None:
        return (first is None) != (other is None)
    return bool(first["target"] != other["target"])
