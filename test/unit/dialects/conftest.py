"""Puts this folder on the path: tests import the operands that they share."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
