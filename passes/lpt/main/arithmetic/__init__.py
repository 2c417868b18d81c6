"""Elementwise arithmetic of two values."""
