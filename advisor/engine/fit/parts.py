"""One part of a memory need: a range of bytes on each GPU, with its formula filled in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.engine.fit.facts import GIB
from advisor.engine.worked import TIMES


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Bytes on each GPU: `low` at least, `expected` by the formula, `high` at most; None: no source bounds it."""

    code: str
    label: str
    low: float
    expected: float
    high: float | None
    formula: str
    source: str

    @property
    def expected_gib(self) -> float:
        return self.expected / GIB

    @property
    def low_gib(self) -> float:
        return self.low / GIB

    @property
    def high_gib(self) -> float | None:
        return None if self.high is None else self.high / GIB


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """What one GPU of a split has to hold, with the questions that would narrow it down."""

    parts: tuple[Part, ...]
    questions: tuple[str, ...]

    @property
    def low_gib(self) -> float:
        return sum(part.low for part in self.parts) / GIB

    @property
    def expected_gib(self) -> float:
        return sum(part.expected for part in self.parts) / GIB

    @property
    def high_gib(self) -> float | None:
        """None where any part has no upper bound."""
        known = [part.high for part in self.parts if part.high is not None]
        return sum(known) / GIB if len(known) == len(self.parts) else None

    def part(self, code: str) -> Part | None:
        return next((part for part in self.parts if part.code == code), None)


def exact(code: str, label: str, size: float, formula: str, source: str) -> Part:
    """A part that the formula gives without a range."""
    return Part(code=code, label=label, low=size, expected=size, high=size, formula=formula, source=source)


def unbounded(code: str, label: str, why: str, source: str = "") -> Part:
    """A part about which nothing is known: at least nothing, at most unknown."""
    return Part(code=code, label=label, low=0.0, expected=0.0, high=None, formula=why, source=source)


def n(value: float) -> str:
    """A number inside a formula: thousands apart, as many digits as it needs."""
    return f"{value:,.6g}" if value != int(value) else f"{int(value):,}"


def times(*factors: str) -> str:
    """Factors of a formula, in a row."""
    return f" {TIMES} ".join(factor for factor in factors if factor)


#: What to ask for a fact of the model that is unknown, by its field.
QUESTIONS = {
    "parameters": "How many parameters has the model?",
    "layers": "How many layers has it (num_hidden_layers)?",
    "hidden_size": "How wide is a layer (hidden_size)?",
    "heads": "How many attention heads has it (num_attention_heads)?",
    "kv_heads": "How many key-value heads has it (num_key_value_heads)? Between 1 and the attention heads.",
    "mlp_size": "How wide is its feed-forward part (intermediate_size)?",
    "vocab_size": "How many entries has its vocabulary (vocab_size)?",
    "measure": "How much memory do its activations take? No formula covers this kind of model: measure one step.",
    "checkpoint": "How large is the checkpoint on disk? Quantised files differ in what they keep at 16 bits.",
}


def questions(codes: Iterable[str]) -> tuple[str, ...]:
    """The questions of the codes, each once."""
    return tuple(QUESTIONS[code] for code in dict.fromkeys(codes))
