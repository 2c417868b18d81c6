"""Between which numbers the values of a model lie for inputs that represent all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects import nn
from ..dialects.inferred import shape_of
from ..dialects.module import entry_of
from ..dialects.nn.writer import Writer
from ..passes.errors import DiagnosticError
from ..passes.interval import Interval
from ..reference.arrays import array_of
from .compiled import compile_model
from .request import Inputs


def intervals(
    module: ModuleOp,
    values_of: Callable[[Block], Sequence[SSAValue]],
    samples: Iterable[Inputs],
) -> dict[SSAValue, Interval]:
    """
    Runs a copy of the module, compiled, on samples, one after the other with its states. Returns from the least to
    the greatest number of each value that the function chooses of the entry's.

    Raises DiagnosticException where there are no samples, or a value was not finite.
    """
    copy = module.clone()
    observed = values_of(entry_of(copy).body.block)
    places = [i for i, value in enumerate(observed) if nn.constant_of(value) is None]
    _give_extremes(copy, [observed[i] for i in places])
    request = compile_model(copy, pipeline=None).create_infer_request()
    found = np.array([list(request.infer(sample)) for sample in samples], np.float64)
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
    """Lets the entry give the least and the greatest element of values, and nothing else."""
    entry = entry_of(module)
    last = entry.body.block.last_op
    assert last is not None
    write, results = Writer(InsertPoint.before(last)), list[SSAValue]()
    for value in values:
        line = (
            write(nn.ReshapeOp, value, write.integers(-1)) if len(shape_of(value)) != 1 else value
        )
        for kind in (nn.ReduceMinOp, nn.ReduceMaxOp):
            results.append(write(kind, line, write.integers(0), keep_dims=False))
    last.operands = results
    entry.properties.pop("res_attrs", None)
    inputs: Any = entry.function_type.inputs
    entry.properties["function_type"] = FunctionType.from_lists(
        list(inputs), [value.type for value in results]
    )
