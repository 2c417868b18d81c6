"""LSTMs over a sequence in both directions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, BoolAttr, Float32Type, FloatAttr, StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    opt_result_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..compatible import compatible_dims, compatible_shapes
from ..inferred import label, spelled
from .lstm import TENSOR, batch_first, verify_elements, verify_result
from .operation import TflOp, takes
from .parts import GATES, STATES, WEIGHTS, Attributes, Parts, is_absent, ranked_shape

DIRECTIONS = ("fw", "bw")


@irdl_op_definition
@takes(
    "input",
    *(
        f"{direction}_{name}"
        for names in (WEIGHTS, STATES)
        for direction in DIRECTIONS
        for name in names
    ),
    "aux_input",
    *(f"{direction}_aux_input_to_{gate}_weights" for direction in DIRECTIONS for gate in GATES),
)
class BidirectionalSequenceLstmOp(TflOp):
    """
    Two LSTMs over one sequence, the second one from its end; both outputs are in the order of the input.

    48 operands: the input; 17 weights forward and 17 backward, in the order of `tfl.lstm`; the states forward
    and backward; an auxiliary input and its weights to the four gates, forward and backward. An auxiliary input
    without weights is what the backward LSTM reads in place of the input.
    With `merge_outputs`, the first result is both outputs side by side, and a file has no other.

        %fw, %bw = "tfl.bidirectional_sequence_lstm"(%x, …) <{merge_outputs = false, time_major = false, …}>
            : (tensor<2x5x3xf32>, …) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>)
    """

    name = "tfl.bidirectional_sequence_lstm"

    input = operand_def(AnyAttr())
    aux_input = operand_def(AnyAttr())
    fw_output = result_def(TENSOR)
    bw_output = opt_result_def(TENSOR)

    fused_activation_function = prop_def(StringAttr)
    cell_clip = opt_prop_def(FloatAttr[Float32Type])
    proj_clip = opt_prop_def(FloatAttr[Float32Type])
    merge_outputs = prop_def(BoolAttr)
    time_major = prop_def(BoolAttr)
    asymmetric_quantize_inputs = opt_prop_def(BoolAttr)

    @property
    def forward(self) -> Parts:
        """The weights and states of the forward LSTM."""
        return Parts.of(self.operands[1:18], self.operands[35:37], None)

    @property
    def backward(self) -> Parts:
        """The weights and states of the backward LSTM."""
        return Parts.of(self.operands[18:35], self.operands[37:39], None)

    @property
    def auxiliary(self) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
        """The auxiliary input's weights to the gates of the forward and of the backward LSTM."""
        return self.operands[40:44], self.operands[44:48]

    @property
    def has_auxiliary_weights(self) -> bool:
        """Whether both LSTMs read the auxiliary input beside the input."""
        return not is_absent(self.auxiliary[0][1])

    def verify_(self) -> None:
        Attributes.of(self).verify(self)
        verify_elements(self, [self.input, *self.forward.values, *self.backward.values])
        shape = ranked_shape(self.input)
        if shape is not None and len(shape) != 3:
            raise VerifyException(f"{label(self)}: input has rank {len(shape)}, not 3")
        major = bool(self.time_major)
        batch, steps, inputs = batch_first(shape, major)
        crossed = not is_absent(self.aux_input) and not self.has_auxiliary_weights
        auxiliary = self._verify_auxiliary(batch, steps)
        self.forward.verify(self, batch, inputs, "fw_")
        self.backward.verify(self, batch, auxiliary if crossed else inputs, "bw_")
        sizes = [self.forward.outputs, self.backward.outputs]
        if bool(self.merge_outputs):
            sizes[0] = DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else sum(sizes)
        for result, size in zip(self.results, sizes, strict=False):
            verify_result(self, result, batch_first((batch, steps, size), major))

    def _verify_auxiliary(self, batch: int, steps: int) -> int:
        """The size of the auxiliary input. Raises VerifyException where it and its weights do not fit."""
        weights = [value for direction in self.auxiliary for value in direction]
        given = [not is_absent(value) for value in weights]
        if is_absent(self.aux_input):
            if any(given):
                raise VerifyException(f"{label(self)}: auxiliary weights need an aux_input")
            return DYNAMIC_INDEX
        shape = ranked_shape(self.aux_input)
        if shape is not None and len(shape) != 3:
            raise VerifyException(f"{label(self)}: aux_input has rank {len(shape)}, not 3")
        other, count, size = batch_first(shape, bool(self.time_major))
        for mine, its, what in ((batch, other, "batch"), (steps, count, "steps")):
            if not compatible_dims(mine, its):
                raise VerifyException(f"{label(self)}: aux_input has {its} {what}, input {mine}")
        if any(given):
            self._verify_auxiliary_weights(size)
        return size

    def _verify_auxiliary_weights(self, size: int) -> None:
        for direction, parts, values in zip(
            DIRECTIONS, (self.forward, self.backward), self.auxiliary, strict=True
        ):
            for gate, value in zip(GATES, values, strict=True):
                name = f"{direction}_aux_input_to_{gate}_weights"
                if is_absent(value):
                    if gate != "input" or not parts.coupled:
                        raise VerifyException(
                            f"{label(self)}: {name} is absent; auxiliary weights come for all gates "
                            "of both directions, or for none"
                        )
                    continue
                wanted, shape = (parts.cells, size), ranked_shape(value)
                if shape is not None and not compatible_shapes(shape, wanted):
                    raise VerifyException(
                        f"{label(self)}: {name} has shape {spelled(shape)}, expected {spelled(wanted)}"
                    )
