"""`python -m lowstream`: all tools as one command."""

from .tools.command import main

main()
