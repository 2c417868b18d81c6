"""Lingvo's LSTM cells, `LSTMCellSimple` and `LayerNormalizedLSTMCellSimple`, as one step of `tfl.lstm`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import tfl
from ...dialects.inferred import shape_of, tensor
from ..tensorflow import TfOp
from .composite import Annotation, Call, CannotFuseError, Composite, boolean
from .contract import Argument, Interface
from .writing import LSTM, TfWriter

COUPLED = "CoupleInputForgetGates"
"""The option of a cell whose input gate is what the forget gate leaves."""

PLAIN = ("LSTMCellSimple",)
NORMALIZED = ("LayerNormalizedLstmCellSimple", "LayerNormalizedLSTMCellSimple")
PREFIX = "lingvo."


def is_coupled(function: func.FuncOp) -> bool:
    """Whether a cell's annotation has the option. Raises CannotFuseError for options that cells do not have."""
    if (annotation := Annotation.of(function)) is None:
        return False
    options = annotation.options
    if unknown := sorted(set(options) - {COUPLED}):
        raise CannotFuseError(f"has no option '{unknown[0]}'; its only option is '{COUPLED}'")
    return bool(boolean(COUPLED, options))


def interface(function: func.FuncOp, types: Sequence[Attribute]) -> Interface:
    """
    `(x, weights[, projection][, scale of the normalization]) -> output`. A fourth argument of rank 1 is the scale,
    of a cell without projection.
    """
    gates = 3 if is_coupled(function) else 4
    fourth = types[3] if len(types) > 3 else None
    is_scale = isinstance(fourth, TensorType) and fourth.get_num_dims() == 1
    has_projection = isinstance(fourth, TensorType) and not is_scale
    outputs = "outputs" if has_projection else "cells"
    scale = Argument("layer_norm_scale", f"{gates}*cells", optional=True)
    projection = Argument("projection", "cells", "outputs", optional=True)
    return Interface(
        (
            Argument("inputs", "batch", "inputs"),
            Argument("weights", f"inputs + {outputs}", f"{gates}*cells"),
            Argument("bias", f"{gates}*cells"),
            *((scale,) if is_scale else (projection, scale)),
        ),
        results=1,
        known=("inputs", "cells", outputs),
    )


@dataclass(frozen=True)
class Gates:
    """One value for each gate, none for one that is not there."""

    input: SSAValue
    forget: SSAValue
    cell: SSAValue
    output: SSAValue

    @classmethod
    def of(cls, write: TfWriter, value: SSAValue, cells: int, coupled: bool) -> Gates:
        """The parts of a value in lingvo's order: c, i, f, o; with coupled gates c, f, o."""
        if coupled:
            cell, forget, leave = write.parts(value, [cells] * 3)
            return cls(write.none, forget, cell, leave)
        cell, enter, forget, leave = write.parts(value, [cells] * 4)
        return cls(enter, forget, cell, leave)

    @property
    def values(self) -> list[SSAValue]:
        """In the order of `tfl`."""
        return [self.input, self.forget, self.cell, self.output]


def cell_cap(function: func.FuncOp) -> float:
    """
    The limit of the cell state that a cell's own body sets, `min(…, cap)` and `max(…, -cap)`; 0 if none. Raises
    CannotFuseError where its limits are others.
    """
    highest, lowest = set[float](), set[float]()
    for op in function.body.walk():
        match TfOp.of(op):
            case TfOp(name="ClipByValue", operands=(_, low, high)):
                highest.update(_number(high))
                lowest.update(_number(low))
            case TfOp(name="Minimum", operands=operands):
                highest.update(number for value in operands for number in _number(value))
            case TfOp(name="Maximum", operands=operands):
                lowest.update(number for value in operands for number in _number(value))
            case _:
                pass
    if not highest and not lowest:
        return 0.0
    cap = max(highest, default=0.0)
    if cap <= 0 or (highest, lowest) != ({cap}, {-cap}):
        limits = sorted(lowest | highest)
        raise CannotFuseError(
            f"is limited to {', '.join(f'{limit:g}' for limit in limits)}; a fused cell has one limit, for its "
            "state, and its negative"
        )
    return cap


def _number(value: SSAValue) -> list[float]:
    from ...reference.tfl import dense_array

    owner = value.owner
    tf = TfOp.of(owner) if isinstance(owner, Operation) else None
    if tf is None or tf.name != "Const":
        return []
    array = dense_array(tf.get("value"))
    return [float(array.reshape(-1)[0])] if array.size == 1 else []


def build(call: Call) -> Sequence[SSAValue]:
    return [_step(call, None)]


def build_normalized(call: Call) -> Sequence[SSAValue]:
    if (scale := call.arguments.get("layer_norm_scale")) is None:
        raise CannotFuseError("has no argument 'layer_norm_scale', which a normalized cell needs")
    return [_step(call, scale)]


def _step(call: Call, scale: SSAValue | None) -> SSAValue:
    """One step from states of zeros. Input weights are the first columns of the transposed weights."""
    call.require_f32()
    given, write, none = call.arguments, call.write, call.write.none
    coupled = is_coupled(call.function)
    inputs, cells = call.size("inputs"), call.size("cells")
    projection = given.get("projection")
    outputs = cells if projection is None else call.size("outputs")
    columns = write.parts(write.matrix_transposed(given["weights"]), [inputs, outputs], axis=1)
    to_input, to_recurrent = (Gates.of(write, part, cells, coupled).values for part in columns)
    bias = Gates.of(write, given["bias"], cells, coupled).values
    norms = [none] * 4 if scale is None else Gates.of(write, scale, cells, coupled).values
    projected = none if projection is None else write.matrix_transposed(projection)
    x = given["inputs"]
    states = [write.zeros(x, outputs), write.zeros(x, cells)]
    weights = [*to_input, *to_recurrent, none, none, none, *bias, projected, none]
    type = TensorType(tensor(x).element_type, [shape_of(x)[0], outputs])
    kernel = tfl.LstmKernelTypeAttr.of("FULL")
    options = {**LSTM, "cell_clip": cell_cap(call.function), "kernel_type": kernel}
    return write.op(tfl.LstmOp.of([x, *weights, *states, *norms], [type], **options))[0]


COMPOSITES = (
    *(Composite(f"{at}{name}", interface, build) for at in ("", PREFIX) for name in PLAIN),
    *(
        Composite(f"{at}{name}", interface, build_normalized)
        for at in ("", PREFIX)
        for name in NORMALIZED
    ),
)
