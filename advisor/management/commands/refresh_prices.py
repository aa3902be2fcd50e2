"""`manage.py refresh_prices`: a new dated price book from the Azure Retail Prices API, checked, or nothing at all."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from threading import Event
from typing import Any, ClassVar

from django.conf import settings
from django.core.management.base import CommandParser
from django.utils import timezone

from advisor import store, store_books
from advisor.engine.catalogue import Catalogue
from advisor.engine.prices import PriceBook
from advisor.engine.retail.changes import changes_json
from advisor.engine.retail.refresh import Ask, Refreshed, refresh
from advisor.management.commands._base import EngineCommand, Error
from advisor.management.commands._progress import ProgressPrinter
from advisor.retail_client import RETAIL_PRICES_URL, RetailClient, Unreachable, base_url
from advisor.retail_fetch import KeptRegions, fetch_regions, pause

with suppress(ImportError):  # Windows has no fcntl; there nobody keeps two refreshes apart
    import fcntl

SHOWN = 10  # changes, warnings and errors that are printed; /prices/ shows more


class Command(EngineCommand):
    help = "Reads prices from the Azure Retail Prices API into a new price book; changes nothing unless all is well."
    wrong_arguments: ClassVar = (*EngineCommand.wrong_arguments, store_books.CannotRemove)

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--currency", type=currency, default=store.DEFAULT_CURRENCY, metavar="CODE")
        parser.add_argument("--regions", nargs="+", metavar="REGION", help="only these; default: all of the catalogue")
        parser.add_argument(
            "--leave-out", nargs="+", default=[], metavar="SIZE", help="do not read these; their last prices stay"
        )
        parser.add_argument("--dry-run", action="store_true", help="read, check and compare; store nothing")
        parser.add_argument("--url", type=address, default=RETAIL_PRICES_URL, help="another address of the API")
        parser.add_argument("--remove", metavar="NAME", help="remove a refreshed book instead; the one before is used")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["remove"]:
            store_books.remove(options["remove"])
            if options["json"]:
                self.print_json({"schema": "refresh/1", "removed": options["remove"]})
            else:
                self.stdout.write(f"{options['remove']} is removed; {store.price_book().name} is in use.")
            return
        with only_one():
            self.refresh(options)

    def refresh(self, options: dict[str, Any]) -> None:
        """Fetch, check, compare, publish; each later step only when the one before went well."""
        day, code = timezone.now().date(), options["currency"]
        catalogue, last = store.catalogue(), store_books.last_book(code)
        if last and last.as_of > day:
            raise Error(f"The last price book, {last.name}, is of {last.as_of}, and today is {day}: check the clock.")
        regions = self.regions(options["regions"], catalogue)
        leave_out = frozenset(self.size(name, catalogue) for name in options["leave_out"])
        stop = Event()
        client = RetailClient(options["url"], wait=pause(stop))
        what = {"schema": "kept-regions/1", "day": day.isoformat(), "asked": client.first_url("REGION", code)}
        kept = KeptRegions(Path(settings.VAR_DIR) / "refresh" / f"{code.lower()}.jsonl", what)
        self.fetch(client, regions, code, kept, last, stop)

        ask = Ask(
            name=store_books.free_name(code, day), day=day, currency=code, source=options["url"], leave_out=leave_out
        )
        lists = {region: kept.lists[region] for region in regions}
        found = refresh(lists, ask, catalogue, store_books.terms_book(), last)
        publish = not found.errors and not options["dry_run"]
        if publish:
            store_books.publish(found)
            kept.forget()
        self.show(found, last, published=publish, as_json=options["json"])
        if found.errors:
            kept.drop({error.region for error in found.errors})
            raise Error(stopped_by(found, last))

    def fetch(
        self,
        client: RetailClient,
        regions: Collection[str],
        code: str,
        kept: KeptRegions,
        last: PriceBook | None,
        stop: Event,
    ) -> None:
        """All regions into `kept`; raises Error, which says what stays, when one is missing."""
        printer = ProgressPrinter(self.stderr)
        try:
            failed = fetch_regions(client, regions, code, kept, printer, stop)
        except Unreachable as error:
            raise Error(f"{error}. {stays(last, code)}") from error
        except KeyboardInterrupt:
            raise Error(f"Stopped. {go_on(regions, kept)} {stays(last, code)}") from None
        finally:
            printer.close()
        if failed:
            first = "; ".join(f"{region}: {why}" for region, why in sorted(failed.items()))
            raise Error(f"{first}. {go_on(regions, kept)} {stays(last, code)}")

    def regions(self, names: list[str] | None, catalogue: Catalogue) -> list[str]:
        """Regions to read, in order; raises the error of a wrong argument for one that is not known."""
        if names is None:
            return sorted(catalogue.regions)
        found = set()
        for name in names:
            region = catalogue.canonical_region(name)
            if region is None:
                near = ", ".join(catalogue.nearest_regions(name)) or "none"
                raise self.refuse(f"{name!r} is not a region of Azure that the catalogue knows; near: {near}")
            found.add(region)
        return sorted(found)

    def size(self, name: str, catalogue: Catalogue) -> str:
        """The canonical size; raises the error of a wrong argument for one that is not known."""
        size = catalogue.canonical_size(name)
        if size is None:
            near = ", ".join(catalogue.nearest_sizes(name)) or "none"
            raise self.refuse(f"{name!r} is not a known size; near: {near}")
        return size

    def show(self, found: Refreshed, last: PriceBook | None, *, published: bool, as_json: bool) -> None:
        """The new book, its findings and the changes."""
        if as_json:
            self.print_json(answer(found, last, published=published))
            return
        book = found.book
        older = len(book.prices) - found.read
        self.stdout.write(f"{book.name}: {found.read} prices in {book.currency} from {found.regions} regions.")
        if older:
            self.stdout.write(f"{older} older prices stay with their days.")
        self.show_changes(found)
        if found.findings:
            self.stdout.write(f"Checks (amounts in {book.currency} per VM-hour):")
        for words, findings in (("error", found.errors), ("warning", found.warnings)):
            for finding in findings[:SHOWN]:
                where = " in ".join(part for part in (finding.size, finding.region) if part)
                self.stdout.write(f"{words}: {where + ': ' if where else ''}{finding.message}")
            if len(findings) > SHOWN:
                self.stdout.write(f"{words}: and {len(findings) - SHOWN} more")
        if published:
            default = book.currency == store.DEFAULT_CURRENCY
            use = "it is in use from now on" if default else f"ask for it with --price-book {book.name}"
            self.stdout.write(f"Stored: {use}. The page /prices/ shows it.")
        elif not found.errors:
            self.stdout.write("Dry run: nothing was stored.")

    def show_changes(self, found: Refreshed) -> None:
        """Counts, and the largest changes as a table."""
        changes = found.changes
        if changes is None:
            self.stdout.write(f"It is the first price book in {found.book.currency}.")
            return
        counts = f"{len(changes.added)} new, {len(changes.gone)} not listed any more, {len(changes.changed)} changed"
        self.stdout.write(f"Against {changes.against}: {counts}, {changes.same} the same.")
        largest = changes.changed[:SHOWN]
        if largest:
            rows = [
                (c.size, c.region, c.os, c.price_model, f"{c.before:.4f}", f"{c.after:.4f}", f"{c.percent:+.1f} %")
                for c in largest
            ]
            currency = found.book.currency
            header = ("SIZE", "REGION", "SYSTEM", "MODEL", f"{currency}/H BEFORE", f"{currency}/H NOW", "CHANGE")
            self.print_table(header, rows)


def currency(text: str) -> str:
    if not (len(text) == 3 and text.isascii() and text.isalpha()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a currency code of three letters, for example EUR")
    return text.upper()


def address(text: str) -> str:
    try:
        return base_url(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


@contextmanager
def only_one() -> Iterator[None]:
    """Two refreshes at once would share a file; the second is refused."""
    directory = Path(settings.VAR_DIR) / "refresh"
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "lock").open("w") as lock:
        if "fcntl" in globals():
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Error("Prices are being refreshed already; wait until that is done.") from None
        yield


def stays(last: PriceBook | None, code: str) -> str:
    """What is in use after nothing was stored."""
    if last is None:
        return f"Nothing was stored; there is no price book in {code} yet."
    return f"Nothing was stored: price book {last.name} of {last.as_of} stays in use."


def go_on(regions: Collection[str], kept: KeptRegions) -> str:
    """How much need not be read again."""
    done = sum(region in kept.lists for region in regions)
    return f"{done} of {len(regions)} regions are kept; the same command reads the rest today."


def stopped_by(found: Refreshed, last: PriceBook | None) -> str:
    """Why the book was not stored, by its first error, and what can be done."""
    first = found.errors[0]
    where = " in ".join(part for part in (first.size, first.region) if part)
    more = f" (and {len(found.errors) - 1} more)" if len(found.errors) > 1 else ""
    help_ = "Run it again to read those regions anew; if it stays so, name the sizes with --leave-out."
    return f"{where + ': ' if where else ''}{first.message}{more}. {stays(last, found.book.currency)} {help_}"


def answer(found: Refreshed, last: PriceBook | None, *, published: bool) -> dict[str, Any]:
    """The JSON of the command."""
    return {
        "schema": "refresh/1",
        "book": found.book.name,
        "currency": found.book.currency,
        "as_of": found.book.as_of,
        "published": published,
        "last": last.name if last else None,
        "rows": len(found.book.prices),
        "read": found.read,
        "regions": found.regions,
        "changes": changes_json(found.changes) if found.changes else None,
        "findings": [asdict(finding) for finding in found.findings],
    }
