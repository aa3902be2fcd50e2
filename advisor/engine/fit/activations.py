"""Bytes of what is worked on: a chunk or a batch when a model serves, all that the backward pass needs in training."""

from __future__ import annotations

from advisor.engine.fit.facts import Model
from advisor.engine.fit.figures import PREFILL
from advisor.engine.fit.parts import Part, exact, n, times, unbounded
from advisor.engine.fit.work import Split, Work
from advisor.engine.worked import TIMES

SERVING = "github.com/vllm-project/vllm/pull/10511"
TRAINING = "EleutherAI/cookbook@069ae2ef9f69f8fb3f1413272015ccb59f3d4a6c calc/calc_transformer_mem.py"
LOGITS = "https://vram.asmirnov.xyz"
#: Bytes of one logit: as it comes, and in 32 bits as it is, as a probability and as its logarithm.
SERVED_LOGIT = 3 * 4
#: Bytes of one logit and its gradient in 32 bits.
TRAINED_LOGIT = 2 * 4


def serving_part(model: Model, work: Work) -> Part:
    """Activations of one chunk, or of an encoder's whole batch, the same on each GPU.

        tokens x bytes x (3 x feed-forward width + 2 x width)  +  users x vocabulary x bytes of a logit

    Tokens are those of all users; a decoder takes `figures.PREFILL` of them at most in one step, an encoder reads its
    whole batch at once. Scores of attention are added where it keeps them.
    """
    label = "Activations"
    if model.kind == "other":
        return unbounded("activations", label, "no formula covers this kind of model")
    if model.hidden_size is None or model.mlp_size is None:
        return unbounded("activations", label, "the widths are unknown")
    tokens = work.context * work.users
    if model.kind == "decoder":
        tokens = min(tokens, int(PREFILL.expected))
    size = tokens * work.compute_bytes * (3 * model.mlp_size + 2 * model.hidden_size)
    widths = f"(3 {TIMES} {n(model.mlp_size)} + 2 {TIMES} {n(model.hidden_size)})"
    formula = times(f"{n(tokens)} tokens", f"{work.compute_bytes} bytes", widths)
    if not work.flash:
        if model.heads is None:
            return unbounded("activations", label, "the attention heads are unknown")
        size += tokens * work.context * model.heads * work.compute_bytes * 2
        formula += (
            f" + {times(n(tokens), n(work.context), f'{n(model.heads)} heads', str(work.compute_bytes * 2))} bytes"
        )
    if model.kind == "decoder":
        if model.vocab_size is None:
            return unbounded("activations", label, "the vocabulary is unknown")
        logit = work.compute_bytes + SERVED_LOGIT
        size += work.users * model.vocab_size * logit
        formula += (
            f" + {times('' if work.users == 1 else f'{n(work.users)} users', n(model.vocab_size), f'{logit} bytes')}"
        )
    return exact("activations", label, float(size), formula, SERVING)


def training_parts(model: Model, work: Work, split: Split) -> list[Part]:
    """What the backward pass needs, on each GPU, which works on its own part of the batch.

        tokens x width x layers x (16 x bytes + 2  [+ (2 x bytes + 1) x heads x context / width: kept scores])

    With checkpointing only the input of each layer is kept, and one layer in full. A decoder's logits stand in 32
    bits with their gradient, unless the loss is worked out in chunks.
    """
    label = "Activations"
    if model.kind == "other":
        return [unbounded("activations", label, "no formula covers this kind of model")]
    if model.hidden_size is None or model.layers is None or (model.heads is None and not work.flash):
        return [unbounded("activations", label, "layers, width or heads are unknown")]
    batch = -(-work.users // split.gpus)
    tokens = work.context * batch
    factor = 16 * work.compute_bytes + 2.0
    words = f"(16 {TIMES} {work.compute_bytes} + 2"
    if not work.flash:
        factor += (2 * work.compute_bytes + 1) * (model.heads or 0) * work.context / model.hidden_size
        scores = times(f"{2 * work.compute_bytes + 1}", n(model.heads or 0), n(work.context))
        words += f" + {scores} / {n(model.hidden_size)}"
    each = tokens * model.hidden_size
    base = times(f"{n(tokens)} tokens", n(model.hidden_size))
    if work.checkpointing:
        size = each * (model.layers * work.compute_bytes + factor)
        formula = f"{base} {TIMES} ({n(model.layers)} layers {TIMES} {work.compute_bytes} + {words}))"
    else:
        size = each * model.layers * factor
        formula = f"{times(base, f'{n(model.layers)} layers')} {TIMES} {words})"
    parts = [exact("activations", label, size, formula, TRAINING)]
    return parts + ([_logits(model, tokens)] if model.kind == "decoder" and not work.chunked_loss else [])


def _logits(model: Model, tokens: int) -> Part:
    if model.vocab_size is None:
        return unbounded("logits", "Logits", "the vocabulary is unknown")
    size = float(tokens * model.vocab_size * TRAINED_LOGIT)
    formula = times(f"{n(tokens)} tokens", n(model.vocab_size), f"{TRAINED_LOGIT} bytes")
    return exact("logits", "Logits", size, formula, LOGITS)
