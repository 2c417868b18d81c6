"""
Translation of a function of LiteRT's operations into ours, one after the other.

Values keep LiteRT's order of dimensions; what is channels first here stands between two transposes. A
quantized tensor is what its codes stand for: constants a `qnn.dequantize`, results a `qnn.fake_quantize` to
the tensor's grid.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ComplexType,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, nn, qnn, tfl
from ...dialects.elements import bits_of
from ...dialects.inferred import NAME, shape_of, tensor
from ...dialects.locations import blamed_on
from ...dialects.quant import UniformQuantizedType, storage_of
from ...dialects.tables import registered
from ...reference.arrays import Array, blob_of, dtype_of
from ...reference.tfl import dense_array
from ..instrumentation import note_rewrite
from ..tensorflow import TfOp
from ..tensorflow_rules import RULES as SHARED
from ..tensorflow_rules import Legalizer
from ..tensorflow_rules import Rule as Shared
from ..tensorflow_rules.rules import Results, namesake_rules
from .refused import refusal, refusal_of_complex
from .steps import ACTIVATIONS

Rule = Callable[["Translation", Any], None]

RULES: dict[str, Rule] = {}
"""By builtin, its rule."""

OF_COMPLEX: dict[str, Rule] = {}
"""The same for complex operands or results, whose values are pairs along one more dimension."""


def rule(*builtins: str) -> Callable[[Rule], Rule]:
    """Registers the decorated function as what translates these builtins."""
    return registered(RULES, builtins)


def computes(
    *builtins: str, moves: bool = False
) -> Callable[[Callable[..., Results]], Callable[..., Results]]:
    """
    Registers the decorated function. It takes the values of operands, None for absent ones, and returns the results
    before activation and quantization; `moves` as in `tensorflow_rules`.
    """

    def register(function: Callable[..., Results]) -> Callable[..., Results]:
        rule(*builtins)(lambda t, op: t.compute(op, function, moves))
        return function

    return register


@dataclass(frozen=True)
class Builtin(TfOp):
    """A builtin as the operation of TensorFlow that it is."""

    @property
    def label(self) -> str:
        """The builtin's own name."""
        return tfl.builtin_of(self.op)

    def unknown(self, what: str) -> DiagnosticException:
        """The error for numbers that are not known."""
        return DiagnosticException(
            f"its {what} must be constant; convert the model with fixed shapes"
        )


def take_shared() -> None:
    """Gives builtins without a rule here the rule of TensorFlow's operation, or makes them their namesake."""
    builtins = {builtin.replace("_", "").lower(): builtin for builtin in tfl.OPERATIONS}
    for name, shared in (*SHARED.items(), *namesake_rules("litert")):
        builtin = builtins.get(name.replace("_", "").lower(), name)
        if builtin not in RULES:
            rule(builtin)(partial(_compute_shared, name, shared))


def _compute_shared(name: str, shared: Shared, t: Translation, op: tfl.TflOp) -> None:
    def write(t: Translation, op: tfl.TflOp, *values: SSAValue) -> Results:
        return shared.write(t, Builtin(op, name), *values)

    t.compute(op, write, shared.moves)


def quantization_of(value: SSAValue) -> UniformQuantizedType | None:
    """The quantization of a tensor of codes; None where it has none."""
    element = tensor(value).element_type
    return element if isinstance(element, UniformQuantizedType) else None


def given_type(value: SSAValue) -> TensorType[Any]:
    """The type of a tensor as an argument or a result: codes where it is quantized."""
    for kind, held in ((is_resource, "a resource"), (is_complex, "a tensor of complex numbers")):
        if kind(value):
            raise DiagnosticException(
                f"{held} cannot be given or taken; only tensors of real numbers can"
            )
    return TensorType(storage_of(tensor(value).element_type), shape_of(value))


def is_resource(value: SSAValue) -> bool:
    """Whether a value is the handle of a variable."""
    return _has_elements(value, tfl.ResourceType)


def is_complex(value: SSAValue) -> bool:
    """Whether a value is a tensor of complex numbers."""
    return _has_elements(value, ComplexType)


def _has_elements(value: SSAValue, kind: type[Attribute]) -> bool:
    type: Attribute = value.type
    return isinstance(type, TensorType) and isinstance(
        cast(TensorType[Any], type).element_type, kind
    )


def is_variable(value: SSAValue) -> bool:
    """Whether a tensor keeps its contents from call to call."""
    return isinstance(value.owner, tfl.VariableOp)


def data_of(value: SSAValue) -> Array | None:
    """The elements of a constant tensor, its codes where it is quantized."""
    return dense_array(value.owner.value) if isinstance(value.owner, tfl.PseudoConstOp) else None


