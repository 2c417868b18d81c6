"""Puts this folder, and that of LiteRT's interpreter, on the path; without TensorFlow its tests are left out."""

import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent

sys.path[:0] = [str(HERE), str(HERE.parent / "tflite")]

collect_ignore = [] if find_spec("tensorflow") and find_spec("tf_keras") else ["test_converter.py"]
