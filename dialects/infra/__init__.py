"""`infra`: states (`variable`, `read_value`, `assign`), iteration (`tensor_iterator`, `loop`) and choice (`if`)."""

from xdsl.ir import Dialect

from ..tables import operations_of
from .branch import *
from .iterators import *
from .ports import *
from .states import *

Infra = Dialect(
    "infra",
    operations_of("infra", globals()),
    [SlicedAttr, MergedAttr, InvariantAttr, ConcatenatedAttr, IterationAttr],
)
