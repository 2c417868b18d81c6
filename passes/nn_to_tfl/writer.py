"""
Writes operators for the operations of one block.

A value may lie in memory in another order of dimensions than it has in the model: a convolution
takes and gives channels last, and what stands between two of them follows it. Transposes appear only
where somebody asks for another order, once each, and those of the model only change the order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import friendly_name, shape_of, tensor
from ...dialects.nn.constant import constant_of
from ...dialects.nn.derived import DerivedOp
from ...dialects.qnn import DequantizeOp
from ...dialects.tables import registered
from ...dialects.traits import moved_data
from ...reference.arrays import Array, array_of
from ...reference.constants import constant_array
from ...reference.executor import evaluate
from ..decompose_ops import decompose
from .codes import SoughtCodes, is_kept
from .codes import real as real_numbers
from .elements import element_name
from .operators import OperatorWriter
from .refusals import NoCodesError, UnknownSizeError, refuse, refuse_unknown
from .tensors import UNKNOWN, Elements, Order, Tensor, TensorQuantization, identity, inverse

if TYPE_CHECKING:
    from .lstm import Asked, Ran
    from .states import VariableHandles

OpT = TypeVar("OpT", bound=Operation)

NONE = "NONE"
"""No fused activation."""

EMITTERS: dict[type[Operation], Callable[[TflWriter, Any], None]] = {}
"""By operation, the function that writes its operators and sets its results."""


def emits(
    *ops: type[Operation],
) -> Callable[[Callable[[TflWriter, OpT], None]], Callable[[TflWriter, OpT], None]]:
    """Registers the decorated function as the emitter of these operations."""
    return registered(EMITTERS, ops)


@dataclass(frozen=True)
class View:
    """Where a value lies: its dimension `i` is dimension `order[i]` of the tensor."""

    tensor: Tensor
    order: Order


def sizes_of(value: SSAValue) -> tuple[int, ...]:
    """The dimensions of a value, with LiteRT's number for unknown ones."""
    return tuple(UNKNOWN if size == DYNAMIC_INDEX else size for size in shape_of(value))


