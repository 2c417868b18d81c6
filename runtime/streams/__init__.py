"""Many streams of one stateful model: what is ready runs as one batch."""
