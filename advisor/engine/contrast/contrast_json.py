"""A contrast as the JSON of the contract: keys written by hand, unknown as null, nothing rounded."""

from __future__ import annotations

from typing import Any

from advisor.engine.contrast.values import Contrast, Difference, Flip, Obstacle, Side

Json = dict[str, Any]


def contrast_json(contrast: Contrast) -> Json:
    """One entry of a pool's `contrasts`."""
    return {
        "roles": list(contrast.roles),
        "first": _side(contrast.first),
        "other": _side(contrast.other),
        "because": contrast.because,
        "turns": contrast.turns,
        "differences": [_difference(part) for part in contrast.differences],
        "flips": [_flip(flip) for flip in contrast.flips],
        "obstacles": [_obstacle(obstacle) for obstacle in contrast.obstacles],
        "note": contrast.note,
    }


def _side(side: Side) -> Json:
    return {
        "size": side.size,
        "region": side.region,
        "vms": side.vms,
        "gpus": side.gpus,
        "speed": side.speed,
        "hours_per_month": side.hours_per_month,
        "gpu_hours_per_month": side.gpu_hours_per_month,
        "hourly_price": side.hourly_price,
        "monthly_cost": side.monthly_cost,
        "tco": side.tco,
    }


def _difference(part: Difference) -> Json:
    return {"name": part.name, "first": part.first, "other": part.other, "amount": part.amount}


def _flip(flip: Flip) -> Json:
    return {
        "what": flip.what,
        "now": flip.now,
        "holds": flip.holds,
        "spans": [{"at_least": span.at_least, "at_most": span.at_most} for span in flip.spans],
        "why": flip.why,
        "message": flip.message,
    }


def _obstacle(obstacle: Obstacle) -> Json:
    return {"code": obstacle.code, "message": obstacle.message, "flips_if": obstacle.flips_if}
