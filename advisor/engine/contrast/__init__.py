"""Contrastive reasons: why one size and not another, and what would have to be true for the order to turn."""
