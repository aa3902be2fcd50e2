"""What one kind of work looks like to the speed model, and what a published benchmark says of its own."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from advisor.engine.catalogue import Benchmark

T = TypeVar("T")

KINDS = (
    "training",
    "training-8gpu",
    "inference",
    "inference-small",
    "llm-decode",
    "llm-prefill",
    "hpc-bandwidth",
    "hpc-fp64",
    "hpc-md",
    "graphics",
    "unknown",
)
PRECISIONS = ("fp64", "fp32", "tf32", "fp16", "bf16", "amp", "mixed", "int8", "fp8")
UNMEASURED_KINDS = frozenset({"graphics", "unknown"})
NETWORKS = ("transformer", "cnn", "recurrent", "speech", "diffusion")
RUNTIMES = ("engine", "framework")  # a compiled engine such as TensorRT, or the layers of a framework one by one

# Batches that stand for a kind where nobody said one: small inference is 1 to 8, large and offline above; an LLM writes
# for one user, or for as many as fill the GPU.
BATCHES = {"inference-small": (1.0, 8.0), "inference": (64.0,), "llm-decode": (1.0, 64.0)}
FULL_BATCH = 1024.0  # what "large" means in a published table: as many as fill the GPU, so the host keeps none waiting
LLM_BATCH_MAX = 64.0  # assumed: with more, each sequence's own cache is what is read, and a larger batch saves nothing
# Arithmetic of one item, GFLOP: two for each multiplication that is added. Of CNNs as published (docs/speed-model.md),
# of transformers 2 x parameters x tokens. First match wins.
GFLOP_WORDS = (
    (r"bert.?(?:large|99)", 261.0),  # 340 million parameters, 384 tokens
    (r"bert.?base.*seq 128", 28.0),  # 110 million
    (r"bert.?base", 84.0),
    (r"ssd.?mobilenet", 2.47),
    (r"resnet.?50", 8.2),
    (r"inception", 11.4),
    (r"vgg", 31.0),
)
# Where nobody said what an item is: BERT-large at 384 tokens and ResNet-50, the most published of their kinds.
USUAL_GFLOP: Mapping[str, float] = {"transformer": 261.0}
REFERENCE_GFLOP = 8.2
# Published groups by network: how likely each is where nobody said which.
GROUPS_OF: Mapping[str, Mapping[str, int]] = {
    "training": {"cnn": 21, "recurrent": 4, "speech": 6, "transformer": 9},
    "training-8gpu": {"cnn": 3, "diffusion": 2, "recurrent": 2, "transformer": 5},
    "inference": {"cnn": 18, "diffusion": 1, "recurrent": 4, "speech": 1, "transformer": 12},
    "inference-small": {"cnn": 7, "diffusion": 2, "speech": 5, "transformer": 11},
}
# Words of a benchmark's name, first match wins; a name with none of them says nothing of its network.
NETWORK_WORDS = (
    ("transformer", r"bert|transformer|\bvit|swin|llama|gpt|qwen|ministral|lfm"),
    ("recurrent", r"gnmt|rnn|\bgru|lstm"),
    ("diffusion", r"stable.?diffusion"),
    ("cnn", r"resnet|retinanet|inception|vgg|alexnet|ssd|unet|\bcnn"),
    ("speech", r"jasper|waveglow|fastpitch|hifi|tacotron"),
)
ENGINE_WORDS = r"tensorrt|fastertransformer"


class UnknownWork(ValueError):
    """A kind or precision that the model does not know; the message lists what is allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A kind of work at a precision. What else matters is None where nobody said it.

    `batch` is in items per request, `gflop` the arithmetic of one item.
    """

    kind: str
    precision: str
    network: str | None = None
    batch: float | None = None
    runtime: str | None = None
    gflop: float | None = None

    @property
    def serves(self) -> bool:
        """True for inference of networks but LLMs, where the host may set the pace."""
        return self.kind.startswith("inference")

    @property
    def learns(self) -> bool:
        """True for the kinds of deep learning, whose networks differ."""
        return self.kind.startswith(("training", "inference"))

    def variants(self) -> Iterator[tuple[float, Work]]:
        """Every work that this may be, with all said that matters to its kind, and how likely each is; sum 1."""
        usual = GROUPS_OF.get(self.kind, {})
        networks = {self.network: 1} if self.network or not usual else usual
        batches = (self.batch,) if self.batch else BATCHES.get(self.kind, (None,))
        runtimes = (self.runtime,) if self.runtime or not self.serves else RUNTIMES
        total = sum(networks.values()) * len(batches) * len(runtimes)
        for (network, groups), batch, runtime in itertools.product(networks.items(), batches, runtimes):
            yield groups / total, replace(self, network=network, batch=batch, runtime=runtime)


def work_of(row: Benchmark) -> Work:
    """The work that a benchmark row measured, from its kind, precision, name, batch size and framework."""
    learns = row.kind.startswith(("training", "inference"))
    serves = row.kind.startswith("inference")
    network = _first(((words, network) for network, words in NETWORK_WORDS), row.benchmark)
    runtime = "engine" if re.search(ENGINE_WORDS, row.framework, re.IGNORECASE) else "framework"
    return Work(
        kind=row.kind,
        precision="fp64" if row.kind == "hpc-fp64" else canonical_precision(row.precision),
        network=network if learns else None,
        batch=_batch(row.batch_size) if row.kind in BATCHES else None,
        runtime=runtime if serves else None,
        gflop=_first(GFLOP_WORDS, row.benchmark) if serves else None,
    )


#: Other words for a precision in published tables. Quantised weights are unpacked and computed at the 16-bit rate.
_OTHER_WORDS: Mapping[str, str] = {
    "half": "fp16", "single": "fp32", "double": "fp64", "fp": "fp32", "": "fp32", "bfp16": "bf16", "bfloat16": "bf16",
}  # fmt: skip
_QUANTISED = re.compile(r"i?q\d|int4|nf4|fp4|mxfp4|nvfp4|w\d+a\d+|awq|gptq|gguf")


def canonical_precision(text: str) -> str:
    """The precision of the model that `text` of a published table means.

    Quantised weights (q4_k_m, int4), and words that are not known (is_precision), count as fp16. Text after a blank is
    a remark: "fp32 (fp16 storage)" is fp32.
    """
    word = _precision_word(text)
    return word if word in PRECISIONS else _OTHER_WORDS.get(word, "fp16")


def is_precision(text: str) -> bool:
    """True for a precision, another word for one, or quantised weights."""
    word = _precision_word(text)
    return word in PRECISIONS or word in _OTHER_WORDS or _QUANTISED.match(word) is not None


def _precision_word(text: str) -> str:
    return text.strip().casefold().partition(" ")[0].replace("float", "fp")


def _first(table: Iterable[tuple[str, T]], text: str) -> T | None:
    """What stands beside the first of the expressions that occurs in `text`."""
    return next((value for words, value in table if re.search(words, text, re.IGNORECASE)), None)


def _batch(text: str) -> float | None:
    if text.strip().casefold() == "large":
        return FULL_BATCH
    try:
        batch = float(text)
    except ValueError:
        return None
    return batch if 0 < batch < math.inf else None
