"""
`tfl`: LiteRT's fused recurrent operations, operand for operand and attribute for attribute.

What TensorFlow's tools print is read, and what is printed here they read: these operations have no form but
the generic one there. An operand that is absent is the value of `tfl.no_value`. States are values: an
operation starts at those it is given; what LiteRT's kernel leaves in its variables is nobody's result.
"""

from xdsl.ir import Dialect

from ..tables import operations_of
from .attributes import *
from .bidirectional import *
from .constants import *
from .custom import *
from .lstm import *
from .parts import *

Tfl = Dialect("tfl", operations_of("tfl", globals()), [ConstBytesAttr, LstmKernelTypeAttr])
