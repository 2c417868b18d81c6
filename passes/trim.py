"""`trim`: the part of a model between values that are named."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, TensorType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from ..dialects import infra
from ..dialects.inferred import friendly_name, label
from ..dialects.module import NAMES, entry_of, port_names
from ..dialects.rewriter import Rewriter
from .digits import natural
from .nearest import other_names


@dataclass(frozen=True)
class Trim(ModulePass):
    """
    What lies before `inputs` and what does not lead to `outputs` goes.

    - A name is that of an input, an output or an operation of the entry, whose results it means; with
      `.1` behind it, its second one. A value in `inputs` becomes an input of that name (of several
      results those that are read, as `name.0`, `name.1`, …). Other inputs stay while something reads
      them; they come first.
    - The model's outputs are those of `outputs`, or the ones it has if none are named.
    - A state stays while an output depends on it. An operation that is not ours and gives nothing stays.
    """

    name = "trim"

    inputs: tuple[str | int, ...] = ()
    outputs: tuple[str | int, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        trim(op, _names(self.inputs), _names(self.outputs))


def _names(texts: Sequence[str | int]) -> list[str]:
    return [name.strip() for text in texts for name in str(text).split(",")]


def trim(module: ModuleOp, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """
    Cuts a model. Raises DiagnosticException, and leaves it as it was, where nothing has such a name.
    """
    if not inputs and not outputs:
        raise DiagnosticException("trim: name inputs or outputs to cut at")
    entry = entry_of(module)
    ports = _Ports.of(entry)
    starts = [pair for name in inputs for pair in _read(ports.find(name))]
    ends = [pair for name in outputs for pair in ports.find(name)]
    new = [(name, value) for name, value in starts if not isinstance(value, BlockArgument)]
    _refuse_twice("inputs", new)
    _refuse_twice("outputs", [(name, name) for name, _ in ends])
    _cut_outputs(entry, ends)
    named = [_cut_input(entry, name, value) for name, value in starts]
    _erase_dead(module, entry.body.block)
    _erase_unused_inputs(entry, named)
    entry.update_function_type()


def values_named(entry: func.FuncOp, name: str) -> list[tuple[str, SSAValue]]:
    """
    The values that a name means in an entry, each with a name of its own. Raises DiagnosticException where nothing has
    this name.
    """
    return _Ports.of(entry).find(name)


def _refuse_twice(option: str, named: Sequence[tuple[str, object]]) -> None:
    """Raises DiagnosticException where two names mean the same."""
    first: dict[object, str] = {}
    for name, meant in named:
        if meant in first:
            raise DiagnosticException(
                f"trim: {option} '{first[meant]}' and '{name}' are the same; leave one of them away"
            )
        first[meant] = name


def _read(pairs: Sequence[tuple[str, SSAValue]]) -> list[tuple[str, SSAValue]]:
    """Of an operation's several results, those that something reads, if it reads any."""
    read = [(name, value) for name, value in pairs if value.first_use is not None]
    return read or list(pairs)


# --- names ----------------------------------------------------------------------------------


@dataclass
class _Ports:
    """What can be named, in the order in which names are looked up."""

    inputs: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    outputs: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    operations: dict[str, list[Operation]] = field(default_factory=dict[str, list[Operation]])
    inner: dict[str, Operation] = field(default_factory=dict[str, Operation])

    @classmethod
    def of(cls, entry: func.FuncOp) -> _Ports:
        ports, block = cls(), entry.body.block
        returned = entry.get_return_op()
        assert returned is not None, "an entry of one block returns"
        for table, values, attributes in (
            (ports.inputs, block.args, entry.arg_attrs),
            (ports.outputs, returned.operands, entry.res_attrs),
        ):
            for names, value in zip(port_names(attributes, len(values)), values, strict=True):
                table.update(dict.fromkeys(names, value))
        for op in entry.walk():
            if (name := friendly_name(op)) is None or op is entry:
                continue
            if op.parent is block:
                ports.operations.setdefault(name, []).append(op)
            elif (outer := block.find_ancestor_op_in_block(op)) is not None:
                ports.inner[name] = outer
        return ports

    def find(self, name: str) -> list[tuple[str, SSAValue]]:
        """The values of this name, with the name each has as an input or output."""
        for table in (self.inputs, self.outputs):
            if name in table:
                return [(name, table[name])]
        stem, _, number = name.rpartition(".")
        if name in self.operations:
            op = self._only(name)
            if len(op.results) == 1:
                return [(name, op.results[0])]
            return [(f"{name}.{i}", result) for i, result in enumerate(op.results)]
        if stem in self.operations and (index := natural(number)) is not None:
            op = self._only(stem)
            if index < len(op.results):
                return [(name, op.results[index])]
            raise DiagnosticException(
                f"trim: {label(op)} has {len(op.results)} results, '{name}' would be number {number}"
            )
        if name in self.inner:
            raise DiagnosticException(
                f"trim: '{name}' is in a body of {label(self.inner[name])}; name that operation"
            )
        known = [*self.inputs, *self.outputs, *self.operations]
        raise DiagnosticException(f"trim: nothing is named '{name}'; {other_names(name, known)}")

    def _only(self, name: str) -> Operation:
        if len(found := self.operations[name]) > 1:
            raise DiagnosticException(
                f"trim: {len(found)} operations are named '{name}'; name another one, or a tensor"
            )
        if not (results := found[0].results):
            raise DiagnosticException(f"trim: {label(found[0])} gives nothing to cut at")
        if not all(isinstance(result.type, TensorType) for result in results):
            raise DiagnosticException(f"trim: {label(found[0])} gives more than tensors")
        return found[0]


