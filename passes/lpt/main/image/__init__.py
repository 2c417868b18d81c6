"""Images: size, blocks and borders."""
