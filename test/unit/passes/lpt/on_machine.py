"""The layers of a model after LPT on the machine, each fed the reference's inputs, all in one program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region, SSAValue

from lowstream import compile_model
from lowstream.dialects import nn, rnn
from lowstream.dialects.module import entry_of
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.meaning import MEANINGS
from lowstream.runtime.bisect_layers import (
    Layer,
    LayerDifference,
    difference,
    layers_of,
    reference_values,
)
from lowstream.test.unit.passes.lpt.other_meanings import instead, result_of

CODE = 1 / 256
"""Of the largest number: as far as values that are not quantized may be apart, whose digits may cancel."""


SATURATING = (nn.SigmoidOp, rnn.GruCellOp, rnn.GruSequenceOp, rnn.LstmCellOp, rnn.LstmSequenceOp)

SIGMOID_ERROR = 2.0**-20
"""It is half of one plus a tanh, so that what it is off is a part of 1, however small it is; for a few steps."""


def differences(after: ModuleOp, inputs: Sequence[Array]) -> Iterator[LayerDifference]:
    """What `compare_layers` gives, for a third less time: one program has all layers."""
    values = reference_values(after, inputs)
    layers = layers_of(after)
    request = compile_model(joined(layers), num_threads=1, pipeline=None).create_infer_request()
    found = request.infer([values[value] for layer in layers for value in layer.inputs])
    for layer, array in zip(layers, found, strict=True):
        wanted, operands = values[layer.output], [values[value] for value in layer.inputs]
        settled = without_ties(layer, operands, wanted, array)
        yield difference(layer, wanted, without_saturation(layer, wanted, settled))


def is_wrong(one: LayerDifference) -> bool:
    """Whether the machine computes a layer otherwise than the reference: by more than one code of 256."""
    return not one.is_close if one.is_code else one.largest > CODE


def without_saturation(layer: Layer, wanted: Array, found: Array) -> Array:
    """
    What the machine found, where a sigmoid may have been next to nothing: there the reference's, if it is no further
    off than sigmoids are on the machine.
    """
    if not any(isinstance(op, SATURATING) for op in layer.module.walk()):
        return found
    apart = np.abs(found.astype(np.float64) - wanted)
    return np.where(apart <= SIGMOID_ERROR, wanted, found)


def without_ties(layer: Layer, operands: Sequence[Array], wanted: Array, found: Array) -> Array:
    """
    What the machine found, where a FakeQuantize in a body rounds a value right between two codes: there the
    reference's, if it is no further off than what either code makes of it.
    """
    if not any(op.regions for op in entry_of(layer.module).body.block.ops):
        return found
    (up,), (down,) = (_run_beside(layer, operands, way) for way in (1, -1))
    slack = sum(np.abs(one.astype(np.float64) - wanted) for one in (up, down))
    apart = np.abs(found.astype(np.float64) - wanted)
    return np.where((slack > 0) & (apart <= 1.01 * slack), wanted, found)


def _run_beside(layer: Layer, operands: Sequence[Array], way: int) -> list[Array]:
    """The reference where FakeQuantize takes and gives other values: as another order of computing makes them."""
    quantize = MEANINGS[FakeQuantizeOp]

    def moved(op: FakeQuantizeOp, x: Array, low: Array, high: Array, *output: Array) -> Array:
        result = result_of(quantize, op, (rounded(x, low, high), low, high, *output))
        return result if op.output_type is not None else rounded(result, *output)

    def rounded(x: Array, low: Array, high: Array) -> Array:
        largest = np.maximum(np.abs(low), np.abs(high))
        return (x + way * 4 * np.finfo(x.dtype).eps * largest).astype(x.dtype)

    with instead({FakeQuantizeOp: moved}):
        return Executor(layer.module).run(operands)


def joined(layers: Sequence[Layer]) -> ModuleOp:
    """A module of all layers side by side, with the inputs and the output of each in their order."""
    entries = [entry_of(layer.module).body.block for layer in layers]
    block = Block(arg_types=[arg.type for entry in entries for arg in entry.args])
    arguments = iter(block.args)
    results: list[SSAValue] = []
    for entry in entries:
        mapping: dict[SSAValue, SSAValue] = {arg: next(arguments) for arg in entry.args}
        for op in entry.ops:
            if isinstance(op, func.ReturnOp):
                results += [mapping[value] for value in op.operands]
            else:
                block.add_op(op.clone(mapping))
    block.add_op(func.ReturnOp(*results))
    types = (list(block.arg_types), [value.type for value in results])
    return ModuleOp([func.FuncOp("main", types, Region(block))])
