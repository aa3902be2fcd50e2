"""Advice as files: no Django, no arithmetic; every figure is one of the advice."""
