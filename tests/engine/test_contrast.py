"""Why one size and not another, and what would turn that: thresholds worked out by hand.

Most tests take everything but the price of machines out of the cost of ownership (PLAIN), so that 36 months cost
machines x price x 730 h x 36, and fix the speeds, so that the counts are known: 12 K80 are replaced by 12 / 1.5 = 8
T4, or by 12 / 6 = 2 A100. Prices a VM-hour in West Europe: NC4as_T4_v3 0.658, NC24ads_A100_v4 4.775.
"""

from __future__ import annotations

import json
import re
from datetime import date
from typing import Any

import pytest

from advisor.engine.advice import advise
from advisor.engine.advice_from_json import advice_from_json
from advisor.engine.advice_json import advice_json
from advisor.engine.answer import PoolAdvice
from advisor.engine.candidates import World
from advisor.engine.catalogue import Catalogue
from advisor.engine.contrast import pools as contrast_pools
from advisor.engine.contrast.named import UnknownSize, size_named
from advisor.engine.contrast.values import Contrast, Flip, Span
from advisor.engine.contrast.words import limit, spans_text
from advisor.engine.ranking import KEYS, STRATEGIES, strategy_keys
from tests.engine.conftest import Ask
from tests.factories import make_reading, make_request, make_row

_NOTHING = (
    *(f"labour_pool_{verdict}" for verdict in ("resize", "redeploy", "rebuild", "port")),
    *("labour_vm_resize", "labour_vm_redeploy", "training_hours_rebuild", "training_hours_port"),
    *("parallel_days_resize", "parallel_days_redeploy", "starts_per_month", "discount_rate"),
    *("disk_price", "egress_price", "operations_hours"),
)
PLAIN = tuple((name, 0.0) for name in _NOTHING)
#: All other GPUs are too slow to matter.
SLOW = {("K80", gpu): 0.55 for gpu in ("A10", "A100 SXM 40GB", "A100 SXM 80GB", "H100 NVL 94GB", "H100 SXM 80GB",
                                       "H200 SXM 141GB", "RTX PRO 6000 BSE", "V710", "MI300X")}  # fmt: skip
SPEEDS = SLOW | {("K80", "T4"): 1.5, ("K80", "A100 PCIe 80GB"): 6.0}
T4, A100, V100, K80 = (f"Standard_{name}" for name in ("NC4as_T4_v3", "NC24ads_A100_v4", "NC6s_v3", "NC6"))
MONTHS = 36


def contrast_of(pool: PoolAdvice, size: str) -> Contrast:
    return next(contrast for contrast in pool.contrasts if contrast.other.size == size)


def flip_of(contrast: Contrast, what: str) -> Flip:
    return next(flip for flip in contrast.flips if flip.what == what)


def only_span(flip: Flip) -> Span:
    (span,) = flip.spans
    return span


@pytest.fixture
def plain(ask: Ask) -> PoolAdvice:
    """12 NC6 that train all month; 8 NC4as_T4_v3 come first."""
    return ask(
        "NC6",
        12,
        workload="training",
        pattern="steady",
        measured=SPEEDS | {("K80", "V100 PCIe 16GB"): 3.0},
        assume=PLAIN,
        against=(A100, V100, K80, T4),
    )


def test_the_price_of_the_other_at_which_it_would_be_as_good(plain: PoolAdvice) -> None:
    contrast = contrast_of(plain, A100)
    assert (contrast.first.size, contrast.first.vms, contrast.other.vms) == (T4, 8, 2)
    flip = flip_of(contrast, "other_price")
    assert flip.now == 4.775
    # 2 x p = 8 x 0.658
    assert only_span(flip).at_most == pytest.approx(8 * 0.658 / 2, rel=1e-9)
    assert only_span(flip).at_least is None


def test_the_price_of_the_first_choice_at_which_the_other_would_be_as_good(plain: PoolAdvice) -> None:
    flip = flip_of(contrast_of(plain, A100), "first_price")
    # 8 x p = 2 x 4.775
    assert only_span(flip).at_least == pytest.approx(2 * 4.775 / 8, rel=1e-9)
    assert only_span(flip).at_most is None


