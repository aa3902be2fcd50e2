"""What an answer's prices are, beside the list: a rate, the user's own sheet, discounts; in words, for every export."""

from __future__ import annotations

from advisor.engine.answer import Advice


def price_notes(advice: Advice) -> tuple[str, ...]:
    """A phrase for each thing that makes the prices other than the list's; empty for list prices as they are."""
    book, said = advice.price_book, []
    if book.get("rate_as_of"):
        rate = f"{book['rate']:.6g} {advice.currency} for one {book.get('printed_in') or 'unit of its currency'}"
        said.append(f"converted at {rate} of {book['rate_as_of']}")
    if book.get("usd_rate_as_of"):
        rate = f"{book['usd_rate']:.6g} {advice.currency} for one USD"
        said.append(f"assumed amounts converted at {rate} of {book['usd_rate_as_of']}")
    if sheet := book.get("sheet"):
        file = f" {sheet['file']}" if sheet["file"] else ""
        note = f", {sheet['note']}" if sheet["note"] else ""
        said.append(f"{sheet['prices']:,} own prices of {sheet['as_of']} first (price sheet{file}{note})")
    for rule in book.get("discounts", ()):
        models = f" ({', '.join(rule['price_models'])})" if rule["price_models"] else ""
        series = "every series" if rule["series"] == "*" else rule["series"]
        said.append(f"less {rule['percent']:g} % on {series}{models}")
    return tuple(said)
