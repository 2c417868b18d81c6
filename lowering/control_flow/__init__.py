"""Loops and branches: what is computed once, in front of them, or not at all."""
