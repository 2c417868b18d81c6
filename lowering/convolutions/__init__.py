"""Convolutions as other convolutions: dilated ones and transposed ones by phases, padding without its taps."""
