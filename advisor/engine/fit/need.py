"""The memory that each GPU of a split needs."""

from __future__ import annotations

from advisor.engine.fit.activations import serving_part, training_parts
from advisor.engine.fit.cache import cache_part
from advisor.engine.fit.facts import GIB, Model
from advisor.engine.fit.figures import COMMUNICATION, RUNTIME, Figure
from advisor.engine.fit.parts import Need, Part, n, questions
from advisor.engine.fit.states import training_states
from advisor.engine.fit.weights import weight_part
from advisor.engine.fit.work import QUANTISED, Split, Work

ALONE = Split()


def need_on_each(model: Model, work: Work, split: Split = ALONE) -> Need:
    """The parts of the need on the fullest GPU of the split, and what to ask where a fact is unknown.

    Inference: weights, key-value cache, activations. Training: weights, gradients, optimiser states (or frozen
    weights and adapters), activations. Both: the runtime, and between several GPUs their communication.
    """
    if work.task == "inference":
        cache = cache_part(model, work, split)
        parts = [weight_part(model, work, split), *([cache] if cache else []), serving_part(model, work)]
    else:
        parts = [*training_states(model, work, split), *training_parts(model, work, split)]
    parts.append(_figure("runtime", RUNTIME))
    if split.gpus > 1:
        parts.append(_figure("communication", COMMUNICATION))
    return Need(parts=tuple(parts), questions=questions(_unknown(model, work)))


def _figure(code: str, figure: Figure) -> Part:
    words = f"{n(figure.low)} to {n(figure.high)} GiB in published figures"
    return Part(
        code=code, label=figure.label, low=figure.low * GIB, expected=figure.expected * GIB,
        high=figure.high * GIB, formula=words, source=figure.source,
    )  # fmt: skip


def _unknown(model: Model, work: Work) -> list[str]:
    """Codes of what would narrow the need down, the most telling first."""
    if model.kind == "other":
        return (["parameters"] if model.parameters is None else []) + ["measure"]
    wanted = ["layers", "hidden_size"]
    if work.weights_gib is None or (work.task == "training" and work.method == "full"):
        wanted.insert(0, "parameters")
    if model.kind == "decoder":
        wanted.append("vocab_size")
        wanted += [] if model.latent_size is not None or work.task == "training" else ["heads", "kv_heads"]
    if work.task == "inference":
        wanted.append("mlp_size")
    if not work.flash:
        wanted.append("heads")
    codes = [name for name in wanted if getattr(model, name) is None]
    return codes + (["checkpoint"] if work.precision in QUANTISED and work.weights_gib is None else [])
