"""Running it: compiled models, requests, states and profiling."""
