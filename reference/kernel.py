"""
The meaning of kernels, on tensors and on planned memory, in the order in which machines compute.

Sums of floating-point products are fused multiply-adds in order of k, as emitted, so machine and
reference agree to the last bit. Sums of products of bytes are exact in any order, so BLAS makes them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerType, MemRefType, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import kernel
from ..dialects.blob import BlobAttr
from ..dialects.infra import NoRoomError
from ..dialects.kernel import (
    Access,
    ConvolutionLayout,
    DepthwiseLayout,
    PackedLayout,
    Window,
    body_type,
    shaped,
    storage_bytes,
    strides_of,
)
from .arrays import Array, array_of, dtype_in_memory, dtype_of, in_memory, of_memory, of_user
from .compressed import compressed_sums
from .meaning import meaning
from .scalar import fma, run_body, stored
from .whole_kernel import compute_whole

# --- one kernel -----------------------------------------------------------------------------


def compute(op: kernel.KernelOp, reads: Sequence[Array]) -> list[Array]:
    """What the body yields over the whole domain; `reads` are the factors and the ins."""
    factors, ins = reads[: len(reads) - len(op.ins)], reads[len(reads) - len(op.ins) :]
    arguments: list[Array] = []
    match op:
        case kernel.MatMulOp():
            count = len(op.a)
            for left, right, offset in zip(
                factors[:count], factors[count:], op.offsets, strict=True
            ):
                arguments += _sums(op, left, right, offset)
        case kernel.AttentionOp():
            arguments += _attended(op, *factors)
        case kernel.CompressedMatMulOp():
            arguments.append(compressed_sums(op, *factors))
        case kernel.ConvolutionOp():
            arguments.append(_window_sums(op, *factors))
        case kernel.ReduceOp():
            arguments.append(_combined(op, factors))
        case kernel.GatherOp():
            arguments.append(_looked_up(op, *factors))
        case _:
            pass
    for value, array, access in zip(op.ins, ins, op.accesses, strict=False):
        element = shaped(value).get_element_type()
        loaded = array[indices(access, op.shape)]
        arguments.append(np.broadcast_to(loaded, op.shape).astype(dtype_of(body_type(element))))
    yielded = run_body(op.body.block, arguments)
    return [np.broadcast_to(array, op.shape) for array in yielded]


def indices(access: Access, domain: Sequence[int]) -> tuple[Array, ...]:
    """For each dimension of an operand, the index that each point of the domain reads or writes."""
    found: list[Array] = []
    for term in access.terms:
        index = np.full([1] * len(domain), term.offset)
        if term.dim is not None:
            steps = np.arange(domain[term.dim]) * term.step
            shape = [1] * len(domain)
            shape[term.dim] = -1
            index = index + steps.reshape(shape)
        found.append(index)
    return tuple(found)


def _sums(op: kernel.MatMulOp, a: Array, b: Array, offset: int) -> list[Array]:
    """The accumulators of one product, one for each group, over the domain."""
    groups, columns = op.groups.value.data, op.shape[-1]
    if (layout := op.packed) is not None:
        b = unpacked(b, layout, groups, columns, a.shape[-1])
    parts = np.split(_product(a, b, op.accumulator, offset), groups, axis=-1)
    return [np.broadcast_to(part, op.shape) for part in parts]


def _product(a: Array, b: Array, accumulator: Attribute, offset: int = 0) -> Array:
    """`(a + offset) bᵀ`, exact or in order of k."""
    if isinstance(accumulator, IntegerType):
        wide = _exact(a, b)
        return _wrapped(np.matmul(a.astype(wide) + wide(offset), b.astype(wide).swapaxes(-1, -2)))
    dtype = dtype_of(accumulator)
    a, b = a.astype(dtype), b.astype(dtype)
    batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    total = np.zeros((*batch, a.shape[-2], b.shape[-2]), dtype)
    with np.errstate(all="ignore"):
        for k in range(a.shape[-1]):
            total = fma(a[..., :, None, k], b[..., None, :, k], total)
    return total


def _attended(
    op: kernel.AttentionOp, query: Array, key: Array, value: Array, *masks: Array
) -> list[Array]:
    """The sums over values, and the totals of rows, over the domain."""
    keys, (key_layout, value_layout) = op.keys.value.data, op.layouts
    if key_layout is not None:
        key = unpacked(key, key_layout, 1, keys, query.shape[-1])
    if value_layout is not None:
        value = unpacked(value, value_layout, 1, op.shape[-1], keys)
    summed = kernel.sum_type(shaped(op.query).get_element_type())
    sums = _product(query, key, summed, op.offset)
    arguments = [np.broadcast_to(sums, op.score_shape)]
    for mask, array, access in zip(op.masks, masks, op.mask_accesses, strict=True):
        loaded = np.broadcast_to(array[indices(access, op.score_shape)], op.score_shape)
        arguments.append(loaded.astype(dtype_of(body_type(shaped(mask).get_element_type()))))
    (scores,) = run_body(op.score.block, arguments)
    scores = np.broadcast_to(scores, op.score_shape)
    most = np.broadcast_to(scores.max(axis=-1, keepdims=True), op.score_shape)
    (powers,) = run_body(op.power.block, [scores, most])
    powers = np.broadcast_to(powers, op.score_shape)
    total = accumulated(powers[..., None, :], "sum", op.total_type, op.partials)[..., None]
    (total,) = run_body(op.total.block, [total])
    (weights,) = run_body(op.weight.block, [powers, np.broadcast_to(total, op.score_shape)])
    weights = stored(np.broadcast_to(weights, op.score_shape), op.weights)
    found = _product(weights, value, op.accumulator)
    return [np.broadcast_to(found, op.shape), np.broadcast_to(total, op.shape)]


def _window_sums(op: kernel.ConvolutionOp, a: Array, b: Array) -> Array:
    """The accumulators of a convolution over the domain."""
    groups, channels = op.groups.value.data, op.channels
    taps, strides, dilations = op.window()
    match op.packed:
        case None:
            pass
        case DepthwiseLayout() as layout:
            b = unpacked_depthwise(b, layout, groups, op.window())
        case ConvolutionLayout() as layout:
            b = unpacked_filters(b, layout, op.units, taps, channels, groups)
    is_exact = isinstance(op.accumulator, IntegerType)
    dtype = np.dtype(_exact(a, b)) if is_exact else dtype_of(op.accumulator)
    a = a.astype(dtype, "C") + dtype.type(op.offset)
    b = b.astype(dtype, "C").reshape(groups, op.units, *taps, channels)
    batch, *positions, _ = op.shape
    total = np.zeros((groups, batch * math.prod(positions), op.units), dtype)
    for tap in np.ndindex(*taps):
        window = tuple(
            slice(t * d, t * d + (count - 1) * s + 1, s)
            for t, d, s, count in zip(tap, dilations, strides, positions, strict=True)
        )
        moved = (
            a[(slice(None), *window)]
            .reshape(batch * math.prod(positions), groups, channels)
            .swapaxes(0, 1)
        )
        weights = b[(slice(None), slice(None), *tap)]
        if is_exact:
            total += np.matmul(moved, weights.swapaxes(1, 2))
            continue
        with np.errstate(all="ignore"):
            for c in range(channels):
                total = fma(moved[..., c, None], weights[:, None, :, c], total)
    total = total.swapaxes(0, 1).reshape(op.shape)
    return _wrapped(total) if is_exact else total


def _exact(a: Array, b: Array) -> type[np.float64 | np.int64]:
    """What holds every sum of products: of bytes float64, for which there is BLAS."""
    return np.float64 if a.dtype.itemsize == b.dtype.itemsize == 1 else np.int64


def _wrapped(total: Array) -> Array:
    """Exact sums in the 32 bits of accumulators."""
    return total.astype(np.int64).astype(np.int32)


def _combined(op: kernel.ReduceOp, x: Sequence[Array]) -> Array:
    """What a reduction makes of its window, over the domain."""
    rank, extents = len(op.shape), op.extents
    read: list[Array] = []
    for value, array, (points, steps) in zip(op.x, x, op.readings, strict=True):
        begin = [
            np.expand_dims(i, tuple(range(rank, rank + len(extents))))
            for i in indices(points, op.shape)
        ]
        where = tuple(i + j for i, j in zip(begin, indices(steps, extents), strict=True))
        scalars = dtype_of(body_type(shaped(value).get_element_type()))
        read.append(np.broadcast_to(array[where], (*op.shape, *extents)).astype(scalars))
    (made,) = run_body(op.element.block, read)
    outer, last = math.prod(extents[:-1]), extents[-1] if extents else 1
    made = np.broadcast_to(made, (*op.shape, *extents)).reshape(*op.shape, outer, last)
    return accumulated(made, op.combiner.data, op.accumulator, op.partials)


def accumulated(made: Array, combiner: str, accumulator: Attribute, partials: int) -> Array:
    """Elements [domain…, outer, last] combined over the last two dimensions in so many partial accumulators."""
    *domain, outer, _ = made.shape
    dtype, combine = dtype_of(accumulator), COMBINE[combiner]
    neutral = np.array(kernel.neutral(combiner, accumulator).value.data).astype(dtype)
    partial: list[Array] = []
    with np.errstate(all="ignore"):
        for lane in range(partials):
            part = made[..., lane::partials]
            part = part.reshape(*domain, outer * part.shape[-1])
            begun = np.concatenate([np.full((*domain, 1), neutral), part], axis=-1)
            partial.append(combine.accumulate(begun, axis=-1, dtype=dtype)[..., -1])
        while (half := len(partial) // 2) > 0:
            pairs = zip(partial[:half], partial[half:], strict=True)
            partial = [combine(low, high) for low, high in pairs]
    return partial[0]


COMBINE: Mapping[str, np.ufunc] = {
    "sum": np.add,
    "product": np.multiply,
    "max": np.maximum,
    "min": np.minimum,
    "and": np.logical_and,
    "or": np.logical_or,
}
"""The combiners of reductions."""


def _looked_up(op: kernel.GatherOp, x: Array, places: Array) -> Array:
    """The elements of a gather over the domain."""
    axis, (points, looked) = op.axis.value.data, op.reading
    size = x.shape[axis]
    scalars = dtype_of(op.accumulators[0])
    index = places[indices(looked, op.shape)].astype(np.int64)
    index = np.where(index < 0, index + size, index)
    inside = (index >= 0) & (index < size)
    if not size:
        return np.zeros(op.shape, scalars)
    where = list(indices(points, op.shape))
    where[axis] = np.where(inside, index, 0)
    return np.broadcast_to(np.where(inside, x[tuple(where)], 0), op.shape).astype(scalars)


def unpacked_filters(
    packed: Array,
    layout: ConvolutionLayout,
    units: int,
    taps: Sequence[int],
    channels: int,
    groups: int,
) -> Array:
    """Filters [groups * units, taps…, channels] again, of what `pack-weights` laid out."""
    _, tiles, outer, steps, nr_vectors, lanes, kr = packed.shape
    whole = packed.transpose(0, 1, 4, 5, 2, 3, 6)
    whole = whole.reshape(groups, tiles * nr_vectors * lanes, outer, steps * kr)
    inner = channels * math.prod(taps[len(taps) - layout.merged :])
    return whole[:, :units, :, :inner].reshape(groups * units, *taps, channels)


def unpacked_depthwise(
    packed: Array, layout: DepthwiseLayout, groups: int, window: Window
) -> Array:
    """Filters [groups * units, taps…, 1] again, of what `pack-weights` laid out."""
    taps, _, _ = window
    units, tiles, _, _, _, nr_vectors, lanes, _ = packed.shape
    whole = np.zeros((tiles * nr_vectors * lanes, units, *taps), packed.dtype)
    for (row, tap), (bundle, across, place) in layout.places(window).items():
        if row == 0:
            found = packed[:, :, bundle, across, row, :, :, place]
            whole[:, :, *tap] = found.reshape(units, -1).T
    return whole[:groups].reshape(groups * units, *taps, 1)


def unpacked(packed: Array, layout: PackedLayout, groups: int, columns: int, depth: int) -> Array:
    """Weights [batch…, groups * columns, depth] again, of what `pack-weights` laid out."""
    *batch, tiles, steps, _, nr_vectors, lanes, kr = packed.shape
    lead = len(batch)
    order = (*range(lead), lead + 2, lead, lead + 3, lead + 4, lead + 1, lead + 5)
    whole = packed.transpose(order).reshape(*batch, groups, tiles * nr_vectors * lanes, steps * kr)
    return whole[..., :columns, :depth].reshape(*batch, groups * columns, depth)


# --- on tensors -----------------------------------------------------------------------------


@meaning(
    kernel.MapOp,
    kernel.MatMulOp,
    kernel.AttentionOp,
    kernel.CompressedMatMulOp,
    kernel.ConvolutionOp,
    kernel.ReduceOp,
    kernel.GatherOp,
)
def kernel_on_tensors(op: kernel.KernelOp, *operands: Array) -> tuple[Array, ...]:
    yielded = compute(op, operands)
    results: list[Array] = []
    for value, array, access in zip(op.results, yielded, op.accesses[len(op.ins) :], strict=True):
        type = cast(TensorType[Any], value.type)
        result = np.zeros(type.get_shape(), dtype_of(type.element_type))
        _put(result, indices(access, op.shape), stored(array, type.element_type))
        results.append(result)
    return tuple(results)


def _put(target: Array, where: tuple[Array, ...], values: Array) -> None:
    """Writes the value of each point where it belongs."""
    target[where] = values if where else values.reshape(())


@meaning(kernel.ScatterOp, kernel.SortOp, kernel.NonMaxSuppressionOp, kernel.SplitDigitsOp)
def whole_kernel_on_tensors(op: kernel.WholeKernelOp, *operands: Array) -> tuple[Array, ...]:
    return tuple(compute_whole(op, operands))


@meaning(kernel.CallParityOp)
def call_parity(op: kernel.CallParityOp) -> Array:
    """Never: nothing may depend on it."""
    return np.array(False)


@meaning(kernel.ReshapeOp)
def reshape(op: kernel.ReshapeOp, x: Array) -> Array:
    return x.reshape(cast(TensorType[Any], op.result.type).get_shape())


@meaning(kernel.SliceOp)
def slice_(op: kernel.SliceOp, x: Array) -> Array:
    shape = cast(TensorType[Any], op.result.type).get_shape()
    places = zip(op.offsets.get_values(), op.steps.get_values(), shape, strict=True)
    return x[tuple(slice(first, first + size * step, step) for first, step, size in places)]


@meaning(kernel.ConcatOp)
def concat(op: kernel.ConcatOp, *inputs: Array) -> Array:
    return np.concatenate(inputs, op.axis.value.data)


@meaning(kernel.PadOp)
def pad(op: kernel.PadOp, x: Array) -> Array:
    type = cast(TensorType[Any], op.result.type)
    result = np.full(type.get_shape(), op.filling.value.data, x.dtype)
    places = zip(op.low.get_values(), op.interior.get_values(), x.shape, strict=True)
    inside = tuple(
        slice(low, low + (size - 1) * (gap + 1) + 1, gap + 1) for low, gap, size in places
    )
    result[inside] = x
    return result


# --- on planned memory ----------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where a memref starts: a byte array and an offset into it."""

    memory: Array
    offset: int

    def array(self, type: MemRefType[Any]) -> Array:
        """The elements as a view, as memory holds them."""
        dtype = dtype_in_memory(type.element_type)
        strides = [step * dtype.itemsize for step in strides_of(type)]
        return np.ndarray(type.get_shape(), dtype, self.memory.data, self.offset, strides)


