"""Apps onto GPUs: isolation, memory, shares, SMs, clients, resets, and the published experiment."""

from __future__ import annotations

import pytest

from advisor.engine.edge.apps import App
from advisor.engine.edge.devices import EdgeCatalogue
from advisor.engine.edge.sharing import CardPlan, SharingPlan, equal_shares, plan_sharing
from advisor.engine.edge.sharing_time import estimate, published


def ask(edge: EdgeCatalogue, device: str, *apps: App, cuda: str | None = None) -> SharingPlan:
    return plan_sharing(edge, edge.device(device), apps, cuda_version=cuda)


def only_card(plan: SharingPlan) -> CardPlan:
    (card,) = plan.cards
    return card


def codes(card: CardPlan) -> dict[str, str]:
    return {remark.code: remark.level for remark in card.remarks}


def three(memory: float | None = 2000) -> list[App]:
    shares = {"detector": 50, "reader": 40, "counter": 30}
    return [App(name=name, share_percent=share, memory_mib=memory) for name, share in shares.items()]


def test_shares_above_100_are_explained_not_refused(edge: EdgeCatalogue):
    card = only_card(ask(edge, "pro-gpu-1", *three()))
    assert (card.method, card.share_sum) == ("mps", 120)
    assert {entry.app.name: entry.sms for entry in card.apps} == {"detector": 20, "reader": 16, "counter": 12}
    assert codes(card)["mps-over-100"] == "warning"
    assert "mps-over-100" not in codes(only_card(ask(edge, "pro-gpu-1", *three()[:2])))


@pytest.mark.parametrize(
    ("device", "share", "sms"),
    [("pro-gpu-1", 20, 8), ("pro-gpu-1", 19, 7), ("pro-gpu-1", 70, 28), ("pro2-128g4t1gpu", 20, 2), ("pro-r", 1, 0)],
)
def test_what_a_share_is_in_sms(edge: EdgeCatalogue, device: str, share: float, sms: int):
    card = only_card(ask(edge, device, App(name="a", share_percent=share)))
    assert card.apps[0].sms == sms
    assert (codes(card).get("mps-rounding") == "unknown") == (sms == 0)


def test_u70_memory_must_fit_as_a_sum(edge: EdgeCatalogue):
    """15109 MiB on a T4; MPS adds 25 for its server."""
    assert ask(edge, "pro-gpu-1", *three(5000)).fits is True
    assert only_card(ask(edge, "pro-gpu-1", *three(5000))).memory_mib == 15025
    assert ask(edge, "pro-gpu-1", *three(5030)).fits is False
    assert ask(edge, "pro-gpu-1", *three(None)).fits is None
    time = [App(name=name, method="time", memory_mib=8000) for name in ("a", "b")]
    card = only_card(ask(edge, "pro-gpu-1", *time))
    assert (card.memory_fits, codes(card)["share-memory-sum"]) == (False, "error")


def test_known_memory_above_the_card_does_not_fit_whatever_the_rest_needs(edge: EdgeCatalogue):
    assert ask(edge, "pro-gpu-1", App(name="a", memory_mib=20000), App(name="b")).fits is False


def test_two_cards_are_used_when_one_is_too_small(edge: EdgeCatalogue):
    plan = ask(edge, "pro-gpu-2", *[App(name=f"a{n}", method="time", memory_mib=8000) for n in range(2)])
    assert [len(card.apps) for card in plan.cards] == [1, 1]
    assert plan.fits


@pytest.mark.parametrize(
    ("method", "held"),
    [
        ("vm", ("hard", "hard", "hard")),
        ("whole", ("hard", "hard", "hard")),
        ("time", ("absent", "absent", "absent")),
        ("mps", ("soft", "absent", "absent")),
    ],
)
def test_u71_each_way_says_what_it_keeps_apart(edge: EdgeCatalogue, method: str, held: tuple[str, ...]):
    isolation = only_card(ask(edge, "pro-gpu-1", App(name="a", method=method))).isolation
    assert isolation is not None
    assert (isolation.compute, isolation.memory, isolation.faults) == held
    assert isolation.fact in edge.facts


def test_an_app_without_trust_gets_a_vm_before_kubernetes(edge: EdgeCatalogue):
    plan = ask(edge, "pro-gpu-2", App(name="secret", trusts=False), App(name="a"), App(name="b"))
    assert [card.method for card in plan.cards] == ["vm", "time"]
    assert plan.order is not None
    assert plan.order.plan is not None
    assert plan.order.plan.sequence == "vm>k8s"


def test_without_trust_on_a_shared_card_is_an_error(edge: EdgeCatalogue):
    card = only_card(ask(edge, "pro-gpu-1", App(name="a", method="time", trusts=False), App(name="b", method="time")))
    assert codes(card)["share-time-memory"] in ("error", "warning")
    assert "error" in {remark.level for remark in card.remarks}


def test_what_has_no_place_is_said(edge: EdgeCatalogue):
    plan = ask(edge, "pro-gpu-1", App(name="a", method="vm"), App(name="b", method="whole"), App(name="c"))
    assert [app.name for app, _ in plan.unplaced] == ["b", "c"]
    assert plan.fits is False
    assert len(ask(edge, "pro2-64g2t", App(name="a")).unplaced) == 1


def test_two_containers_with_a_whole_gpu_need_two(edge: EdgeCatalogue):
    apps = [App(name="a", method="whole"), App(name="b", method="whole")]
    assert ask(edge, "pro-gpu-1", *apps).unplaced
    assert not ask(edge, "pro-gpu-2", *apps).unplaced


@pytest.mark.parametrize(("cuda", "limit"), [(None, 48), ("12.4", 48), ("13.1", 60), ("13.3", 60)])
def test_client_limits(edge: EdgeCatalogue, cuda: str | None, limit: int):
    card = only_card(ask(edge, "pro-gpu-1", App(name="a", share_percent=1, processes=49), cuda=cuda))
    assert (card.clients, card.client_limit) == (49, limit)
    assert ("mps-clients" in codes(card)) == (limit == 48)


def test_an_update_resets_mps(edge: EdgeCatalogue):
    assert [r.code for r in ask(edge, "pro-gpu-1", *three()).resets] == ["mps-lost", "life-restart"]
    assert [r.code for r in ask(edge, "pro-gpu-1", App(name="a", method="vm")).resets] == []


def test_the_published_experiment_lies_within_the_bounds(edge: EdgeCatalogue):
    found = published(edge)
    assert (found.without_s, found.with_s, found.inside) == (170.4, 155.0, True)
    assert found.ratio == pytest.approx(0.9096, abs=1e-4)
    two, three_jobs = estimate(edge, 2), estimate(edge, 3)
    assert two.expected == pytest.approx(found.ratio)
    assert (three_jobs.expected, three_jobs.low) == (None, pytest.approx(1 / 3))


def test_patterns_of_equal_shares():
    assert equal_shares(4) == 25
    assert equal_shares(3, 2) == pytest.approx(200 / 3)
    assert equal_shares(1, 2) == 100
