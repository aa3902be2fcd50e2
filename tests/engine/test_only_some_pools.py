"""Advice for some pools of a fleet is the same as in the advice for all."""

from __future__ import annotations

from dataclasses import replace

from advisor.engine.advice import advise
from tests.factories import make_reading, make_request, make_row


def test_one_pool_alone_is_as_among_all(world):
    readings = [make_reading(make_row("NC6", 12), make_row("NV12s_v3", 4), make_row("NC6s_v3", 2, hours=80))]
    request = make_request()
    all_pools = advise(readings, world, request).pools
    assert len(all_pools) == 3
    for pool in all_pools:
        assert advise(readings, world, replace(request, only=frozenset({pool.id}))).pools == (pool,)


def test_a_pool_that_is_not_there_is_no_advice(world):
    request = make_request(only=frozenset({"00000000"}))
    assert advise([make_reading(make_row("NC6"))], world, request).pools == ()
