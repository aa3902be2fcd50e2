"""What Azure lets one do with a commitment that is no longer needed: each way with its message, source and date."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from advisor.engine.commitment_answer import Source
from advisor.engine.held import HeldCommitment


def _billing(path: str, commit: str = "") -> str:
    """A page of the billing documentation, as sources are written: repository, commit, path."""
    return f"MicrosoftDocs/azure-docs{commit and f'@{commit}'} articles/cost-management-billing/{path}"


#: From this day on a compute reservation that is bought cannot be exchanged; those bought before keep one exchange.
EXCHANGES_END = date(2027, 2, 1)


EXCHANGE_RULE = (
    Source(page=_billing("reservations/reservation-exchange-policy-changes.md"), as_of=date(2026, 8, 27)),
    Source(
        page="MicrosoftDocs/azure-compute-docs@3afc7132 articles/virtual-machines/migration/sizes/"
        "previous-gen-series-capacity-limitations.md",
        as_of=date(2026, 8, 18),
    ),
)
#: What older texts say of the same day; shown beside it, never used.
EXCHANGE_RULE_BEFORE = (
    Source(page=_billing("reservations/reservation-exchange-policy-changes.md", "03e5750a"), as_of=date(2026, 1, 15)),
    Source(
        page=_billing("reservations/exchange-and-refund-azure-reservations.md", "005321d7"), as_of=date(2022, 10, 10)
    ),
)
_VALUE_RULE = Source(
    page=_billing("reservations/exchange-and-refund-azure-reservations.md", "d23739c4"), as_of=date(2023, 10, 16)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to deal with a held commitment. `message` is filled with what becomes of it."""

    code: str
    message: str
    sources: tuple[Source, ...]


_KEEP = Source(page=_billing("reservations/instance-size-flexibility.md", "03e5750a"), as_of=date(2026, 3, 5))
_TRADE_IN = Source(page=_billing("savings-plan/reservation-trade-in.md", "001e5456"), as_of=date(2023, 2, 3))
_NO_CANCELLING = Source(page=_billing("savings-plan/cancel-savings-plan.md"), as_of=date(2023, 11, 17))
_APPLIES_ANYWHERE = Source(
    page=_billing("savings-plan/savings-plan-compute-overview.md", "03adcc30"), as_of=date(2024, 2, 14)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What Azure allows, in words, with its sources."""

    title: str
    text: str
    sources: tuple[Source, ...]


RULES = (
    Rule(
        title="Sizes of one group",
        text="A reservation holds for every size of its group in its region. Here a group is the sizes of one series "
        "with, or without, InfiniBand, and one machine counts as many as its pay-as-you-go price says.",
        sources=(_KEEP,),
    ),
    Rule(
        title="Exchange",
        text=f"A reservation may be exchanged for one of another size, series or region. One that is bought from "
        f"{EXCHANGES_END} on cannot be exchanged any more; each that was bought before keeps one exchange; sizes near "
        "their end are exempt. What is left counts in full, the new commitment has to be at least as large, and a new "
        "term begins.",
        sources=(*EXCHANGE_RULE, _VALUE_RULE),
    ),
    Rule(
        title="Trade-in",
        text="A reservation may be traded in for a savings plan, with no last day. What is left counts in full, and "
        "the new commitment has to be at least as large.",
        sources=(_TRADE_IN, EXCHANGE_RULE[0]),
    ),
    Rule(
        title="Refund",
        text="A reservation may be returned, up to USD 50,000 of cancelled commitment in any 12 months and billing "
        "scope. A fee of 12 % is foreseen and not charged.",
        sources=(_VALUE_RULE,),
    ),
    Rule(
        title="Savings plan",
        text="A savings plan holds for compute of any size and region, and can be neither cancelled, exchanged nor "
        "refunded. What is not used in an hour is lost.",
        sources=(_APPLIES_ANYWHERE, _NO_CANCELLING),
    ),
)

_EXCHANGE = (
    "Exchange {units:g} of them for a {years}-year reservation of the new size: what is left counts in full, the new "
    "commitment has to be at least as large, and a new term begins."
)
_TRADE = (
    "Trade {units:g} of them in for a {years}-year savings plan: what is left counts in full, the new commitment has "
    "to be at least as large, and a savings plan can never be cancelled."
)
#: The ways in the order in which equal ones are taken. What follows `refund` is what no way takes, and savings plans.
WAYS: Mapping[str, Way] = {
    way.code: way
    for way in (
        Way(
            code="keep",
            message="{units:g} of them stay in use: a reservation holds for every size of its group in its region.",
            sources=(_KEEP,),
        ),
        Way(code="exchange_1y", message=_EXCHANGE, sources=(*EXCHANGE_RULE, _VALUE_RULE)),
        Way(code="exchange_3y", message=_EXCHANGE, sources=(*EXCHANGE_RULE, _VALUE_RULE)),
        Way(code="trade_in_1y", message=_TRADE, sources=(_TRADE_IN, EXCHANGE_RULE[0])),
        Way(code="trade_in_3y", message=_TRADE, sources=(_TRADE_IN, EXCHANGE_RULE[0])),
        Way(
            code="refund",
            message="Return {units:g} of them: refunds may add up to USD 50,000 of cancelled commitment in any 12 "
            "months and billing scope, less {fee:g} % fee (12 % is foreseen and not charged).",
            sources=(_VALUE_RULE,),
        ),
        Way(
            code="lost",
            message="{units:g} of them are paid until they end and used by nothing.",
            sources=(_VALUE_RULE,),
        ),
        Way(
            code="value_unknown",
            message="What is left of {units:g} of them is not known: give the hourly price of the order.",
            sources=(_VALUE_RULE,),
        ),
        Way(
            code="plan_used",
            message="{currency} {units:,.2f} an hour of the savings plan stay in use: it holds for any size and "
            "region.",
            sources=(_APPLIES_ANYWHERE,),
        ),
        Way(
            code="plan_unused",
            message="{currency} {units:,.2f} an hour of the savings plan are no longer used by this pool, unless other "
            "compute takes them; a savings plan cannot be cancelled or exchanged.",
            sources=(_NO_CANCELLING, _APPLIES_ANYWHERE),
        ),
        Way(
            code="plan_unknown",
            message="No source says what the new size costs under a savings plan, or that it takes one.",
            sources=(_APPLIES_ANYWHERE,),
        ),
    )
}


def may_be_exchanged(held: HeldCommitment, as_of: date, near_end: bool) -> bool:
    """Whether Azure exchanges this reservation on `as_of`.

    Until EXCHANGES_END every one; from then on those bought before it, once; later ones only while their size is near
    its end (`near_end`: its retirement is announced or past), which the rule exempts.
    """
    return held.kind == "reservation" and held.holds_on(as_of) and (held.bought_on < EXCHANGES_END or near_end)
