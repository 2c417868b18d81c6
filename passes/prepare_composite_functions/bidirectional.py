"""A forward and a backward Keras LSTM on the same input, as one `tfl.bidirectional_sequence_lstm`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, SymbolRefAttr, TensorType
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import tfl
from ...dialects.inferred import shape_of, tensor
from ...dialects.rewriter import Rewriter
from ..tensorflow import callee, functions_of, new_op, origin
from .composite import CannotFuseError
from .contract import ContractError
from .keras import CELL, COMPOSITES, SEQUENCE, Layer, as_declared
from .types import calls_of
from .writing import LSTM as LSTM_OPTIONS
from .writing import TfWriter

if TYPE_CHECKING:
    from .rewriting import Prepared

Prepare = Callable[[func.FuncOp], "Prepared | None"]

LSTM = COMPOSITES[0]
"""The composite that has a bidirectional form."""


@dataclass(frozen=True)
class DirectionLayer:
    """One direction: the call, and the function that it calls."""

    call: Operation
    prepared: Prepared
    layer: Layer


def group_directions(module: ModuleOp, prepare: Prepare) -> None:
    """Groups every pair of calls that reads the same input in both directions."""
    functions = functions_of(module)
    for function in list(functions.values()):
        for block in function.body.blocks:
            directions = list(_directions(module, block, functions, prepare))
            for forward in [
                direction for direction in directions if not direction.layer.go_backwards
            ]:
                partner = next((each for each in directions if _is_partner(forward, each)), None)
                place = None if partner is None else _place(block, forward.call, partner.call)
                if partner is not None and place is not None:
                    directions = [
                        direction for direction in directions if direction not in (forward, partner)
                    ]
                    _group(module, forward, partner, place)


def _directions(
    module: ModuleOp, block: Block, functions: dict[str, func.FuncOp], prepare: Prepare
) -> Iterator[DirectionLayer]:
    """The calls of Keras LSTMs whose final cell state nobody reads."""
    for op in block.ops:
        function = functions.get(callee(op) or "")
        if function is None or not function.body.blocks or _is_shared(module, function):
            continue
        try:
            prepared = prepare(function)
            if prepared is None or prepared.composite != LSTM or CELL in prepared.used:
                continue
            call = prepared.call(function.body.block.args, TfWriter(InsertPoint.before(op)))
            yield DirectionLayer(op, prepared, Layer.of(call))
        except (ContractError, CannotFuseError):
            continue  # the pass says so when it comes to the function


def _is_shared(module: ModuleOp, function: func.FuncOp) -> bool:
    """Whether other calls than one use a function."""
    return len(list(calls_of(module, function.sym_name.data))) > 1


def _is_partner(forward: DirectionLayer, other: DirectionLayer) -> bool:
    return (
        other.layer.go_backwards
        and other.layer.time_major == forward.layer.time_major
        and origin(other.call.operands[0]) is origin(forward.call.operands[0])
    )


def _place(block: Block, forward: Operation, backward: Operation) -> Operation | None:
    """
    The call before which one operation can stand for both: the first, if the operands of the other are there, or the
    other, if nobody reads the first before; None if neither.
    """
    order = {op: i for i, op in enumerate(block.ops)}
    first, second = sorted((forward, backward), key=lambda op: order[op])

    def before(value: SSAValue) -> bool:
        return (
            order.get(value.owner, -1) < order[first]
            if isinstance(value.owner, Operation)
            else True
        )

    if all(before(value) for value in second.operands):
        return first
    readers = [order.get(use.operation, -1) for r in first.results for use in r.uses]
    return second if all(reader > order[second] for reader in readers) else None


def _group(
    module: ModuleOp, forward: DirectionLayer, backward: DirectionLayer, place: Operation
) -> None:
    directions = (forward, backward)
    names = [direction.prepared.function.sym_name.data for direction in directions]
    name = _free(module, f"{names[0]}_bidirectional")
    function = _function(name, directions)
    module.body.block.insert_op_after(function, forward.prepared.function)
    outputs = function.function_type.outputs.data
    operands = [*forward.call.operands, *backward.call.operands[1:]]
    call = new_op("PartitionedCall", operands, outputs, {"f": SymbolRefAttr(name)})
    assert place.parent is not None
    place.parent.insert_op_before(call, place)
    results = list(call.results)
    for direction, given in zip(directions, (results[:5], results[5:]), strict=True):
        Rewriter.replace_op(direction.call, [], given)
        Rewriter.erase_op(direction.prepared.function)


def _free(module: ModuleOp, name: str) -> str:
    taken = functions_of(module)
    while name in taken:
        name += "_"
    return name


def _function(name: str, directions: Sequence[DirectionLayer]) -> func.FuncOp:
    """
    `(x, h0, c0, W, R, b of each direction) -> (last, sequence, h, c, runtime of each)`. What the backward layer gives
    is in the order in which it reads, that of the operation in the order of the input.
    """
    forward, backward = directions
    types = [*forward.prepared.types, *backward.prepared.types[1:]]
    block = Block(arg_types=types)
    write = TfWriter(InsertPoint.at_end(block))
    x, rest = block.args[0], block.args[1:]
    calls = [
        direction.prepared.call([x, *rest[5 * i : 5 * i + 5]], write)
        for i, direction in enumerate(directions)
    ]
    layers = [Layer.of(call) for call in calls]
    parts = [layer.operands(write) for layer in layers]
    axis = layers[0].axis
    results = [
        TensorType(tensor(x).element_type, [*shape_of(x)[:2], call.size("cells")]) for call in calls
    ]
    weights = [value for part in parts for value in part[0]]
    states = [value for part in parts for value in part[1]]
    operands = [x, *weights, *states, *[write.none] * 9]
    options = {**LSTM_OPTIONS, "merge_outputs": False, "time_major": layers[0].time_major}
    fw, bw = write.op(tfl.BidirectionalSequenceLstmOp.of(operands, results, **options))
    last = [write.step(fw, axis, -1), write.step(bw, axis, 0)]
    sequences = [fw, write.backward(bw, axis) if SEQUENCE in backward.prepared.used else bw]
    outputs: list[SSAValue] = []
    for call, layer, end, sequence in zip(calls, layers, last, sequences, strict=True):
        cell = write.zeros(call.arguments["init_c"], call.size("cells"))
        declared = as_declared(call, layer, sequence, end)
        outputs += [end, declared, end, cell, write.filled(0.0, x, [])]
    write.op(func.ReturnOp(*outputs))
    signature = FunctionType.from_lists(types, [value.type for value in outputs])
    return func.FuncOp(name, signature, Region(block), visibility=StringAttr("private"))
