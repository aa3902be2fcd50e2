"""Plans and wishes with the keys of the contract."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from advisor.engine.edge.orders import Held, Plan, StepResult
from advisor.engine.edge.want import Want, Wish


def plan_json(plan: Plan) -> dict[str, Any]:
    return {
        "schema": "edge-plan/1",
        "device": plan.device.name,
        "software": plan.software,
        "sequence": plan.sequence,
        "outcome": plan.outcome,
        "certain": plan.certain,
        "steps": [step_json(step) for step in plan.steps],
        "end": held_json(plan.end),
        "warnings": [asdict(remark) for remark in plan.warnings],
        "conflicts": [asdict(conflict) for conflict in plan.conflicts],
        "repair": [repair.text for repair in plan.repairs],
        "repairs": [
            {
                "kind": repair.kind,
                "done": repair.done,
                "sequence": repair.plan.sequence,
                "todo": repair.todo,
                "certain": repair.plan.certain,
                "end": held_json(repair.plan.end),
            }
            for repair in plan.repairs
        ],
    }


def step_json(result: StepResult) -> dict[str, Any]:
    return {
        "step": result.step.text,
        "outcome": result.outcome,
        "why": result.why,
        **held_json(result.held),
        "source": result.source,
        "as_of": result.as_of,
        "rule": result.code,
        "basis": result.basis,
        "certain": result.certain,
        "kubernetes": result.k8s_on,
        "gpus": [
            {"index": slot.index, "holder": slot.kind, "name": slot.name, "maybe": list(slot.maybe)}
            for slot in result.held.slots
        ],
    }


def held_json(held: Held) -> dict[str, int | None]:
    return {"vm_gpus": held.vm_gpus, "k8s_gpus": held.k8s_gpus, "free_gpus": held.free_gpus}


def want_json(answer: Want) -> dict[str, Any]:
    """The whole order as `sequence`, what is still to be done as `todo`, and the plan that replays it."""
    steps = [step.step.text for step in answer.plan.steps] if answer.plan else None
    return {
        "schema": "edge-want/1",
        "wish": wish_json(answer.wish),
        "possible": answer.possible,
        "why": answer.why,
        "sequence": ">".join(steps) if steps is not None else None,
        "todo": ">".join(steps[answer.done :]) if steps is not None else None,
        "plan": plan_json(answer.plan) if answer.plan else None,
        "instead": [{"wish": wish_json(wish), "sequence": near.sequence} for wish, near in answer.instead],
    }


def wish_json(wish: Wish) -> dict[str, Any]:
    size = wish.size.name if wish.size else None
    return {"vms": wish.vms, "k8s_gpus": wish.k8s_gpus, "vm_gpus": wish.vm_gpus, "size": size}