class ProgramExecutor:
    """
    Runs a program on memory of its own, states included.

    `states` holds the values of the states that are set, by name; `run` takes the inputs in order. Who wants to
    look at memory in between takes `begin`, a step of the run for each operation, and `end`.
    """

    def __init__(self, program: kernel.ProgramOp):
        self.program = program
        self.states: dict[str, Array] = {}

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """One inference: the outputs in order."""
        run = self.begin(inputs)
        for op in self.program.body.block.ops:
            run.step(op)
        return self.end(run)

    def begin(self, inputs: Sequence[Array]) -> Run:
        """Memory before the first operation."""
        program = self.program
        for name, flag in program.flag_of.items():
            self.states[flag] = np.array(name in self.states)
        places: dict[SSAValue, Place] = {arg: _allocate(arg) for arg in program.body.block.args}
        for argument, array in zip(program.input_args, inputs, strict=True):
            element = _memref(argument).element_type
            _fill(places[argument], argument, of_user(array, element))
        names = [name.data for name in program.states]
        for name, init, (current, _) in zip(names, program.inits, program.state_args, strict=True):
            if name in self.states:
                _check_state(name, self.states[name], current)
                _fill(places[current], current, self.states[name])
            elif isinstance(init, BlobAttr):
                _fill(places[current], current, array_of(init))
        return Run(places, [name not in self.states for name in names])

    def end(self, run: Run) -> list[Array]:
        """Keeps the states that memory holds after the last operation, and gives the outputs."""
        program = self.program
        names = [name.data for name in program.states]
        for name, assigned, (_, following) in zip(
            names, program.assigned, program.state_args, strict=True
        ):
            if assigned:
                self.states[name] = _read(run.places[following], following).copy()
        for name, flag in program.flag_of.items():
            if not self.states.pop(flag):
                self.states.pop(name, None)
        outputs = [_read(run.places[argument], argument).copy() for argument in program.output_args]
        return trimmed(program, outputs)

    def reset(self) -> None:
        """Forgets all states."""
        self.states.clear()


