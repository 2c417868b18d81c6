"""
`prepare-composite-functions`: annotated functions as fused operations.

A function says by an attribute what it implements; its body is then only one way to compute that. Where its
arguments are what the annotation's contract asks for, a fused operation takes the place of the body. Packages
downstream declare annotations of their own: `Composite`, `register`, the entry point `lowstream.composites`.
"""

from .composite import Annotation, Call, CannotFuseError, Composite
from .contract import Argument, Interface
from .known_composites import composites, register, unregister
from .rewriting import PrepareCompositeFunctions
from .writing import TfWriter

__all__ = [
    "Annotation",
    "Argument",
    "Call",
    "CannotFuseError",
    "Composite",
    "Interface",
    "PrepareCompositeFunctions",
    "TfWriter",
    "composites",
    "register",
    "unregister",
]
