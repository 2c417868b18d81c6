"""The functions that callers call: of one call, of a sequence of calls, and of a team of threads."""
