"""Reductions along dimensions."""
