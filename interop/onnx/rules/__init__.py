"""ONNX's operators that differ from our operations: a function for each, in modules by family."""

from ....dialects.tables import import_modules
from ..rule_table import RULES

import_modules(__name__)

__all__ = ["RULES"]
