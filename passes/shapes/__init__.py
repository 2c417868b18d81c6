"""Shapes with unknown dimensions, and where the numbers of computed shapes come from."""
