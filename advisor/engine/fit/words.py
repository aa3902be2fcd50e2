"""What an answer says beside its figures, in the same words on the page, in the command's text and in its JSON."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.engine.fit.answer import FitAnswer
from advisor.engine.fit.hold import left_gib, nearest
from advisor.engine.fit.parts import times

#: Sizes that a line names before it only counts them.
NAMED = 5


def notes(found: FitAnswer) -> tuple[str, ...]:
    """What the reader should know, one sentence each."""
    return (*_beyond(found), *_ignored(found), *_refused(found))


def _beyond(found: FitAnswer) -> Iterator[str]:
    if found.beyond:
        most, asked = found.model.max_context or 0, found.work.context
        yield f"The configuration of the model allows {most:,} tokens; {asked:,} are asked for."


def _ignored(found: FitAnswer) -> Iterator[str]:
    if found.work.ignored:
        what = ", ".join(_NOT_COUNTED[name] for name in found.work.ignored)
        yield f"Said and not counted, since it does not bear on {_kind(found)}: {what}."


def _kind(found: FitAnswer) -> str:
    if found.work.task == "inference":
        return "inference"
    return "training with LoRA" if found.work.method == "lora" else "training of all weights"


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


#: What it is called that was said and does not count.
_NOT_COUNTED = {
    "weights_gib": "the size of the checkpoint",
    "kv_bytes": "bits of the key-value cache",
    "method": "LoRA",
    "optimiser": "the optimiser",
    "checkpointing": "that no activations are recomputed",
    "chunked_loss": "the loss in chunks",
    "lora_rank": "the rank of LoRA",
    "lora_matrices": "the matrices with LoRA",
}
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
        return "No size is sure to hold it: " + _why_unsure(found)
    return "No size that can do such work holds it." if found.refused else "No size of the catalogue holds it."


def _why_unsure(found: FitAnswer) -> str:
    """What the nearest of those that may hold it lacks."""
    near = nearest(found.unsure, found.work)
    if near is None:
        return found.unsure[0].doubt
    if near.need.high_gib is None:
        return "too little is known to say so."
    usable = near.room.usable_gib
    left = left_gib(usable, found.work)
    what = times(str(near.machines), near.room.size.name) if near.machines > 1 else near.room.size.name
    if near.need.expected_gib > left:
        why = f"needs {near.need.expected_gib:,.1f} of {usable:,.1f} GiB on each GPU"
        return f"the nearest, {what}, {why}; {100 * found.margin:.0f} % must stay free, which leaves {left:,.1f}."
    return f"the nearest, {what}, may need up to {near.need.high_gib:,.1f} of {usable:,.1f} GiB on each GPU."
