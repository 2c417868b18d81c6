"""
`tfl`: LiteRT's builtins, operand for operand and option for option.

A class is the schema: operands and results, options, and versions of the builtin. What TensorFlow's tools print is
read, and what is printed here they read: these operations have no form but the generic one there. An operand that
is absent is the value of `tfl.no_value`. Quantized elements are of a type `!quant.uniform`. What a file keeps
between calls is `tfl.variable`, a state that fused LSTMs change, or a resource; where an LSTM takes other
values as states, it starts at these, and what the kernel leaves in its variables is nobody's result.
"""

from xdsl.ir import Dialect

from ..tables import operations_of
from .attributes import *
from .bidirectional import *
from .complex_numbers import *
from .constants import *
from .control import *
from .custom import *
from .elementwise import *
from .layers import *
from .lstm import *
from .names import *
from .operation import *
from .parts import *
from .recurrent import *
from .shapes import *
from .stablehlo import *

Tfl = Dialect(
    "tfl", operations_of("tfl", globals()), [ConstBytesAttr, LstmKernelTypeAttr, ResourceType]
)

OPERATIONS = {op.builtin(): op for op in reversed([*Tfl.operations]) if issubclass(op, TflOp)}
"""The classes by builtin; an LSTM is one of the full kernel."""
