"""What is kept of compiled models: on disk, sealed, and found again by keys."""