def test_the_speed_of_the_other_counts_machines_anew(plain: PoolAdvice) -> None:
    flip = flip_of(contrast_of(plain, A100), "speed")
    # two machines cost 9.55 an hour, more than 8 x 0.658 = 5.264; one costs 4.775, and is enough from 12 / 1 on
    assert flip.now == 6.0
    assert only_span(flip).at_least == pytest.approx(12.0, rel=1e-8)
    assert flip.message.endswith("did the work of at least 12.00 of today's; 6.00 is taken.")


def test_hours_of_steady_machines_are_no_question(plain: PoolAdvice) -> None:
    flip = flip_of(contrast_of(plain, A100), "hours")
    assert flip.spans == ()
    assert flip.why == "the machines run all month, whatever is counted"


def test_a_refused_size_has_its_reason_and_its_thresholds(plain: PoolAdvice) -> None:
    contrast = contrast_of(plain, V100)
    (obstacle,) = contrast.obstacles
    assert (obstacle.code, obstacle.flips_if) == ("retired", None)
    assert contrast.turns == "Nothing known would change that."
    # 12 K80 / 3 = 4 of them: 4 x p = 5.264
    assert only_span(flip_of(contrast, "other_price")).at_most == pytest.approx(5.264 / 4, rel=1e-9)
    assert flip_of(contrast, "other_price").message.startswith(
        "Were it allowed, it would come first if it cost at most"
    )


def test_a_size_without_a_price_may_cost_at_most_so_much(plain: PoolAdvice) -> None:
    contrast = contrast_of(plain, K80)
    assert {obstacle.code for obstacle in contrast.obstacles} == {"retired", "unknown-price"}
    assert contrast.turns == "2 reasons keep it out, and all would have to go."
    flip = flip_of(contrast, "other_price")
    # 12 of them: 12 x p = 5.264
    assert flip.now is None
    assert only_span(flip).at_most == pytest.approx(5.264 / 12, rel=1e-9)
    assert "at most USD 0.438 an hour; no price of it is known." in flip.message
    assert flip_of(contrast, "first_price").why == "no price of NC6 is known"
    assert flip_of(contrast, "speed").why == "it is the GPU of today, whose speed is the measure"
    assert contrast.differences == ()


def test_a_price_unknown_on_windows_covers_windows_too(ask: Ask) -> None:
    pool = ask("NC6", 12, columns={"os": "windows"}, workload="training", pattern="steady",
               measured=SPEEDS, assume=PLAIN, against=(K80,))  # fmt: skip
    contrast = contrast_of(pool, K80)
    assert contrast.first.hourly_price == pytest.approx(0.658 + 4 * 0.046)  # 4 vCPUs
    assert only_span(flip_of(contrast, "other_price")).at_most == pytest.approx(8 * (0.658 + 0.184) / 12, rel=1e-9)


def test_a_windows_licence_stays_in_the_price_that_turns_the_order(ask: Ask) -> None:
    pool = ask("NC6", 12, columns={"os": "windows"}, workload="training", pattern="steady",
               measured=SPEEDS, assume=PLAIN, against=(A100,))  # fmt: skip
    flip = flip_of(contrast_of(pool, A100), "other_price")
    assert flip.now == pytest.approx(4.775 + 24 * 0.046)
    # with the licence: 2 x p = 8 x 0.842
    assert only_span(flip).at_most == pytest.approx(8 * 0.842 / 2, rel=1e-9)


def test_a_commitment_is_paid_for_every_hour(ask: Ask) -> None:
    """Reserved machines cost n x 730 h, so that hours do not turn the order, and prices do as if all ran all month."""
    pool = ask("NC6", 12, columns={"hours": 100.0}, workload="training", pattern="burst", price_model="ri_1y",
               measured=SPEEDS, assume=PLAIN, against=(A100,))  # fmt: skip
    contrast = contrast_of(pool, A100)
    first, other = contrast.first, contrast.other
    assert first.hourly_price is not None and other.hourly_price is not None
    assert (first.vms, other.vms) == (8, 2)
    assert only_span(flip_of(contrast, "other_price")).at_most == pytest.approx(8 * first.hourly_price / 2, rel=1e-9)
    assert flip_of(contrast, "hours").why == "the order is the same at any value"


