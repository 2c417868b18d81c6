"""Iterators, which run a body several times: tensor iterators and loops."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    TensorType,
    UnitAttr,
    i1,
)
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.irdl import (
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import IsolatedFromAbove, IsTerminator, RecursiveMemoryEffect
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ..compatible import compatible
from ..formatted import FormattedOp
from ..inferred import (
    Constants,
    InferredOp,
    constant_integers,
    label,
    normalize_axis,
    shape_of,
    tensor,
)
from ..names import Names
from ..properties import INTEGER, WORDS
from .ports import (
    ConcatenatedAttr,
    InvariantAttr,
    IterationAttr,
    MergedAttr,
    PortAttr,
    SlicedAttr,
    Slicing,
)

ROOM = "infra.room"
"""The attribute of a module that says for how many iterations unlimited loops have room."""

FIRST_ROOM = 64
"""Its default."""


def room_of(module: ModuleOp) -> int:
    """For how many iterations an unlimited loop has room."""
    said = module.attributes.get(ROOM)
    return said.value.data if isinstance(said, IntegerAttr) else FIRST_ROOM


class TooManyIterationsError(DiagnosticException):
    """A loop wants more iterations than there is room for."""

    def __init__(self, room: int):
        super().__init__(f"a loop wants more than {room} iterations, for which there is room")


def _least(counts: Sequence[int | None]) -> int | None:
    """The smallest of the counts; None where one is unknown or there is none."""
    known = [count for count in counts if count is not None]
    return min(known) if known and len(known) == len(counts) else None


@irdl_op_definition
class YieldOp(FormattedOp):
    """
    Ends a body and gives its results.

        infra.yield %y, %h : tensor<1x1x8xf32>, tensor<1x8xf32>
    """

    name = "infra.yield"

    values = var_operand_def(TensorType)

    traits = traits_def(IsTerminator())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])

    def verify_(self) -> None:
        if isinstance(self.parent_op(), func.FuncOp):
            raise VerifyException(
                f"{label(self)}: ends bodies of iterators and branches; a function ends in func.return"
            )


class IteratorOp(InferredOp, ABC):
    """
    An operation that runs a body several times. `inputs` has one port for each of `operands_` and the body's arguments,
    in the source's order; `outputs` has one for each result; `body_names` has the friendly names of the arguments.
    """

    operands_ = var_operand_def(TensorType)
    results_ = var_result_def(TensorType)
    inputs = prop_def(ArrayAttr[PortAttr])
    outputs = prop_def(ArrayAttr[PortAttr])
    body_names = prop_def(WORDS)
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), RecursiveMemoryEffect())

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """The body's results."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)
        return last.values

    @abstractmethod
    def iterations(self, known: Constants = constant_integers) -> int | None:
        """How often the body runs; None while that is unknown. `known` gives the integers of operands."""

    @property
    def first_operand(self) -> int:
        """The number of the operand that the first input port describes."""
        return len(self.operands) - len(self.operands_)

    def parts(self) -> list[int | None]:
        """How many parts each sliced operand has; None where its dimension is unknown."""
        found: list[int | None] = []
        for operand, port in zip(self.operands_, self.inputs, strict=True):
            if isinstance(port, SlicedAttr):
                size = shape_of(operand)[port.axis.data]
                found.append(None if size == DYNAMIC_INDEX else port.slicing.iterations(size))
        return found

    def invariant_inputs(self) -> list[int]:
        """The numbers of inputs that are the same in every iteration; the body may return what it is given."""
        found: list[int] = []
        for number, (port, argument) in enumerate(
            zip(self.inputs, self.body.block.args, strict=False)
        ):
            is_kept = isinstance(port, MergedAttr) and self.yielded[port.result.data] is argument
            if is_kept or isinstance(port, InvariantAttr):
                found.append(number)
        return found

    def changing_inputs(self) -> list[int]:
        """The numbers of inputs that have a known size in the first iteration, and another one in later iterations."""
        return [
            number
            for number, (port, operand) in enumerate(zip(self.inputs, self.operands_, strict=True))
            if isinstance(port, MergedAttr)
            and tensor(operand).has_static_shape()
            and not tensor(self.body.block.args[number]).has_static_shape()
        ]

    def room(self, known: Constants = constant_integers) -> int | None:
        """For how many iterations there is room in concatenated outputs; None while that is unknown."""
        return self.iterations(known)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        count, types = self.room(constants), list[Attribute]()
        for port in self.outputs:
            assert isinstance(port, ConcatenatedAttr | IterationAttr)
            value = self.yielded[port.result.data]
            shape = list(shape_of(value))
            if isinstance(port, ConcatenatedAttr):
                axis = normalize_axis(self, port.axis.data, len(shape))
                if count is None or shape[axis] == DYNAMIC_INDEX:
                    shape[axis] = DYNAMIC_INDEX
                else:
                    shape[axis] = count * port.part_size.data
            types.append(TensorType(tensor(value).element_type, shape))
        return types

    def verify_(self) -> None:
        block = self.body.block
        if not isinstance(block.last_op, YieldOp):
            raise VerifyException(f"{label(self)}: the body must end in infra.yield")
        ports = len(block.args) - self.extra_arguments
        sizes = {len(self.inputs), ports, len(self.body_names), len(self.operands_)}
        if len(sizes) > 1:
            raise VerifyException(
                f"{label(self)}: {len(self.operands_)} operands, {len(self.inputs)} input ports, "
                f"{ports} body arguments and {len(self.body_names)} names must be as many"
            )
        if len(self.outputs) != len(self.results):
            raise VerifyException(
                f"{label(self)}: {len(self.outputs)} output ports for {len(self.results)} results"
            )
        counts: set[int] = set()
        for operand, port, arg in zip(self.operands_, self.inputs, block.args, strict=False):
            counts |= self._verify_input(operand, port, arg)
        for port in self.outputs:
            if not isinstance(port, ConcatenatedAttr | IterationAttr):
                raise VerifyException(f"{label(self)}: {port.name} cannot be an output port")
        self.verify_counts(counts)
        for port in self.outputs:
            self._verify_output(port)
        super().verify_()

    @property
    def extra_arguments(self) -> int:
        """Body arguments at the end that no operand gives."""
        return 0

    def verify_counts(self, counts: set[int]) -> None:
        """Raises VerifyException where the numbers of parts of the sliced operands do not fit."""
        if len(counts) > 1:
            raise VerifyException(
                f"{label(self)}: sliced inputs give different numbers of iterations: {sorted(counts)}"
            )

    def _verify_input(self, operand: SSAValue, port: PortAttr, arg: SSAValue) -> set[int]:
        counts: set[int] = set()
        wanted = operand.type
        match port:
            case SlicedAttr():
                shape, slicing = list(shape_of(operand)), port.slicing
                axis = normalize_axis(self, slicing.axis, len(shape))
                if slicing.stride == 0 or slicing.part_size < 1:
                    raise VerifyException(
                        f"{label(self)}: stride {slicing.stride} with part size {slicing.part_size} "
                        "never ends; use a stride other than 0 and a positive part size"
                    )
                if shape[axis] != DYNAMIC_INDEX:
                    counts.add(count := slicing.iterations(shape[axis]))
                    self._verify_parts(slicing, shape[axis], count)
                shape[axis] = slicing.part_size
                wanted = TensorType(tensor(operand).element_type, shape)
            case MergedAttr():
                back = self.yielded_type(port.result.data)
                if not compatible(back, arg.type):
                    raise VerifyException(
                        f"{label(self)}: body result {port.result.data} of type {back} comes back as "
                        f"an argument of type {arg.type}"
                    )
            case InvariantAttr():
                pass
            case _:
                raise VerifyException(f"{label(self)}: {port.name} cannot be an input port")
        if not compatible(wanted, arg.type):
            raise VerifyException(
                f"{label(self)}: a body argument of type {arg.type} is given {wanted}"
            )
        return counts

    def _verify_output(self, port: PortAttr) -> None:
        count = self.iterations()
        if isinstance(port, IterationAttr):
            self.yielded_type(port.result.data)
            iteration = port.iteration.data
            if iteration < -1 or (count is not None and iteration >= count):
                raise VerifyException(
                    f"{label(self)}: there is no iteration {iteration}; the last one is -1"
                )
            return
        assert isinstance(port, ConcatenatedAttr)
        type = self.yielded_type(port.result.data)
        assert isinstance(type, TensorType)
        shape = cast(TensorType[Any], type).get_shape()
        size = shape[normalize_axis(self, port.axis.data, len(shape))]
        if size not in (port.part_size.data, DYNAMIC_INDEX):
            raise VerifyException(
                f"{label(self)}: parts of size {port.part_size.data} are put together, body result "
                f"{port.result.data} has size {size} along axis {port.axis.data}"
            )

    def _verify_parts(self, slicing: Slicing, size: int, count: int) -> None:
        for iteration in (0, count - 1):
            begin = slicing.begin(size, iteration)
            if count and not 0 <= begin <= size - slicing.part_size:
                raise VerifyException(
                    f"{label(self)}: iteration {iteration} takes elements {begin} to "
                    f"{begin + slicing.part_size} of dimension {slicing.axis}, which has {size}"
                )

    def yielded_type(self, index: int) -> Attribute:
        """The type of a body result. Raises VerifyException where there is none of that number."""
        if not 0 <= index < len(self.yielded):
            raise VerifyException(
                f"{label(self)}: there is no body result {index}; the body gives {len(self.yielded)}"
            )
        return self.yielded[index].type


