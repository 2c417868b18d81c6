"""Puts this folder, and that of the operands of all operations, on the path."""

import sys
from pathlib import Path

HERE = Path(__file__).parent

sys.path[:0] = [str(HERE), str(HERE.parents[1] / "dialects")]
