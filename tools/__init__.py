"""The command line: `lowstream`, and opt-tool, translate-tool, run-tool and benchmark-tool by themselves."""
