"""Puts this folder on the path: its tests share the random models of `graphs.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
