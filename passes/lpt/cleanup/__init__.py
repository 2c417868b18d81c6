"""Step 4: fuse the dequantization that is left, or write it out."""
