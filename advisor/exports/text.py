"""Advice as text for a terminal: the answer first, then what needs attention, then every pool."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from advisor.engine.agreed import price_notes
from advisor.engine.answer import Advice, Option, PoolAdvice, Spread
from advisor.engine.assumptions import AssumptionChange
from advisor.engine.chances import cases, chances
from advisor.engine.heavier import heavier_words, verdict_words
from advisor.engine.readers.reading import Reading
from advisor.engine.sheets import PriceSheet
from advisor.engine.speed_own import OwnRatio
from advisor.exports.text_commitments import commitment_sentences
from advisor.exports.text_runbook import runbook_lines
from advisor.exports.text_use import use_sentences

WIDTH = 118
OPTIONS_SHOWN = 5
PROBLEMS_SHOWN = 10


def as_text(advice: Advice, *, runbooks: bool = False) -> str:
    """The whole advice, lines of at most 118 characters but for commands; with `runbooks` each step in full."""
    return "\n".join(_lines(advice, runbooks))


def _lines(advice: Advice, runbooks: bool) -> Iterator[str]:
    yield from _answer(advice)
    for reading in advice.readings:
        yield from _reading(reading)
    for pool in sorted(advice.pools, key=_urgency):
        yield ""
        yield from _pool(advice, pool, runbooks)
    yield ""
    yield from _wrap(
        f"Prices: {advice.price_book['name']} of {advice.price_book['as_of']}, {advice.currency}, basis "
        f"{advice.price_model}{_more(advice)}. Speed: an interval that holds 8 times in 10. A price is no promise of "
        f"capacity. Cost of ownership: {advice.horizon_months} months at "
        f"{advice.assumptions['discount_rate']:g} % a year, with move and overlap."
    )
    if changed := advice.assumptions_changed:
        words = ", ".join(f"{change.name} {change.value:g} instead of {_default(change)}" for change in changed)
        yield from _wrap(f"Assumptions changed: {words}.")
    if own := advice.measured:
        words = ", ".join(f"{one.from_gpu} to {one.to_gpu} {one.ratio:g}{_note(one)}" for one in own)
        yield from _wrap(f"Measured by you, and before every benchmark: {words}.")
    yield from _wrap("Grades in the order data, performance, price, capacity, move; A is best, E worst or unknown.")


def sheet_as_text(sheet: PriceSheet) -> str:
    """What was read of a price sheet: its counts, and the first problems."""
    lines = [
        f"{sheet.file}: {sheet.format} of {sheet.as_of}, {sheet.currency}, {_several(sheet.rows_read, 'row')} = "
        f"{sheet.priced_rows:,} priced + {sheet.other_rows:,} other + {sheet.error_rows:,} refused"
    ]
    for problem in sheet.problems[:PROBLEMS_SHOWN]:
        lines.extend(_wrap(f"  {problem.severity}: {problem.message}", indent="    "))
    more = len(sheet.problems) - PROBLEMS_SHOWN + sheet.problems_left_out
    return "\n".join([*lines, *([f"  and {more:,} more"] if more > 0 else [])])


def _note(one: OwnRatio) -> str:
    return f" ({one.note})" if one.note else ""


def _default(change: AssumptionChange) -> str:
    return "unknown" if change.default is None else f"{change.default:g}"


def _more(advice: Advice) -> str:
    return "".join(f"; {note}" for note in price_notes(advice))


def _urgency(pool: PoolAdvice) -> tuple[bool, str, float]:
    ends = pool.lifecycle.retirement_date
    return ends is None, "" if ends is None else ends.isoformat(), -(pool.baseline.monthly_cost or 0.0)


def money(value: float | None, currency: str) -> str:
    """An amount with its currency, or the word unknown."""
    return "unknown" if value is None else f"{currency} {_amount(value)}"


def _amount(value: float) -> str:
    return f"{value:,.0f}".replace("-", "\u2212")


def _count(value: float | None) -> str:
    return "unknown" if value is None else f"{value:,.0f}"


def _several(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _answer(advice: Advice) -> Iterator[str]:
    totals, currency = advice.totals, advice.currency
    ended = [pool for pool in advice.pools if pool.lifecycle.status == "retired"]
    vms, pools = _several(totals.vms, "GPU machine"), _several(len(advice.pools), "pool")
    yield f"Advice of {advice.as_of} for {vms} in {pools}"
    if totals.recommended_monthly_cost is not None:
        before, after = totals.baseline_monthly_cost, totals.recommended_monthly_cost
        yield from _wrap(
            f"The first choices cost {money(after, currency)} a month and {money(totals.recommended_tco, currency)} "
            f"over {advice.horizon_months} months; the machines of today {money(before, currency)} and "
            f"{money(totals.baseline_tco, currency)}. Billed now: {money(totals.cost_now_monthly, currency)} a month. "
            f"GPU-hours a month: {_count(totals.baseline_gpu_hours)} now, {_count(totals.recommended_gpu_hours)} then."
        )
        yield from _ranges(advice)
    if ended:
        yield from _wrap(
            f"Retired sizes: {_several(sum(pool.vms for pool in ended), 'machine')} in {_several(len(ended), 'pool')}. "
            "They can no longer be run, and their cost is what they last cost."
        )
    if totals.unpriced_pools:
        yield f"Outside these sums: {_several(totals.unpriced_pools, 'pool')}. A price or a choice is unknown there."


def _ranges(advice: Advice) -> Iterator[str]:
    """How far the sums may be off; nothing where the answer is older than ranges."""
    totals, currency = advice.totals, advice.currency
    if totals.recommended_tco_range is not None and totals.saving_range is not None:
        yield from _wrap(
            f"8 in 10 cases: {_between(totals.recommended_tco_range, currency)} over {advice.horizon_months} months, "
            f"which saves {_between(totals.saving_range, currency)}."
        )
    if advice.price_model == "spot":
        yield "Spot: the sums are the least that the machines can cost, no budget."


def _between(spread: Spread, currency: str) -> str:
    return f"{money(spread.p10, currency)} to {_amount(spread.p90)}"


def _reading(reading: Reading) -> Iterator[str]:
    yield (
        f"{reading.file}: {reading.format}, {_several(reading.rows_read, 'row')} = {reading.gpu_rows:,} GPU + "
        f"{reading.other_rows:,} other + {reading.error_rows:,} refused"
    )
    for problem in reading.problems[:PROBLEMS_SHOWN]:
        yield from _wrap(f"  {problem.severity}: {problem.message}", indent="    ")
    more = len(reading.problems) - PROBLEMS_SHOWN + reading.problems_left_out
    if more > 0:
        yield f"  and {more} more; see them all with: manage.py inspect {reading.file}"


def _pool(advice: Advice, pool: PoolAdvice, runbooks: bool) -> Iterator[str]:
    currency = advice.currency
    name = f" ({pool.name})" if pool.name else ""
    yield f"== {pool.vms} x {pool.size} in {pool.region or 'no region'}, {pool.os}{name}"
    yield from _wrap(f"   {_lifecycle(pool)} {_baseline(pool, currency)}", indent="   ")
    work = pool.workload
    assumed = f"; assumed: {', '.join(work.assumed)}" if work.assumed else ""
    memory = "unknown" if work.gpu_memory_gib is None else f"{work.gpu_memory_gib:g} GiB"
    yield from _wrap(
        f"   Work: {work.kind}, {work.pattern}, {work.shape}, {', '.join(work.computed)}, {memory} per GPU, "
        f"{pool.hours_per_vm_month:.0f} h per VM and month ({pool.hours_basis}){assumed}",
        indent="   ",
    )
    for sentence in use_sentences(pool):
        yield from _wrap(f"   {sentence}", indent="     ")
    yield from _options(pool, currency)
    yield from _sureness(advice, pool)
    for line, indent in runbook_lines(pool, advice.currency, full=runbooks):
        yield from (line,) if indent is None else _wrap(line, indent=indent)
    for sentence in commitment_sentences(pool, currency):
        yield from _wrap(f"   {sentence}", indent="     ")
    for move in pool.microsoft_move:
        outdated = f" Outdated: {move.outdated}." if move.outdated else ""
        yield from _wrap(f"   Microsoft names {move.size}: {move.why}{outdated}", indent="      ")
    if pool.best_region:
        best = pool.best_region
        yield from _wrap(
            f"   In {best.region}: {best.size} for {money(best.monthly_cost, currency)} a month. {best.step}",
            indent="      ",
        )
    for question in pool.questions:
        mark = "!" if question.changes_first_choice else "?"
        yield from _wrap(f"   {mark} {question.message}", indent="     ")
    for dispute in pool.lifecycle.conflicts:
        yield from _wrap(
            f"   Sources disagree on {dispute.fact}: {dispute.version_a} ({dispute.source_a}) or {dispute.version_b} "
            f"({dispute.source_b}).",
            indent="      ",
        )


def _lifecycle(pool: PoolAdvice) -> str:
    day = pool.lifecycle.retirement_date
    if pool.lifecycle.status == "retired":
        return f"Retired {day}: it can no longer be run."
    if pool.lifecycle.status == "announced":
        return f"Retires {day}."
    return {"current": "Current: no retirement announced."}.get(pool.lifecycle.status, "Lifecycle unknown.")


def _baseline(pool: PoolAdvice, currency: str) -> str:
    base = pool.baseline
    if base.monthly_cost is None:
        return "What it costs is unknown."
    own = base.evidence is not None and base.evidence.kind == "user"
    how = {
        "actual": "by the file",
        "list": "at your own price" if own else "at list price",
        "last_known": f"at its last price, of {base.price_as_of}",
        "estimated": "estimated from other regions",
    }[base.kind]
    return f"{money(base.monthly_cost, currency)} a month {how}."


def _options(pool: PoolAdvice, currency: str) -> Iterator[str]:
    if not pool.options:
        yield "   No size can be ranked."
        for rejected in pool.rejected[:OPTIONS_SHOWN]:
            yield from _wrap(f"   {rejected.size}: {rejected.reasons[0].message}", indent="      ")
        return
    shown = _shown(pool.options)
    header = ("", "to", "verdict", "speed", "GPU-h", f"{currency}/month", f"{currency} in all", "grades")
    rows = [header, *(_option_cells(option) for option in shown)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    for row in rows:
        cells = [
            cell.rjust(w) if i >= 4 and i < 7 else cell.ljust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ]
        yield "   " + "  ".join(cells).rstrip()
    yield from _wrap(f"   {shown[0].why}", indent="   ")
    if dearer := heavier_words(shown[0], currency):
        yield from _wrap(f"   {dearer}", indent="   ")
    for reason in shown[0].rules:
        if reason.severity in ("warning", "step") and reason.code != "resize":
            yield from _wrap(f"   - {reason.message} {reason.fix}", indent="     ")
    yield from _contrasts(pool)
    rest = len(pool.options) - len(shown) + len(pool.more_options)
    yield f"   {rest} more can be ranked, {len(pool.rejected)} are refused; --json lists all with reasons."


def _contrasts(pool: PoolAdvice) -> Iterator[str]:
    """Why not the second choice, in a sentence; why not a size that was asked for, with all that would turn it."""
    for contrast in pool.contrasts:
        asked = "asked" in contrast.roles
        if asked or "second" in contrast.roles:
            yield from _wrap(f"   {contrast.sentence}", indent="   ")
        if asked:
            for obstacle in contrast.obstacles:
                change = f" It would go if {obstacle.flips_if}." if obstacle.flips_if else ""
                yield from _wrap(f"   - {obstacle.message}{change}", indent="     ")
            for flip in contrast.flips:
                yield from _wrap(f"   - {flip.message}", indent="     ")


def _sureness(advice: Advice, pool: PoolAdvice) -> Iterator[str]:
    """The first choice's range and chances, and the word where another is the cheapest more often."""
    sure = chances(pool)
    if sure is None or sure.cheapest is None:
        return
    tco, said = pool.options[0].tco, [f"the cheapest in {cases(sure.cheapest)} of 100"]
    if tco.p10 is not None and tco.p90 is not None:
        end = f"{money(tco.p10, advice.currency)} to {_amount(tco.p90)} over {advice.horizon_months} months"
        said.insert(0, f"8 in 10 cases: {end}")
    if not sure.unchanged:
        before = "before" if pool.lifecycle.status == "retired" else "today"
        known = "unknown" if sure.saves is None else f"{cases(sure.saves)} of 100"
        said.append(f"costs less than {before} in {known}")
    yield from _wrap(f"   {'; '.join(said)}.", indent="     ")
    if sure.remark is not None:
        yield from _wrap(f"   {sure.remark.message}", indent="     ")


def _shown(options: Sequence[Option]) -> Sequence[Option]:
    return options[:OPTIONS_SHOWN]


def _option_cells(option: Option) -> tuple[str, ...]:
    grades = option.grades
    return (
        f"{option.rank}.",
        f"{option.vms} x {option.size.removeprefix('Standard_')}",
        verdict_words(option),
        _speed(option),
        f"{option.gpu_hours_per_month:,.0f}",
        f"{option.monthly_cost:,.0f}",
        f"{option.tco.expected:,.0f}",
        grades.data + grades.performance + grades.price + grades.capacity + grades.move,
    )


def _speed(option: Option) -> str:
    speed = option.speedup
    if speed.basis == "user":
        return f"{speed.expected:.3g} measured by you"
    return f"{speed.expected:.1f} ({speed.low:.1f} to {speed.high:.1f}) {speed.basis}"


def _wrap(text: str, indent: str = "") -> Iterator[str]:
    yield from textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [
        ""
    ]