WORKED = dict(PLAIN) | {"operations_hours": 1.0, "labour_rate": 100.0}


def test_the_hours_at_which_fewer_dear_machines_stop_paying(ask: Ask) -> None:
    """Six T4 at 2.0, one A100 at 12.0; each machine takes one hour of work of USD 100 a month.

    The A100 costs 4.775 W + 100 a month, the T4 6 x 0.658 W + 600: equal at W = 500 / (4.775 - 3.948) = 604.595.
    """
    speeds = SLOW | {("K80", "T4"): 2.0, ("K80", "A100 PCIe 80GB"): 12.0}
    pool = ask("NC6", 12, columns={"hours": 200.0}, workload="training", pattern="burst",
               measured=speeds, assume=tuple(WORKED.items()), against=(T4, A100))  # fmt: skip
    contrast = contrast_of(pool, T4)
    assert (contrast.first.size, contrast.first.vms, contrast.other.vms) == (A100, 1, 6)
    assert contrast.first.tco == pytest.approx((4.775 * 200 + 100) * MONTHS)
    assert contrast.other.tco == pytest.approx((3.948 * 200 + 600) * MONTHS)
    flip = flip_of(contrast, "hours")
    assert flip.now == 200.0
    assert only_span(flip).at_least == pytest.approx(500 / (4.775 - 3.948), rel=1e-9)
    assert flip.message == "It would flip if each VM ran at least 604.6 h a month; it runs 200.0 h."
    # the same by price: p x 6 x 200 + 600 = 1,055
    assert only_span(flip_of(contrast, "other_price")).at_most == pytest.approx((1_055 - 600) / 1_200, rel=1e-9)


def test_the_speed_of_a_queue_that_is_off_when_idle_saves_hours(ask: Ask) -> None:
    """Twice 12 x 200 h of K80 work: at speed s an A100 runs 2,400 / s hours, and costs 4.775 x 2,400 / s.

    It is as good as the T4, 0.658 x 2,400 / 1.5 = 1,052.8 a month, from s = 4.775 x 1.5 / 0.658 = 10.8853 on.
    """
    pool = ask("NC6", 12, columns={"hours": 200.0}, workload="training", pattern="burst",
               measured=SPEEDS, assume=PLAIN, against=(A100,))  # fmt: skip
    contrast = contrast_of(pool, A100)
    assert contrast.first.size == T4
    assert only_span(flip_of(contrast, "speed")).at_least == pytest.approx(4.775 * 1.5 / 0.658, rel=1e-9)


def test_where_even_a_free_machine_would_not_do(ask: Ask) -> None:
    """A hundred hours of work for each machine a month cost more than the one machine that comes first."""
    assume = tuple((WORKED | {"operations_hours": 100.0}).items())
    speeds = SLOW | {("K80", "T4"): 2.0, ("K80", "A100 PCIe 80GB"): 12.0}
    pool = ask("NC6", 12, workload="training", pattern="steady", measured=speeds, assume=assume, against=(T4, A100))
    flip = flip_of(contrast_of(pool, T4), "other_price")
    assert (flip.spans, flip.why) == ((), "even free of charge it would not be as good")
    assert flip.message == "No price of NC4as_T4_v3 flips it: even free of charge it would not be as good."


def test_two_sizes_with_one_gpu_have_no_speed_of_their_own(plain: PoolAdvice) -> None:
    flip = flip_of(contrast_of(plain, "Standard_NC8as_T4_v3"), "speed")
    assert flip.why == "both have the same GPU, so that another speed changes both"


def test_speed_changes_no_cost_of_a_seat(ask: Ask) -> None:
    pool = ask("NV12s_v3", 20, workload="dev", against=("Standard_NC40ads_H100_v5",))
    flip = flip_of(contrast_of(pool, "Standard_NC40ads_H100_v5"), "speed")
    assert flip.why == "a seat is one VM per person, and speed changes no cost"


