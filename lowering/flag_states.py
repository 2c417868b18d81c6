"""
`flag-states`: a flag variable says whether a state is set, where only the run can tell.

A program computes an initial value into the state, once in front of all that reads it (`kernel.if_unset`). That
cannot be where the iterations of a loop, or the bodies of a branch, begin with values of their own, nor where a
body that may not run assigns the state.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr, TensorType, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ..dialects import infra, nn
from ..dialects.blob import BlobAttr
from ..dialects.inferred import tensor
from ..dialects.nn.writer import Writer
from ..dialects.rewriter import Rewriter
from ..dialects.walk import all_operations
from ..passes.erase_unused import erase_unused
from .plan.initial_values import needed_by

FLAG = TensorType(i1, [])

Uses = list[infra.ReadValueOp | infra.AssignOp]


class FlagStates(ModulePass):
    """
    Every assign of such a state assigns true to its flag, and `read(s, init)` becomes
    `read(flag, false) ? read(s, 0) : init`, a branch that computes the initial value only where it is needed.
    """

    name = "flag-states"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        uses: dict[str, Uses] = {}
        for inner in all_operations(op):
            if isinstance(inner, infra.ReadValueOp | infra.AssignOp):
                uses.setdefault(inner.variable.string_value(), []).append(inner)
        variables = infra.variables_of(op)
        for name, found in uses.items():
            if _needs_flag(found):
                flag = _add_flag(op, variables[name])
                for use in found:
                    _rewrite(use, flag)


def _needs_flag(uses: Uses) -> bool:
    """
    Whether a body computes an initial value, or assigns a state that has a computed one. `plan-memory` refuses types
    that are not known.
    """
    computed = [
        op for op in uses if isinstance(op, infra.ReadValueOp) and nn.constant_of(op.init) is None
    ]
    if not all(tensor(op.result).has_static_shape() for op in computed):
        return False
    inside = [op for op in uses if not isinstance(op.parent_op(), func.FuncOp)]
    return bool(computed) and any(isinstance(op, infra.AssignOp) or op in computed for op in inside)


def _add_flag(module: ModuleOp, variable: infra.VariableOp) -> str:
    """Declares, behind all others, the variable that says whether this one is set. Returns its id."""
    taken = infra.variables_of(module)
    name = f"{variable.sym_name.data}/is_set"
    while name in taken:
        name += "_"
    last = list(taken.values())[-1]
    Rewriter.insert_op(infra.VariableOp(name, FLAG), InsertPoint.after(last))
    variable.properties["flag"] = SymbolRefAttr(name)
    return name


def _rewrite(op: infra.ReadValueOp | infra.AssignOp, flag: str) -> None:
    write = Writer(InsertPoint.before(op))
    if isinstance(op, infra.AssignOp):
        write.builder.insert(infra.AssignOp(flag, write.constant(BlobAttr.of(FLAG, 1))))
        return
    name, type = op.variable.string_value(), tensor(op.result)
    is_set, state = (
        write.builder.insert(infra.ReadValueOp(each, write.constant(BlobAttr.of(kind, 0)), kind))
        for each, kind in ((flag, FLAG), (name, type))
    )
    init, early = op.init, needed_by([op])
    outside = _taken(init, early)
    inputs = [state.result, *(value for value in outside if nn.constant_of(value) is None)]
    types = [value.type for value in inputs]
    then, otherwise = Block(arg_types=types), Block(arg_types=types)
    then.add_op(infra.YieldOp(then.args[0]))
    inside: dict[SSAValue, SSAValue] = dict(zip(inputs[1:], otherwise.args[1:], strict=True))
    constants = [value.owner for value in outside if value not in inside]
    for inner in (*constants, *early):
        assert isinstance(inner, Operation)
        otherwise.add_op(inner.clone(inside))
    otherwise.add_op(infra.YieldOp(inside[init]))
    branch = infra.IfOp.create(
        operands=[is_set.result, *inputs],
        result_types=[type],
        regions=[Region(then), Region(otherwise)],
    )
    branch.results[0].name_hint = op.result.name_hint
    Rewriter.replace_op(op, branch)
    erase_unused(init)


def _taken(init: SSAValue, early: Sequence[Operation]) -> list[SSAValue]:
    """The values that an initial value is computed from and that are not `early`, each once."""
    own = {result for op in early for result in op.results}
    operands = [init, *(operand for op in early for operand in op.operands)]
    return [value for value in dict.fromkeys(operands) if value not in own]
