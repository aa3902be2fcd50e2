"""Laws of the memory need: more work never takes less, fewer bits never take more, and what is said to hold does."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.engine.fit.answer import answer
from advisor.engine.fit.facts import Model
from advisor.engine.fit.need import need_on_each
from advisor.engine.fit.parts import Need
from advisor.engine.fit.work import QUANTISED, Precision, Split, Work
from tests import shipped

FACTS, CATALOGUE = shipped.fit(), shipped.catalogue()
DOWN: tuple[Precision, ...] = ("fp32", "bf16", "int8", "int4")
few = settings(max_examples=40, deadline=None)
FORGOTTEN = ("parameters", "layers", "hidden_size", "heads", "kv_heads", "head_dim", "mlp_size", "vocab_size", "tied")
models = st.builds(
    lambda model, lost: replace(model, **dict.fromkeys(lost)),
    st.sampled_from(list(FACTS.models.values())),
    st.lists(st.sampled_from(FORGOTTEN), max_size=2),
)
works = st.builds(
    Work,
    task=st.sampled_from(("inference", "training")),
    precision=st.sampled_from(("fp32", "bf16")),
    context=st.integers(1, 200_000),
    users=st.integers(1, 300),
    flash=st.booleans(),
    checkpointing=st.booleans(),
    method=st.sampled_from(("full", "lora")),
)
parts = st.sampled_from((Split(), Split(tensor=2), Split(tensor=8)))


def no_less(more: Need, less: Need) -> bool:
    """Lower bound and expected do not fall; an upper bound that is unknown is above all."""
    top = float("inf")
    slack = 1.0 + 1e-9
    return (
        less.low_gib <= more.low_gib * slack
        and less.expected_gib <= more.expected_gib * slack
        and (less.high_gib or top) <= (more.high_gib or top) * slack
    )


@few
@given(models, works, parts, st.integers(0, 200_000), st.integers(0, 300))
def test_more_context_or_users_never_need_less(model: Model, work: Work, split: Split, tokens: int, users: int):
    more = replace(work, context=work.context + tokens, users=work.users + users)
    assert no_less(need_on_each(model, more, split), need_on_each(model, work, split))


@few
@given(models, works, parts)
def test_fewer_bits_never_need_more_when_a_model_serves(model: Model, work: Work, split: Split):
    needs = [need_on_each(model, replace(work, task="inference", precision=bits), split) for bits in DOWN]
    assert all(no_less(more, less) for more, less in itertools.pairwise(needs))


@few
@given(models, works, st.sampled_from(DOWN))
def test_bounds_hold_the_expected_need(model: Model, work: Work, bits: Precision):
    serving = replace(work, task="inference", precision=bits)
    for part in need_on_each(model, serving).parts:
        assert 0 <= part.low <= part.expected <= (float("inf") if part.high is None else part.high)


@settings(max_examples=12, deadline=None)
@given(models, works, st.sampled_from(DOWN))
def test_a_size_that_is_said_to_hold_it_does(model: Model, work: Work, bits: Precision):
    asked = work if bits in QUANTISED and work.task == "training" else replace(work, precision=bits)
    found = answer(FACTS, CATALOGUE, model, asked, date(2026, 11, 30))
    kept = 0.9 if asked.task == "inference" else 0.85
    for one in found.holding:
        need = need_on_each(model, asked, one.split)
        assert need.high_gib is not None and need.high_gib <= one.room.usable_gib <= one.room.nominal_gib
        assert need.expected_gib <= one.room.usable_gib * kept
        assert one.split.tensor <= one.room.gpus
    assert (found.first is None) == (found.holding == ())
