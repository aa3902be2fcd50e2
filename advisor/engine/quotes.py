"""What a VM-hour costs: the rules that turn the dated rows of a price book into one figure with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property
from itertools import chain
from statistics import median

from advisor.engine.catalogue import Catalogue, Size
from advisor.engine.discounts import Discount, discount_for
from advisor.engine.prices import COMMITMENTS, CommitmentTerms, Os, Price, PriceBook, PriceModel

#: A price older than this, before the day of its book, is history: it prices no option (design 4.6).
USABLE_DAYS = 365
#: A size counts as listed in a region while its price there is not older than this (design 4.3).
LISTED_DAYS = 183
#: Quotes kept in memory at the most; a visitor may ask for any day.
KEPT = 200_000
#: Spot at this share of pay-as-you-go or more saves nothing (design 4.6).
NO_SPOT_SAVING = 0.95

Accept = Callable[[Price | None], Price | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Money per VM-hour, in the book's currency: compute and, for Windows, the licence beside it.

    `licence` is None when the work needs one and its price is unknown. Spot quotes carry the highest price that can
    be asked, which is pay-as-you-go.
    """

    price_model: PriceModel
    compute: float
    licence: float | None
    as_of: date
    source: str
    estimated: bool = False
    note: str = ""
    highest: float | None = None
    own: bool = False  # a price of the user's own sheet
    discount: Discount | None = None  # what was taken off `compute`

    @property
    def hourly(self) -> float | None:
        """Compute and licence together; None while the licence is unknown."""
        return None if self.licence is None else self.compute + self.licence


