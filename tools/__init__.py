"""The command line: opt-tool, translate-tool, run-tool and benchmark-tool."""
