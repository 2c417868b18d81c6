"""Puts the folder of the operands of all operations on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "dialects"))
