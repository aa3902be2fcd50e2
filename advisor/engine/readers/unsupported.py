"""Formats that are known by their header and not read yet: each is named, with what to use instead now."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from advisor.engine.catalogue import Catalogue, squash
from advisor.engine.readers.head import PREAMBLE_LINES, Head
from advisor.engine.readers.jsontext import pick
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.refusals import LIST_COMMAND, LIST_INSTEAD, refuse
from advisor.engine.readers.rows import Options
from advisor.engine.readers.text import guess_delimiter, header_keys
from advisor.engine.readers.words import field_of

NAME = "unsupported"


@dataclass(frozen=True, slots=True)
class Signature:
    """A format, what it looks like, and what is said about it."""

    name: str
    fits: Callable[[Head], bool]
    message: str
    kind: str = "unsupported_format"


def _columns(*all_of: str, any_of: tuple[str, ...] = (), none_of: tuple[str, ...] = ()) -> Callable[[Head], bool]:
    """Fits delimited text that has all of the columns, one of `any_of` if given, and none of `none_of`."""

    def fits(head: Head) -> bool:
        keys = head.table.keys if head.table else frozenset()
        return keys.issuperset(all_of) and (not any_of or not keys.isdisjoint(any_of)) and keys.isdisjoint(none_of)

    return fits


def _json(*all_of: str, any_of: tuple[str, ...] = ()) -> Callable[[Head], bool]:
    """Fits JSON whose first element has all of the keys and one of `any_of` if given."""

    def fits(head: Head) -> bool:
        first = next(iter(head.items), None)
        return (
            isinstance(first, dict)
            and all(pick(first, key) is not None for key in all_of)
            and (not any_of or any(pick(first, key) is not None for key in any_of))
        )

    return fits


def _says(pattern: str) -> Callable[[Head], bool]:
    expression = re.compile(pattern, re.MULTILINE)
    return lambda head: bool(expression.search(head.text[:50_000]))


def _has_type_names(head: Head) -> bool:
    """Cells such as `Microsoft.Azure.Management.Compute.Models.HardwareProfile`."""
    rows = head.table.sample[:20] if head.table else ()
    return any(cell.startswith(("Microsoft.Azure.", "System.Collections.Generic.")) for row in rows for cell in row)


def _is_price_sheet(head: Head) -> bool:
    """A line near the top names a meter's unit and its price; older sheets have a title above it."""
    for line in head.text.split("\n", PREAMBLE_LINES)[:PREAMBLE_LINES]:
        keys = {key for cell in line[:5_000].split(guess_delimiter(line[:5_000])) for key in header_keys(cell)}
        if keys >= {"meterid", "unitofmeasure"} and not keys.isdisjoint({"unitprice", "retailprice"}):
            return True
    return False


def _is_price_list(head: Head) -> bool:
    """A price per hour beside size and region, and nothing that a list of machines has."""
    header = head.table.header if head.table else ()
    fields = {field_of(name) for name in header} - {None}
    priced = any(squash(name) in _HOURLY_PRICES for name in header)
    return priced and {"size", "region"} <= fields <= {"size", "region", "os", "price_model", "currency"}


_HOURLY_PRICES = frozenset({"hourlyprice", "priceperhour", "pricehour", "hourlyrate", "rateperhour"})


SIGNATURES: tuple[Signature, ...] = (
    Signature(
        "price-sheet",
        lambda head: _is_price_sheet(head) or _is_price_list(head),
        "This is a price sheet: it has prices, no machines. Hand in your machines, and give this file on the page "
        "“Prices” of their fleet (on the command line: --price-sheet FILE).",
        "prices_not_fleet",
    ),
    Signature(
        "advisor-recommendations",
        _columns("businessimpact", "recommendation"),
        "This is a list of Azure Advisor recommendations: it has neither sizes nor regions, so it tells of no machine.",
    ),
    Signature(
        "rvtools",
        _columns("vm", "powerstate", "template"),
        "This is an RVTools list of VMware machines: they have no Azure size. Make an Azure Migrate assessment "
        "of them and hand in its export (All_Assessed_Machines), which is read here.",
    ),
    Signature(
        "get-azvm-csv",
        _has_type_names,
        "The file has names of .NET types instead of sizes, because Export-Csv cannot write nested properties. Run "
        "`Get-AzVM -Status | Select-Object Name, ResourceGroupName, Location, PowerState, "
        "@{n='VmSize';e={$_.HardwareProfile.VmSize}} | Export-Csv vms.csv -NoTypeInformation -Encoding utf8`.",
        "no_size_column",
    ),
    Signature(
        "markup",
        lambda head: head.text.lstrip()[:1] == "<",
        "This is a web page or XML, perhaps saved as .xls. Open it in a spreadsheet and save it as “CSV UTF-8”.",
    ),
)


def find_signature(head: Head) -> Signature | None:
    """The first signature that fits, None when none does."""
    return next((signature for signature in SIGNATURES if signature.fits(head)), None)


def recognises(head: Head) -> bool:
    """A header that belongs to a format of the list above."""
    return find_signature(head) is not None


def read(head: Head, _catalogue: Catalogue, _options: Options) -> Reading:
    """A refusal that names the format; the records of delimited text are error rows."""
    found = find_signature(head)
    name, kind = (found.name, found.kind) if found else (NAME, "unsupported_format")
    message = found.message if found else ""
    ending = "" if LIST_COMMAND in message or kind == "no_size_column" else f" {LIST_INSTEAD}"
    return refuse(head.name, name, kind, message + ending, head=head)
