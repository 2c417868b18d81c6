"""
`kernel`: what the code generator emits.

A kernel exists in two forms. On tensors it is a pure operation with results; on memrefs (after
`plan-memory`) it writes into `outs` and has no results. In both, a kernel runs its body, scalar
operations of `arith`, `math` and `functions.py`, at every point of its `domain`; `access` says which element of each of
`ins` and `outs` a point reads or writes. Bodies are signless: 8-bit elements enter as i32, extended as
their memory type says, f16 and bf16 as f32; what is yielded is saturated or rounded to the type of its
memory (`body_type`).
"""

from xdsl.ir import Dialect

from ..tables import operations_of
from .access import *
from .attention import *
from .base import *
from .compressed import *
from .convolution import *
from .data_movement import *
from .functions import *
from .gather import *
from .map import *
from .mat_mul import *
from .packed_layout import *
from .program import *
from .program_memory import *
from .reduce import *
from .softmax import *
from .types import *
from .whole import *
from .winograd import *

Kernel = Dialect("kernel", operations_of("kernel", globals()))
