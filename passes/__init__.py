"""Model to model: one folder or file per pass."""
