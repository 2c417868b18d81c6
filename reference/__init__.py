"""The meaning of every operation, in NumPy, grouped as the dialects are."""
