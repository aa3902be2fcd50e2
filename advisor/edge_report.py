"""Plans for edge devices frozen as JSON, and what the template of their report needs, from that JSON alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from advisor.engine.edge.devices import EdgeDevice, EdgeFact
from advisor.engine.edge.orders import Plan, StepResult
from advisor.engine.edge.plan_json import plan_json, step_json
from advisor.engine.edge.sharing import SharingPlan
from advisor.engine.edge.sharing_json import sharing_json
from advisor.render_report import check_sum

ORDER, SHARING = "edge-plan/1", "edge-sharing/1"
DOCUMENTS = {ORDER: "advisor/edge/report_order.html", SHARING: "advisor/edge/report_sharing.html"}


def order_document(plan: Plan) -> dict[str, Any]:
    """An order with its steps and ways out, as the contract has it, with what only a reader of it needs."""
    found = plan_json(plan) | {
        "schema": ORDER,
        "about": about(plan.device),
        "start_slots": slots_json(plan.start.slots),
    }
    found["steps"] = [labelled(result) for result in plan.steps]
    for told, repair in zip(found["repairs"], plan.repairs, strict=True):
        told["steps"] = [labelled(result) for result in repair.plan.steps]
    return plain(found)


def sharing_document(sharing: SharingPlan, facts: Sequence[EdgeFact]) -> dict[str, Any]:
    """Apps on the GPUs of a device, with the statements that the bars rest on."""
    found = sharing_json(sharing)
    return plain(found | {"schema": SHARING, "about": about(sharing.device), "facts": [asdict(fact) for fact in facts]})


def about(device: EdgeDevice) -> dict[str, Any]:
    return {
        name: getattr(device, name)
        for name in ("label", "card", "usable_vcpus", "usable_memory_gib", "source", "as_of")
    }


def labelled(result: StepResult) -> dict[str, Any]:
    return step_json(result) | {"label": result.step.label}


def slots_json(slots: Sequence[Any]) -> list[dict[str, Any]]:
    return [{"index": slot.index, "holder": slot.kind, "name": slot.name, "maybe": list(slot.maybe)} for slot in slots]


def plain(document: dict[str, Any]) -> dict[str, Any]:
    """The document as JSON gives it back: dates are texts."""
    thawed: dict[str, Any] = json.loads(json.dumps(document, default=str))
    return thawed


def is_edge(document: dict[str, Any]) -> bool:
    return document.get("schema") in DOCUMENTS


def edge_context(document: dict[str, Any], *, title: str, made_at: datetime) -> dict[str, Any]:
    """Everything that the report shows, from the frozen JSON alone."""
    context = order_context(document) if document["schema"] == ORDER else sharing_context(document)
    return context | {
        "document": DOCUMENTS[document["schema"]],
        "title": title,
        "made_at": made_at,
        "check_sum": check_sum(document),
        "device": document["about"],
        "edge_report": True,
    }


def order_context(document: dict[str, Any]) -> dict[str, Any]:
    steps = numbered(document["steps"])
    repairs = [
        repair | {"plan": {"certain": repair["certain"]}, "todo_steps": numbered(repair["steps"])[repair["done"] :]}
        for repair in document["repairs"]
    ]
    plan = document | {"steps": steps, "repairs": repairs, "start": {"slots": slots(document["start_slots"])}}
    plan["end"] = document["end"] | {"slots": document["start_slots"]}
    return {"plan": plan, "bad": first_bad(steps)}


def first_bad(steps: Sequence[tuple[int, dict[str, Any]]]) -> tuple[int, dict[str, Any]] | None:
    """Number and result of the first step that fails, else of the first that is open."""
    for word in ("fails", "unknown"):
        for number, result in steps:
            if word in result["outcomes"]:
                return number, result
    return None


def numbered(steps: Sequence[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    """The steps in the shape of the engine's, so that the same templates show them."""
    shaped = [
        step
        | {
            "outcomes": step["outcome"].split("+"),
            "step": {"label": step["label"]},
            "held": {name: step[name] for name in ("vm_gpus", "k8s_gpus", "free_gpus")}
            | {"slots": slots(step["gpus"])},
        }
        for step in steps
    ]
    return list(enumerate(shaped, 1))


def slots(stored: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [slot | {"kind": slot["holder"]} for slot in stored]


def sharing_context(document: dict[str, Any]) -> dict[str, Any]:
    cards = [
        card | {"apps": [entry | {"app": {k: entry[k] for k in ("name", "share_percent")}} for entry in card["apps"]]}
        | {"share_sum": card["share_sum_percent"]}
        for card in document["cards"]
    ]  # fmt: skip
    unplaced = [({"name": entry["app"]}, entry["why"]) for entry in document["unplaced"]]
    device = {"card": document["about"]["card"], "name": document["device"]}
    sharing = document | {"cards": cards, "unplaced": unplaced, "device": device}
    return {"sharing": sharing, "card_facts": document["facts"]}
