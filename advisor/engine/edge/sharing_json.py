"""Sharing plans and manifests as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from advisor.engine.edge.manifest import Manifest
from advisor.engine.edge.plan_json import want_json
from advisor.engine.edge.sharing import CardPlan, SharingPlan


def manifest_json(made: Manifest, sharing: SharingPlan) -> dict[str, Any]:
    return {
        "schema": "edge-manifest/1",
        "target": made.target,
        "filename": made.filename,
        "text": made.text,
        "steps": [
            {"command": s.command or None, "text": s.text, "source": s.remark.source, "as_of": s.remark.as_of}
            for s in made.steps
        ],
        "remarks": [asdict(remark) for remark in made.remarks],
        "sharing": sharing_json(sharing),
    }


def sharing_json(sharing: SharingPlan) -> dict[str, Any]:
    return {
        "device": sharing.device.name,
        "fits": sharing.fits,
        "cards": [card_json(card) for card in sharing.cards],
        "unplaced": [{"app": app.name, "why": why} for app, why in sharing.unplaced],
        "order": want_json(sharing.order) if sharing.order else None,
        "resets": [asdict(remark) for remark in sharing.resets],
        "remarks": [asdict(remark) for remark in sharing.remarks],
    }


def card_json(card: CardPlan) -> dict[str, Any]:
    return {
        "index": card.index,
        "k8s_index": card.k8s_index,
        "method": card.method,
        "isolation": asdict(card.isolation) if card.isolation else None,
        "apps": [
            {
                "name": entry.app.name,
                "method": entry.method,
                "chosen": entry.chosen,
                "share_percent": entry.app.share_percent,
                "sms": entry.sms,
                "memory_mib": entry.app.memory_mib,
            }
            for entry in card.apps
        ],
        "memory_mib": card.memory_mib,
        "memory_total_mib": card.memory_total_mib,
        "memory_fits": card.memory_fits,
        "share_sum_percent": card.share_sum,
        "clients": card.clients,
        "client_limit": card.client_limit,
        "estimate": asdict(card.estimate) if card.estimate else None,
        "remarks": [asdict(remark) for remark in card.remarks],
    }
