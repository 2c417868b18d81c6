"""Translation of a block of TensorFlow's operations into ours, one after the other, through calls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.arith import ConstantOp as ArithConstantOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ...dialects import nn, tfl
from ...dialects.blob import BlobAttr, element_count
from ...dialects.elements import is_integer
from ...dialects.inferred import NAME, InferredOp, label, shape_of, tensor
from ...dialects.properties import Property
from ...dialects.rewriter import Rewriter
from ...dialects.tables import registered
from ...dialects.verification import RAW_ERRORS, explained
from ..infer_shapes import KnownIntegers
from ..tensorflow import TfOp, callee
from ..tensorflow_rules import RULES, Legalizer
from ..tensorflow_rules.rules import Results, namesake_rules
from .values import Nothing, Value
from .variables import VariableValues

MOST_INTEGERS = 64
"""A value with up to so many integers, all known, becomes a constant; longer ones are not shapes."""

DROPPED = ("NoOp", "Assert", "Print", "PrintV2", "CheckNumerics")
"""Operations that only print or check."""

NOTHING = Nothing()

EFFECTS = ("AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp")
"""Operations that are needed although nothing reads their results."""

Rule = Callable[["Translation", TfOp, Sequence[Value]], "Value | Sequence[Value]"]
"""Writes the computation of an operation, and returns its results."""

LEGALIZATIONS: dict[str, Rule] = {}
"""By name without `tf.`, the rule of an operation."""


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Registers the decorated function for operations of these names."""
    return registered(LEGALIZATIONS, names)


def computes(*names: str) -> Callable[[Callable[..., Results]], Callable[..., Results]]:
    """Registers the decorated function, which takes tensors alone, for operations of these names."""

    def register(function: Callable[..., Results]) -> Callable[..., Results]:
        rule(*names)(lambda t, op, values: function(t, op, *t.tensors_of(op, values)))
        return function

    return register


def take_shared() -> None:
    """Gives operations without a rule here the rule that LiteRT's operation has, or makes them their namesake."""
    for name, shared in (*RULES.items(), *namesake_rules("tensorflow")):
        if name not in LEGALIZATIONS:
            computes(name)(shared.write)


