"""Where the time of calls goes: by operation, by stage, as tables and traces."""