# --- edges ----------------------------------------------------------------------------------


def _cut_outputs(entry: func.FuncOp, ends: Sequence[tuple[str, SSAValue]]) -> None:
    """Makes these the outputs, if there are any."""
    if not ends:
        return
    returned = entry.get_return_op()
    assert returned is not None
    names = port_names(entry.res_attrs, len(returned.operands))
    old = entry.res_attrs or ArrayAttr([DictionaryAttr({})] * len(names))
    attributes: list[DictionaryAttr] = []
    for name, _ in ends:
        ports = [entry for port, entry in zip(names, old, strict=True) if name in port]
        attributes.append(ports[0] if ports else _named(name))
    returned.operands = [value for _, value in ends]
    entry.res_attrs = ArrayAttr(attributes)


def _cut_input(entry: func.FuncOp, name: str, value: SSAValue) -> BlockArgument:
    """The input that `value` is, or that takes its place."""
    block = entry.body.block
    if isinstance(value, BlockArgument):
        return value
    old = list(entry.arg_attrs or [DictionaryAttr({})] * len(block.args))
    argument = block.insert_arg(value.type, len(block.args))
    argument.name_hint = value.name_hint
    value.replace_all_uses_with(argument)
    entry.arg_attrs = ArrayAttr([*old, _named(name)])
    return argument


def _named(name: str) -> DictionaryAttr:
    return DictionaryAttr({NAMES: ArrayAttr([StringAttr(name)])})


def _erase_unused_inputs(entry: func.FuncOp, named: Sequence[BlockArgument]) -> None:
    """Erases the inputs that nothing reads, but for those that are named."""
    block = entry.body.block
    attributes = list(entry.arg_attrs or [DictionaryAttr({})] * len(block.args))
    for argument in reversed(block.args):
        if argument.first_use is None and argument not in named:
            del attributes[argument.index]
            block.erase_arg(argument)
    entry.arg_attrs = ArrayAttr(attributes)


# --- what is dead ---------------------------------------------------------------------------


def _erase_dead(module: ModuleOp, block: Block) -> None:
    """Erases operations that no output depends on, and states that nothing refers to then."""
    live = _live(block)
    for op in reversed(list(block.ops)):
        if op not in live:
            Rewriter.erase_op(op)
    referred = {_variable(op) for op in module.walk()}
    for variable in [op for op in module.ops if isinstance(op, infra.VariableOp)]:
        if variable.sym_name.data not in referred:
            Rewriter.erase_op(variable)


def _live(block: Block) -> set[Operation]:
    """
    What outputs depend on, operation by operation of this block. Whoever reads a state depends on all
    that assign it.
    """
    assigns: dict[str, list[Operation]] = {}
    for op in block.ops:
        for inner in op.walk():
            if isinstance(inner, infra.AssignOp):
                assigns.setdefault(inner.variable.string_value(), []).append(op)
    pending = [op for op in block.ops if not op.results and not isinstance(op, infra.AssignOp)]
    live = set(pending)
    while pending:
        for needed in _needs(block, pending.pop(), assigns):
            if needed not in live:
                live.add(needed)
                pending.append(needed)
    return live


def _needs(block: Block, op: Operation, assigns: dict[str, list[Operation]]) -> Iterator[Operation]:
    for inner in op.walk():
        for operand in inner.operands:
            if isinstance(owner := operand.owner, Operation) and owner.parent is block:
                yield owner
        if isinstance(inner, infra.ReadValueOp):
            yield from assigns.get(inner.variable.string_value(), ())


def _variable(op: Operation) -> str | None:
    """The state that an operation refers to."""
    if isinstance(op, infra.ReadValueOp | infra.AssignOp):
        return op.variable.string_value()
    return None
