"""What ONNX's operators are in ours, where they differ: a function for each, by families, which are its modules."""

from ....dialects.tables import import_modules
from ..rule_table import RULES

import_modules(__name__)

__all__ = ["RULES"]
