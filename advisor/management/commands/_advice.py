"""The options that every command about a fleet shares, and the request that they make."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from advisor.engine.catalogue import Catalogue
from advisor.engine.contrast.named import size_named
from advisor.engine.prices import PRICE_MODELS
from advisor.engine.ranking import STRATEGIES
from advisor.engine.readers.layout import READ_FIELDS
from advisor.engine.readers.mapping import ColumnMapping
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.together import together
from advisor.engine.readers.words import field_of
from advisor.engine.request import AdviceRequest
from advisor.engine.speed_work import RUNTIMES
from advisor.engine.vm_facts import NAMES, BadFact, facts_of, read_fact
from advisor.engine.workload import (
    KINDS,
    NETWORKS,
    PATTERNS,
    PRECISIONS,
    SHAPES,
    BadProfile,
    ProfileFields,
    ProfileRule,
    profile_rules,
)
from advisor.management.commands._base import (
    Error,
    measured_ratio,
    measured_ratios,
    number,
    parse_day,
    positive,
    wrong_argument,
)
from advisor.management.commands._commitments import add_commitment_argument, held_of
from advisor.management.commands._folders import add_dask_argument, read_paths
from advisor.management.commands._prices import add_price_arguments, discounts_of
from advisor.management.commands._utilisation import add_host_argument, hosts_of


def add_reading_arguments(parser: CommandParser, files: str = "+") -> None:
    """FILE... and how to read it."""
    parser.add_argument(
        "files",
        nargs=files,
        metavar="FILE",
        help="portal export, az vm list, a list of your own, or the folder of a cost export",
    )
    parser.add_argument("--hours", choices=("per-vm", "per-row"), help="how to read an hours column")
    parser.add_argument("--region", metavar="REGION", help="region of rows that have none")
    add_dask_argument(parser)
    parser.add_argument(
        "--map",
        type=matched,
        action="append",
        default=[],
        metavar="FIELD=COLUMN",
        help="which column holds what, for example size='VM type'; FIELD= for a field that has none",
    )
    parser.add_argument("--header-line", type=whole, metavar="N", help="line of the column names; 0: there are none")
    parser.add_argument("--sheet", metavar="NAME", help="read only this sheet of a workbook, or this file of a zip")


def add_advice_arguments(parser: CommandParser) -> None:
    """What the machines do, and how to rank."""
    work = parser.add_argument_group("what the machines do (a row's column and --profiles go before)")
    work.add_argument("--workload", choices=KINDS)
    work.add_argument("--pattern", choices=PATTERNS)
    work.add_argument("--shape", choices=SHAPES)
    work.add_argument("--precision", choices=PRECISIONS)
    work.add_argument("--gpu-memory", type=positive, metavar="GIB", help="needed per GPU")
    work.add_argument("--utilisation", type=percent, metavar="PERCENT", help="GPUs in use at peak")
    work.add_argument("--multi-node", action=argparse.BooleanOptionalAction)
    work.add_argument("--job-gpus", type=positive, metavar="N", help="GPUs of today that work as one")
    work.add_argument("--interruptible", action=argparse.BooleanOptionalAction)
    work.add_argument("--min-vms", type=positive, metavar="N")
    work.add_argument("--network", choices=NETWORKS, help="of training and inference; not said: the mean of all")
    work.add_argument(
        "--batch", type=positive, metavar="N", help="items per request of inference, sequences at once of an LLM"
    )
    work.add_argument("--runtime", choices=RUNTIMES, help="of inference: a compiled engine, or a framework")
    work.add_argument(
        "--fact",
        type=fact,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"of the machines: {', '.join(NAMES)}",
    )
    work.add_argument("--profiles", metavar="FILE.json", help="rules in order, first match counts")
    rank = parser.add_argument_group("how to rank")
    rank.add_argument("--target-region", default="own", metavar="REGION|geography|any")
    rank.add_argument("--as-of", type=parse_day, metavar="DATE", help="default: today")
    rank.add_argument("--horizon", type=months, default=36, metavar="MONTHS")
    rank.add_argument("--price-model", choices=PRICE_MODELS, default="payg", help="basis of ranking")
    rank.add_argument("--strategy", choices=STRATEGIES, default="lowest_cost")
    rank.add_argument("--measured", type=measured_ratio, action="append", default=[], metavar="FROM:TO=RATIO")
    rank.add_argument("--measured-file", type=Path, metavar="CSV", help="your own ratios: columns from, to, ratio")
    rank.add_argument("--include", action="append", default=[], metavar="SIZE", help="rank this special size too")
    rank.add_argument("--against", action="append", default=[], metavar="SIZE", help="say why not this size")
    rank.add_argument("--assume", type=assumption, action="append", default=[], metavar="NAME=VALUE")
    rank.add_argument("--discount-rate", type=rate_percent, metavar="PERCENT")
    rank.add_argument("--top", type=whole, default=12, metavar="N", help="options in full per pool; 0: all")
    add_price_arguments(parser)
    add_commitment_argument(parser)
    add_host_argument(parser)


def percent(text: str) -> float:
    """A percentage as a share above 0."""
    value = number(text.removesuffix("%"))
    if not 0 < value <= 100:
        raise argparse.ArgumentTypeError(f"{text} must be above 0 and at most 100 percent")
    return value / 100


def rate_percent(text: str) -> float:
    value = number(text.removesuffix("%"))
    if not 0 <= value <= 50:
        raise argparse.ArgumentTypeError(f"{text} must be 0 to 50 percent")
    return value


def whole(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def months(text: str) -> int:
    value = whole(text)
    if not 1 <= value <= 120:
        raise argparse.ArgumentTypeError(f"{text} must be 1 to 120 months")
    return value


def assumption(text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE, for example labour_rate=120")
    return name.strip(), number(value)


def fact(text: str) -> tuple[str, str]:
    """NAME=VALUE of a fact of the machines, for argparse."""
    name, equals, value = (part.strip() for part in text.partition("="))
    try:
        if not equals:
            raise BadFact(f"{text!r} is not NAME=VALUE, for example generation=2")
        read_fact(name, value)
    except BadFact as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return name, value


def matched(text: str) -> tuple[str, str]:
    """FIELD=COLUMN of a list, for argparse; a field may be written as any name of its column."""
    name, equals, column = (part.strip() for part in text.partition("="))
    field = name if name in READ_FIELDS else field_of(name)
    if not equals or field not in READ_FIELDS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not FIELD=COLUMN, for example size='VM type'; fields are {', '.join(sorted(READ_FIELDS))}"
        )
    return field, column


def mapping_from(options: dict[str, Any]) -> ColumnMapping | None:
    """The columns that the options name, None where they name none."""
    columns = dict(options["map"])
    if len(columns) < len(options["map"]):
        raise wrong_argument("--map names a field twice; name one column for each")
    if not columns and options["header_line"] is None and options["sheet"] is None:
        return None
    return ColumnMapping(columns=columns, header_line=options["header_line"], sheet=options["sheet"])


def read_fleets(options: dict[str, Any], catalogue: Catalogue) -> list[Reading]:
    """The files as one fleet, in which every machine counts once; raises Error as `read_files` does."""
    return together(read_files(options, catalogue))


def read_files(options: dict[str, Any], catalogue: Catalogue) -> list[Reading]:
    """Every file by itself; raises Error for a file that cannot be opened, or an argument that cannot be meant."""
    region = options["region"]
    if region is not None:
        region = _region(region, catalogue)
    how = {"hours": options["hours"], "default_region": region, "mapping": mapping_from(options)}
    return read_paths(options["files"], catalogue, how, options["dask"])


def _region(text: str, catalogue: Catalogue) -> str:
    name = catalogue.canonical_region(text)
    if name is None:
        near = ", ".join(catalogue.nearest_regions(text)) or "none"
        raise wrong_argument(f"{text!r} is not a region of Azure that the catalogue knows; near: {near}")
    return name


def _size(text: str, catalogue: Catalogue) -> str:
    name = catalogue.canonical_size(text)
    if name is None:
        near = ", ".join(catalogue.nearest_sizes(text)) or "none"
        raise wrong_argument(f"{text!r} is not a known size; near: {near}")
    return name


def make_request(options: dict[str, Any], catalogue: Catalogue) -> AdviceRequest:
    """The request that the options make; raises what names the argument, or the rule, that cannot be used."""
    target = options["target_region"]
    if target not in ("own", "geography", "any"):
        target = _region(target, catalogue)
    assume = list(options["assume"])
    if options["discount_rate"] is not None:
        assume.append(("discount_rate", options["discount_rate"]))
    measured = measured_ratios(options, catalogue)
    try:
        request = AdviceRequest(
            as_of=options["as_of"] or timezone.now().date(),
            horizon_months=options["horizon"],
            price_model=options["price_model"],
            strategy=options["strategy"],
            target_region=target,
            profile=_profile(options),
            rules=_rules(options["profiles"]),
            facts=facts_of(dict(options["fact"])),
            measured=measured,
            assume=tuple(assume),
            rates=tuple(options["fx"]),
            currency=options["currency"],
            discounts=discounts_of(options, catalogue),
            held=held_of(options, catalogue),
            hosts=hosts_of(options),
            include=tuple(_size(text, catalogue) for text in options["include"]),
            against=tuple(dict.fromkeys(size_named(catalogue, text) for text in options["against"])),
            top=options["top"],
        )
    except BadProfile as error:
        raise Error(str(error)) from error
    request.assumptions()  # names what cannot be assumed before any file is read
    return request


def _profile(options: dict[str, Any]) -> ProfileFields:
    return ProfileFields(
        workload=options["workload"],
        pattern=options["pattern"],
        shape=options["shape"],
        precision=options["precision"],
        gpu_memory_gib=options["gpu_memory"],
        utilisation=options["utilisation"],
        multi_node=options["multi_node"],
        job_gpus=options["job_gpus"],
        interruptible=options["interruptible"],
        min_vms=options["min_vms"],
        network=options["network"],
        batch=options["batch"],
        runtime=options["runtime"],
    )


def _rules(path: str | None) -> tuple[ProfileRule, ...]:
    if path is None:
        return ()
    try:
        return profile_rules(json.loads(Path(path).read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise Error(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise Error(f"{path}: {error}") from error
