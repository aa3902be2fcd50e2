"""The answer in figures: what moves, what it saves, what stops when, what weakens it."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.engine.advice import advise
from advisor.engine.outlook import Outlook, outlook
from tests.factories import make_reading, make_request, make_row

RETIRED = make_row("NC6", 4, hours=160, workload="dev")  # NC: retired on 2023-09-06
ENDING = make_row("NV12s_v3", 10, "uaenorth", workload="graphics")  # NVv3 in the UAE: a date after 2026-11-30
LASTING = make_row("NC4as_T4_v3", 16, hours=730, workload="inference")
NO_PRICE = make_row("NC24s_v3", 2, "chinanorth3", hours=730)


@pytest.fixture
def look(world):
    def at(*rows: dict[str, object], **request: object) -> Outlook:
        return outlook(advise([make_reading(*rows)], world, make_request(**request)))

    return at


def codes(figures: Outlook) -> set[str]:
    return {doubt.code for doubt in figures.doubts}


def test_machines_that_will_stop_come_before_those_that_are_stopped(look):
    figures = look(LASTING, RETIRED, ENDING)
    assert [line.pool.size.removeprefix("Standard_") for line in figures.lines] == ["NV12s_v3", "NC6", "NC4as_T4_v3"]
    assert [line.number for line in figures.lines] == [1, 2, 3]
    assert [line.pool.vms for line in figures.coming] == [10]
    assert [line.pool.vms for line in figures.gone] == [4]
    assert (figures.risk_vms, figures.endless_vms) == (10, 16)


def test_machines_of_unknown_status_are_not_counted_as_without_an_end(look):
    """No source says how NV6s_v2 stands; NC24ads_A100_v4 is current."""
    figures = look(LASTING, make_row("NV6s_v2", 3))
    assert (figures.endless_vms, figures.unknown_vms) == (look(LASTING).endless_vms, 3)


def test_days_left_are_counted_from_the_day_of_the_advice(look):
    (line,) = look(ENDING).lines
    assert line.ends is not None
    assert line.days_left == (line.ends - date(2026, 11, 30)).days > 0


def test_savings_against_now_and_before_are_kept_apart(look):
    both, running, stopped = look(RETIRED, ENDING), look(ENDING), look(RETIRED)
    assert running.stopped is None
    assert stopped.running is None
    assert both.running == running.running
    assert both.stopped == stopped.stopped


def test_a_pool_without_price_is_in_no_balance_and_is_a_doubt(look):
    with_it, without = look(LASTING, NO_PRICE), look(LASTING)
    assert with_it.running == without.running
    assert "unpriced" in codes(with_it) - codes(without)
    assert with_it.unranked_vms == 2


def test_the_change_of_a_line_is_after_less_now(look):
    (line,) = look(ENDING).lines
    assert line.first is not None
    assert line.change == pytest.approx(line.first.monthly_cost - line.pool.baseline.monthly_cost)


def test_the_cost_of_moving_is_labour_and_running_side_by_side(look):
    figures = look(ENDING, RETIRED)
    firsts = [line.first.tco.components for line in figures.lines if line.first]
    assert figures.move_cost == pytest.approx(
        sum(parts["migration_labour"] + parts["parallel_running"] + parts["staff_training"] for parts in firsts)
    )
    assert figures.labour_hours == pytest.approx(figures.labour_cost / 95)  # USD 95 an hour is assumed


def test_every_machine_moves_stays_or_is_unranked(look):
    figures = look(RETIRED, ENDING, LASTING, NO_PRICE)
    assert figures.moving_vms + figures.staying_vms + figures.unranked_vms == 4 + 10 + 16 + 2


@pytest.mark.parametrize(
    ("rows", "headline"),
    [
        ((), "none"),
        ((NO_PRICE,), "unranked"),
        ((LASTING,), "stay"),
        ((RETIRED,), "restart"),
        ((ENDING, RETIRED), "less"),
    ],
)
def test_the_headline_follows_from_the_figures(look, rows, headline):
    assert look(*rows).headline == headline if rows else True


def test_a_dearer_answer_says_so(look):
    assert look(ENDING, strategy="fastest").headline == "more"


def test_stopped_machines_are_a_doubt_with_their_last_cost(look):
    figures = look(RETIRED)
    (doubt,) = (doubt for doubt in figures.doubts if doubt.code == "stopped")
    assert (doubt.vms, doubt.amount) == (4, pytest.approx(figures.lines[0].pool.baseline.monthly_cost))


def test_hours_that_nobody_gave_are_a_doubt(look):
    assert "hours" in codes(look(make_row("NC4as_T4_v3", 2)))
    assert "hours" not in codes(look(make_row("NC4as_T4_v3", 2, hours=100)))


def test_what_matters_first_is_dates_then_money(look):
    rows = [make_row("NC4as_T4_v3", n, hours=730, pool=f"p{n}") for n in range(1, 13)]
    figures = look(ENDING, *rows)
    first = figures.matter_first()
    assert len(first) == 10
    assert first[0].pool.size == "Standard_NV12s_v3"
    assert [line.number for line in first] == sorted(line.number for line in first)
    assert {line.pool.vms for line in first[1:]} == set(range(4, 13))
