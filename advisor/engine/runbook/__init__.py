"""What the move of a pool takes, step by step, from an answer and the catalogue: with commands and what is lost."""
