"""The prices of a fleet: a price sheet handed in, discounts typed as rows, a list, a currency and its rates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from advisor.engine.catalogue import Catalogue
from advisor.engine.currencies import ExchangeRate
from advisor.engine.discounts import BadDiscount, Discount, checked, series_named
from advisor.engine.prices import PRICE_MODELS, PriceModel
from advisor.templatetags.figures import PRICE_MODELS as PRICE_MODEL_WORDS

LINES_MAX_CHARACTERS = 1_000_000
ROWS_SHOWN = 3
ROWS_MAX = 50
RATES_SHOWN = 2
RATES_MAX = 10
#: Suggested where a currency is typed; any code of three letters is taken.
CURRENCIES = ("USD", "EUR", "GBP", "KRW", "JPY", "CHF", "CAD", "AUD", "INR", "BRL", "SEK", "NOK", "DKK", "PLN", "TWD")


class CurrencyField(forms.CharField):
    """A currency code of three letters, in capitals; None where it is empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, max_length=10, **options)

    def clean(self, value: Any) -> Any:
        code = str(super().clean(value)).upper()
        if code and not (len(code) == 3 and code.isascii() and code.isalpha()):
            raise forms.ValidationError(f"“{code}” is no currency code of three letters, such as EUR.")
        return code or None


class DayField(forms.DateField):
    """A day, written in ISO 8601."""

    def __init__(self, **options: Any) -> None:
        messages = {"invalid": "Write a day as 2026-11-30."}
        super().__init__(required=False, input_formats=["%Y-%m-%d"], error_messages=messages, **options)