def trimmed(program: kernel.ProgramOp, outputs: Sequence[Array]) -> list[Array]:
    """The outputs with the elements that are there, without those that say how many."""
    found, hidden = list(outputs), set[int]()
    for number, dimension, place in program.computed_sizes:
        whole = (slice(None),) * dimension
        found[number] = found[number][(*whole, slice(int(outputs[place].item())))]
        hidden.add(place)
    return [array for number, array in enumerate(found) if number not in hidden]


def _check_state(name: str, value: Array, current: SSAValue) -> None:
    if value.shape != (wanted := _memref(current).get_shape()):
        raise DiagnosticException(
            f"state '{name}' has shape {list(value.shape)}, the program reads {list(wanted)}; lower the model "
            "for states of this shape"
        )


UNWRITTEN = 0xA5
"""The bytes of memory that nobody wrote: no plan may depend on them."""


def _allocate(value: SSAValue) -> Place:
    return Place(np.full(max(storage_bytes(shaped(value)), 1), UNWRITTEN, np.uint8), 0)


def _memref(value: SSAValue) -> MemRefType[Any]:
    return cast(MemRefType[Any], value.type)


def _read(place: Place, value: SSAValue) -> Array:
    type = _memref(value)
    return of_memory(place.array(type), type.element_type)


