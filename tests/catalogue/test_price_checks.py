"""The checks of a refreshed price book over the whole built-in one; what fails is named with its reason."""

from __future__ import annotations

import pytest

from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import PriceBook
from advisor.engine.retail.checks import check_gpus, check_levels, check_order, check_usable
from advisor.engine.retail.findings import Finding

RTX = "_xl_RTXPRO6000BSE_v6"
#: Size and region out of the usual proportion to its series, with the reason why it stands in the book.
KNOWN_PROPORTIONS = {
    **{
        (f"Standard_NC144ds{RTX}", region): "raised by 16 % on 2026-08-01, where it had carried the price of NC144lds; "
        "nine of the fourteen regions were last read before that day, so that the right price is the unusual one"
        for region in ("northeurope", "southeastasia", "swedencentral", "westeurope", "westus2")
    },
    (f"Standard_NC128ds{RTX}", "centralus"): "read on 2026-10-29, after East US and Central US fell from 7.853 to 6.38 "
    "for this size; the other sizes there are of June",
    ("Standard_ND40s_v2", "southeastasia"): "ND40s_v2 was never general, and is 27 % above its usual proportion there",
    ("Standard_ND40rs_v2", "southeastasia"): "the only other size of its series there is ND40s_v2",
}


def test_three_years_cost_at_most_one_year_and_that_at_most_pay_as_you_go(price_book: PriceBook) -> None:
    """No exception in all rows, whatever their source and day."""
    assert list(check_order(price_book.prices)) == []


def test_no_spot_above_pay_as_you_go_and_no_windows_below_linux(price_book: PriceBook) -> None:
    assert list(check_levels(price_book.prices)) == []


def test_u51_no_size_costs_less_than_one_with_fewer_gpus(catalogue: Catalogue, price_book: PriceBook) -> None:
    assert list(check_gpus(price_book.prices, catalogue)) == []


@pytest.fixture(scope="module")
def out_of_proportion(catalogue: Catalogue, price_book: PriceBook) -> list[Finding]:
    """Over the prices that may be used for an option; older ones are history."""
    return check_usable(price_book, catalogue)


def test_u51_sizes_keep_their_proportions_but_for_the_named_ones(out_of_proportion: list[Finding]) -> None:
    assert {(finding.size, finding.region) for finding in out_of_proportion} == set(KNOWN_PROPORTIONS)


def test_the_raised_price_of_nc144ds_stands_out_by_sixteen_percent(out_of_proportion: list[Finding]) -> None:
    messages = [finding.message for finding in out_of_proportion if "NC144ds" in finding.size]
    assert len(messages) == 5
    assert all("16% above" in message for message in messages)
