"""Tests that need PyTorch run in the environment that has it (`make torch`)."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["test_*.py"]
