"""The scalar bodies of kernels, and the passes that make them simpler."""
