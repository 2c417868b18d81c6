"""
Reads the operators of a subgraph as operations.

Values keep LiteRT's order of dimensions; what is channels first here stands between two transposes. A
quantized tensor is what its codes stand for: constants a `qnn.dequantize`, results a `qnn.fake_quantize` to
the tensor's grid.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    TensorType,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import infra, nn, qnn
from ....dialects.inferred import NAME, InferredOp, tensor
from ....dialects.nn.writer import Writer
from ....reference.arrays import Array, blob_of, element_of
from ..codes import real
from ..graph import Graph, Operator, Quantization, Subgraph, Tensor

READERS: dict[str, Callable[[Reader, Operator], None]] = {}
"""By builtin, what reads it."""

ReadFunction = Callable[["Reader", Operator], None]


def reads(*builtins: str) -> Callable[[ReadFunction], ReadFunction]:
    """Registers the decorated function as what reads these builtins."""

    def register(function: ReadFunction) -> ReadFunction:
        READERS.update(dict.fromkeys(builtins, function))
        return function

    return register


def type_of(tensor: Tensor) -> TensorType[Any]:
    """The type of a tensor as it is given and taken: codes where it is quantized."""
    if tensor.element == "resource":
        raise DiagnosticException(
            "a resource cannot be given or taken; only tensors of numbers can"
        )
    sizes = [DYNAMIC_INDEX if size < 0 else size for size in tensor.shape]
    return TensorType(element_of(np.dtype(tensor.element)), sizes)


def integer(number: int) -> IntegerAttr[Any]:
    """An attribute of 64 bits."""
    return IntegerAttr(int(number), i64)


def truth(value: Any) -> BoolAttr:
    """A truth value as an attribute."""
    return BoolAttr.from_bool(bool(value))


def number(value: float) -> FloatAttr[Any]:
    """A floating-point attribute."""
    return FloatAttr(float(value), f64)


def sizes(values: Sequence[int]) -> DenseArrayBase[Any]:
    """A list of sizes as an attribute."""
    return DenseArrayBase.from_list(i64, [int(value) for value in values])


def there(operand: Tensor | None) -> Tensor:
    """An operand. Raises DiagnosticException where it is absent."""
    if operand is None:
        raise DiagnosticException("an operand that has to be there is absent")
    return operand


@dataclass(frozen=True)
class Held:
    """What a variable holds, and how the file says it in codes."""

    value: SSAValue
    quantization: Quantization | None = None


class Reader:
    """
    The operations read so far, and the values of tensors; of variables what they begin with, `begun`, and
    what they were assigned.
    """

    def __init__(self, graph: Graph, subgraph: Subgraph, block: Block, within: Sequence[int] = ()):
        self.graph, self.subgraph, self.block, self.within = graph, subgraph, block, within
        self.write = Writer(InsertPoint.at_end(self.block))
        self.values: dict[Tensor, SSAValue] = {}
        self.shapes: dict[tuple[Tensor, tuple[int, ...]], SSAValue] = {}
        self.producers = {
            output: op for op in subgraph.operators for output in op.outputs if not output.variable
        }
        self.handles: dict[Tensor, str] = {}
        self.variables: dict[str, TensorType[Any]] = {}
        self.begun: dict[str, Held] = {}
        self.assigned: dict[str, Held] = {}

    @classmethod
    def of(cls, graph: Graph, subgraph: Subgraph) -> Reader:
        """What reads a subgraph with its inputs as arguments of a new block."""
        read = cls(graph, subgraph, Block(arg_types=[type_of(each) for each in subgraph.inputs]))
        for given, argument in zip(subgraph.inputs, read.block.args, strict=True):
            read.give(given, argument)
        return read

    def inside(self, subgraph: Subgraph, block: Block) -> Reader:
        """What reads a subgraph that an operator of this one runs, at the end of a block."""
        if id(subgraph.operators) in self.within:
            raise DiagnosticException(
                f"subgraph '{subgraph.name}' runs itself; unroll the recursion"
            )
        return Reader(self.graph, subgraph, block, (*self.within, id(subgraph.operators)))

    def run(self) -> list[SSAValue]:
        """Reads every operator. Returns the results. Raises DiagnosticException, naming the operator."""
        self.read_all()
        results = [self.taken(tensor) for tensor in self.subgraph.outputs]
        for name, held in self.assigned.items():
            self.write.builder.insert(infra.AssignOp(name, held.value))
        return results

    def read_all(self) -> None:
        """Reads every operator. Raises DiagnosticException, naming the operator."""
        for op in self.subgraph.operators:
            if (read := READERS.get(op.builtin)) is None:
                raise DiagnosticException(
                    f"{op.builtin}: there is no such operation here; leave it out of the model, or cut off "
                    "the part that has it before it is converted"
                )
            try:
                read(self, op)
            except DiagnosticException as error:
                if str(error).startswith(op.builtin):
                    raise
                raise DiagnosticException(f"{op.builtin}: {error}") from None

    # --- values -------------------------------------------------------------------------

    def give(self, target: Tensor, value: SSAValue) -> None:
        """Says what a tensor is, as the file gives it: quantized ones in codes."""
        if target.quantization is not None:
            value = self.dequantized(target, value)
        self.values[target] = self._named(target, value)

    def taken(self, taken: Tensor) -> SSAValue:
        """What a tensor is, as the file gives it: quantized ones in codes."""
        value = self.value(taken)
        if taken.quantization is None:
            return value
        if (levels := self._levels(taken)) is None:
            raise DiagnosticException(
                f"output '{taken.name}' is in {taken.element} codes, of which there are too many to quantize "
                "to; let the model give 8-bit or 16-bit codes, or numbers"
            )
        limits = [self.constant(limit) for limit in self._limits(taken, as_codes=True)]
        codes = element_of(np.dtype(taken.element))
        return self.write(
            qnn.FakeQuantizeOp, value, *limits, levels=integer(levels), output_type=codes
        )

    def value(self, wanted: Tensor | None) -> SSAValue:
        """The value of a tensor: what its codes stand for, where it is quantized."""
        wanted = there(wanted)
        if wanted not in self.values:
            if wanted.variable:  # what marks states as set: nobody has yet
                return self.constant(np.zeros(wanted.shape, wanted.element))
            if wanted.data is None:
                raise DiagnosticException(f"tensor '{wanted.name}' is read before it is written")
            self.values[wanted] = self._constant_of(wanted)
        return self.values[wanted]

    def _constant_of(self, wanted: Tensor) -> SSAValue:
        """What a constant tensor stands for. The constant has its name, the codes where it has some."""
        if wanted.quantization is None:
            return self._named(wanted, self.constant(wanted.data))
        if wanted.element in ("int32", "int64"):  # biases
            return self._named(wanted, self.constant(real(wanted)))
        return self.dequantized(wanted, self._named(wanted, self.constant(wanted.data)))

    def _named(self, target: Tensor, value: SSAValue) -> SSAValue:
        """A value whose operation has the tensor's name, if it has none yet."""
        if isinstance(value.owner, Operation) and target.name:
            value.owner.attributes.setdefault(NAME, StringAttr(target.name))
        return value

    def known(self, wanted: Tensor | None, what: str) -> Array:
        """The elements of a constant operand. Raises DiagnosticException where it is none."""
        if wanted is None or wanted.data is None:
            raise DiagnosticException(
                f"its {what} must be constant; convert the model with fixed shapes"
            )
        return wanted.data

    def integers(self, wanted: Tensor | None, what: str) -> list[int]:
        """The integers of a constant operand."""
        return [int(n) for n in self.known(wanted, what).reshape(-1)]

    def constant(self, array: Any) -> SSAValue:
        """A constant of a NumPy array."""
        return self.write.constant(blob_of(np.asarray(array)))

    def index(self, *numbers: int) -> SSAValue:
        """A list of axes or sizes."""
        return self.constant(np.array(numbers, np.int64).reshape(-1))

    def shape(self, given: Tensor, shape: Sequence[int]) -> SSAValue:
        """A shape that a constant tensor gives, of its name. Who reads the same tensor gets the same value."""
        if (given, key := tuple(shape)) not in self.shapes:
            self.shapes[given, key] = self._named(given, self.index(*shape))
        return self.shapes[given, key]

    def scalar(self, like: SSAValue, value: float) -> SSAValue:
        """A number of the element type of a value."""
        return self.write.scalar_like(like, value)

    def set(self, target: Tensor, value: SSAValue) -> None:
        """Says what a tensor is; of a quantized one, before its quantization."""
        self._named(target, value)
        if (levels := self._levels(target)) is not None:
            limits = [self.constant(limit) for limit in self._limits(target)]
            value = self.write(qnn.FakeQuantizeOp, value, *limits, levels=integer(levels))
        self.values[target] = value

    def same(self, target: Tensor, value: SSAValue) -> None:
        """Says what a tensor is that is quantized as what it is made of."""
        self.values[target] = self._named(target, value)

    def _levels(self, target: Tensor) -> int | None:
        """How many codes a quantized tensor has; None where it has none, or as many as an accumulator."""
        if target.quantization is None or target.element not in ("int8", "uint8", "int16"):
            return None
        return levels_of(target.element)

    def _limits(self, target: Tensor, as_codes: bool = False) -> list[Array]:
        """The interval that a tensor's codes stand for, and what they are given as."""
        quantization = target.quantization
        assert quantization is not None
        if len(quantization.scales) > 1:
            raise DiagnosticException(f"tensor '{target.name}' is an activation with many scales")
        limits = interval(quantization, target.element)
        if not as_codes:
            return [*limits, *limits]
        info = np.iinfo(target.element)
        return [*limits, *(np.array(limit, np.float32) for limit in (info.min, info.max))]

    def dequantized(self, source: Tensor, codes: SSAValue) -> SSAValue:
        """What codes of a tensor stand for."""
        quantization = source.quantization
        assert quantization is not None
        along = list[int]()
        if len(quantization.scales) > 1:
            along = [1] * source.rank
            along[quantization.axis] = -1
        scale = np.array(quantization.scales, np.float32).reshape(along)
        properties: dict[str, Attribute] = {"scale": blob_of(scale)}
        if any(quantization.zero_points):
            points = np.array(quantization.zero_points, source.element)
            properties["zero_point"] = blob_of(points.reshape(along if points.size > 1 else ()))
        return self.write(qnn.DequantizeOp, codes, **properties)

    # --- operations ---------------------------------------------------------------------

    def __call__(
        self, op: type[InferredOp], *operands: SSAValue, **properties: Attribute
    ) -> SSAValue:
        """Writes an operation. Returns its first result."""
        return self.write(op, *operands, **properties)

    def transposed(self, value: SSAValue, order: Sequence[int]) -> SSAValue:
        """A value with its dimensions in this order."""
        if list(order) == list(range(len(order))):
            return value
        return self(nn.TransposeOp, value, self.index(*order))

    def reshaped(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """A value under another shape."""
        if tensor(value).get_shape() == tuple(shape):
            return value
        return self(nn.ReshapeOp, value, self.index(*shape))

    def channels_first(self, value: SSAValue) -> SSAValue:
        """`[batch, *space, channels]` as `[batch, channels, *space]`."""
        rank = tensor(value).get_num_dims()
        return self.transposed(value, (0, rank - 1, *range(1, rank - 1)))

    def channels_last(self, value: SSAValue) -> SSAValue:
        """`[batch, channels, *space]` as `[batch, *space, channels]`."""
        rank = tensor(value).get_num_dims()
        return self.transposed(value, (0, *range(2, rank), 1))

    def activated(self, value: SSAValue, number_of: int) -> SSAValue:
        """What a fused activation function makes of a value."""
        match int(number_of):
            case 0:
                return value
            case 1:
                return self(nn.ReluOp, value)
            case 2:
                return self(nn.ClampOp, value, min=number(-1), max=number(1))
            case 3:
                return self(nn.ClampOp, value, min=number(0), max=number(6))
            case 4:
                return self(nn.TanhOp, value)
            case other:
                raise DiagnosticException(f"fused activation {other} cannot be read")


def levels_of(element: str) -> int:
    """How many codes a type has."""
    return 2 ** (8 * np.dtype(element).itemsize)


def interval(quantization: Quantization, element: str) -> list[Array]:
    """What the lowest and the highest code of a type stand for."""
    info, zero_point = np.iinfo(element), quantization.zero_point
    (scale,) = quantization.scales
    return [np.array((limit - zero_point) * scale, np.float32) for limit in (info.min, info.max)]
