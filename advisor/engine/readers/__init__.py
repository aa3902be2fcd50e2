"""Readers: one module per file format, each answers a Reading. `read_file` picks the one that recognises the file."""