@dataclass(eq=False)
class Translation(Legalizer):
    """Where operations are written, the values of the block so far, and what all blocks share."""

    place: InsertPoint
    functions: Mapping[str, func.FuncOp]
    states: VariableValues
    depth: int = 0
    integers_so_far: KnownIntegers = field(default_factory=KnownIntegers)

    def __post_init__(self) -> None:
        super().__init__(self.place)

    def inside(self, block: Block, states: VariableValues) -> Translation:
        """The translation of a body of an operation."""
        place = InsertPoint.at_end(block)
        return replace(self, place=place, states=states, integers_so_far=KnownIntegers())

    # --- writing ------------------------------------------------------------------------------

    def all(
        self, op: type[InferredOp], *operands: SSAValue | float, **properties: Property
    ) -> Sequence[SSAValue]:
        """Writes an operation, or constants for results that are known integers."""
        return [self._folded(result) for result in super().all(op, *operands, **properties)]

    def _folded(self, value: SSAValue) -> SSAValue:
        type = tensor(value)
        if not is_integer(type.element_type) or DYNAMIC_INDEX in type.get_shape():
            return value
        if element_count(type) > MOST_INTEGERS or (numbers := self.known(value)) is None:
            return value
        return self.constant(BlobAttr.of(type, numbers))

    def sizes(self, value: SSAValue) -> SSAValue:
        """The shape of a value, as i64."""
        return self(nn.ShapeOfOp, value)

    # --- reading ------------------------------------------------------------------------------

    def known(self, value: SSAValue) -> Sequence[int] | None:
        """The integers that constants and known shapes determine a value to be."""
        return self.integers_so_far(value)

    def tensor_of(self, op: TfOp, value: Value) -> SSAValue:
        """A value that must be a tensor. Raises DiagnosticException, naming `op`, where it is none."""
        if not isinstance(value, SSAValue):
            raise DiagnosticException(
                f"{op.label}: takes a {type(value).__name__.lower()} where only a tensor has a meaning"
            )
        return value

    def tensors_of(self, op: TfOp, values: Sequence[Value]) -> list[SSAValue]:
        """Values that must be tensors."""
        return [self.tensor_of(op, value) for value in values]

    # --- blocks -------------------------------------------------------------------------------

    def block(
        self, block: Block, arguments: Sequence[Value], wanted: Collection[int] | None = None
    ) -> list[Value]:
        """
        Translates a block for these arguments. Returns what its terminator gives; of `wanted` results alone,
        where they are named, and nothing of the others.
        """
        values: dict[SSAValue, Value] = dict(zip(block.args, arguments, strict=True))
        last = block.last_op
        assert last is not None, "a block without a terminator does not pass verification"
        results = [v for i, v in enumerate(last.operands) if wanted is None or i in wanted]
        needed = self.needed(block, results)
        for op in block.ops:
            if op in needed:
                given = self._operation(op, [values.get(v, NOTHING) for v in op.operands])
                values.update(zip(op.results, given, strict=True))
        chosen = set(results)
        return [values[v] if v in chosen else NOTHING for v in last.operands]

    def needed(self, block: Block, wanted: Collection[SSAValue]) -> set[Operation]:
        """The operations of a block that these values, or a variable, need."""
        found: set[Operation] = set()
        pending = [value.owner for value in wanted]
        pending += [op for op in block.ops if op is not block.last_op and self._has_effect(op)]
        while pending:
            op = pending.pop()
            if isinstance(op, Operation) and op not in found:
                found.add(op)
                pending += [value.owner for value in op.operands]
        return found

    def _has_effect(self, op: Operation, callers: tuple[str, ...] = ()) -> bool:
        tf = TfOp.of(op)
        if tf is not None and tf.name in EFFECTS:
            return True
        called = callee(op)
        if called is None or called not in self.functions or called in callers:
            return False
        body = self.functions[called].body
        return any(self._has_effect(each, (*callers, called)) for each in body.walk())

    def _operation(self, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        if (called := callee(op)) is not None:
            return self.call(op, called, operands)
        tf = TfOp.of(op)
        if tf is None:
            return self._ours(op, operands)
        if tf.name in DROPPED and tf.name != "CheckNumerics":
            return [NOTHING for _ in op.results]
        if tf.name not in LEGALIZATIONS:
            raise DiagnosticException(
                f"{tf.label}: legalize-tf-to-nn does not know this operation; leave it out of the "
                "model, or replace it by a composite function of your own"
            )
        try:
            results = LEGALIZATIONS[tf.name](self, tf, operands)
        except VerifyException as error:
            raise DiagnosticException(f"{tf.label}: {error}") from error
        except DiagnosticException:
            raise
        except RAW_ERRORS as error:  # nothing here verifies TensorFlow's operations
            raise DiagnosticException(f"{tf.label}: {explained(error)}") from error
        found = [results] if isinstance(results, Value) else list(results)
        if len(found) != len(op.results):
            raise DiagnosticException(
                f"{tf.label}: has {len(op.results)} results; it gives {len(found)}"
            )
        self._name(op, found)
        return found

    def _name(self, op: Operation, results: Sequence[Value]) -> None:
        """The body, or else the last operation, that was written for an operation takes its friendly name."""
        if NAME not in op.attributes:
            return
        owners = [
            v.owner for v in results if isinstance(v, SSAValue) and isinstance(v.owner, Operation)
        ]
        producer = next((owner for owner in owners if owner.regions), None)
        if producer is None and results and isinstance(results[-1], SSAValue) and owners:
            producer = owners[-1]
        if producer is not None:
            producer.attributes.setdefault(NAME, op.attributes[NAME])

    def call(self, op: Operation, name: str, operands: Sequence[Value]) -> Sequence[Value]:
        """The results of a function for these arguments."""
        if (function := self.functions.get(name)) is None or not function.body.blocks:
            raise DiagnosticException(f"{label(op)}: there is no function @{name} to call")
        if self.depth > len(self.functions):
            raise DiagnosticException(f"{label(op)}: @{name} calls itself; unroll the recursion")
        if len(operands) != (count := len(function.body.block.args)):
            raise DiagnosticException(
                f"{label(op)}: gives @{name} {len(operands)} arguments; it takes {count}"
            )
        self.depth += 1
        results = self.block(function.body.block, operands)
        self.depth -= 1
        return results

    def _ours(self, op: Operation, operands: Sequence[Value]) -> Sequence[Value]:
        """An operation of another dialect, with translated operands."""
        if isinstance(op, ArithConstantOp):
            return [self._arith_constant(op)]
        values: list[SSAValue] = []
        for value in operands:
            if not isinstance(value, SSAValue):
                raise DiagnosticException(f"{label(op)}: takes a {type(value).__name__.lower()}")
            values.append(value)
        copy = op.clone(dict(zip(op.operands, values, strict=True)))
        self.builder.insert(copy)
        types = self._types(copy)
        for result, type_ in zip(list(copy.results), types, strict=True):
            Rewriter.replace_value_with_new_type(result, type_)
        return list(copy.results)

    def _types(self, op: Operation) -> Sequence[Attribute]:
        """The result types of an operation of ours, inferred from its operands."""
        if isinstance(op, InferredOp):
            return op.infer_types(self.known)
        if isinstance(op, tfl.LstmOp | tfl.UnidirectionalSequenceLstmOp):
            shapes = [(*shape_of(op.input)[:-1], op.parts.outputs)]
        elif isinstance(op, tfl.BidirectionalSequenceLstmOp):
            sizes = [op.forward.outputs, op.backward.outputs]
            if bool(op.merge_outputs):
                sizes[0] = sum(sizes)
            shapes = [(*shape_of(op.input)[:-1], size) for size in sizes]
        else:
            return op.result_types
        element = tensor(op.operands[0]).element_type
        return [TensorType(element, shape) for shape in shapes]

    def _arith_constant(self, op: ArithConstantOp) -> SSAValue:
        from ...reference.arrays import blob_of
        from ...reference.tfl import dense_array

        type = op.result.type
        if not isinstance(type, TensorType):
            raise DiagnosticException(f"arith.constant: holds a {type}; only tensors are computed")
        element = cast(TensorType[Any], type).element_type
        return self.constant(blob_of(dense_array(op.value), element))
