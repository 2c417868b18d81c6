"""An LSTM whose gates see the cell state, as one operation of LiteRT."""

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from lowstream.dialects import tfl
from lowstream.dialects.inferred import shape_of, tensor
from lowstream.passes.prepare_composite_functions import Argument, Call, Composite, Interface

INTERFACE = Interface(
    (
        Argument("inputs", "batch", "steps", "inputs"),
        Argument("init_h", "batch", "cells"),
        Argument("init_c", "batch", "cells"),
        Argument("kernel", "inputs", "4*cells"),  # input, forget, cell, output
        Argument("recurrent_kernel", "cells", "4*cells"),
        Argument("peephole", "3*cells"),  # input, forget, output
        Argument("bias", "4*cells"),
    ),
    results=1,
    known=("inputs", "cells"),
)


def build(call: Call) -> Sequence[SSAValue]:
    """The whole sequence: peepholes have their place among the operands of `tfl.unidirectional_sequence_lstm`."""
    given, write, none = call.arguments, call.write, call.write.none
    cells = call.size("cells")
    kernel = write.parts(write.matrix_transposed(given["kernel"]), [cells] * 4)
    recurrent = write.parts(write.matrix_transposed(given["recurrent_kernel"]), [cells] * 4)
    peephole = write.parts(given["peephole"], [cells] * 3)
    bias = write.parts(given["bias"], [cells] * 4)
    x = given["inputs"]
    operands = [x, *kernel, *recurrent, *peephole, *bias, none, none]
    operands += [given["init_h"], given["init_c"], none, none, none, none]
    options = {"fused_activation_function": "TANH", "cell_clip": 0.0, "proj_clip": 0.0}
    type = TensorType(tensor(x).element_type, [*shape_of(x)[:2], cells])
    return write.op(tfl.UnidirectionalSequenceLstmOp.of(operands, [type], **options))


PEEPHOLE_LSTM = Composite("recurrent_cells.PeepholeLSTM", INTERFACE, build)
