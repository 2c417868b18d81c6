"""Running compiled models: requests, states, threads, the cache and profiles."""
