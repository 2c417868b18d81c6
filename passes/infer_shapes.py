"""`infer-shapes`: infers the type of every value from its operands."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from ..dialects import infra, nn
from ..dialects.blob import BlobAttr
from ..dialects.compatible import compatible, meet
from ..dialects.elements import is_integer
from ..dialects.inferred import (
    Constants,
    InferredOp,
    Shape,
    constant_integers,
    normalize_axis,
    shape_of,
    tensor,
)
from ..dialects.rewriter import Rewriter
from ..dialects.traits import HasWindow
from ..dialects.verification import verify
from ..dialects.walk import all_operations
from .shapes.computed_integers import source

if TYPE_CHECKING:
    from ..reference.arrays import Array

MOST_ELEMENTS = 1024
"""Values with more elements than this are no shapes; they are not computed."""


class InferShapes(ModulePass):
    """
    Every result of our operations gets the type its operands give, in order, bodies included.

    The types of inputs and of states are taken as they are, and so is what foreign operations give.
    A type that was more specific than the operands can tell becomes less so.
    """

    name = "infer-shapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        infer_types(op)


class ShapeError(VerifyException):
    """Operands do not fit the operation `op`."""

    def __init__(self, op: Operation, message: str):
        super().__init__(message)
        self.op = op


def infer_types(module: ModuleOp, keep: bool = False) -> None:
    """
    Infers all types of a module. With `keep`, for rewrites that replaced values by equal ones, what
    the old types knew stays known.

    Raises ShapeError where operands do not fit their use.
    """
    _Inference(keep).infer_module(module)


def infer_types_and_states(module: ModuleOp, fails: bool = False) -> None:
    """
    As `infer_types`, for a module whose inputs have new types: states follow.

    A variable has the type of what initializes it, but what was unknown of it stays unknown. In a
    dimension where what is assigned differs from that, its size is unknown. With `fails`, a body of a branch that does
    not fit, where the other one does, fails if it is taken.

    Raises ShapeError where operands do not fit their use.
    """
    widened: dict[str, TensorType[Any]] = {}
    while True:
        _Inference(keep=False, follow=True, fails=fails, widened=widened).infer_module(module)
        wider = _states_that_change(module)
        if not wider:
            return
        widened.update(wider)


def infer_types_of_call(module: ModuleOp, states: Mapping[str, Shape], keep: bool = False) -> None:
    """
    As `infer_types`, for a call that begins with states of these shapes. What reads a variable that is not
    named, and so is unset, has the shape of its initial value. `keep` as there. Branches fail as in
    `infer_types_and_states`.

    Raises ShapeError where operands do not fit their use.
    """
    _Inference(keep, fails=True, entered=states).infer_module(module)


def shape_errors(module: ModuleOp) -> list[Operation]:
    """Infers all types; what does not fit keeps its types. Returns these operations."""
    inference = _Lenient(keep=False)
    inference.infer_module(module)
    return [*inference.shape_errors, *(error.op for error in _invalid(module))]


def verify_fits(module: ModuleOp) -> None:
    """Verifies every operation. Raises ShapeError for the first that is not valid."""
    for error in _invalid(module):
        raise error
    verify(module)


def _invalid(module: ModuleOp) -> Iterator[ShapeError]:
    for op in module.walk():
        yield from _invalid_op(op)


def _invalid_op(op: Operation) -> Iterator[ShapeError]:
    try:
        op.verify(verify_nested_ops=False)
    except VerifyException as error:
        yield ShapeError(op, str(error))


def _check_body(body: Block) -> None:
    """Raises ShapeError for the first operation that is invalid."""
    for op in body.walk():
        for error in _invalid_op(op):
            raise error


def _update_function_type(function: func.FuncOp) -> None:
    """Gives a function the types of its arguments and of what it returns, if they are others."""
    old, end = function.function_type, function.get_return_op()
    given = old.outputs.data if end is None else tuple(end.operand_types)
    if (old.inputs.data, old.outputs.data) != (
        tuple([argument.type for argument in function.args]),
        given,
    ):
        function.update_function_type()


def _states_that_change(module: ModuleOp) -> dict[str, TensorType[Any]]:
    """The variables whose uses have other sizes, with the type that covers all."""
    declared = {v.sym_name.data: v for v in module.ops if isinstance(v, infra.VariableOp)}
    wider: dict[str, TensorType[Any]] = {}
    for op in module.walk():
        match op:
            case infra.ReadValueOp():
                value = op.init
            case infra.AssignOp():
                value = op.value
            case _:
                continue
        name = op.variable.string_value()
        type = wider.get(name, cast(TensorType[Any], declared[name].type))
        new = tensor(value)
        if _same_kind(type, new) and not compatible(type, new):
            wider[name] = _join(type, new)
    return wider


def _same_kind(left: TensorType[Any], right: TensorType[Any]) -> bool:
    """Whether types differ only in sizes."""
    return (left.element_type, left.get_num_dims()) == (right.element_type, right.get_num_dims())


@dataclass(frozen=True)
class _Inference:
    """
    One way through a module; `keep` as in `infer_types`. With `follow`, variables get the types of
    their initial values, or those of `widened`. `fails` as in `infer_types_and_states`, `entered` as in
    `infer_types_of_call`.
    """

    keep: bool
    follow: bool = False
    fails: bool = False
    widened: Mapping[str, TensorType[Any]] = field(default_factory=dict[str, TensorType[Any]])
    entered: Mapping[str, Shape] | None = None

    def infer_module(self, module: ModuleOp) -> None:
        for op in all_operations(module):
            if isinstance(op, func.FuncOp) and not op.is_declaration:
                for block in op.body.blocks:
                    self.infer_block(block)
                _update_function_type(op)

    def types_of(self, op: InferredOp, known: Constants) -> Sequence[Attribute]:
        try:
            return op.infer_types(known)
        except VerifyException as error:
            raise ShapeError(op, str(error)) from None

    def infer_block(self, block: Block) -> None:
        known = KnownIntegers()
        for op in block.ops:
            match op:
                case infra.IteratorOp():
                    self._infer_iterations(op)
                    self._retype(op.results, self.types_of(op, known))
                case infra.IfOp():
                    self._infer_bodies(op, known)
                    self._retype(op.results, self.types_of(op, known))
                case infra.ReadValueOp():
                    variable = infra.variables_of(op)[op.variable.string_value()]
                    if self.follow:
                        variable.properties["type"] = self._state_type(variable, tensor(op.init))
                    self._retype(op.results, [self._read_type(op, variable)])
                case InferredOp():
                    self._retype(op.results, self.types_of(op, known))
                case _:
                    for region in op.regions:
                        for inner in region.blocks:
                            self.infer_block(inner)

    def _infer_bodies(self, op: infra.IfOp, known: Constants) -> None:
        """
        The types in both bodies of a branch. One of them may have shape errors, if it is not known to be taken: it was
        made for inputs of other shapes. It then fails where it is run.
        """
        condition = known(op.condition)
        taken = None if condition is None else not any(condition)
        errors: dict[int, ShapeError] = {}
        for i, body in enumerate(op.bodies):
            self._retype(body.args, [value.type for value in op.inputs])
            try:
                self.infer_block(body)
                if self.fails:
                    _check_body(body)
            except ShapeError as error:
                if not self.fails or errors or i == taken:
                    raise
                errors[i] = error
        for i, error in errors.items():
            types = [tensor(value) for value in op.yielded(1 - i)]
            if not all(type.has_static_shape() for type in types):
                raise error
            _fail(op.bodies[i], types, error)

    def _state_type(self, variable: infra.VariableOp, init: TensorType[Any]) -> TensorType[Any]:
        old = cast(TensorType[Any], variable.type)
        if (type := self.widened.get(variable.sym_name.data)) is not None:
            return type
        if not _same_kind(old, init):
            return old
        sizes = zip(old.get_shape(), init.get_shape(), strict=True)
        return TensorType(
            old.element_type, [DYNAMIC_INDEX if a == DYNAMIC_INDEX else b for a, b in sizes]
        )

    def _read_type(self, op: infra.ReadValueOp, variable: infra.VariableOp) -> Attribute:
        if self.entered is None:
            return variable.type
        type = tensor(op.init)
        if (shape := self.entered.get(variable.sym_name.data)) is not None:
            type = TensorType(type.element_type, shape)
        return meet(variable.type, type)

    def _infer_iterations(self, iterator: infra.IteratorOp) -> None:
        """Where an iteration may change a dimension of a merged input, it is unknown."""
        body, ports = iterator.body.block, len(iterator.inputs)
        self._retype(body.args[:ports], [_first_type(iterator, i) for i in range(ports)])
        while True:
            self.infer_block(body)
            joined = list(body.arg_types)
            for i, port in enumerate(iterator.inputs):
                if isinstance(port, infra.MergedAttr):
                    first, back = tensor(body.args[i]), tensor(iterator.yielded[port.result.data])
                    if _same_kind(first, back):  # else verification says what is wrong
                        joined[i] = _join(first, back)
            if joined == list(body.arg_types):
                return
            _Inference(keep=False)._retype(body.args, joined)

    def _retype(self, values: Sequence[SSAValue], types: Sequence[Attribute]) -> None:
        for value, type in zip(list(values), types, strict=True):
            if self.keep:
                type = meet(value.type, type)
            if value.type != type:
                Rewriter.replace_value_with_new_type(value, type)


def _fail(body: Block, types: Sequence[TensorType[Any]], error: ShapeError) -> None:
    """Makes a body that does not fit end the inference; zeros replace its results."""
    for op in reversed(list(body.ops)):
        Rewriter.erase_op(op)
    zeros = [nn.ConstantOp(BlobAttr.of(type, 0)) for type in types]
    body.add_ops([infra.FailOp.of_branch(str(error)), *zeros, infra.YieldOp(*zeros)])


@dataclass(frozen=True)
class _Lenient(_Inference):
    """Operations that do not fit keep their types and are noted."""

    shape_errors: list[Operation] = field(default_factory=list[Operation])

    def types_of(self, op: InferredOp, known: Constants) -> Sequence[Attribute]:
        try:
            return op.infer_types(known)
        except VerifyException:
            self.shape_errors.append(op)
            return op.result_types


def _first_type(iterator: infra.IteratorOp, index: int) -> Attribute:
    """The type of a body argument in the first iteration."""
    operand, port = iterator.operands_[index], iterator.inputs.data[index]
    if not isinstance(port, infra.SlicedAttr):
        return operand.type
    shape = list(shape_of(operand))
    shape[normalize_axis(iterator, port.axis.data, len(shape))] = port.part_size.data
    return TensorType(tensor(operand).element_type, shape)


def _join(left: TensorType[Any], right: TensorType[Any]) -> TensorType[Any]:
    """The most specific type that covers both types."""
    assert left.element_type == right.element_type, "verified, and not for inference to change"
    sizes = zip(left.get_shape(), right.get_shape(), strict=True)
    return TensorType(left.element_type, [a if a == b else DYNAMIC_INDEX for a, b in sizes])


UNFIT = (ValueError, TypeError, IndexError)
"""What the reference raises of an operation that does not fit; why it does not, its own inference says."""


@dataclass
class KnownIntegers:
    """
    The integers of values in one block, as far as constants and known shapes determine them. The reference computes
    them when they are first asked for.
    """

    _arrays: dict[SSAValue, Array | None] = field(default_factory=dict[SSAValue, "Array | None"])

    def __call__(self, value: SSAValue) -> Sequence[int] | None:
        if isinstance(value.owner, nn.ConstantOp):
            return constant_integers(value)
        pending = [value]
        while pending:
            missing = [each for each in _inputs(pending[-1]) if each not in self._arrays]
            pending += missing
            if not missing:
                self._compute(pending.pop())
        array = self._arrays[value]
        return None if array is None else [int(element) for element in array.reshape(-1)]

    def _compute(self, value: SSAValue) -> None:
        from ..reference.arrays import array_of
        from ..reference.executor import evaluate

        self._arrays.setdefault(value, None)
        if not _is_computable(op := value.owner):
            return
        if isinstance(op, nn.ShapeOfOp):
            inputs = [_any_array(shape_of(op.input))]
        else:
            inputs = [self._arrays[each] for each in op.operands]
        if all(array is not None for array in inputs):
            try:
                results = evaluate(op, [array for array in inputs if array is not None])
            except UNFIT:
                return
            self._arrays.update(zip(op.results, results, strict=True))
        elif isinstance(op, nn.GatherOp | nn.SliceOp) and (found := taken_sizes(value)) is not None:
            self._arrays[value] = array_of(BlobAttr.of(tensor(value), found))


def taken_sizes(value: SSAValue) -> list[int] | None:
    """
    The integers that a value of up to `MOST_ELEMENTS` takes of a list of sizes some of which are unknown, if these are
    known.
    """
    type = tensor(value)
    if not is_integer(type.element_type) or not type.has_static_shape():
        return None
    if (count := math.prod(type.get_shape())) > MOST_ELEMENTS:
        return None
    found: list[int] = []
    for index in range(count):
        if not isinstance(size := source(value, index), int):
            return None
        found.append(size)
    return found


def _any_array(shape: Shape) -> Array | None:
    """An array of this shape, for operations that only read the shape."""
    import numpy as np

    return None if DYNAMIC_INDEX in shape else np.broadcast_to(np.zeros(()), shape)


def _inputs(value: SSAValue) -> Sequence[SSAValue]:
    """The values that must be known to compute this one."""
    op = value.owner
    return op.operands if _is_computable(op) and not isinstance(op, nn.ShapeOfOp) else ()


def _is_computable(op: Operation | Block) -> TypeGuard[Operation]:
    """Whether the reference can compute this, and it is small enough to be part of a shape."""
    from ..reference.executor import has_meaning

    if isinstance(op, Block) or not has_meaning(op) or op.get_trait(HasWindow):
        return False
    return all(
        DYNAMIC_INDEX not in shape_of(result) and math.prod(shape_of(result)) <= MOST_ELEMENTS
        for result in op.results
    )