def test_a_stay_that_ends_is_kept_out_by_its_end_and_carries_its_second_move(ask: Ask) -> None:
    """NC6s_v3 on 2025-01-01 ends on 2025-09-30, 272 days later: a redeployment of 4 VMs and 14 days side by side."""
    pool = ask("NC6s_v3", 4, as_of=date(2025, 1, 1), workload="training", pattern="steady", against=(V100,))
    contrast = contrast_of(pool, V100)
    (obstacle,) = contrast.obstacles
    assert (obstacle.code, obstacle.flips_if) == ("stay-retires", "the horizon ends before 2025-09-30")
    assert "because what outlives the horizon goes first" in contrast.because
    part = next(part for part in contrast.differences if part.name == "second_move")
    later = 1.08 ** (-272 / (365 / 12) / 12)
    side_by_side = 4 * 3.823 * 730 / (365 / 12) * 14
    assert part.other == pytest.approx(((16 + 4 * 3) * 95 + side_by_side) * later)
    assert part.first == 0.0


def test_u83_a_contrast_says_what_instead_of_what_and_why(plain: PoolAdvice) -> None:
    for contrast in plain.contrasts:
        first, other = (side.size.removeprefix("Standard_") for side in (contrast.first, contrast.other))
        pattern = rf"\d+ x {first} instead of \d+ x {other}, because .+\."
        assert re.fullmatch(pattern, contrast.because), contrast.because
        assert contrast.sentence == f"{contrast.because} {contrast.turns}"


def test_the_sentence_names_the_sum_and_its_largest_part(plain: PoolAdvice) -> None:
    # (9.55 - 5.264) x 730 x 36 = 112,636.08
    assert contrast_of(plain, A100).because == (
        "8 x NC4as_T4_v3 instead of 2 x NC24ads_A100_v4, because the cost of ownership over 36 months is USD 112,636 "
        "lower; the largest difference is machines: USD 112,636 less."
    )


def test_the_nearest_change_is_told_first(plain: PoolAdvice) -> None:
    # prices have to change by 9.55 / 5.264 = 1.81, speed by 12 / 6 = 2
    contrast = contrast_of(plain, A100)
    assert contrast.turns in {flip_of(contrast, what).message for what in ("other_price", "first_price")}


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        ("same_count", "because the strategy keeps the number of machines, and NC24ads_A100_v4 changes it."),
        ("lowest_hourly_price", "goes by the price of one VM-hour: USD 0.658 instead of USD 4.775."),
        ("least_change", "because the strategy goes by the effort of the move:"),
    ],
)
def test_another_strategy_compares_what_it_goes_by(ask: Ask, strategy: str, says: str) -> None:
    """Eight T4 for eight K80: the same number; a sixth as many A100."""
    speeds = SLOW | {("K80", "T4"): 1.0, ("K80", "A100 PCIe 80GB"): 6.0}
    pool = ask("NC6", 8, workload="training", pattern="steady", strategy=strategy, measured=speeds, against=(A100,))
    contrast = contrast_of(pool, A100)
    assert contrast.first.size == T4
    assert says in contrast.because
    if strategy != "lowest_hourly_price":
        assert flip_of(contrast, "first_price").why == "the strategy goes by something else first"
    else:
        assert only_span(flip_of(contrast, "other_price")).at_most == pytest.approx(0.658, rel=1e-8)


def test_the_fastest_is_beaten_by_speed_alone(ask: Ask) -> None:
    pool = ask("NC6", 12, workload="training", pattern="steady", strategy="fastest", against=(T4,))
    contrast = contrast_of(pool, T4)
    flip = flip_of(contrast, "speed")
    # one T4 has to do what one VM of the first choice does, which joins its GPUs
    work = re.search(r"the work of ([\d.]+) of today's GPUs", contrast.because)
    assert work is not None
    assert only_span(flip).at_least == pytest.approx(float(work[1]), abs=0.006)
    assert flip_of(contrast, "other_price").why == "the strategy goes by something else first"


def test_every_strategy_names_each_of_its_keys() -> None:
    row = dict.fromkeys(("tco", "n", "vms", "hourly_price", "verdict", "replaces", "ends", "release_year"), 1.0)
    assert {name: len(strategy_keys(row, name)) for name in STRATEGIES} == {
        name: len(keys) for name, keys in KEYS.items()
    }


