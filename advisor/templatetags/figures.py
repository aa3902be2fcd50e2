"""How figures look: rounding happens here and not before. Unknown is a word, never 0 and never blank."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from advisor.engine import chances
from advisor.engine.answer import Option

register = template.Library()

MINUS = "\u2212"
UNKNOWN = SafeString('<span class="doubt">unknown</span>')
PRICE_MODELS = {
    "payg": "Pay as you go",
    "spot": "Spot",
    "ri_1y": "Reservation, 1 year",
    "ri_3y": "Reservation, 3 years",
    "sp_1y": "Savings plan, 1 year",
    "sp_3y": "Savings plan, 3 years",
}
VERDICTS = ("stay", "resize", "redeploy", "rebuild", "port")
VERDICT_WORDS = {
    "stay": "Stay",
    "resize": "Resize in place",
    "redeploy": "Redeploy",
    "rebuild": "Rebuild the image",
    "port": "Port the code",
}


def number(value: Any, digits: int) -> str:
    """Thousands separated, a real minus sign."""
    return f"{value:,.{digits}f}".replace("-", MINUS)


@register.filter
def money(value: Any) -> str:
    """An amount rounded to 1; its currency stands beside it or in the heading."""
    return UNKNOWN if value is None else number(round(value) + 0.0, 0)


@register.filter
def change(value: Any) -> str:
    """A change with its sign; 0 has none."""
    if value is None:
        return UNKNOWN
    rounded = round(value)
    return ("+" if rounded > 0 else "") + number(rounded, 0)


@register.filter
def hourly(value: Any) -> str:
    """A price per hour to 0.001."""
    return UNKNOWN if value is None else number(value, 3)


@register.filter
def speed(value: Any) -> str:
    """A speed-up to 0.1, to 0.01 below 1."""
    return UNKNOWN if value is None else number(value, 1 if value >= 1 else 2)


@register.filter
def log_error(value: Any) -> str:
    """An error of the speed model on the log scale, to 0.01."""
    return UNKNOWN if value is None else number(value, 2)


@register.filter
def count(value: Any) -> str:
    """Hours, machines, GiB: whole where they are whole, else one digit."""
    if value is None:
        return UNKNOWN
    return number(value, 0 if abs(value - round(value)) < 0.05 or abs(value) >= 100 else 1)


FRACTIONS = {2: "½", 3: "⅓", 4: "¼", 6: "⅙", 8: "⅛"}


@register.filter
def gpus(value: Any) -> str:
    """A count of GPUs; a part of a card as a fraction."""
    if value is None:
        return UNKNOWN
    parts = round(1 / value)
    return FRACTIONS[parts] if value < 1 and parts in FRACTIONS and abs(value * parts - 1) < 1e-6 else count(value)


@register.filter
def share(value: Any) -> str:
    """A share of 0 to 1 in percent."""
    return UNKNOWN if value is None else percent(100 * value)


@register.filter
def cases(value: Any) -> str:
    """A share of the simulated cases as a number of 100."""
    return UNKNOWN if value is None else chances.cases(value)


@register.filter
def figure(value: Any) -> str:
    """A data-sheet figure as it stands there: no digit more, none less."""
    return UNKNOWN if value is None else f"{value:,.10g}".replace("-", MINUS)


@register.filter
def as_set(value: Any, unit: str) -> str:
    """An assumption as it was set, without its unit: no digit more, none less; a switch in words."""
    if value is None or unit != "switch":
        return figure(value)
    return "on" if value >= 0.5 else "off"


@register.filter
def percent(value: Any) -> str:
    return UNKNOWN if value is None else f"{number(value, 0)} %"


@register.filter
def percent_change(value: Any) -> str:
    """A change in percent of what was before, with its sign, to 0.1."""
    return UNKNOWN if value is None else f"{'+' if value > 0 else ''}{number(value, 1)} %"


@register.filter
def short(size: str) -> str:
    """A size without Standard_, for tables whose caption says so."""
    return size.removeprefix("Standard_")


@register.filter
def price_model(code: str) -> str:
    return PRICE_MODELS.get(code, code)


@register.filter
def day(value: Any) -> str:
    """An ISO date that does not break; the word unknown without one."""
    if value is None:
        return UNKNOWN
    text = value.isoformat() if isinstance(value, date) else str(value)
    return format_html('<span class="nw">{}</span>', text)


@register.filter
def or_unknown(value: Any) -> Any:
    """The value, or the word unknown for None."""
    return UNKNOWN if value is None else value


@register.simple_tag
def verdict(code: str | None, option: Option | None = None) -> SafeString:
    """What the move takes: a bar that counts the effort, and the word.

    With its option also the verdict that an unknown fact may ask for.
    """
    if code is None:
        return SafeString('<span class="verdict vx">Cannot rank yet</span>')
    word = format_html('<span class="verdict v{}">{}</span>', VERDICTS.index(code), VERDICT_WORDS[code])
    if option is None or not option.heavier:
        return word
    return format_html('{} <span class="doubt">or {}</span>', word, option.heavier[0].verdict)


@register.simple_tag
def grades(value: Any) -> SafeString:
    """The letters in fixed order, with their names for screen readers."""
    names = ("data", "performance", "price", "capacity", "move")
    parts = [(name, letter) for name in names if (letter := getattr(value, name))]
    items = [
        format_html('<li class="g {}"><span class="vh">{} </span>{}</li>', letter.lower(), name, letter)
        for name, letter in parts
    ]
    return format_html('<ul class="grades">{}</ul>', SafeString("".join(items)))
