"""Bytes of the weights, as they are loaded."""

from __future__ import annotations

from advisor.engine.fit.facts import GIB, Model
from advisor.engine.fit.figures import QUANTISED as EXCESS
from advisor.engine.fit.parts import Part, exact, n, times, unbounded
from advisor.engine.fit.work import QUANTISED, WEIGHT_BYTES, Split, Work
from advisor.engine.worked import TIMES

SOURCE = "https://blog.eleuther.ai/transformer-math/"


def embedding_parameters(model: Model) -> int | None:
    """Weights of embedding and output head, vocabulary x width, twice unless they are one table; None: unknown."""
    if model.kind == "other":
        return 0
    if model.vocab_size is None or model.hidden_size is None:
        return None
    return model.vocab_size * model.hidden_size * (1 if model.tied else 2)


def stage_share(model: Model, split: Split) -> float:
    """Share of the layers on the fullest of the stages: whole layers, rounded up."""
    if split.stages == 1 or model.layers is None:
        return 1.0 / split.stages
    return -(-model.layers // split.stages) / model.layers


def weight_part(model: Model, work: Work, split: Split) -> Part:
    """Weights on each GPU.

        parameters x bytes / GPUs that cut a layer x share of the layers

    Quantised: embedding and output head stay at 16 bits, the rest takes 1 byte or 4 bits with a scale for each
    group; checkpoints that keep more take up to `figures.QUANTISED.high` as much,
    never more than all at 16 bits. The size of the checkpoint, where
    it is known, replaces all of this.
    """
    shared = "" if split.gpus == 1 else f" / {split.tensor} GPUs"
    shared += "" if split.stages == 1 else f" {TIMES} {stage_share(model, split):.3f} of the layers"
    share = stage_share(model, split) / split.tensor
    if work.weights_gib is not None:
        formula = f"{n(work.weights_gib)} GiB, the checkpoint{shared}"
        return exact("weights", "Weights", work.weights_gib * GIB * share, formula, "you")
    if model.parameters is None:
        return unbounded("weights", "Weights", "the number of parameters is unknown")
    each = WEIGHT_BYTES[work.precision]
    if work.precision not in QUANTISED:
        formula = times(f"{n(model.parameters)} parameters", f"{n(each)} bytes") + shared
        return exact("weights", "Weights", model.parameters * each * share, formula, SOURCE)
    return _quantised(model, model.parameters, each * share, 2.0 * share, shared)


def _quantised(model: Model, parameters: int, each: float, half: float, shared: str) -> Part:
    """`each` and `half`: bytes on one GPU of a quantised weight and of one at 16 bits."""
    label, bytes_each = "Weights", n(WEIGHT_BYTES["int4"]) if each < half / 2 else "1"
    kept = embedding_parameters(model)
    if kept is None or kept > parameters:  # nothing is known of it: from all quantised to all at 16 bits
        low, high = parameters * each, parameters * half
        formula = times(f"{n(parameters)} parameters", f"{bytes_each} to 2 bytes") + shared
        return Part(code="weights", label=label, low=low, expected=high, high=high, formula=formula, source=SOURCE)
    size = (parameters - kept) * each + kept * half
    formula = f"({n(parameters - kept)} {TIMES} {bytes_each} bytes + {n(kept)} {TIMES} 2 bytes){shared}"
    return Part(
        code="weights", label=label, low=size * EXCESS.low, expected=size,
        high=min(size * EXCESS.high, parameters * half), formula=formula, source=EXCESS.source,
    )  # fmt: skip