def test_second_microsofts_and_asked_stand_once_each_with_their_roles(plain: PoolAdvice) -> None:
    assert T4 not in {contrast.other.size for contrast in plain.contrasts}  # the first choice itself
    roles = {contrast.other.size: contrast.roles for contrast in plain.contrasts}
    assert len(roles) == len(plain.contrasts)
    assert plain.options[1].size == "Standard_NC8as_T4_v3"
    assert roles["Standard_NC8as_T4_v3"] == ("second", "microsoft")
    assert roles[A100] == ("asked",)


def test_where_nothing_can_be_ranked_nothing_is_compared(ask: Ask) -> None:
    assert list(ask("NC6", 1, None, against=(T4,)).contrasts) == []


def test_nothing_is_worked_out_before_somebody_looks(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []
    monkeypatch.setattr(contrast_pools.Contrasts, "of", lambda self, rivals: looked.append(len(rivals)) or rivals)
    rows = [make_row("NC6s_v3", 2, pool=name) for name in "ab"]
    advice = advise([make_reading(*rows)], world, make_request())
    assert looked == []
    seen = [len(pool.contrasts) for pool in advice.pools]
    assert seen[0] == seen[1] > 0
    assert looked == [sum(seen)]  # both pools at once, when the first was looked at


def test_json_comes_back_as_it_was(world: World) -> None:
    rows = [make_row("NC6", 3), make_row("NC6s_v3", 2, hours=80.0)]
    advice = advise([make_reading(*rows)], world, make_request(against=(A100, K80)))
    document = json.loads(json.dumps(advice_json(advice), allow_nan=False))
    asked = [{c["other"]["size"] for c in pool["contrasts"] if "asked" in c["roles"]} for pool in document["pools"]]
    assert all(K80 in sizes for sizes in asked)
    assert advice_json(advice_from_json(document)) == document
    assert advice_from_json(document).pools[0].contrasts == advice.pools[0].contrasts


@pytest.mark.parametrize(
    ("value", "what", "up", "text"),
    [
        (2.6324, "other_price", False, "2.632"),
        (2.6324, "first_price", True, "2.633"),
        (0.004567, "other_price", False, "0.00456"),
        (604.51, "hours", True, "604.6"),
        (11.999999988, "speed", True, "12.00"),
        (1234.5678, "other_price", False, "1,234.567"),
    ],
)
def test_a_limit_is_rounded_to_the_side_on_which_it_holds(value: float, what: Any, up: bool, text: str) -> None:
    assert limit(value, what, up=up) == text


def test_several_spans_are_told_one_after_another() -> None:
    spans = (
        Span(at_least=None, at_most=100.0),
        Span(at_least=400.0, at_most=500.0),
        Span(at_least=600.0, at_most=None),
    )
    flip = Flip(what="hours", now=200.0, holds=False, spans=spans, why="", message="")
    assert spans_text(flip, "USD") == "at most 100.0 h, or between 400.0 h and 500.0 h, or at least 600.0 h"


@pytest.mark.parametrize("text", ["nc24ads a100 v4", " Standard_NC24ads_A100_v4 ", "NC24ADS_A100_V4"])
def test_a_size_is_named_in_any_spelling(catalogue: Catalogue, text: str) -> None:
    assert size_named(catalogue, text) == A100


@pytest.mark.parametrize("text", ["NC24ads_A100_v5", "<script>", "", "x" * 10_000])
def test_a_name_that_is_no_size_is_refused_with_what_is_near(catalogue: Catalogue, text: str) -> None:
    with pytest.raises(UnknownSize) as caught:
        size_named(catalogue, text)
    assert len(str(caught.value)) < 300
    if text.startswith("NC24"):
        assert A100 in caught.value.near
        assert A100 in str(caught.value)


def test_a_name_of_price_lists_alone_cannot_be_compared(catalogue: Catalogue) -> None:
    name = next(iter(catalogue.listed_names))
    with pytest.raises(UnknownSize, match="price lists only"):
        size_named(catalogue, name)
