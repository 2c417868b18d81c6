"""What it means: every operation in NumPy, grouped as the dialects are."""
