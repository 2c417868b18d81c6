"""Resource variables as states. A state holds values where the file has codes."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, tfl
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from .translation import Held, Translation, rule, to_reach
from .values import given_type, quantization_of


def read_value(t: Translation, name: str, init: SSAValue) -> SSAValue:
    """The value of a state, or `init`."""
    type = tensor(init)
    t.variables[name] = type
    return t.builder.insert(infra.ReadValueOp(name, init, type)).result


@rule("VAR_HANDLE")
def var_handle(t: Translation, op: tfl.TflOp) -> None:
    t.handles[op.results[0]] = op.word("shared_name") if "shared_name" in op.properties else ""


@rule("READ_VARIABLE")
def read_variable(t: Translation, op: tfl.TflOp) -> None:
    """
    The value that was assigned before, or the variable's value when the call begins. The initial value is the one that
    an initializer assigns, or the one that a SELECT_V2 selects in its place.
    """
    (target,) = op.results
    name = t.handles[op.operands[0]]
    if name in t.assigned:
        t.same(target, _as(t, name, t.assigned[name], target))
        return
    users = [o for o in t.operations if target in o.operands]
    if users and all(isinstance(o, tfl.SelectV2Op) and o.operands[1] is target for o in users):
        t.handles[target] = name
        return
    if name in t.begun:
        first = _as(t, name, t.begun[name], target)
    elif DYNAMIC_INDEX in shape_of(target):
        raise DiagnosticException(
            f"variable '{name}' has no known size, {to_reach(shape_of(target))}; convert the model with fixed shapes"
        )
    else:
        first = t.constant(BlobAttr.of(given_type(target), 0))
        if quantization_of(target) is not None:
            first = t.dequantized(target, first)
    t.same(target, read_value(t, name, first))


def _as(t: Translation, name: str, held: Held, target: SSAValue) -> SSAValue:
    """The value of a variable for a reader: codes without a quantization get that of the reader."""
    if held.quantization == quantization_of(target):
        return held.value
    if (
        held.quantization is None
        and tensor(held.value).element_type == given_type(target).element_type
    ):
        return t.dequantized(target, held.value)
    raise DiagnosticException(
        f"variable '{name}' is assigned in codes of another scale than it is read in; convert the model "
        "anew, with one scale for both"
    )


@rule("ASSIGN_VARIABLE")
def assign_variable(t: Translation, op: tfl.TflOp) -> None:
    name, source = t.handles[op.operands[0]], op.operands[1]
    held = Held(t.value(source), quantization_of(source))
    t.variables.setdefault(name, tensor(held.value))
    t.assigned[name] = held


@rule("CALL_ONCE")
def call_once(t: Translation, op: tfl.TflOp) -> None:
    """The values that this assigns to variables are their initial values."""
    inner = t.inside(t.called(op, "init"))
    inner.run_all()
    t.begun |= inner.assigned
