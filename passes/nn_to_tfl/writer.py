"""
Writes operators for the operations of one block.

A value may lie in memory in another order of dimensions than it has in the model: a convolution
takes and gives channels last, and what stands between two of them follows it. Transposes appear only
where somebody asks for another order, once each, and those of the model only change the order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import friendly_name, label, shape_of, spelled, tensor
from ...dialects.module import entry_of, port_names
from ...dialects.nn.constant import constant_of
from ...dialects.nn.derived import DerivedOp
from ...reference.arrays import Array, array_of, blob_of
from ..decompose_ops import decompose
from .codes import is_kept, moved, regrouped
from .codes import real as real_numbers
from .elements import HOLD, carrier, element_name
from .tensors import UNKNOWN, Elements, Like, Quantization, Tensor

if TYPE_CHECKING:
    from .lstm import Asked, Ran
    from .states import States

EXAMPLE_SIZE = 16
"""What stands for an unknown size, except that of a batch, in an example."""

Order = tuple[int, ...]
OpT = TypeVar("OpT", bound=Operation)

CARRIERS = (
    nn.BroadcastOp,
    nn.ConcatOp,
    nn.DepthToSpaceOp,
    nn.MaxPoolOp,
    nn.ReshapeOp,
    nn.SliceOp,
    nn.SpaceToDepthOp,
    nn.SplitOp,
    nn.SqueezeOp,
    nn.StridedSliceOp,
    nn.TransposeOp,
    nn.UnsqueezeOp,
    nn.VariadicSplitOp,
)
"""Operations that move or choose elements, which they may do to codes."""

NONE = "NONE"
"""No fused activation."""

EMITTERS: dict[type[Operation], Callable[[Writer, Any], None]] = {}
"""By operation, what writes operators for it and says where its results are."""


def emits(
    *ops: type[Operation],
) -> Callable[[Callable[[Writer, OpT], None]], Callable[[Writer, OpT], None]]:
    """Registers the decorated function as what writes these operations."""

    def register(function: Callable[[Writer, OpT], None]) -> Callable[[Writer, OpT], None]:
        EMITTERS.update(dict.fromkeys(ops, function))
        return function

    return register


def _decomposed(write: Writer, op: Any) -> None:
    """Writes what defines a derived operation in its place."""
    for each in decompose(op):
        if not isinstance(each, nn.ConstantOp):
            write.run(each)


def refuse(op: Operation, what: str) -> DiagnosticException:
    """The error for what LiteRT cannot say."""
    return DiagnosticException(f"{label(op)}: cannot be written for LiteRT: {what}")


class UnknownSizeError(DiagnosticException):
    """What LiteRT cannot say as long as a size is unknown."""


def refuse_unknown(op: Operation, what: str) -> DiagnosticException:
    """The error for what LiteRT could say if sizes were known, with what gives them."""
    return refuse(op, f"{what}; {_reshape_for(op)}")


def _reshape_for(op: Operation) -> str:
    """How the inputs of the model that an operation is in get sizes, by an example."""
    module = op
    while (parent := module.parent_op()) is not None:
        module = parent
    assert isinstance(module, ModuleOp), "operations are written from a module"
    entry = entry_of(module)
    shapes: dict[str | int, list[int]] = {}
    names = port_names(entry.arg_attrs, len(entry.args))
    for i, (argument, listed) in enumerate(zip(entry.args, names, strict=True)):
        if DYNAMIC_INDEX in (shape := shape_of(argument)):
            shapes[listed[0] if listed else i] = [
                (EXAMPLE_SIZE if axis else 1) if size == DYNAMIC_INDEX else size
                for axis, size in enumerate(shape)
            ]
    if not shapes:
        return "the shapes of the inputs do not decide it: make what it is computed from constant"
    return f"give the inputs shapes, for example model.reshape({shapes})"


@dataclass(frozen=True)
class View:
    """Where a value is: its dimension `i` is dimension `order[i]` of the tensor."""

    tensor: Tensor
    order: Order


def identity(rank: int) -> Order:
    """The order in which nothing moves."""
    return tuple(range(rank))


def inverse(order: Sequence[int]) -> Order:
    """The order that undoes another."""
    return tuple(order.index(i) for i in range(len(order)))


def sizes_of(value: SSAValue) -> tuple[int, ...]:
    """The dimensions of a value, as LiteRT writes unknown ones."""
    return tuple(UNKNOWN if size == DYNAMIC_INDEX else size for size in shape_of(value))


class Writer:
    """A function of LiteRT's operations so far, and where the values that they give are."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.block = Block()
        self.outputs: list[Tensor] = []
        self._absent: SSAValue | None = None
        self.states: States | None = None
        self.values: dict[SSAValue, View] = {}
        self._transposed: dict[tuple[Tensor, Order], Tensor] = {}
        self._cast: dict[tuple[Tensor, str], Tensor] = {}
        self._plain: dict[tuple[Tensor, str], Tensor] = {}
        self._reshaped: dict[Tensor, Tensor] = {}
        self.ran: list[tuple[Asked, Ran]] = []
        self._keeps_codes = False
        self._name = ""

    def run(self, op: Operation) -> None:
        """Writes one operation. Raises DiagnosticException, naming it, where LiteRT cannot say it."""
        emit = EMITTERS.get(type(op), _decomposed if isinstance(op, DerivedOp) else None)
        if emit is None:
            raise refuse(
                op, "LiteRT has no such operation; replace it in the model by ones that it has"
            )
        self._name = friendly_name(op) or ""
        try:
            if self._carries_codes(op):
                with self.codes():
                    emit(self, op)
            else:
                emit(self, op)
        except UnknownSizeError as error:
            raise refuse_unknown(op, str(error)) from None
        except DiagnosticException as error:
            if str(error).startswith((op.name, "nn.constant")):
                raise
            raise refuse(op, str(error)) from None

    def _carries_codes(self, op: Operation) -> bool:
        """Whether an operation does the same to codes as to what these stand for, all of one meaning."""
        if not isinstance(op, CARRIERS) and not self._pads_with_zeros(op):
            return False
        data = op.operands if isinstance(op, nn.ConcatOp) else op.operands[:1]
        held = {
            view.tensor.quantization if (view := self.values.get(value)) is not None else None
            for value in data
        }
        return None not in held and len(held) == 1

    def _pads_with_zeros(self, op: Operation) -> bool:
        """Whether an operation puts zeros, which codes have a code for, beside numbers."""
        if not isinstance(op, nn.PadOp) or not element_of(op.input).startswith("float"):
            return False
        fill = None if op.pad_value is None else self.known(op.pad_value)
        return op.pad_mode.data == "constant" and (
            op.pad_value is None or (fill is not None and not fill.any())
        )

    # --- values -------------------------------------------------------------------------

    def view(self, value: SSAValue) -> View:
        """Where a value is, quantized ones in codes."""
        if value not in self.values:
            blob = constant_of(value)
            assert blob is not None and isinstance(value.owner, Operation)
            try:
                constant = self.constant(array_of(blob), element_name(blob.type.element_type))
            except DiagnosticException as error:
                raise refuse(value.owner, str(error)) from None
            self.values[value] = View(constant, identity(constant.rank))
        return self.values[value]

    @contextmanager
    def codes(self) -> Generator[None]:
        """Within it, quantized values are the codes that they are held in."""
        before, self._keeps_codes = self._keeps_codes, True
        try:
            yield
        finally:
            self._keeps_codes = before

    def uncoded(self, codes: Tensor, element: str) -> Tensor:
        """What codes stand for; of a value that is codes itself, these in its own type."""
        quantization = codes.quantization
        if quantization is None or self._keeps_codes:
            return codes
        if (codes, element) not in self._plain:
            own = codes
            if not element.startswith("float") and codes.data is None:
                # LiteRT converts no codes to numbers: with this meaning they are numbers.
                point = -128 if element == "uint8" else 0
                own = self.copied(codes, Elements("int8", Quantization((1.0,), (point,))))
            if codes.data is not None and not element.startswith("float"):
                real = self.constant(codes.data.astype(element))
            elif not is_kept(codes):
                real = self.constant(real_numbers(codes), element)
            else:
                real = self.operator("DEQUANTIZE", [own], Elements("float32").tensor(own.shape))
                number, real = real, self.cast(real, element)
                self._cast[real, "float32"] = number
            self._plain[codes, element] = real
        return self._plain[codes, element]

    def arranged(self, value: SSAValue, order: Order) -> Tensor:
        """The value with dimension `order[k]` at place `k`."""
        view = self.view(value)
        found = self.transposed(view.tensor, tuple(view.order[i] for i in order))
        return self.uncoded(found, element_of(value))

    def plain(self, value: SSAValue) -> Tensor:
        """The value with its dimensions in their own order."""
        return self.arranged(value, identity(len(shape_of(value))))

    def known(self, value: SSAValue) -> Array | None:
        """The value, if it is a constant."""
        blob = constant_of(value)
        return None if blob is None else array_of(blob)

    def numbers(self, op: Operation, value: SSAValue, what: str) -> list[int]:
        """The integers of an operand. Raises DiagnosticException where they are not known."""
        if (array := self.known(value)) is None:
            raise refuse(op, f"its {what} must be constant; fold or fix it first")
        return [int(n) for n in array.reshape(-1)]

    def set(self, value: SSAValue, found: Tensor, order: Order | None = None) -> None:
        """Says where a value is: in a tensor that has dimension `order[k]` of it at place `k`."""
        if self._name and found.data is None and not found.name:
            found.rename(self._name)
        self.values[value] = View(found, identity(found.rank) if order is None else inverse(order))

    # --- tensors ------------------------------------------------------------------------

    def constant(
        self, array: Any, element: str | None = None, quantization: Quantization | None = None
    ) -> Tensor:
        """A constant tensor. Raises DiagnosticException where it is empty."""
        data = np.asarray(array, None if element is None else np.dtype(element))
        if not data.size:
            raise DiagnosticException(
                "it needs an empty constant, which LiteRT cannot hold; remove what makes it"
            )
        type = Elements(data.dtype.name, quantization).tensor(data.shape)
        return self._added(tfl.PseudoConstOp(blob_of(data), type))

    def again(self, constant: Tensor) -> Tensor:
        """The constant of another function in this one."""
        return self.constant(constant.data, None, constant.quantization)

    def variable(self, type: TensorType[Any], name: str = "") -> Tensor:
        """A tensor that keeps its contents between calls."""
        made = self._added(tfl.VariableOp(type))
        if name:
            made.rename(name)
        return made

    def integers(self, numbers: Sequence[int]) -> Tensor:
        """Axes, shapes and limits, which LiteRT takes in 32 bits."""
        return self.constant(np.array(numbers, np.int32).reshape(-1))

    def transposed(self, source: Tensor, permutation: Order) -> Tensor:
        """The tensor with its dimension `permutation[k]` at place `k`."""
        if permutation == identity(source.rank):
            return source
        if (source, permutation) not in self._transposed:
            shape = tuple(source.shape[i] for i in permutation)
            if source.data is not None:
                array, quantization = source.data.transpose(permutation), moved(source, permutation)
                if source.quantization is not None and quantization is None:
                    array = real_numbers(source).transpose(permutation)
                result = self.constant(array, quantization=quantization)
            else:
                result = self.op(
                    "TRANSPOSE", [source, self.integers(permutation)], shape, like=source
                )
                # Whoever asks the result for the source's order gets the source.
                self._transposed[result, inverse(permutation)] = source
            self._transposed[source, permutation] = result
        return self._transposed[source, permutation]

    def reshaped(self, source: Tensor, shape: Sequence[int]) -> Tensor:
        """The same elements under another shape, of which one dimension may be unknown."""
        source = self._reshaped.get(source, source)
        if tuple(shape) == source.shape and list(shape).count(UNKNOWN) <= 1:
            return source
        if source.data is not None:
            quantization = regrouped(source, shape)
            if source.quantization is not None and quantization is None:
                return self.constant(real_numbers(source).reshape(shape))
            return self.constant(source.data.reshape(shape), quantization=quantization)
        if list(shape).count(UNKNOWN) > 1:
            raise UnknownSizeError(
                f"shape {spelled([DYNAMIC_INDEX if n < 0 else n for n in shape])} has more than one "
                "unknown dimension"
            )
        target = [self.integers(shape)] if shape else []  # a scalar's is said by the option alone
        operands = [source, *target]
        result = self.op("RESHAPE", operands, shape, like=source, new_shape=list(shape))
        self._reshaped[result] = source
        return result

    def cast(self, source: Tensor, element: str) -> Tensor:
        """The tensor in another element type."""
        if source.element == element:
            return source
        if source.data is not None:
            return self.constant(source.data.astype(element))
        if (source, element) not in self._cast:
            result = self.operator("CAST", [source], Elements(element).tensor(source.shape))
            self._cast[source, element] = result
            if element in HOLD.get(source.element, ()):
                self._cast[result, source.element] = source  # and back is the source
        return self._cast[source, element]

    def copied(self, source: Tensor, like: Like) -> Tensor:
        """The source's elements in another tensor."""
        inputs = [source]
        if source.shape.count(UNKNOWN) > 1:
            inputs.append(self.op("SHAPE", [source], (source.rank,), "int32", out_type=i32))
        elif source.rank:
            inputs.append(self.integers(source.shape))
        type = Elements(like.element, like.quantization).tensor(source.shape)
        return self.operator("RESHAPE", inputs, type, new_shape=list(source.shape))

    # --- operators ----------------------------------------------------------------------

    def _added(self, op: Operation) -> Tensor:
        self.block.add_op(op)
        return Tensor(op.results[0])

    def operands(self, inputs: Sequence[Tensor | None]) -> list[SSAValue]:
        """The values of tensors; None stands for an absent operand."""
        if self._absent is None and None in inputs:
            self._absent = self._added(tfl.NoValueOp()).value
        return [self._absent if x is None else x.value for x in inputs]  # pyright: ignore[reportReturnType]

    def operators(
        self,
        builtin: str,
        inputs: Sequence[Tensor | None],
        types: Sequence[Attribute],
        **options: Any,
    ) -> list[Tensor]:
        """A builtin (`CONV_2D`) of any number of results."""
        made = tfl.OPERATIONS[builtin].of(self.operands(inputs), types, **options)
        self.block.add_op(made)
        return [Tensor(result) for result in made.results]

    def operator(
        self, builtin: str, inputs: Sequence[Tensor | None], type: Attribute, **options: Any
    ) -> Tensor:
        """A builtin of one result."""
        (result,) = self.operators(builtin, inputs, [type], **options)
        return result

    def op(
        self,
        builtin: str,
        inputs: Sequence[Tensor | None],
        shape: Sequence[int],
        element: str | None = None,
        like: Like | None = None,
        data: int = 0,
        **options: Any,
    ) -> Tensor:
        """
        An operator of one result, computed in another type where LiteRT's kernel does not take that of
        operand number `data`.

        The result has that operand's type, or `element`, or, quantization included, that of `like`.
        """
        first = inputs[data]
        assert first is not None
        result = Elements(element or first.element)
        if like is not None:
            result = Elements(like.element, like.quantization)
        own = inside = first.element
        if first.quantization is None:
            inside = carrier(builtin, own)
        if inside == own:
            return self.operator(builtin, inputs, result.tensor(shape), **options)
        wide = [
            self.cast(tensor, inside) if tensor is not None and tensor.element == own else tensor
            for tensor in inputs
        ]
        element = inside if result.element == own else result.element
        return self.cast(
            self.op(builtin, wide, shape, element, data=data, **options), result.element
        )

    def several(
        self,
        builtin: str,
        inputs: Sequence[Tensor],
        shapes: Sequence[Sequence[int]],
        **options: Any,
    ) -> list[Tensor]:
        """An operator of several results, all like the operand that is no axis and no list of sizes."""
        data = max(inputs, key=lambda tensor: (tensor.data is None, tensor.rank))
        inside = data.element
        if data.quantization is None:
            inside = carrier(builtin, data.element)
        wide = [self.cast(tensor, inside) if tensor is data else tensor for tensor in inputs]
        types = [Elements(inside, data.quantization).tensor(shape) for shape in shapes]
        results = self.operators(builtin, wide, types, **options)
        return [self.cast(result, data.element) for result in results]

    def scalar(self, like: Like, number: float) -> Tensor:
        """A number of the element type of `like`."""
        return self.constant(number, like.element, like.quantization)

    def binary(self, builtin: str, left: Tensor, right: Tensor | float, **options: Any) -> Tensor:
        """An elementwise operator of tensors that broadcast, or of a tensor and a number."""
        if not isinstance(right, Tensor):
            right = self.scalar(left, right)
        shape = broadcast(left.shape, right.shape)
        return self.op(builtin, [left, right], shape, **options)

    def unary(self, builtin: str, source: Tensor, **options: Any) -> Tensor:
        """An elementwise operator."""
        return self.op(builtin, [source], source.shape, **options)

    def reduced(
        self, builtin: str, source: Tensor, axes: Sequence[int], keep: bool = True
    ) -> Tensor:
        """A reduction along axes of the tensor."""
        shape = [
            1 if i in axes else size for i, size in enumerate(source.shape) if keep or i not in axes
        ]
        return self.op(builtin, [source, self.integers(axes)], shape, keep_dims=keep)

    # --- functions ----------------------------------------------------------------------

    def argument(self, type: TensorType[Any]) -> Tensor:
        """A further argument."""
        return Tensor(self.block.insert_arg(type, len(self.block.args)))

    def function(self, name: str) -> func.FuncOp:
        """The function, without operations whose results nobody uses, in the module; it gives `outputs`."""
        _prune(self.block, {each.value for each in self.outputs})
        results = [each.value for each in self.outputs]
        self.block.add_op(func.ReturnOp(*results))
        taken = {each.sym_name.data for each in self.module.ops if isinstance(each, func.FuncOp)}
        names = (f"{name}_{i}" if i else name for i in count())
        made = func.FuncOp(
            next(each for each in names if each not in taken),
            ([each.type for each in self.block.args], [each.type for each in results]),
            Region(self.block),
            visibility="private",
        )
        if made.sym_name.data != name:
            made.attributes[tfl.OWN_NAME] = StringAttr(name)
        self.module.body.block.add_op(made)
        return made

    def called(self, name: str) -> SymbolRefAttr:
        """What operators call the function, which it ends."""
        return SymbolRefAttr(self.function(name).sym_name.data)


def _prune(block: Block, outputs: Collection[SSAValue]) -> None:
    """Removes operations whose results nobody uses, those aside that change a variable."""
    for op in reversed(list(block.ops)):
        changes = any(isinstance(value.owner, tfl.VariableOp) for value in op.operands)
        used = any(result in outputs or result.uses for result in op.results)
        if op.results and not changes and not used:
            op.detach()
            op.erase()


def broadcast(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    """The shape that two shapes broadcast to; the operation they come from was verified."""
    rank = max(len(left), len(right))
    pairs = zip(
        (*[1] * (rank - len(left)), *left), (*[1] * (rank - len(right)), *right), strict=True
    )
    return tuple(b if a == 1 or (a == UNKNOWN and b != 1) else a for a, b in pairs)


def element_of(value: SSAValue) -> str:
    """The name of a value's element type."""
    return element_name(tensor(value).element_type)


def type_element(type: Attribute) -> str:
    """The name of the element type of a tensor type."""
    assert isinstance(type, TensorType)
    return element_name(type.element_type)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
