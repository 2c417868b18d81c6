"""Puts this folder on the path: its tests share the models that `test_numerics.py` builds."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