def _fill(place: Place, value: SSAValue, array: Array) -> None:
    type = _memref(value)
    place.array(type)[...] = in_memory(array, type.element_type)


@dataclass
class Run:
    """One inference under way: where each memref is, and which states are unset."""

    places: dict[SSAValue, Place]
    unset: list[bool]

    def block(self, block: Block, index: int | None = None) -> None:
        for op in block.ops:
            self.step(op, index)

    def step(self, op: Operation, index: int | None = None) -> None:
        """One operation, in the iteration `index` of the loop around it."""
        match op:
            case kernel.ConstantOp():
                place = _allocate(op.result)
                _fill(place, op.result, array_of(op.value))
                self.places[op.result] = place
            case kernel.BufferOp():
                self._view(op.result, op.arena, op.offset.value.data)
            case kernel.ViewOp():
                offset = op.offset.value.data
                if op.step is not None:
                    assert index is not None
                    offset += index * op.step.value.data
                self._view(op.result, op.base, offset)
            case kernel.CopyOp():
                _fill(self.places[op.target], op.target, self._load(op.source).copy())
            case kernel.ForOp():
                for iteration in range(op.count.value.data):
                    self.block(op.body.block, iteration)
            case kernel.IndexOp():
                assert index is not None
                _fill(self.places[op.target], op.target, np.array(index))
            case kernel.CallParityOp(target=SSAValue() as target):
                _fill(self.places[target], target, np.array(False))
            case kernel.WhileOp():
                self._while(op)
            case kernel.IfOp():
                taken = op.then_body if self._load(op.condition).any() else op.else_body
                self.block(taken.block)
            case kernel.FailOp():
                raise DiagnosticException(op.message.data)
            case kernel.IfUnsetOp():
                if self.unset[op.state.value.data]:
                    self.block(op.body.block)
            case kernel.KernelOp():
                self._kernel(op)
            case kernel.WholeKernelOp():
                made = compute_whole(op, [self._load(value) for value in op.reads])
                for value, array in zip(op.outs, made, strict=True):
                    _fill(self.places[value], value, array)
            case _:
                raise AssertionError(f"{op.name} passed verification inside a program")

    def _while(self, op: kernel.WhileOp) -> None:
        most = -1 if op.trip is None else int(self._load(op.trip).item())
        go_on = op.start is None or bool(self._load(op.start).item())
        iteration = 0
        while go_on and not 0 <= most <= iteration:
            if op.most is not None and iteration >= op.most.value.data:
                break
            if op.room is not None and iteration >= op.room.value.data:
                raise NoRoomError(op.room.value.data)
            self.block(op.body.block, iteration)
            iteration += 1
            go_on = op.following is None or bool(self._load(op.following).item())

    def _view(self, result: SSAValue, base: SSAValue, offset: int) -> None:
        place = self.places[base]
        self.places[result] = Place(place.memory, place.offset + offset)

    def _load(self, value: SSAValue) -> Array:
        return _read(self.places[value], value)

    def _kernel(self, op: kernel.KernelOp) -> None:
        yielded = compute(op, [self._load(value) for value in op.reads])
        for value, array, access in zip(op.outs, yielded, op.accesses[len(op.ins) :], strict=True):
            element = _memref(value).element_type
            words = in_memory(stored(array, element), element)
            _put(self.places[value].array(_memref(value)), indices(access, op.shape), words)
