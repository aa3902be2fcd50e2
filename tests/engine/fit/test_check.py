"""The formula against published load figures; what the fixtures promise."""

from __future__ import annotations

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.citations import cite
from advisor.engine.fit.check import by_family, checked
from advisor.engine.fit.facts import FitFacts
from advisor.engine.fit.figures import FIGURES


def test_u73_error_per_family_is_published(facts: FitFacts):
    families = {row.family: row for row in by_family(checked(facts))}
    assert sum(row.figures for row in families.values()) >= 10
    assert {"Llama 3", "Llama 2", "DeepSeek", "Qwen2.5", "Gemma 2", "Mixtral", "Phi", "BERT"} <= set(families)
    # BERT large: weights 335,141,888 x 4 = 1.2485 GiB against 1,288 MiB = 1.2578; that is the smaller of its two
    errors = sorted((row.error for row in checked(facts) if row.family == "BERT"), key=abs)
    assert errors[0] == pytest.approx(335_141_888 * 4 / 2**30 / (1288 / 1024) - 1)
    assert families["BERT"].worst_error == min(errors)
    assert families["BERT"].median_error == pytest.approx(sum(map(abs, errors)) / 2)


def test_every_counted_figure_is_covered_by_bound_or_margin(facts: FitFacts):
    missed = [row.load.code for row in checked(facts) if not row.load.disputed and not row.covered]
    assert missed == []


@pytest.mark.parametrize(
    ("code", "gib"),
    [
        ("vllm-llama-3-8b-weights", 8_030_261_248 * 2 / 2**30),
        ("hf-llama-3.1-70b-cache", 327_680 * 128_000 / 2**30),
        ("hf-llama-3.1-405b-cache", 2 * 126 * 8 * 128 * 2 * 128_000 / 2**30),
        ("llama.cpp-phi-3-medium-cache", 2 * 40 * 10 * 128 * 2 * 512 / 2**30),
    ],
)
def test_what_stands_beside_a_published_figure(facts: FitFacts, code: str, gib: float):
    row = next(row for row in checked(facts) if row.load.code == code)
    assert row.expected_gib == pytest.approx(gib)


def test_a_disputed_figure_is_shown_and_not_counted(facts: FitFacts):
    disputed = [row for row in checked(facts) if row.load.disputed]
    assert [row.load.code for row in disputed] == ["hf-llama-3.1-405b-cache"]
    llama = next(row for row in by_family(checked(facts)) if row.family == "Llama 3")
    assert llama.figures == sum(row.family == "Llama 3" for row in checked(facts)) - 1


def test_every_fact_names_its_source_and_date(facts: FitFacts):
    rows = [*facts.models.values(), *facts.readings, *facts.loads, *FIGURES]
    assert all(row.source and row.as_of.year >= 2020 for row in rows)
    assert [page.text for row in rows for page in cite(row.source) if page.url is None] == []


def test_facts_name_gpus_and_models_that_are_known(facts: FitFacts, catalogue: Catalogue):
    assert {row.gpu for row in facts.readings} <= set(catalogue.gpus)
    assert {row.model for row in facts.loads} <= set(facts.models)
    for row in facts.readings:
        assert 0.8 < row.usable_gib / catalogue.gpus[row.gpu].memory_gib <= 1.0


def test_shapes_hang_together(facts: FitFacts):
    for model in facts.models.values():
        if model.heads and model.kv_heads:
            assert model.heads % model.kv_heads == 0, model.name
        if model.window_layers and model.layers:
            assert model.window and model.window_layers <= model.layers, model.name
