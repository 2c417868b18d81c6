"""
Operations that TensorFlow and LiteRT share, as ours. LiteRT spells names differently (`ONE_HOT`); operands and options
are the same. Operations of only one of them are in its own legalization.
"""

from ...dialects.tables import import_modules
from .rules import RULES, Legalizer, Rule

import_modules(__name__)

__all__ = ["RULES", "Legalizer", "Rule"]