class TflWriter(OperatorWriter):
    """A function of LiteRT's operations so far, and where the values of the model are in it."""

    def __init__(self, module: ModuleOp):
        super().__init__(module)
        self.states: VariableHandles | None = None
        self.values: dict[SSAValue, View] = {}
        self._plain: dict[tuple[Tensor, str], Tensor] = {}
        self.ran: list[tuple[Asked, Ran]] = []
        self._keeps_codes = False
        self._name = ""

    def run(self, op: Operation) -> None:
        """Writes one operation. Raises DiagnosticException, naming it, where LiteRT cannot express it."""
        decomposed: Any = TflWriter.decomposed if isinstance(op, DerivedOp) else None
        if (emit := EMITTERS.get(type(op), decomposed)) is None:
            if tfl.is_of_dialect(op):
                raise refuse(
                    op, "it is LiteRT's already; run legalize-tfl-to-nn on the model first"
                )
            raise refuse(
                op, "LiteRT has no such operation; replace it in the model by ones that it has"
            )
        self._name = friendly_name(op) or ""
        try:
            if not self._moves_codes(op, emit):
                emit(self, op)
        except UnknownSizeError as error:
            raise refuse_unknown(op, str(error)) from None
        except DiagnosticException as error:
            if str(error).startswith((op.name, "nn.constant")):
                raise
            raise refuse(op, str(error)) from None

    def decomposed(self, op: DerivedOp) -> None:
        """Writes what defines a derived operation in its place."""
        if self._sought is not None:
            raise NoCodesError
        for each in decompose(op):
            if not isinstance(each, nn.ConstantOp):
                self.run(each)

    # --- codes --------------------------------------------------------------------------

    @contextmanager
    def codes(self, sought: SoughtCodes | None = None) -> Generator[None]:
        """
        Inside, quantized values are the codes that they are stored in, and operators compute the codes that are sought.
        """
        before = self._keeps_codes, self._sought
        self._keeps_codes, self._sought = True, sought
        try:
            yield
        finally:
            self._keeps_codes, self._sought = before

    def on_codes(
        self, op: Operation, like: Elements, activation: str
    ) -> tuple[Tensor, Order] | None:
        """
        The codes that one operator computes from codes, and their order of dimensions; None where there is no such
        operator.
        """
        emit, sought = EMITTERS.get(type(op)), SoughtCodes(like, activation)
        if emit is None or not op.name.startswith("nn.") or not any(map(self._held, op.operands)):
            return None
        before, view = dict(self.values), None
        try:
            with self.codes(sought):
                emit(self, op)
            view = self.values[op.results[0]]
        except (NoCodesError, DiagnosticException):
            pass
        self.values = before
        return None if view is None or not sought.is_found else (view.tensor, inverse(view.order))

    def _held(self, value: SSAValue) -> TensorQuantization | None:
        """The quantization of the codes that a value is stored in."""
        return None if (view := self.values.get(value)) is None else view.tensor.quantization

    def _moves_codes(self, op: Operation, emit: Callable[[TflWriter, Any], None]) -> bool:
        """Writes an operation that does the same with codes as with their values, if all have one quantization."""
        data = op.operands[:1] if self._keeps_order(op) else moved_data(op)
        held = {self._held(value) for value in data}
        if None in held or len(held) != 1:
            return False
        try:
            with self.codes(SoughtCodes()):
                emit(self, op)
        except NoCodesError:
            return False
        return True

    def _keeps_order(self, op: Operation) -> bool:
        """Whether an operation only selects elements by their order, or inserts zeros, which have a code."""
        if not isinstance(op, nn.PadOp):
            return isinstance(op, nn.MaxPoolOp)
        fill = None if op.pad_value is None else self.known(op.pad_value)
        is_zero = op.pad_value is None or (fill is not None and not fill.any())
        return (
            op.pad_mode.data == "constant" and is_zero and element_of(op.input).startswith("float")
        )

    # --- values -------------------------------------------------------------------------

    def view(self, value: SSAValue) -> View:
        """Where a value lies; quantized values as codes."""
        if value not in self.values:
            blob = constant_of(value)
            assert blob is not None and isinstance(value.owner, Operation)
            try:
                constant = self.constant(array_of(blob), element_name(blob.type.element_type))
            except DiagnosticException as error:
                raise refuse(value.owner, str(error)) from None
            self.values[value] = View(constant, identity(constant.rank))
        return self.values[value]

    def uncoded(self, codes: Tensor, element: str) -> Tensor:
        """The values of codes; a value that is codes itself, in its own type."""
        quantization = codes.quantization
        if quantization is None or self._keeps_codes:
            return codes
        if (codes, element) not in self._plain:
            own = codes
            if not element.startswith("float") and codes.data is None:
                # LiteRT converts no codes to numbers: with this meaning they are numbers.
                point = -128 if element == "uint8" else 0
                own = self.copied(codes, Elements("int8", TensorQuantization((1.0,), (point,))))
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
        """The value with dimension `order[k]` at position `k`."""
        view = self.view(value)
        found = self.transposed(view.tensor, tuple(view.order[i] for i in order))
        return self.uncoded(found, element_of(value))

    def plain(self, value: SSAValue) -> Tensor:
        """The value with its dimensions in the model's order."""
        return self.arranged(value, identity(len(shape_of(value))))

    def known(self, value: SSAValue) -> Array | None:
        """The array of a constant value, or of what the codes of a constant stand for; None for others."""
        if isinstance(value.owner, DequantizeOp):
            codes = self.known(value.owner.input)
            return None if codes is None else evaluate(value.owner, [codes])[0]
        return constant_array(value)

    def numbers(self, op: Operation, value: SSAValue, what: str) -> list[int]:
        """The integers of an operand. Raises DiagnosticException where they are not known."""
        if (array := self.known(value)) is None:
            raise refuse(op, f"its {what} must be constant; fold or fix it first")
        return [int(n) for n in array.reshape(-1)]

    def set(self, value: SSAValue, found: Tensor, order: Order | None = None) -> None:
        """Says where a value lies: in a tensor that has its dimension `order[k]` at position `k`."""
        if self._name and found.data is None and not found.name:
            found.rename(self._name)
        self.values[value] = View(found, identity(found.rank) if order is None else inverse(order))


def element_of(value: SSAValue) -> str:
    """The name of a value's element type."""
    return element_name(tensor(value).element_type)


def type_element(type: Attribute) -> str:
    """The name of the element type of a tensor type."""
    assert isinstance(type, TensorType)
    return element_name(type.element_type)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
