"""Step 3: decompose FakeQuantize and move dequantization down, one transformation in each file."""
