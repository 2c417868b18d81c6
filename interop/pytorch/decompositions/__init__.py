"""Operators of PyTorch that OpenVINO's front end reads as something else, in others that it reads as they are."""

from ....dialects.tables import import_modules
from .table import decomposed_by_torch, decomposed_calls, decomposed_program

import_modules(__name__)

__all__ = ["decomposed_by_torch", "decomposed_calls", "decomposed_program"]
