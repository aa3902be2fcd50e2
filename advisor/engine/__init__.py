"""All that the product knows and computes: plain Python, no Django, no network."""
