"""What an answer says beside its figures, in the same words on the page, in the command's text and in its JSON."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.fit.answer import FitAnswer

#: Sizes that a line names before it only counts them.
NAMED = 5


def notes(found: FitAnswer) -> tuple[str, ...]:
    """What the reader should know, one sentence each."""
    return tuple(_refused(found))


def _refused(found: FitAnswer) -> Iterator[str]:
    """Sizes that are set aside, in one line for each rule of the advice that refuses them."""
    groups: dict[str, list[str]] = {}
    for name, reason in found.refused.items():
        groups.setdefault(reason.code, []).append(name)
    for code, names in groups.items():
        why = _WHY[code].format(precision=found.work.precision.upper())
        more = "" if len(names) <= NAMED else f" and {len(names) - NAMED} more"
        sizes = "1 size" if len(names) == 1 else f"{len(names)} sizes"
        yield f"{sizes} left out, {why}: {', '.join(names[:NAMED])}{more}."


#: Why sizes are left out, by the code of the rule.
_WHY = {
    "not-yet": "since the GPU appeared after that day",
    "dtype": "since the GPU does not compute in {precision}",
}


def no_first(found: FitAnswer) -> str:
    """Why no size is named, in one or two sentences; empty where one is."""
    if found.first is not None:
        return ""
    if found.unsure:
        return "No size is sure to hold it: too little is known to say so."
    return "No size that can do such work holds it." if found.refused else "No size of the catalogue holds it."