class NumberField(forms.CharField):
    """A number above 0 as people write it: 12.5, 12,5 or 12.5 %; None where it is empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, max_length=30, **options)

    def clean(self, value: Any) -> Any:
        text = str(super().clean(value)).removesuffix("%").strip()
        if not text:
            return None
        try:
            number = float(text.replace(",", ".") if text.count(",") == 1 and "." not in text else text)
        except ValueError:
            number = -1.0
        if not 0 < number < float("inf"):
            raise forms.ValidationError(f"“{text[:30]}” is no number above 0.")
        return number


class SaidForm(forms.Form):
    """What a price sheet may not say itself."""

    currency = CurrencyField(label="Currency, if the sheet does not say it")
    as_of = DayField(label="Day of its prices, if the sheet does not say it")

    def said(self) -> dict[str, Any]:
        return {"currency": self.cleaned_data["currency"], "as_of": self.cleaned_data["as_of"]}


class SheetForm(SaidForm):
    """A price sheet as a file."""

    file = forms.FileField(
        label="Price sheet",
        allow_empty_file=True,
        max_length=500,
        error_messages={"required": "No file came with the form. Choose a file, or drop one here.",
                        "invalid": "No file came with the form. Choose a file, or drop one here."},
    )  # fmt: skip

    def clean_file(self) -> UploadedFile[Any]:
        upload: UploadedFile[Any] = self.cleaned_data["file"]
        limit = settings.UPLOAD_LIMIT_BYTES
        if (upload.size or 0) > limit:
            message = f"{upload.name} is larger than {limit // 2**20} MiB, the most that is read here."
            raise forms.ValidationError(message)
        return upload


class SheetLinesForm(SaidForm):
    """A price list as pasted text."""

    lines = forms.CharField(
        label="Or paste lines with column names: size, region, os, price_model, hourly_price, currency, as_of",
        strip=False,
        max_length=LINES_MAX_CHARACTERS,
        widget=forms.Textarea,
        error_messages={
            "required": "Paste column names and at least one line.",
            "max_length": "That is more than a page takes. Save it as a file and choose the file.",
        },
    )


class DiscountRow(forms.Form):
    """One discount; an empty row says nothing."""

    series = forms.CharField(required=False, max_length=60, label="Series")
    percent = NumberField(label="Percent off")
    models = forms.MultipleChoiceField(
        required=False, label="Price models", choices=[(code, PRICE_MODEL_WORDS[code]) for code in PRICE_MODELS]
    )

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        series, percent = values.get("series"), values.get("percent")
        if series and percent is None and "percent" not in self.errors:
            self.add_error("percent", "Write how many percent, for example 12.")
        if not series and (percent is not None or values.get("models")):
            self.add_error("series", "Write a series such as NCasT4_v3, or * for every series.")
        return values


if TYPE_CHECKING:
    _Discounts = forms.BaseFormSet[DiscountRow]
    _Rates = forms.BaseFormSet["RateRow"]
else:
    _Discounts = _Rates = forms.BaseFormSet


class BaseDiscounts(_Discounts):
    """All discounts of a fleet."""

    def discounts(self, catalogue: Catalogue) -> tuple[Discount, ...] | None:
        """The rows as discounts; None when one cannot be used, and then it says so itself."""
        rules: list[Discount] = []
        for form in self.forms:
            values = form.cleaned_data
            if not values.get("series"):
                continue
            chosen: list[PriceModel] = [model for model in PRICE_MODELS if model in values["models"]]
            models = () if len(chosen) == len(PRICE_MODELS) else tuple(chosen)
            try:
                series = series_named(values["series"], catalogue)
            except BadDiscount as error:
                form.add_error("series", f"{error}.")
                continue
            try:
                rules = [*checked([*rules, Discount(series=series, percent=values["percent"], price_models=models)])]
            except BadDiscount as error:
                form.add_error("percent", f"{error}.")
        return None if any(form.errors for form in self.forms) else tuple(rules)


class RateRow(forms.Form):
    """What one US dollar costs in a currency, on a day; an empty row says nothing."""

    code = CurrencyField(label="Currency")
    rate = NumberField(label="Units for one US dollar")
    day = DayField(label="On the day")

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("code") == "USD":
            self.add_error("code", "Rates are those of one US dollar: name the other currency.")
        missing = [name for name in self.fields if values.get(name) is None and name not in self.errors]
        if 0 < len(missing) < len(self.fields):
            for name in missing:
                self.add_error(name, {"code": "Which currency?", "rate": "Which rate?", "day": "Of which day?"}[name])
        return values


class BaseRates(_Rates):
    """The rates of a fleet."""

    def clean(self) -> None:
        codes = [code for form in self.forms if (code := form.cleaned_data.get("code"))]
        if twice := sorted({code for code in codes if codes.count(code) > 1}):
            raise forms.ValidationError(f"{twice[0]} has two rates. Give one.")

    def rates(self) -> tuple[ExchangeRate, ...]:
        """The rows as rates; only when all are valid."""
        return tuple(
            ExchangeRate(currency=values["code"], rate=values["rate"], as_of=values["day"])
            for form in self.forms
            if (values := form.cleaned_data).get("code")
        )


class MoneyForm(forms.Form):
    """Which list, and in which currency the answer is."""

    book = forms.ChoiceField(required=False, label="Price list")
    in_currency = CurrencyField(label="Currency of the answer")

    def __init__(self, books: Iterable[tuple[str, str]], data: Any = None, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        self.fields["book"] = forms.ChoiceField(
            required=False, label="Price list", choices=[("", "The newest in US dollars"), *books]
        )


def discount_rows(data: Any = None, known: Sequence[Discount] = (), *, more: bool = False) -> BaseDiscounts:
    """The discounts as typed, else those that are kept with some empty rows more."""
    initial = [
        {"series": rule.series, "percent": f"{rule.percent:g}", "models": list(rule.price_models)} for rule in known
    ]
    factory: Any = forms.formset_factory(
        DiscountRow, formset=BaseDiscounts, extra=0 if data else ROWS_SHOWN, max_num=ROWS_MAX, absolute_max=ROWS_MAX
    )
    if data is not None and more:
        data = data.copy()
        data["d-TOTAL_FORMS"] = str(min(_whole(data.get("d-TOTAL_FORMS")) + ROWS_SHOWN, ROWS_MAX))
    made: BaseDiscounts = factory(data, prefix="d", initial=None if data else initial)
    return made


def rate_rows(data: Any = None, known: Sequence[ExchangeRate] = (), today: date | None = None) -> BaseRates:
    """The rates as typed, else those that are kept with some empty rows more."""
    initial = [{"code": rate.currency, "rate": f"{rate.rate:g}", "day": rate.as_of.isoformat()} for rate in known]
    factory: Any = forms.formset_factory(
        RateRow, formset=BaseRates, extra=0 if data else RATES_SHOWN, max_num=RATES_MAX, absolute_max=RATES_MAX
    )
    made: BaseRates = factory(data, prefix="r", initial=None if data else initial)
    return made


def _whole(text: Any) -> int:
    return int(text) if str(text).isdecimal() else ROWS_SHOWN
