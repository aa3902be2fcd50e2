"""Bytes of the key-value cache: multi-head, grouped-query, multi-head latent and sliding-window attention."""

from __future__ import annotations

from advisor.engine.fit.facts import Model
from advisor.engine.fit.figures import PREFILL
from advisor.engine.fit.parts import Part, exact, n, times, unbounded
from advisor.engine.fit.weights import stage_share
from advisor.engine.fit.work import Split, Work

SOURCE = "https://docs.vllm.ai/en/v0.12.0/api/vllm/model_executor/models/deepseek_v2/"
WINDOW_SOURCE = "vllm-project/vllm@bc8282e61df21719b12b391c3a976b1c900dfbb4 vllm/v1/kv_cache_interface.py"


def head_dim(model: Model) -> float | None:
    """Numbers per head; where the configuration does not say, width / heads, as transformers takes it."""
    if model.head_dim is not None or model.hidden_size is None or model.heads is None:
        return model.head_dim
    return model.hidden_size / model.heads


def tokens_kept(model: Model, context: int) -> float:
    """Tokens of one sequence that a layer keeps, on average over the layers.

    A layer with a window keeps the window less one, and the chunk that is worked on, never more than the context.
    """
    if not model.window or not model.window_layers or not model.layers:
        return float(context)
    inside = min(context, model.window - 1 + int(PREFILL.expected))
    return ((model.layers - model.window_layers) * context + model.window_layers * inside) / model.layers


def cache_part(model: Model, work: Work, split: Split) -> Part | None:
    """The cache on each GPU; None for a model that keeps none.

    Per token and layer: 2 x key-value heads of this GPU x numbers per head x bytes. Heads are shared out over the
    GPUs that cut a layer and repeated where there are fewer heads than GPUs. Latent attention keeps one vector of
    `latent_size` numbers instead, on each GPU. Without the number of key-value heads the need lies between one and
    all attention heads.
    """
    if model.kind != "decoder":
        return None
    if model.layers is None:
        return unbounded("kv-cache", "Key-value cache", "the number of layers is unknown")
    tokens = tokens_kept(model, work.context) * work.users
    layers = model.layers * stage_share(model, split)
    rest = (f"{n(round(layers))} layers", f"{n(work.cache_bytes)} bytes", _tokens(model, work))
    per_number = layers * work.cache_bytes * tokens
    if model.latent_size is not None:
        formula = times(f"{n(model.latent_size)} numbers", *rest)
        return exact("kv-cache", "Key-value cache", model.latent_size * per_number, formula, SOURCE)
    dim = head_dim(model)
    most = model.kv_heads or model.heads
    if dim is None or most is None:
        return unbounded("kv-cache", "Key-value cache", "the attention heads are unknown")
    each = 2 * dim * per_number
    low, high = _heads(model.kv_heads or 1, split), _heads(most, split)
    words = f"{n(high)}" if model.kv_heads else f"1 to {n(high)}"
    formula = times("2", f"{words} heads", f"{n(dim)} numbers", *rest)
    return Part(
        code="kv-cache", label="Key-value cache", low=low * each, expected=high * each, high=high * each,
        formula=formula, source=WINDOW_SOURCE if model.window_layers else SOURCE,
    )  # fmt: skip


def _heads(heads: int, split: Split) -> int:
    return max(1, -(-heads // split.tensor))


def _tokens(model: Model, work: Work) -> str:
    kept = tokens_kept(model, work.context)
    words = (
        f"{n(work.context)} tokens" if kept == work.context else f"{n(round(kept))} tokens kept of {n(work.context)}"
    )
    return times(words, "" if work.users == 1 else f"{n(work.users)} users")
