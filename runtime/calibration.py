"""Calibration: the least and the greatest number of values of a model, over representative inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, ModuleOp, TensorType
from xdsl.ir import Block, BlockArgument, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects import infra, nn
from ..dialects.inferred import shape_of, tensor
from ..dialects.module import entry_of
from ..dialects.nn.writer import Writer
from ..dialects.rewriter import Rewriter
from ..passes.errors import DiagnosticError
from ..passes.interval import Interval
from ..passes.iterator_ports import concatenated
from ..passes.rebuilt import rebuilt
from ..reference.arrays import array_of
from .compiler import compile_model
from .requests.request import Inputs


def intervals(
    module: ModuleOp,
    values_of: Callable[[Block], Sequence[SSAValue]],
    samples: Iterable[Inputs],
) -> dict[SSAValue, Interval]:
    """
    Runs a copy of the module, compiled, on samples, one after the other with its states. Returns from the least to
    the greatest number of each value that the function chooses of the entry's, or of bodies of iterators in it.

    Raises DiagnosticException where there are no samples, or a value was not finite.
    """
    copy = module.clone()
    observed = values_of(entry_of(copy).body.block)
    places = [i for i, value in enumerate(observed) if nn.constant_of(value) is None]
    _give_extremes(copy, [observed[i] for i in places])
    request = compile_model(copy, pipeline=None).create_infer_request()
    given = [[end.item() for end in request.infer(sample)] for sample in samples]
    found = np.array(given, np.float64)
    if not len(found):
        raise DiagnosticError("there are no samples to calibrate with; give some")
    if not np.isfinite(found).all():
        raise DiagnosticError(
            "a value of the model is not finite for a sample that it is calibrated with; leave that out"
        )
    values = values_of(entry_of(module).body.block)
    known = {
        value: Interval.of_array(array_of(blob))
        for value in values
        if (blob := nn.constant_of(value))
    }
    lows, highs = found[:, ::2].min(axis=0), found[:, 1::2].max(axis=0)
    measured = zip((values[i] for i in places), map(Interval, lows, highs), strict=True)
    return {**known, **dict(measured)}


def _give_extremes(module: ModuleOp, values: Sequence[SSAValue]) -> None:
    """Makes the entry return the least and the greatest element of values, and nothing else."""
    block = entry_of(module).body.block
    give(module, [end for value in values for end in _extremes(value, block)])


def give(module: ModuleOp, results: Sequence[SSAValue]) -> None:
    """Makes the entry return these values of it, and nothing else."""
    entry = entry_of(module)
    last = entry.body.block.last_op
    assert last is not None
    last.operands = results
    entry.properties.pop("res_attrs", None)
    entry.update_function_type()


def _extremes(value: SSAValue, outermost: Block) -> Sequence[SSAValue]:
    """
    The least and the greatest element of a value, for this block to return; of all iterations if the value is in a
    body. What a body gives to its next iteration counts where it is computed, so that the last iteration's counts, too.
    """
    block = _block_of(value)
    assert block.last_op is not None
    write = Writer(InsertPoint.before(block.last_op))
    lines = [_line(write, each) for each in (value, *_coming_back(value))]
    ends = [lines[0] if len(lines) == 1 else write(nn.ConcatOp, *lines, axis=0)] * 2
    while True:
        assert block.last_op is not None
        write = Writer(InsertPoint.before(block.last_op))
        ends = [
            write(kind, end, write.integers(0), keep_dims=True)
            for kind, end in zip((nn.ReduceMinOp, nn.ReduceMaxOp), ends, strict=True)
        ]
        if block is outermost:
            return ends
        iterator = block.parent_op()
        assert isinstance(iterator, infra.IteratorOp)
        ends = _given_out(iterator, ends)
        block = _block_of(ends[0])


def _coming_back(value: SSAValue) -> list[SSAValue]:
    """What a body gives to its next iteration as this value."""
    if not isinstance(value, BlockArgument):
        return []
    op = value.owner.parent_op()
    if not isinstance(op, infra.IteratorOp) or value.index >= len(op.inputs):
        return []
    port = op.inputs.data[value.index]
    return [op.yielded[port.result.data]] if isinstance(port, infra.MergedAttr) else []


def _block_of(value: SSAValue) -> Block:
    block = value.owner if isinstance(value.owner, Block) else value.owner.parent
    assert block is not None
    return block


def _line(write: Writer, value: SSAValue) -> SSAValue:
    """All elements in one dimension."""
    if len(shape_of(value)) == 1:
        return value
    return write(nn.ReshapeOp, value, write.integers(-1))


def _given_out(op: infra.IteratorOp, ends: Sequence[SSAValue]) -> Sequence[SSAValue]:
    """The values of all iterations of the body, concatenated."""
    last = op.body.block.last_op
    assert last is not None
    first, count = len(op.yielded), op.room()
    last.operands = [*last.operands, *ends]
    ports = [concatenated(first + number, 0) for number in range(len(ends))]
    shape = [DYNAMIC_INDEX if count is None else count]
    types = [TensorType(tensor(end).element_type, shape) for end in ends]
    new = rebuilt(
        op,
        types=[*op.result_types, *types],
        properties={"outputs": ArrayAttr([*op.outputs, *ports])},
    )
    kept = len(op.results)
    Rewriter.replace_op(op, [], new.results[:kept])
    return new.results[kept:]
