"""Writes LiteRT's operators one after the other, and the functions that they are in."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count
from typing import Any

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

from ...dialects import tfl
from ...dialects.inferred import spelled
from ...reference.arrays import Array, blob_of
from .codes import SoughtCodes, reshaped_quantization, transposed_quantization
from .codes import real as real_numbers
from .elements import HOLDING_ELEMENTS, compute_element
from .refusals import NoCodesError, UnknownSizeError
from .tensors import UNKNOWN, Elements, Like, Order, Tensor, TensorQuantization, identity, inverse


class OperatorWriter:
    """A function of LiteRT's operations so far."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.block = Block()
        self.outputs: list[Tensor] = []
        self._absent: SSAValue | None = None
        self._transposed: dict[tuple[Tensor, Order], Tensor] = {}
        self._cast: dict[tuple[Tensor, str], Tensor] = {}
        self._reshaped: dict[Tensor, Tensor] = {}
        self._computed: dict[Any, Tensor] = {}
        self._sought: SoughtCodes | None = None

    # --- tensors ------------------------------------------------------------------------

    def constant(
        self, array: Any, element: str | None = None, quantization: TensorQuantization | None = None
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
        """The constant of another function, in this one."""
        return self.constant(constant.data, None, constant.quantization)

    def variable(self, type: TensorType[Any], name: str = "") -> Tensor:
        """A tensor that keeps its contents between calls."""
        made = self._added(tfl.VariableOp(type))
        if name:
            made.rename(name)
        return made

    def integers(self, numbers: Sequence[int]) -> Tensor:
        """Axes, shapes and limits, which are 32-bit integers in LiteRT."""
        return self.constant(np.array(numbers, np.int32).reshape(-1))

    def transposed(self, source: Tensor, permutation: Order) -> Tensor:
        """The tensor with its dimension `permutation[k]` at position `k`."""
        if permutation == identity(source.rank):
            return source
        if (source, permutation) not in self._transposed:
            shape = tuple(source.shape[i] for i in permutation)
            if source.data is not None:
                array, quantization = (
                    source.data.transpose(permutation),
                    transposed_quantization(source, permutation),
                )
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
            quantization = reshaped_quantization(source, shape)
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
            if element in HOLDING_ELEMENTS.get(source.element, ()):
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
        """A builtin (`CONV_2D`) with any number of results."""
        made = tfl.OPERATIONS[builtin].of(self.operands(inputs), types, **options)
        self.block.add_op(made)
        return [Tensor(result) for result in made.results]

    def operator(
        self, builtin: str, inputs: Sequence[Tensor | None], type: Attribute, **options: Any
    ) -> Tensor:
        """A builtin with one result."""
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
        An operator with one result. Where LiteRT's kernel does not take the type of operand number `data`, it is
        computed in another type.

        The result has that operand's type, or `element`, or the type and quantization of `like`.
        """
        first = inputs[data]
        assert first is not None
        result = Elements(element or first.element)
        if like is not None:
            result = Elements(like.element, like.quantization)
        if self._sought is not None:
            result = self._sought.take(builtin, inputs, result, options)
        own = inside = first.element
        if first.quantization is None:
            inside = compute_element(builtin, own)
        if inside == own:
            type = result.tensor(shape)
            key = builtin, tuple(inputs), type, repr(options)
            if key not in self._computed:
                self._computed[key] = self.operator(builtin, inputs, type, **options)
            return self._computed[key]
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
        """An operator with several results, all of the type of its data operand."""
        data = max(inputs, key=lambda tensor: (tensor.data is None, tensor.rank))
        inside = data.element
        if data.quantization is None:
            inside = compute_element(builtin, data.element)
        wide = [self.cast(tensor, inside) if tensor is data else tensor for tensor in inputs]
        types = [Elements(inside, data.quantization).tensor(shape) for shape in shapes]
        results = self.operators(builtin, wide, types, **options)
        return [self.cast(result, data.element) for result in results]

    def along(self, array: Array, order: Order, element: str) -> Tensor:
        """An array that broadcasts to the model's dimensions, in the order in which these lie."""
        grown = array.reshape((*[1] * (len(order) - array.ndim), *array.shape))
        return self.constant(grown.transpose(order), element)

    def scalar(self, like: Like, number: float) -> Tensor:
        """A number of the element type of `like`."""
        if self._sought is not None and self._sought.like is not None:
            raise NoCodesError
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
        """A reduction along axes of the tensor; without axes the tensor itself."""
        if not axes:
            return source
        shape = [
            1 if i in axes else size for i, size in enumerate(source.shape) if keep or i not in axes
        ]
        return self.op(builtin, [source, self.integers(axes)], shape, keep_dims=keep)

    # --- functions ----------------------------------------------------------------------

    def argument(self, type: TensorType[Any]) -> Tensor:
        """Adds an argument."""
        return Tensor(self.block.insert_arg(type, len(self.block.args)))

    def function(self, name: str) -> func.FuncOp:
        """The function in the module, which returns `outputs`, without operations whose results nobody uses."""
        _eliminate_dead_operators(self.block, {each.value for each in self.outputs})
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
        """The name by which operators call the function, which this completes."""
        return SymbolRefAttr(self.function(name).sym_name.data)


def _eliminate_dead_operators(block: Block, outputs: Collection[SSAValue]) -> None:
    """Removes operations whose results nobody uses, unless they change a variable."""
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
