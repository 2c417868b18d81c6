"""The command line: `lowstream`, and opt-tool, translate-tool, run-tool and benchmark-tool by themselves."""

INTERRUPTED = 128 + 2
BROKEN_PIPE = 128 + 13
"""The exit statuses of who is ended by SIGINT or SIGPIPE, as shells have them."""