def name_of(value: SSAValue) -> str:
    """The name of a tensor."""
    if isinstance(value, OpResult):
        return tfl.result_names(value.op)[value.index]
    assert isinstance(value, BlockArgument)
    function = value.block.parent_op()
    if not isinstance(function, func.FuncOp) or function.body.block is not value.block:
        return ""
    return tfl.argument_names(function)[value.index]


def element_name(value: SSAValue) -> str:
    """The name of the type of a tensor's elements, or of its codes, in messages."""
    return dtype_of(storage_of(tensor(value).element_type)).name


def function_name(function: func.FuncOp) -> str:
    """The name of a function in the file."""
    own = function.attributes.get(tfl.OWN_NAME)
    return own.data if isinstance(own, StringAttr) else function.sym_name.data


def outputs_of(function: func.FuncOp) -> Sequence[SSAValue]:
    """The results of a function."""
    last = function.body.block.last_op
    assert isinstance(last, func.ReturnOp), (
        "a function without a terminator does not pass verification"
    )
    return last.operands


@dataclass(frozen=True)
class Held:
    """The value of a variable, and its quantization in the file."""

    value: SSAValue
    quantization: UniformQuantizedType | None = None


class Translation(Legalizer):
    """
    The operations of a function that are translated, and its values so far; for variables, the initial values `begun`
    and assigned ones.
    """

    def __init__(
        self,
        functions: Mapping[str, func.FuncOp],
        function: func.FuncOp,
        place: InsertPoint,
        within: Sequence[str] = (),
        keeps_lstms: bool = False,
    ):
        super().__init__(place)
        self.functions, self.function, self.within = functions, function, within
        self.keeps_lstms = keeps_lstms
        block = function.body.block
        self.operations = [op for op in block.ops if op is not block.last_op]
        self.outputs = outputs_of(function)
        self.values: dict[SSAValue, SSAValue] = {}
        self.aliases: dict[SSAValue, SSAValue] = {}
        self.shapes: dict[tuple[SSAValue, tuple[int, ...]], SSAValue] = {}
        self.handles: dict[SSAValue, str] = {}
        self.variables: dict[str, TensorType[Any]] = {}
        self.begun: dict[str, Held] = {}
        self.assigned: dict[str, Held] = {}

    def called(self, op: Operation, role: str) -> func.FuncOp:
        """The function that an operation calls."""
        symbol = op.properties[f"{role}_subgraph"]
        name = symbol.string_value() if isinstance(symbol, SymbolRefAttr) else ""
        if (function := self.functions.get(name)) is None or not function.body.blocks:
            raise DiagnosticException(f"there is no function @{name} to run")
        return function

    def inside(self, function: func.FuncOp, block: Block | None = None) -> Translation:
        """The translation of a function that is called here, to the end of a block or to this place."""
        if function.sym_name.data in self.within or function is self.function:
            raise DiagnosticException(
                f"subgraph '{function_name(function)}' runs itself; unroll the recursion"
            )
        place = self.builder.insertion_point if block is None else InsertPoint.at_end(block)
        within = (*self.within, self.function.sym_name.data)
        return Translation(self.functions, function, place, within, self.keeps_lstms)

    def run(self) -> list[SSAValue]:
        """Translates every operation. Returns the results. Raises DiagnosticException, naming the operation."""
        self.run_all()
        results = [self.taken(value) for value in self.outputs]
        for name, held in self.assigned.items():
            self.builder.insert(infra.AssignOp(name, held.value))
        return results

    def run_all(self) -> None:
        """Translates every operation. Raises DiagnosticException, naming the operation."""
        for op in self.operations:
            self.translate(op)

    def translate(self, op: Operation) -> None:
        """Translates one operation; others than LiteRT's are copied."""
        if isinstance(op, tfl.NoValueOp | tfl.PseudoConstOp | tfl.VariableOp):
            return
        if isinstance(op, tfl.StoreOp):
            self._store(op)
            return
        if not (builtin := tfl.builtin_of(op)):
            copy = self.builder.insert(op.clone())
            self.values.update(zip(op.results, copy.results, strict=True))
            self._take(copy)
            return
        rules, why = RULES, refusal
        if any(map(is_complex, (*op.operands, *op.results))):
            rules, why = OF_COMPLEX, refusal_of_complex
        if (found := rules.get(builtin)) is None:
            raise blamed_on(DiagnosticException(f"{builtin}: {why(builtin)}"), op)
        try:
            found(self, op)
        except DiagnosticException as error:
            if not str(error).startswith(builtin):
                error = DiagnosticException(f"{builtin}: {error}")
            raise blamed_on(error, op) from None
        note_rewrite(builtin)

    def _store(self, op: tfl.StoreOp) -> None:
        """Assigns a result to a variable. An ADD only serves to move it there, so its operand is assigned."""
        source = op.value.owner
        moved = source.operands[0] if isinstance(source, tfl.AddOp) else op.value
        self.values[op.variable] = self.value(moved)

    def _take(self, op: Operation) -> None:
        """Replaces the operands of a foreign operation by their translation."""
        for place, operand in enumerate(op.operands):
            owner = operand.owner
            if operand in self.values or (
                isinstance(owner, Operation) and tfl.is_of_dialect(owner)
            ):
                op.operands[place] = self.taken(operand)
        for region in op.regions:
            for block in region.blocks:
                self.in_place(block)

    def in_place(self, block: Block) -> None:
        """Translates the operations of a block where they are."""
        before = self.builder.insertion_point
        operations = list(block.ops)
        for op in operations:
            self.builder.insertion_point = InsertPoint.before(op)
            if tfl.is_of_dialect(op):
                self.translate(op)
            else:
                self._take(op)
        for op in reversed(operations):
            if tfl.is_of_dialect(op) and not isinstance(op, tfl.NoValueOp):
                op.detach()
                op.erase()
        self.builder.insertion_point = before

    # --- values -------------------------------------------------------------------------

    def give(self, target: SSAValue, value: SSAValue) -> None:
        """Sets the value of a tensor as the file has it: codes where it is quantized."""
        if quantization_of(target) is not None:
            value = self.dequantized(target, value)
        self.values[target] = self._named(target, value)

    def taken(self, taken: SSAValue) -> SSAValue:
        """The value of a tensor as the file has it: codes where it is quantized."""
        if is_complex(taken):
            given_type(taken)
        value = self.value(taken)
        if quantization_of(taken) is None:
            return value
        if (levels := self._levels(taken)) is None:
            raise DiagnosticException(
                f"output '{name_of(taken)}' is in {element_name(taken)} codes, of which there are too many to "
                "quantize to; let the model give 8-bit or 16-bit codes, or numbers"
            )
        limits = [self.array(limit) for limit in self._limits(taken, as_codes=True)]
        codes = storage_of(tensor(taken).element_type)
        return self(qnn.FakeQuantizeOp, value, *limits, levels=levels, output_type=codes)

    def value(self, wanted: SSAValue) -> SSAValue:
        """The value of a tensor; dequantized where it is quantized."""
        if tfl.is_absent(wanted):
            raise DiagnosticException("an operand that has to be there is absent")
        wanted = self.resolved(wanted)
        if wanted not in self.values:
            if is_variable(wanted):  # what marks states as set: nobody has yet
                element = dtype_of(storage_of(tensor(wanted).element_type))
                return self.array(np.zeros(shape_of(wanted), element))
            if data_of(wanted) is None:
                if not isinstance(wanted.owner, Operation) or not tfl.builtin_of(wanted.owner):
                    return wanted  # ours already
                raise DiagnosticException(
                    f"tensor '{name_of(wanted)}' is read before it is written"
                )
            self.values[wanted] = self._constant_of(wanted)
        return self.values[wanted]

    def _constant_of(self, wanted: SSAValue) -> SSAValue:
        """The value of a constant tensor. The constant has its name, also the one of codes."""
        data = data_of(wanted)
        if quantization_of(wanted) is None:
            return self._named(wanted, self.array(data, tensor(wanted).element_type))
        if element_name(wanted) in ("int32", "int64"):  # biases
            return self._named(wanted, self.array(_real(wanted)))
        return self.dequantized(wanted, self._named(wanted, self.array(data)))

    def _named(self, target: SSAValue, value: SSAValue) -> SSAValue:
        """Gives the operation of a value the tensor's name, if it has none yet."""
        if isinstance(value.owner, Operation) and (name := name_of(target)):
            value.owner.attributes.setdefault(NAME, StringAttr(name))
        return value

    def data(self, value: SSAValue) -> Array | None:
        """The elements of a constant tensor."""
        return data_of(self.resolved(value))

    def resolved(self, value: SSAValue) -> SSAValue:
        """The constant that a value is where the function is called, or the value."""
        return self.aliases.get(value, value)

    def array(self, array: Any, element: Attribute | None = None) -> SSAValue:
        """A constant of a NumPy array."""
        return self.constant(blob_of(np.asarray(array), element))

    def shape(self, given: SSAValue, shape: Sequence[int]) -> SSAValue:
        """A shape that a constant tensor gives, of its name. Who reads the same tensor gets the same value."""
        if (given, key := tuple(shape)) not in self.shapes:
            self.shapes[given, key] = self._named(given, self.integers(*to_reach(shape)))
        return self.shapes[given, key]

    def set(self, target: SSAValue, value: SSAValue) -> None:
        """Sets the value of a tensor; if it is quantized, before quantization."""
        self._named(target, value)
        if (levels := self._levels(target)) is not None:
            limits = [self.array(limit) for limit in self._limits(target)]
            value = self(qnn.FakeQuantizeOp, value, *limits, levels=levels)
        self.values[target] = value

    def same(self, target: SSAValue, value: SSAValue) -> None:
        """Sets the value of a tensor that has the quantization of its source."""
        self.values[target] = self._named(target, value)

    def _levels(self, target: SSAValue) -> int | None:
        """The number of codes of a quantized tensor; None where it has none, or as many as an accumulator."""
        found = quantization_of(target)
        return None if found is None or bits_of(found.storage) > 16 else levels_of(found.storage)

    def _limits(self, target: SSAValue, as_codes: bool = False) -> list[Array]:
        """The interval of a tensor's codes, and the codes."""
        quantization = quantization_of(target)
        assert quantization is not None
        if len(quantization.scales.get_values()) > 1:
            raise DiagnosticException(
                f"tensor '{name_of(target)}' is an activation with many scales"
            )
        limits = interval(quantization)
        if not as_codes:
            return [*limits, *limits]
        codes = np.iinfo(dtype_of(quantization.storage))
        return [*limits, *(np.array(limit, np.float32) for limit in (codes.min, codes.max))]

    def dequantized(self, source: SSAValue, codes: SSAValue) -> SSAValue:
        """What codes of a tensor stand for."""
        quantization = quantization_of(source)
        assert quantization is not None
        along = _along(source)
        scale = np.array(quantization.scales.get_values(), np.float32).reshape(along)
        properties: dict[str, Attribute] = {"scale": blob_of(scale)}
        points = quantization.zero_points.get_values()
        if any(points):
            listed = np.array(points, dtype_of(quantization.storage))
            properties["zero_point"] = blob_of(listed.reshape(along))
        return self(qnn.DequantizeOp, codes, **properties)

    # --- operations ---------------------------------------------------------------------

    def reshaped(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """A value under another shape."""
        if (wanted := to_reach(shape)) == list(shape_of(value)):
            return value
        return self(nn.ReshapeOp, value, self.integers(*wanted))

    def compute(self, op: tfl.TflOp, function: Callable[..., Results], moves: bool) -> None:
        """
        Sets the results of an operation, computed from the values of its operands by a function. If it only moves
        elements, its results are quantized already if its operands are.
        """
        given = [None if tfl.is_absent(each) else self.value(each) for each in op.operands]
        found = function(self, op, *given)
        known = [quantization_of(each) for each in op.operands if not tfl.is_absent(each)]
        sources = {quantization for quantization in known if quantization is not None}
        for target, value in zip(
            op.results, [found] if isinstance(found, SSAValue) else found, strict=True
        ):
            is_same = moves and sources == {quantization_of(target)}
            (self.same if is_same else self.set)(target, self.activated(value, op))

    def activated(self, value: SSAValue, op: tfl.TflOp) -> SSAValue:
        """The result of an operation's fused activation function."""
        if "fused_activation_function" not in op.properties:
            return value
        name = op.word("fused_activation_function")
        if name not in ACTIVATIONS:
            raise DiagnosticException(f"fused activation {name} cannot be read")
        return ACTIVATIONS[name](self, value)


def to_reach(shape: Sequence[int]) -> list[int]:
    """A shape as an operand of `nn.reshape`, in which one size may follow from the others."""
    return [-1 if size == DYNAMIC_INDEX else size for size in shape]


def _along(value: SSAValue) -> list[int]:
    """The shape in which the scales of a tensor broadcast to it."""
    quantization = quantization_of(value)
    assert quantization is not None
    if len(quantization.scales.get_values()) == 1:
        return []
    along = [1] * len(shape_of(value))
    along[quantization.axis.data] = -1
    return along


def _real(codes: SSAValue) -> Array:
    """The values of constant codes."""
    data, quantization = data_of(codes), quantization_of(codes)
    assert data is not None and quantization is not None
    scales, points = (
        np.array(numbers.get_values(), np.float64).reshape(_along(codes))
        for numbers in (quantization.scales, quantization.zero_points)
    )
    return ((data - points) * scales).astype(np.float32)


def levels_of(storage: IntegerType) -> int:
    """The number of codes of a type."""
    return 2 ** bits_of(storage)


def interval(quantization: UniformQuantizedType) -> list[Array]:
    """The values of the lowest and the highest code of a type."""
    codes = np.iinfo(dtype_of(quantization.storage))
    (scale,), (point,) = quantization.scales.get_values(), quantization.zero_points.get_values()
    return [np.array((limit - point) * scale, np.float32) for limit in (codes.min, codes.max)]
