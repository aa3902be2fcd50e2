"""Price sheets: the user's own prices, out of Azure's exports or a list made by hand."""

from advisor.engine.sheets.read import read_price_sheet
from advisor.engine.sheets.sheet import PriceSheet, sheet_json, sheet_of

__all__ = ["PriceSheet", "read_price_sheet", "sheet_json", "sheet_of"]
