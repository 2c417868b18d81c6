"""What becomes of FakeQuantize."""
