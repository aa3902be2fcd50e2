"""How much faster one GPU is than another on one kind of work."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from advisor import store
from advisor.engine.speed import KINDS, PRECISIONS, SpeedModel, Speedup, resolve_gpu
from advisor.engine.speed_work import NETWORKS, RUNTIMES, Work
from advisor.management.commands._base import EngineCommand, measured_ratio, measured_ratios, positive


class Command(EngineCommand):
    help = "How much faster is one GPU than another? Names as in the catalogue, or a short form that fits only one."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("source", metavar="FROM")
        parser.add_argument("target", metavar="TO")
        parser.add_argument("--kind", choices=KINDS, default="unknown")
        parser.add_argument("--precision", choices=PRECISIONS, help="default: fp32, of hpc-fp64 fp64")
        parser.add_argument("--measured", metavar="FROM:TO=RATIO", type=measured_ratio, action="append", default=[])
        parser.add_argument(
            "--measured-file", type=Path, metavar="CSV", help="your own ratios: columns from, to, ratio"
        )
        parser.add_argument("--network", choices=NETWORKS, help="of training and inference; default: all, averaged")
        parser.add_argument(
            "--batch", type=positive, metavar="N", help="items per request of inference, sequences at once of an LLM"
        )
        parser.add_argument("--runtime", choices=RUNTIMES, help="of inference: a compiled engine, or a framework")
        parser.add_argument("--no-tf32", action="store_true", help="fp32 work does not use TF32 on newer GPUs")

    def handle(self, *args: Any, **options: Any) -> None:
        catalogue = store.catalogue()
        source, target = (resolve_gpu(catalogue, options[end]) for end in ("source", "target"))
        measured = measured_ratios(options, catalogue)
        model = SpeedModel(catalogue, tf32=not options["no_tf32"], measured=measured)
        usual = "fp64" if options["kind"] == "hpc-fp64" else "fp32"
        said = {name: options[name] for name in ("kind", "network", "batch", "runtime")}
        work = Work(**said, precision=options["precision"] or usual)
        answer = model.speedup_on(work, source, target)
        if options["json"]:
            self.print_json({"speedup": as_json(answer)})
        else:
            self.stdout.write(as_text(source, target, answer))


def as_json(answer: Speedup | None) -> dict[str, Any] | None:
    """The answer with the keys of the contract; None: unknown."""
    if answer is None:
        return None
    return {
        "low": answer.low,
        "expected": answer.expected,
        "high": answer.high,
        "basis": answer.basis,
        "evidence": [asdict(item) for item in answer.evidence],
    }


def as_text(source: str, target: str, answer: Speedup | None) -> str:
    if answer is None:
        return f"{source} to {target}: unknown, no data sheet gives the rate that this precision needs"
    lines = [
        f"{source} to {target}: {answer.expected:.2f} times as fast",
        *([] if source == target else [f"8 in 10 cases: {answer.low:.2f} to {answer.high:.2f} ({answer.basis})"]),
        *(f"- {item.kind}: {item.note} [{item.source}]" for item in answer.evidence),
    ]
    return "\n".join(lines)
