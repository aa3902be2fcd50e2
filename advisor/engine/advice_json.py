"""Advice as the JSON of the contract: keys written by hand, unknown as null, nothing rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from advisor.engine.answer import (
    Advice,
    Baseline,
    MicrosoftMove,
    Option,
    OptionInShort,
    PoolAdvice,
    PriceRow,
    Reason,
    Rejected,
    Totals,
    Workload,
)
from advisor.engine.commitment_json import commitments_json, stranded_json
from advisor.engine.contrast.contrast_json import contrast_json
from advisor.engine.evidence import Evidence
from advisor.engine.readers.summary import reading_json
from advisor.engine.runbook.runbook_json import plain, runbook_json

SCHEMA = "advice/1"

Json = dict[str, Any]


def advice_json(advice: Advice) -> Json:
    """The whole advice under schema advice/1."""
    return {
        "schema": SCHEMA,
        "as_of": advice.as_of.isoformat(),
        "horizon_months": advice.horizon_months,
        "currency": advice.currency,
        "price_book": {k: v.isoformat() if hasattr(v, "isoformat") else v for k, v in advice.price_book.items()},
        "price_model": advice.price_model,
        "strategy": advice.strategy,
        "assumptions": advice.assumptions,
        "assumptions_changed": [asdict(change) for change in advice.assumptions_changed],
        "import": [reading_json(reading) for reading in advice.readings],
        "totals": _totals(advice.totals),
        "pools": [_pool(pool) for pool in advice.pools],
        "unmatched_hosts": advice.unmatched_hosts,
        "held_unused": [asdict(unused) for unused in advice.held_unused],
        "measured": [asdict(own) for own in advice.measured],
    }


def _totals(totals: Totals) -> Json:
    return {
        "vms": totals.vms,
        "gpus": totals.gpus,
        "cost_now_monthly": totals.cost_now_monthly,
        "baseline_monthly_cost": totals.baseline_monthly_cost,
        "recommended_monthly_cost": totals.recommended_monthly_cost,
        "baseline_tco": totals.baseline_tco,
        "recommended_tco": totals.recommended_tco,
        "baseline_gpu_hours": totals.baseline_gpu_hours,
        "recommended_gpu_hours": totals.recommended_gpu_hours,
        "unpriced_pools": totals.unpriced_pools,
        "unpriced_pool_ids": list(totals.unpriced_pool_ids),
        "recommended_tco_range": None if totals.recommended_tco_range is None else asdict(totals.recommended_tco_range),
        "saving_range": None if totals.saving_range is None else asdict(totals.saving_range),
    }


def _pool(pool: PoolAdvice) -> Json:
    return {
        "id": pool.id,
        "name": pool.name,
        "size": pool.size,
        "region": pool.region,
        "os": pool.os,
        "price_model": pool.price_model,
        "vms": pool.vms,
        "deallocated": pool.deallocated,
        "gpus": pool.gpus,
        "hours_per_vm_month": pool.hours_per_vm_month,
        "hours_basis": pool.hours_basis,
        "hours_per_month": pool.hours_per_month,
        "gpu_hours_per_month": pool.gpu_hours_per_month,
        "demand_gpu_hours": pool.demand_gpu_hours,
        "data_disks": pool.data_disks,
        "service": pool.service,
        "facts": [plain(asdict(fact)) for fact in pool.facts],
        "chance_saves": pool.chance_saves,
        "tornado": [asdict(swing) for swing in pool.tornado],
        "workload": _workload(pool.workload),
        "gpu_use": None if pool.gpu_use is None else plain(asdict(pool.gpu_use)),
        "questions": [asdict(question) for question in pool.questions],
        "lifecycle": {
            "status": pool.lifecycle.status,
            "retirement_date": _day(pool.lifecycle.retirement_date),
            "announced": _day(pool.lifecycle.announced),
            "forced_stop": _day(pool.lifecycle.forced_stop),
            "conflicts": [asdict(dispute) for dispute in pool.lifecycle.conflicts],
            "source": pool.lifecycle.source,
        },
        "baseline": _baseline(pool.baseline),
        "microsoft_move": [_move(move) for move in pool.microsoft_move],
        "best_region": None if pool.best_region is None else asdict(pool.best_region),
        "commitments": None if pool.commitments is None else commitments_json(pool.commitments),
        "options": [*map(_option, pool.options), *map(_short, pool.more_options)],
        "runbooks": [runbook_json(runbook) for runbook in pool.runbooks],
        "contrasts": [contrast_json(contrast) for contrast in pool.contrasts],
        "rejected": [_rejected(rejected) for rejected in pool.rejected],
    }


def _whole(value: float) -> float:
    """A whole number without its .0, as people write GPUs."""
    return int(value) if float(value).is_integer() else value


def _workload(workload: Workload) -> Json:
    return {
        "kind": workload.kind,
        "pattern": workload.pattern,
        "shape": workload.shape,
        "precision": workload.precision,
        "gpu_memory_gib": workload.gpu_memory_gib,
        "utilisation_percent": workload.utilisation_percent,
        "multi_node": workload.multi_node,
        "job_gpus": _whole(workload.job_gpus),
        "min_vms": workload.min_vms,
        "interruptible": workload.interruptible,
        "network": workload.network,
        "batch": workload.batch,
        "runtime": workload.runtime,
        "assumed": list(workload.assumed),
        "watched": list(workload.watched),
        "why": workload.why,
    }


def _baseline(baseline: Baseline) -> Json:
    return {
        "kind": baseline.kind,
        "cost_now": baseline.cost_now,
        "hourly_price": baseline.hourly_price,
        "monthly_cost": baseline.monthly_cost,
        "tco": baseline.tco,
        "components": baseline.components,
        "cost_per_work_unit": baseline.cost_per_work_unit,
        "price_as_of": _day(baseline.price_as_of),
        "evidence": None if baseline.evidence is None else evidence_json(baseline.evidence),
    }


def _move(move: MicrosoftMove) -> Json:
    return {
        "size": move.size,
        "agrees": move.agrees,
        "rank": move.rank,
        "outdated": move.outdated,
        "why": move.why,
        "source": move.source,
    }


def _option(option: Option) -> Json:
    return {
        "rank": option.rank,
        "size": option.size,
        "region": option.region,
        "vms": option.vms,
        "gpus": option.gpus,
        "price_model": option.price_model,
        "strategies": list(option.strategies),
        "verdict": option.verdict,
        "heavier": [asdict(way) for way in option.heavier],
        "rules": [_reason(reason) for reason in option.rules],
        "speedup": {
            "low": option.speedup.low,
            "expected": option.speedup.expected,
            "high": option.speedup.high,
            "basis": option.speedup.basis,
            "evidence": [evidence_json(evidence) for evidence in option.speedup.evidence],
        },
        "break_even_speedup": option.break_even_speedup,
        "break_even_why": option.break_even_why,
        "hours_per_month": option.hours_per_month,
        "gpu_hours_per_month": option.gpu_hours_per_month,
        "asked_gpus": option.asked_gpus,
        "replaces_gpus": option.replaces_gpus,
        "layout_efficiency": option.layout_efficiency,
        "hourly_price": option.hourly_price,
        "monthly_cost": option.monthly_cost,
        "cost_per_work_unit": option.cost_per_work_unit,
        "prices": [_price(price) for price in option.prices],
        "tco": {
            "expected": option.tco.expected,
            "p10": option.tco.p10,
            "p50": option.tco.p50,
            "p90": option.tco.p90,
            "components": dict(option.tco.components),
        },
        "saving": None if option.saving is None else asdict(option.saving),
        "chance_first": option.chance_first,
        "grades": asdict(option.grades),
        "open_questions": option.open_questions,
        "why": option.why,
        "stranded": [stranded_json(part) for part in option.stranded],
    }


def _short(option: OptionInShort) -> Json:
    return {
        "rank": option.rank,
        "size": option.size,
        "monthly_cost": option.monthly_cost,
        "tco": {"expected": option.tco_expected},
    }


def _price(price: PriceRow) -> Json:
    return {
        "price_model": price.price_model,
        "hourly_price": price.hourly_price,
        "monthly_cost": price.monthly_cost,
        "tco": price.tco,
        "as_of": price.as_of.isoformat(),
        "estimated": price.estimated,
        "source": price.source,
        "note": price.note,
        "hourly_price_high": price.hourly_price_high,
        "monthly_cost_high": price.monthly_cost_high,
        "tco_high": price.tco_high,
        "chance_to_finish": None if price.chance_to_finish is None else list(price.chance_to_finish),
    }


def _reason(reason: Reason) -> Json:
    return {
        "code": reason.code,
        "severity": reason.severity,
        "message": reason.message,
        "fix": reason.fix,
        "source": reason.source,
        "question": reason.question,
    }


def _rejected(rejected: Rejected) -> Json:
    return {
        "size": rejected.size,
        "reasons": [{**_reason(reason), "flips_if": reason.flips_if} for reason in rejected.reasons],
        "flips_if": rejected.flips_if,
    }


def evidence_json(evidence: Evidence) -> Mapping[str, Any]:
    """One source behind a figure."""
    return {
        "kind": evidence.kind,
        "source": evidence.source,
        "as_of": _day(evidence.as_of),
        "note": evidence.note,
    }


def _day(day: Any) -> str | None:
    return None if day is None else day.isoformat()
