"""Puts this folder on the path: tests import the graphs that they share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
