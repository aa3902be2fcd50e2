"""The order planner: device, software, steps and one change to them; and the other way round, what is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django import forms

from advisor.engine.edge.devices import EdgeCatalogue, EdgeDevice, EdgeSize, UnknownEdgeName
from advisor.engine.edge.steps import SIZED, WORDS, InvalidOrder, Step, parse_order, parse_step
from advisor.engine.edge.want import Wish

DEFAULT_DEVICE = "pro-gpu-2"
CHANGES = ("add", "remove", "up", "down", "clear")
OLDER = "2209"  # stands for every release before 2301, from which on a cluster can be made
LONGEST_ORDER = 2_000  # characters; more than MAX_STEPS steps with sizes


class DeviceForm(forms.Form):
    """The device, its software and its nodes; each may be left out of the address."""

    device = forms.ChoiceField(label="Device", required=False)
    software = forms.ChoiceField(label="Software", required=False)
    nodes = forms.ChoiceField(label="Nodes", required=False, choices=(("", "one"), ("2", "two, a cluster")), initial="")

    def __init__(self, data: Any, edge: EdgeCatalogue) -> None:
        super().__init__(data, label_suffix="")
        self.edge = edge
        self.choose("device", [(device.name, device.label) for device in edge.devices.values()])
        newest_first = sorted(edge.releases, reverse=True)
        self.choose("software", [("", "not said"), *((name, name) for name in newest_first), (OLDER, "before 2301")])

    def choose(self, name: str, choices: Sequence[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 (for the type checker)
        field.choices = choices

    def clean_device(self) -> EdgeDevice:
        return self.edge.device(self.cleaned_data["device"] or DEFAULT_DEVICE)

    def clean_software(self) -> str | None:
        return self.cleaned_data["software"] or None

    def clean_nodes(self) -> int:
        return int(self.cleaned_data["nodes"] or 1)

    def base(self) -> list[tuple[str, str]]:
        """The pairs of the address, the shortest that say the same."""
        values = self.cleaned_data
        pairs = [("device", values["device"].name), ("software", values["software"] or "")]
        pairs.append(("nodes", str(values["nodes"]) if values["nodes"] > 1 else ""))
        return [(name, value) for name, value in pairs if value]

    @property
    def chosen_device(self) -> str:
        """What the select shows, also where the form is not valid."""
        return str(self.data.get("device") or DEFAULT_DEVICE)


class OrderForm(DeviceForm):
    """Steps as text, `do` a change to them: add, remove:3, up:3, down:3, move:3:1, clear."""

    steps = forms.CharField(label="Order of steps", required=False, max_length=LONGEST_ORDER)
    step = forms.ChoiceField(label="Step", required=False, choices=list(WORDS.items()))
    size = forms.CharField(label="Size", required=False, max_length=80)
    do = forms.CharField(required=False, max_length=20)

    def clean_steps(self) -> tuple[Step, ...]:
        return read_steps(self.edge, str(self.cleaned_data["steps"]))

    def clean(self) -> dict[str, Any]:
        """Carry out the change that a button asks for."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("do") and "steps" in values:
            values["steps"] = self.changed(list(values["steps"]), *str(values["do"]).split(":"))
        return values

    def changed(self, steps: list[Step], deed: str, *places: str) -> tuple[Step, ...]:
        """The steps after one change; a change that makes no sense changes nothing."""
        at = [int(place) - 1 for place in places if place.isascii() and place.isdigit()]
        known = bool(at) and all(0 <= place < len(steps) for place in at)
        if deed == "add":
            return self.added(steps)
        if deed == "clear":
            return ()
        if deed == "remove" and known:
            del steps[at[0]]
        elif deed in ("up", "down", "move") and known:
            to = at[1] if deed == "move" and len(at) > 1 else at[0] + (-1 if deed == "up" else 1)
            steps.insert(max(0, min(to, len(steps) - 1)), steps.pop(at[0]))
        return tuple(steps)

    def added(self, steps: list[Step]) -> tuple[Step, ...]:
        word, size = self.cleaned_data.get("step") or "vm", str(self.cleaned_data.get("size") or "").strip()
        text = f"{word}:{size}" if size and word in SIZED else word
        try:
            together = [*(step.text for step in steps), parse_step(self.edge, text, len(steps) + 1).text]
            return parse_order(self.edge, ">".join(together))
        except (InvalidOrder, UnknownEdgeName) as error:
            self.add_error("size" if size else "step", str(error))
            return tuple(steps)

    def address(self) -> str:
        """The query text of this plan."""
        steps: Sequence[Step] = self.cleaned_data["steps"]
        return urlencode(
            [*self.base(), *([("steps", ">".join(step.text for step in steps))] if steps else [])], safe=":"
        )

    @property
    def steps_text(self) -> str:
        """The steps as they stand in the text field: changed ones, or what was typed where it cannot be read."""
        steps = getattr(self, "cleaned_data", {}).get("steps")
        return str(self.data.get("steps", "")) if steps is None else " > ".join(step.text for step in steps)


class WantForm(forms.Form):
    """What the device should hold in the end."""

    vms = forms.TypedChoiceField(label="GPU VMs", choices=[(n, str(n)) for n in range(4)], coerce=int, initial=1)
    k8s = forms.ChoiceField(
        label="Kubernetes",
        choices=[("none", "no Kubernetes"), ("0", "with no GPU"), ("1", "with 1 GPU"), ("2", "with 2 GPUs")],
        initial="1",
    )
    vm_size = forms.CharField(label="Size of the VMs", required=False, max_length=80)
    after = forms.BooleanField(label="go on from where the order above ends", required=False)

    def __init__(self, data: Any, edge: EdgeCatalogue) -> None:
        super().__init__(data, label_suffix="")
        self.edge = edge

    def clean_vm_size(self) -> EdgeSize | None:
        text = str(self.cleaned_data["vm_size"]).strip()
        if not text:
            return None
        try:
            return self.edge.size(text)
        except UnknownEdgeName as error:
            raise forms.ValidationError(str(error)) from error

    def wish(self) -> Wish:
        values = self.cleaned_data
        gpus = None if values["k8s"] == "none" else int(values["k8s"])
        return Wish(vms=values["vms"], k8s_gpus=gpus, size=values["vm_size"] if values["vms"] else None)


def read_steps(edge: EdgeCatalogue, text: str) -> tuple[Step, ...]:
    """The steps of a text; raises ValidationError with what is allowed."""
    try:
        return parse_order(edge, text)
    except (InvalidOrder, UnknownEdgeName) as error:
        raise forms.ValidationError(str(error)) from error