class Quotes:
    """Quotes out of one price book for one catalogue, less the user's discounts, each worked out once.

    A price of the user's own sheet goes before the list's price of the same key, as long as it is not history.
    """

    def __init__(self, book: PriceBook, catalogue: Catalogue, discounts: Sequence[Discount] = ()) -> None:
        self.book = book
        self.catalogue = catalogue
        self.discounts = tuple(discounts)
        self._quotes: dict[tuple[str, str, Os, PriceModel, date], Quote | None] = {}
        self._last: dict[tuple[str, str, Os], Quote | None] = {}

    def quote(self, size: str, region: str, os: Os, model: PriceModel, as_of: date) -> Quote | None:
        """The price an option may use: of this size, region and model, at most 12 months older than the book.

        A commitment that no row prices is pay-as-you-go less the series' observed discount (the smaller of two), and
        marked estimated; one that is not sold on `as_of` has no quote. None: unknown or not offered.
        """
        key = (size, region, os, model, as_of)
        if key not in self._quotes:
            if len(self._quotes) >= KEPT:
                self._quotes.clear()
            self._quotes[key] = self._quote(*key)
        return self._quotes[key]

    def _quote(self, size: str, region: str, os: Os, model: PriceModel, as_of: date) -> Quote | None:
        if model == "payg":
            return self._less(size, self._payg(size, region, os, self._usable))
        if model == "spot":
            return self._spot(size, region, os, as_of)
        return self._less(size, self._commitment(size, region, os, model, as_of))

    def _less(self, size: str, quote: Quote | None) -> Quote | None:
        """The quote less the user's discount; the one place where a discount is taken off.

        A price of the user's own sheet holds what was agreed already, and the Windows licence has no discount.
        """
        facts = self.catalogue.sizes.get(size)
        if quote is None or facts is None or not self.discounts:
            return quote
        discount = discount_for(self.discounts, facts.series, quote.price_model)
        if discount is None:
            return quote
        if quote.own:
            return replace(quote, note=_joined(quote.note, f"your discount of {discount.words} is not taken off it"))
        listed = f"{quote.compute:.6g} {self.book.currency} before your discount of {discount.words}"
        compute = quote.compute * (1 - discount.percent / 100)
        return replace(quote, compute=compute, discount=discount, note=_joined(quote.note, listed))

    def _usable(self, price: Price | None) -> Price | None:
        oldest = self.book.as_of - timedelta(days=USABLE_DAYS)
        return price if price is not None and price.as_of >= oldest else None

    def _row(self, size: str, region: str, os: Os, model: PriceModel, accept: Accept, own: bool = True) -> Price | None:
        """The price of a key that `accept` takes: the user's own, unless not `own`, else the list's."""
        key = (size, region, os, model)
        return (accept(self.book.own.get(key)) if own else None) or accept(self.book.prices.get(key))

    def _payg(self, size: str, region: str, os: Os, accept: Accept, own: bool = True) -> Quote | None:
        linux = self._row(size, region, "linux", "payg", accept, own)
        windows = self._row(size, region, "windows", "payg", accept, own)
        if os == "linux":
            return self._quoted(linux, linux.hourly_price, 0.0) if linux else None
        licence, note = self._licence(size, linux, windows)
        only_windows_is_own = self._is_own(windows) and not self._is_own(linux)
        if windows and licence is not None and windows.hourly_price > licence and (only_windows_is_own or not linux):
            return self._quoted(windows, windows.hourly_price - licence, licence, note=note)
        return self._quoted(linux, linux.hourly_price, licence, note=note) if linux else None

    def _is_own(self, price: Price | None) -> bool:
        if price is None:
            return False
        return self.book.own.get((price.size, price.region, price.os, price.price_model)) is price

    def _licence(self, size: str, linux: Price | None, windows: Price | None) -> tuple[float | None, str]:
        """The Windows licence of one VM-hour: the difference of two rows of one source and day, else per vCPU."""
        if linux and windows and (linux.source, linux.as_of) == (windows.source, windows.as_of):
            difference = windows.hourly_price - linux.hourly_price
            if difference >= 0:
                return difference, "licence: Windows row less Linux row of the same source and day"
        facts = self.catalogue.sizes.get(size)
        if facts is None or facts.vcpus is None:
            return None, ""
        rate = self.book.windows_licence_per_vcpu_hour
        return rate * facts.vcpus, f"licence: {rate:g} per vCPU and hour ({self.book.windows_licence_source})"

    def _commitment(self, size: str, region: str, os: Os, model: PriceModel, as_of: date) -> Quote | None:
        facts = self.catalogue.sizes.get(size)
        terms = self.book.commitments.get((facts.series, model)) if facts else None
        payg = self.quote(size, region, os, "payg", as_of)
        row = self._row(size, region, "linux", model, self._usable)
        if payg is None or not _sold(terms, as_of, priced=row is not None):
            return None
        if row is not None:
            return self._quoted(row, row.hourly_price, payg.licence)
        if terms is None or terms.discount_low is None:
            return None
        # of the list price: what was observed is a share of it, and a discount of the sheet need not hold for a term
        base = self._payg(size, region, os, self._usable, own=False) or self._payg(size, region, os, self._usable)
        if base is None:
            return None
        note = f"estimated: pay-as-you-go less {terms.discount_low:.1%}, as observed elsewhere ({terms.source})"
        return replace(
            base,
            price_model=model,
            compute=base.compute * (1 - terms.discount_low),
            licence=payg.licence,
            estimated=True,
            note=note,
        )

    def _spot(self, size: str, region: str, os: Os, as_of: date) -> Quote | None:
        facts = self.catalogue.sizes.get(size)
        terms = self.book.spot.get(facts.series) if facts else None
        row = self._row(size, region, "linux", "spot", self._usable)
        payg = self.quote(size, region, os, "payg", as_of)
        if row is None or payg is None or (terms is not None and terms.capable == "no"):
            return None
        note = "spot moves between this list price and pay-as-you-go; machines can be taken back at 30 s notice"
        listed = self._quoted(row, row.hourly_price, payg.licence, note=note, highest=payg.compute)
        quote = self._less(size, listed)
        return None if quote is None or quote.compute >= NO_SPOT_SAVING * payg.compute else quote

    def last_known(self, size: str, region: str, os: Os) -> Quote | None:
        """The newest pay-as-you-go price of a size in a region, however old: what it used to cost."""
        key = (size, region, os)
        if key not in self._last:
            self._last[key] = self._less(size, self._payg(*key, lambda price: price))
        return self._last[key]

    def from_other_regions(self, size: str, region: str, os: Os, as_of: date) -> Quote | None:
        """An estimate where the region has no price: price elsewhere x the median ratio of the sizes priced in both.

        Of several other regions the one that shares most sizes counts; ties by name. The ratio is that of list prices.
        """
        here = self._payg_by_region.get(region, {})
        best: tuple[int, str] | None = None
        for other, there in self._payg_by_region.items():
            shared = len(here.keys() & there.keys())
            known = shared and other != region and self.last_known(size, other, os) is not None
            if known and (best is None or (-shared, other) < best):
                best = (-shared, other)
        if best is None:
            return None
        there = self._payg_by_region[best[1]]
        ratio = median(here[name] / there[name] for name in here.keys() & there.keys())
        quote = self.last_known(size, best[1], os)
        if quote is None:
            return None
        note = f"estimated: price in {best[1]} x {ratio:.3f}, the median ratio of {-best[0]} sizes priced in both"
        less = quote.note if quote.own or quote.discount else ""
        return replace(quote, compute=quote.compute * ratio, estimated=True, note=_joined(note, less), highest=None)

    @cached_property
    def _payg_by_region(self) -> Mapping[str, Mapping[str, float]]:
        """Usable Linux pay-as-you-go prices by region and size."""
        table: dict[str, dict[str, float]] = {}
        for (size, region, os, model), price in self.book.prices.items():
            if os == "linux" and model == "payg" and self._usable(price):
                table.setdefault(region, {})[size] = price.hourly_price
        return table

    @cached_property
    def _listed(self) -> frozenset[tuple[str, str]]:
        oldest = self.book.as_of - timedelta(days=LISTED_DAYS)
        prices = chain(self.book.prices.values(), self.book.own.values())
        return frozenset((p.size, p.region) for p in prices if p.as_of >= oldest)

    def is_listed(self, size: str, region: str) -> bool:
        """True when a price of the last six months stands for the size in the region."""
        return (size, region) in self._listed

    @cached_property
    def _documented(self) -> frozenset[tuple[str, str]]:
        return frozenset((a.series, a.region) for a in self.catalogue.availability)

    def is_documented(self, size: Size, region: str) -> bool:
        """True when a document says that the size's series can be had in the region."""
        return (size.series, region) in self._documented

    def _quoted(
        self, price: Price, compute: float, licence: float | None, note: str = "", highest: float | None = None
    ) -> Quote:
        own = self._is_own(price)
        return Quote(
            price_model=price.price_model,
            compute=compute,
            licence=licence,
            as_of=price.as_of,
            source=price.source,
            note=_joined(self.book.own_note if own else "", note),
            highest=highest,
            own=own,
        )

    def models(self, interruptible: bool) -> tuple[PriceModel, ...]:
        """Price models an option may show, in a fixed order."""
        return ("payg", *(("spot",) if interruptible else ()), *COMMITMENTS)


def _sold(terms: CommitmentTerms | None, as_of: date, priced: bool) -> bool:
    """True when the commitment can be bought: a source says so, or prices it and none says otherwise."""
    sold = terms.sold_on(as_of) if terms else None
    return priced if sold is None else sold


def _joined(*notes: str) -> str:
    return "; ".join(filter(None, notes))
