"""Puts the examples' folders on the path, as running one of their scripts does."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "docs/examples/pitch"))
