"""`nvidia-smi -q -x`: one document per moment, several one after the other with -l."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from advisor.engine.readers.head import Head
from advisor.engine.readers.problems import shown
from advisor.engine.readers.reading import Reading
from advisor.engine.readers.utilisation.figures import NotAFigure, figure, moment
from advisor.engine.readers.utilisation.samples import BadSample, Sample, Samples, numbered_lines

NAME = "nvidia-smi-xml"
_ROOT, _END = "<nvidia_smi_log>", "</nvidia_smi_log>"
DOCUMENT_CHARACTERS = 8 << 20  # of one moment; 16 GPUs have some hundred thousand
#: Where each figure stands below <gpu>, newest layout first.
_FIGURES = {
    "busy": ("utilization/gpu_util",),
    "used_mib": ("fb_memory_usage/used", "memory_usage/used"),
    "total_mib": ("fb_memory_usage/total", "memory_usage/total"),
    "power_w": ("gpu_power_readings/power_draw", "gpu_power_readings/average_power_draw", "power_readings/power_draw"),
}


def recognises(head: Head) -> bool:
    """The root element of the log near the top."""
    return _ROOT in head.text[:20_000]


def read(head: Head) -> Reading:
    """A sample per GPU and document."""
    samples = Samples(head)
    for line, text in _documents(head):
        try:
            document = fromstring(text)
        except (ParseError, DefusedXmlException, ValueError):
            samples.refuse(line, BadSample("", _ROOT, "begins a document that is broken or cut short"))
            continue
        when = moment(" ".join((document.findtext("timestamp") or "").split()))
        for place, gpu in enumerate(document.iterfind("gpu")):
            try:
                sample = _sample(gpu, place)
                sample.when = when
                samples.add(line, sample)
            except BadSample as error:
                samples.refuse(line, error)
    return samples.reading(NAME)


def _sample(gpu: Element, place: int) -> Sample:
    figures: dict[str, float | None] = {}
    for name, paths in _FIGURES.items():
        text = next((text for path in paths if (text := gpu.findtext(path)) is not None), "")
        try:
            figures[name] = figure(text)
        except NotAFigure:
            raise BadSample(paths[0], shown(text), "is no figure; a number or N/A is") from None
    number = (gpu.findtext("minor_number") or "").strip()
    return Sample(
        gpu=number if number.isdecimal() else str(place),
        name=(gpu.findtext("product_name") or "").strip() or None,
        uuid=(gpu.findtext("uuid") or "").strip() or None,
        busy=figures["busy"],
        used_mib=figures["used_mib"],
        total_mib=figures["total_mib"],
        power_w=figures["power_w"],
    )


def _documents(head: Head) -> Iterator[tuple[int, str]]:
    """The text of each document from its root on, with the line on which it begins. No DTD is looked at."""
    lines: list[str] = []
    start = size = 0
    for number, line in numbered_lines(head):
        if _ROOT in line:
            if lines:
                yield start, "\n".join(lines)
            start, size = number, 0
            lines = [line[line.index(_ROOT) :]]
        elif lines and size < DOCUMENT_CHARACTERS:
            size += len(line)
            lines.append(line)
        if lines and _END in line:
            lines[-1] = lines[-1][: lines[-1].index(_END) + len(_END)] if _END in lines[-1] else lines[-1]
            yield start, "\n".join(lines)
            lines = []
    if lines:
        yield start, "\n".join(lines)
