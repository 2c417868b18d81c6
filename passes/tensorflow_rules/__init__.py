"""
Operations that TensorFlow and LiteRT have alike, in ours: LiteRT's names are spelled otherwise (`ONE_HOT`), operands
and options are the same. What only one of them has, or has otherwise, is with its own legalization.
"""

from ...dialects.tables import import_modules
from .rules import RULES, Legalizer, Rule

import_modules(__name__)

__all__ = ["RULES", "Legalizer", "Rule"]
