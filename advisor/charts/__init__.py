"""Charts as plain numbers: where each mark stands in a drawing. Templates draw them; no Django here."""
