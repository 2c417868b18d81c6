"""The command line: `lowstream`, and opt-tool, translate-tool, run-tool and benchmark-tool by themselves."""

INTERRUPTED = 128 + 2
"""The exit status of who is ended by SIGINT, as shells have it."""
