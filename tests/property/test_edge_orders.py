"""Laws of the order simulation: no GPU is held twice, the count adds up, and same input gives same answer."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.engine.edge.devices import EdgeDevice
from advisor.engine.edge.orders import plan
from advisor.engine.edge.steps import WORDS, InvalidOrder, Step, parse_order
from advisor.engine.edge.want import REMOVE_IF_ON, Wish, after, want
from advisor.engine.edge.worlds import Rules
from tests import shipped
from tests.profiles import examples

EDGE = shipped.edge()
SIZED = [f"{word}:{size.short}" for size in EDGE.sizes.values() for word in ("vm", "2vm")]
devices = st.sampled_from(list(EDGE.devices.values()))
orders = st.lists(st.sampled_from([*WORDS] * 4 + SIZED), max_size=9).map(
    lambda words: parse_order(EDGE, ">".join(words))
)
many = settings(max_examples=examples(50), deadline=None)


@many
@given(devices, orders)
def test_counts_add_up_and_each_gpu_has_one_holder(device: EdgeDevice, steps: tuple[Step, ...]):
    for result in plan(EDGE, device, steps).steps:
        held = result.held
        assert [slot.index for slot in held.slots] == list(range(device.gpus))
        counts = (held.vm_gpus, held.k8s_gpus, held.free_gpus)
        if None not in counts:
            assert sum(counts) == device.gpus
        for kind, count in zip(("vm", "k8s", "free"), counts, strict=True):
            assert count is None or sum(slot.kind == kind for slot in held.slots) <= count


@many
@given(devices, orders)
def test_in_every_possible_state_a_gpu_is_held_once(device: EdgeDevice, steps: tuple[Step, ...]):
    for end in range(len(steps) + 1):
        for world in after(Rules(EDGE, device, None), steps[:end]):
            held = [*world.k8s_slots, *(slot for vm in world.vms for slot in vm.slots)]
            assert len(held) == len(set(held))
            assert sorted([*held, *world.free(device.gpus)]) == list(range(device.gpus))


@many
@given(devices, orders)
def test_same_input_same_answer(device: EdgeDevice, steps: tuple[Step, ...]):
    assert plan(EDGE, device, steps) == plan(EDGE, device, steps)


@many
@given(devices, orders)
def test_every_way_out_works(device: EdgeDevice, steps: tuple[Step, ...]):
    for repair in plan(EDGE, device, steps).repairs:
        assert all(result.works for result in repair.plan.steps[repair.done :])


@many
@given(devices, orders, st.integers(0, 3), st.none() | st.integers(0, 3), st.none() | st.integers(1, 2))
def test_the_other_way_round_replayed_gives_what_was_asked(
    device: EdgeDevice, start: tuple[Step, ...], vms: int, k8s_gpus: int | None, vm_gpus: int | None
):
    answer = want(EDGE, device, Wish(vms=vms, k8s_gpus=k8s_gpus, vm_gpus=vm_gpus), start=start)
    assert answer.possible == (answer.plan is not None)
    if answer.plan is None:
        assert answer.why
        return
    replayed = plan(EDGE, device, parse_order(EDGE, answer.plan.sequence))
    new = replayed.steps[answer.done :]
    if answer.why == REMOVE_IF_ON:  # Kubernetes may be off; to remove it then changes nothing
        assert (new[0].step.word, new[0].code) == ("rmk8s", "order-nothing")
        new = new[1:]
    assert all(result.works for result in new)
    end = replayed.end
    assert len({slot.name for slot in end.slots if slot.kind == "vm"}) == vms
    assert end.k8s_gpus == (k8s_gpus or 0)
    if vm_gpus:
        assert end.vm_gpus == vms * vm_gpus


@settings(max_examples=examples(8), deadline=None)
@given(st.lists(st.sampled_from(["vm", "k8s", "stopvm", "startvm", "delvm"]), min_size=20, max_size=60))
def test_long_orders_with_open_ends_are_followed_or_refused(words: list[str]):
    try:
        plan(EDGE, EDGE.device("pro-gpu-2"), parse_order(EDGE, ">".join(words)))
    except InvalidOrder as refusal:
        assert "questions" in str(refusal)
