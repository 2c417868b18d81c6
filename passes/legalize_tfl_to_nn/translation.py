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
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    StringAttr,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, nn, qnn, tfl
from ...dialects.elements import bits_of
from ...dialects.inferred import NAME, shape_of, tensor
from ...dialects.locations import blamed_on
from ...dialects.quant import UniformQuantizedType, storage_of
from ...dialects.tables import registered
from ...reference.arrays import Array, blob_of, dtype_of
from ..instrumentation import note_rewrite
from ..tensorflow import TfOp
from ..tensorflow_rules import RULES as SHARED
from ..tensorflow_rules import Legalizer
from ..tensorflow_rules import Rule as Shared
from ..tensorflow_rules.rules import Results, namesake_rules
from .refused import refusal, refusal_of_complex
from .steps import ACTIVATIONS
from .values import (
    data_of,
    element_name,
    function_name,
    given_type,
    interval,
    is_complex,
    is_variable,
    levels_of,
    name_of,
    outputs_of,
    quantization_of,
    real_numbers,
    scale_shape,
)

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
            return self._named(wanted, self.array(real_numbers(wanted)))
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
        return None if found is None or bits_of(found.storage) > 16 else levels_of(found)

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
        return [*limits, *(np.array(code, np.float32) for code in quantization.codes)]

    def dequantized(self, source: SSAValue, codes: SSAValue) -> SSAValue:
        """What codes of a tensor stand for."""
        quantization = quantization_of(source)
        assert quantization is not None
        along = scale_shape(source)
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
