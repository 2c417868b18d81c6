"""
Operations outside of recurrences whose receptive field is several steps; a stream gives each call only one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, nn, rnn
from ...dialects.inferred import constant_integers, label, normalize_axis, shape_of, tensor
from ...dialects.module import entry_of
from ...dialects.nn.convolution import ConvolutionBase
from ...dialects.rewriter import Rewriter
from ..infer_shapes import shape_errors
from ..lower_sequences import step_count
from ..relax_constants import relax_constants
from ..shapes.blocking_constant import trim_name, trim_names

Recurrence = infra.IteratorOp | rnn.SequenceOp

FACTOR = 13
"""How many times as many steps an input gets to see what follows their number."""

SOME = 101
"""The steps of an input that has an unknown number of them."""


def recurrences(module: ModuleOp) -> list[Recurrence]:
    """The loops and sequences of a module, in order."""
    return [op for op in module.walk() if isinstance(op, infra.IteratorOp | rnn.SequenceOp)]


def iterations(op: Recurrence) -> int | None:
    """How many steps it takes; None where that is not known."""
    return step_count(op) if isinstance(op, rnn.SequenceOp) else op.iterations()


def reaching(module: ModuleOp, streamed: Sequence[int]) -> list[str]:
    """
    What a stream gives other values for than the whole sequence does, a sentence for each: operations that read
    several of the steps which the recurrences of these numbers take. What cannot be traced is left out.
    """
    try:
        entry_of(module)
    except DiagnosticException:
        return []
    if not any(_reach(op, list(map(_dimensions, op.operands))) for op in module.walk()):
        return []
    for relax in (False, True):
        if relax and not relax_constants(module := module.clone()):
            break
        traces = [trace for trace in _traces(module) if trace.counts & set(streamed)]
        if traces:
            return list(dict.fromkeys(said for trace in traces for said in trace.sentences()))
    return []


def _traces(module: ModuleOp) -> Iterator[_Trace]:
    """What follows each dimension of each input."""
    for index, argument in enumerate(entry_of(module).body.block.args):
        if not isinstance(argument.type, TensorType):
            continue
        for axis, size in enumerate(shape_of(argument)):
            if size != 0:
                steps = SOME if size == DYNAMIC_INDEX else size
                short = module if size == steps else _resized(module, index, axis, steps)
                yield _Trace(module, short, _resized(module, index, axis, steps * FACTOR))


def _resized(module: ModuleOp, index: int, axis: int, size: int) -> ModuleOp:
    """A copy, one dimension of an input of which has another size; what does not fit keeps its types."""
    copy = module.clone()
    argument = entry_of(copy).body.block.args[index]
    shape = list(shape_of(argument))
    shape[axis] = size
    type = TensorType(tensor(argument).element_type, shape)
    Rewriter.replace_value_with_new_type(argument, type)
    shape_errors(copy)
    return copy


@dataclass
class _Trace:
    """
    What follows one dimension of an input: the dimensions in which copies of `module` with fewer and with more
    of it differ.
    """

    module: ModuleOp
    short: ModuleOp
    long: ModuleOp
    counts: set[int] = field(init=False)
    remembered: set[SSAValue] = field(default_factory=set[SSAValue])
    """What holds steps of earlier calls too."""

    def __post_init__(self):
        pairs = zip(recurrences(self.short), recurrences(self.long), strict=True)
        self.counts = {i for i, (a, b) in enumerate(pairs) if iterations(a) != iterations(b)}

    def sentences(self) -> Iterator[str]:
        """What reads several steps, and what to do about it."""
        after = set[Operation]()
        walks = (self.module.walk(), self.short.walk(), self.long.walk())
        for original, short, long in zip(*walks, strict=True):
            is_after = any(value.owner in after for value in original.operands)
            if is_after or isinstance(original, infra.IteratorOp | rnn.SequenceOp):
                after.add(original)
            steps = [_differing(a, b) for a, b in zip(short.operands, long.operands, strict=True)]
            if not any(steps):
                continue
            remembers = not self.remembered.isdisjoint(original.operands)
            if (said := _reach(short, steps)) is None:
                if remembers:
                    self.remembered.update(original.results)
            elif isinstance(original, nn.ConcatOp) and any(map(_is_state, original.inputs)):
                self.remembered.update(original.results)
            elif not remembers:
                yield f"{label(original)} {said}; {self._advice(original, is_after)}"

    def _advice(self, op: Operation, is_after: bool) -> str:
        if is_after:
            kind, names = "outputs", (trim_name(self.module, value) for value in op.operands)
            name = next(filter(None, names), None)
        else:
            kind, name = "inputs", trim_names(self.module, op.results)
        rest = "end the stream in front of it" if is_after else "stream what follows"
        how = f' (trim{{{kind}="{name}"}})' if name else ""
        return f"compute it over the whole sequence, and {rest}{how}"


def _differing(a: SSAValue, b: SSAValue) -> set[int]:
    """The dimensions that differ."""
    if not isinstance(a.type, TensorType) or not isinstance(b.type, TensorType):
        return set()
    pairs = zip(shape_of(a), shape_of(b), strict=False)
    return {i for i, (short, long) in enumerate(pairs) if short != long}


def _dimensions(value: SSAValue) -> set[int]:
    return set(range(len(shape_of(value)))) if isinstance(value.type, TensorType) else set()


def _is_state(value: SSAValue) -> bool:
    """Whether a value is that of a state, cut or brought into another form."""
    while isinstance(op := value.owner, Operation) and op.operands:
        if isinstance(op, infra.ReadValueOp):
            return True
        value = op.operands[0]
    return False


# --- what operations do along an axis -------------------------------------------------------


def _reach(op: Operation, steps: Sequence[set[int]]) -> str | None:
    """What an operation does with several steps, which are in these dimensions of its operands."""
    match op:
        case nn.WindowedOp():
            return _window_reach(op, steps[0])
        case nn.LrnOp():
            extent = (op.size.value.data - 1) // 2 * 2 + 1  # an even size is that of one less
            is_along = extent > 1 and _meet(op, constant_integers(op.axes) or (), steps)
            return f"reaches over {extent} {ALONE}" if is_along else None
        case nn.ScaledDotProductAttentionOp():
            keys = len(shape_of(op.key)) - 2
            return "sums over all steps" if keys in steps[1] else None
        case nn.MatMulOp():
            return "sums over all steps" if _sums_steps(op, steps) else None
        case nn.ConcatOp():
            axis = normalize_axis(op, op.axis.value.data, len(shape_of(op.result)))
            return "adds steps to those of each call" if axis in set[int]().union(*steps) else None
        case nn.GatherOp():
            is_one = all(size == 1 for size in shape_of(op.indices))
            is_along = _meet(op, constant_integers(op.axis) or (), steps)
            return "picks several steps" if is_along and not is_one else None
        case rnn.SequenceOp():
            return BACKWARD if op.direction.data != "forward" else None
        case infra.IteratorOp():
            return BACKWARD if _carries_backward(op, steps) else None
        case _:
            axes, done = _along(op)
            return done if _meet(op, axes, steps) else None


def _along(op: Operation) -> tuple[Sequence[int], str]:
    """The axes of its first operand along which an operation uses all elements together, and what it does there."""
    match op:
        case nn.ReduceOp() | nn.MvnOp() | nn.NormalizeL2Op():
            return constant_integers(op.axes) or (), "computes one number from all steps"
        case nn.GroupNormalizationOp():
            return range(1, len(shape_of(op.input))), "computes one number from all steps"
        case nn.SoftmaxOp() | nn.LogSoftmaxOp():
            return (op.axis.value.data,), "sums over all steps"
        case nn.GrnOp():
            return (1,), "sums over all steps"
        case nn.TopKOp():
            return (op.axis.value.data,), "sorts all steps"
        case nn.CumSumOp():
            return constant_integers(op.axis) or (), "adds up the steps before"
        case nn.RollOp():
            return constant_integers(op.axes) or (), "moves steps around the end"
        case nn.ReverseOp() | nn.ReverseSequenceOp() | nn.SliceOp() | nn.StridedSliceOp():
            return _reversed_axes(op), "reverses the steps"
        case _:
            return (), ""


ALONE = "steps, and each call sees its own alone"
BACKWARD = "runs from the last step to the first"


def _sums_steps(op: nn.MatMulOp, steps: Sequence[set[int]]) -> bool:
    """Whether the sum of a product goes over steps of both operands."""
    left, right = (len(shape_of(value)) for value in (op.a, op.b))
    k = left - (2 if op.transpose_a and left > 1 else 1)
    other = right - (1 if op.transpose_b or right == 1 else 2)
    return k in steps[0] and other in steps[1]


def _reversed_axes(
    op: nn.ReverseOp | nn.ReverseSequenceOp | nn.SliceOp | nn.StridedSliceOp,
) -> Sequence[int]:
    match op:
        case nn.ReverseOp():
            axes = constant_integers(op.axes) or ()
            return [d for d, flag in enumerate(axes) if flag] if op.mode.data == "mask" else axes
        case nn.ReverseSequenceOp():
            return [op.seq_axis.value.data]
        case nn.SliceOp():
            axes, strides = (constant_integers(value) or () for value in (op.axes, op.step))
            return [axis for axis, stride in zip(axes, strides, strict=False) if stride < 0]
        case nn.StridedSliceOp():
            strides = constant_integers(op.strides) or () if op.strides else ()
            return [
                entry.dimension
                for entry in op.entries(len(strides), len(shape_of(op.input)))
                if entry.kind == "slice" and strides[entry.place] < 0
            ]


def _carries_backward(op: infra.IteratorOp, steps: Sequence[set[int]]) -> bool:
    """Whether an iterator carries values, and takes the last step first."""
    sliced = zip(op.inputs, op.operands_, steps[op.first_operand :], strict=True)
    return any(isinstance(port, infra.MergedAttr) for port in op.inputs) and any(
        isinstance(port, infra.SlicedAttr)
        and port.stride.data < 0
        and normalize_axis(op, port.axis.data, len(shape_of(value))) in its
        for port, value, its in sliced
    )


def _meet(op: Operation, axes: Sequence[int], steps: Sequence[set[int]]) -> bool:
    """Whether an axis of the first operand is one of steps."""
    if not axes:
        return False
    rank = len(shape_of(op.operands[0]))
    return any(normalize_axis(op, axis, rank) in steps[0] for axis in axes)


def _window_reach(op: nn.WindowedOp, steps: set[int]) -> str | None:
    """A window that moves by what it spans takes the steps one group after the other, and reaches over none."""
    if isinstance(op, nn.MaxPoolOp | nn.AvgPoolOp):
        window = op.pooling_window()
    else:
        kernel = cast(ConvolutionBase, op).split_filters(shape_of(op.operands[1])).kernel
        window = op.window(kernel)
    for axis in sorted(steps):
        if axis >= 2 and (extent := window.extents[axis - 2]) > window.strides[axis - 2]:
            return f"reaches over {extent} {ALONE}"
    return None