@irdl_op_definition
class TensorIteratorOp(IteratorOp):
    """
    Runs its body once for each part of the sliced operands.

        %y = infra.tensor_iterator %x, %h0
            inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
            outputs [#infra.concatenated<result = 0, axis = 1, …>] body_names ["X_t", "H_t"] : (…) -> (…) {
        ^bb0(%x_t: tensor<1x1x4xf32>, %h: tensor<1x8xf32>):
          …
          infra.yield %y_t, %h_next : tensor<1x1x8xf32>, tensor<1x8xf32>
        }
    """

    name = "infra.tensor_iterator"
    NAMES: ClassVar = Names("TensorIterator-1")

    assembly_format = (
        "$operands_ `inputs` $inputs `outputs` $outputs `body_names` $body_names attr-dict `:` "
        "functional-type(operands, results) $body"
    )

    def iterations(self, known: Constants = constant_integers) -> int | None:
        """How often the body runs, once where nothing is sliced; None while a sliced dimension is unknown."""
        return _least(self.parts() or [1])


@irdl_op_definition
class LoopOp(IteratorOp):
    """
    Runs its body while a condition holds, at most `trip_count` times.

    The first iteration runs if `execution_condition` does, a later one if the body's result number
    `body_condition` was true in the one before; without that property the condition always holds. A trip
    count of -1 is no limit; a loop ends in any case when a sliced input has no further part. With
    `current_iteration`, the body has one more argument at its end: the number
    of the iteration, from 0.

    With `most_iterations`, there is room for the parts of so many, whatever their number turns out to be, and zeros
    behind them; a run that would go on fails.

        %y = infra.loop %trip, %true, %x, %h0 inputs [#infra.invariant, #infra.merged<result = 0>]
            outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["X", "H_t"]
            {body_condition = 1 : i64} : (…) -> (…) {
        ^bb0(%x_t: tensor<1x4xf32>, %h: tensor<1x8xf32>):
          …
          infra.yield %h_next, %go_on : tensor<1x8xf32>, tensor<i1>
        }
    """

    name = "infra.loop"
    NAMES: ClassVar = Names("Loop-5", "While StatelessWhile", "WHILE", "Loop-25")

    NEVER_REACHED: ClassVar = 2**31 - 1
    """A trip count that is no limit: TorchScript's `while` has the largest number of i64, others that of i32."""

    trip_count = operand_def(TensorType.constr(base(IntegerType)))
    execution_condition = operand_def(TensorType.constr(base(IntegerType)))
    operands_ = var_operand_def(TensorType)
    body_condition = opt_prop_def(INTEGER)
    current_iteration = opt_prop_def(UnitAttr)
    most_iterations = opt_prop_def(INTEGER)

    assembly_format = (
        "$trip_count `,` $execution_condition (`,` $operands_^)? `inputs` $inputs `outputs` $outputs "
        "`body_names` $body_names attr-dict `:` functional-type(operands, results) $body"
    )

    @property
    def extra_arguments(self) -> int:
        """The number of the iteration, where the body asks for it."""
        return int(self.current_iteration is not None)

    @property
    def condition(self) -> SSAValue | None:
        """The body's result that says whether another iteration may follow."""
        if self.body_condition is None:
            return None
        return self.yielded[self.body_condition.value.data]

    def iterations(self, known: Constants = constant_integers) -> int | None:
        """How often the body runs, where trip count, conditions and parts are known."""
        most = self._most_iterations(known)
        if most == 0:
            return 0
        return None if most is None else _least([*([most] if most > 0 else []), *self.parts()])

    def most(self) -> int | None:
        """The largest number of iterations that a constant trip count and sliced operands allow; None without them."""
        trip = constant_integers(self.trip_count)
        given = [count for count in (*(trip or ()), *self.parts()) if count is not None]
        return min((count for count in given if 0 <= count < self.NEVER_REACHED), default=None)

    def runs(self) -> bool:
        """Whether constants say that there is a first iteration, however many follow."""
        trip, execute = map(constant_integers, (self.trip_count, self.execution_condition))
        return bool(trip and trip[0] and execute and any(execute) and all(self.parts()))

    def room(self, known: Constants = constant_integers) -> int | None:
        if self.most_iterations is None:
            return self.iterations(known)
        return self.most_iterations.value.data

    def _most_iterations(self, known: Constants = constant_integers) -> int | None:
        """What trip count and conditions say alone: -1 is no limit, None unknown."""
        trip, execute = map(known, (self.trip_count, self.execution_condition))
        if (execute and not any(execute)) or (trip and trip[0] == 0):
            return 0
        following = (1,) if self.condition is None else self._known_in_body(self.condition, known)
        if trip is None or execute is None or following is None:
            return None
        return max(trip[0], -1) if any(following) else 1

    def _known_in_body(self, value: SSAValue, known: Constants) -> Sequence[int] | None:
        """The integers of a value of the body: its own constant, or one that every iteration is given."""
        if isinstance(value, BlockArgument) and value.index < len(self.inputs):
            port, operand = self.inputs.data[value.index], self.operands_[value.index]
            return known(operand) if isinstance(port, InvariantAttr) else None
        return constant_integers(value)

    def verify_counts(self, counts: set[int]) -> None:
        """The trip count decides how often the body runs; slices must have as many parts at least, or end it."""
        wanted = self._most_iterations()
        if wanted == -1 and not self.parts():
            raise VerifyException(
                f"{label(self)}: never ends, without a trip count and with conditions that always hold; give it a trip "
                "count, compute its condition, or slice an input"
            )
        if wanted is not None and counts and min(counts) < wanted:
            raise VerifyException(
                f"{label(self)}: runs {wanted} iterations, a sliced input has {min(counts)} parts"
            )

    def verify_(self) -> None:
        for name, value in (
            ("trip count", self.trip_count),
            ("condition", self.execution_condition),
        ):
            if shape_of(value) not in ((), (1,)):
                raise VerifyException(
                    f"{label(self)}: the {name} has type {value.type}, not a scalar"
                )
        if self.body_condition is not None and isinstance(self.body.block.last_op, YieldOp):
            number = self.body_condition.value.data
            type = self.yielded_type(number)
            if not compatible(type, TensorType(i1, [])) and not compatible(
                type, TensorType(i1, [1])
            ):
                raise VerifyException(
                    f"{label(self)}: body result {number}, its condition, has type {type}, not tensor<i1>"
                )
        super().verify_()
