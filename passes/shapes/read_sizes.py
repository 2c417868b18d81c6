"""
Sizes that a reader took for constants: where an operation needs a number that a model computes of dimensions, it gets
the one for the shapes that the model was read with, and `reshape` has to leave those as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.compatible import meet
from ...dialects.elements import is_integer
from ...dialects.inferred import InferredOp, constant_integers, friendly_name, label, tensor
from ...dialects.module import entry_of, port_names
from ...dialects.rewriter import Rewriter
from ..infer_shapes import KnownIntegers

READ_SIZES = "nn.read_sizes"
"""The attribute of a module that says of which values it holds the sizes: name, type, and the reader of each."""


@dataclass
class ReadSizes:
    """What is known of the sizes in a model while it is read, and which of them were taken for constants."""

    known: KnownIntegers = field(default_factory=KnownIntegers)
    taken: list[tuple[SSAValue, Attribute, str]] = field(
        default_factory=list[tuple[SSAValue, Attribute, str]]
    )

    def integers(self, value: SSAValue, reader: str) -> Sequence[int] | None:
        """The integers of a value, which something called `reader` is made for; None where a run computes them."""
        if (found := constant_integers(value)) is not None:
            return found
        if (found := self.known(value)) is not None:
            self.taken += [(each, each.type, reader) for each in _measured(value)]
        return found

    def fix(self, op: InferredOp) -> None:
        """Gives an operation constants for what it needs constant and is computed of sizes."""
        if not any(_is_computed_integer(value) for value in op.operands):
            return
        try:
            op.infer_types(constant_integers)
            return
        except VerifyException:
            pass
        for number, value in enumerate(op.operands):
            if constant_integers(value) is not None or self.known(value) is None:
                continue
            found = self.integers(value, label(op))
            assert found is not None
            constant = nn.ConstantOp(BlobAttr.of(tensor(value), found))
            Rewriter.insert_op(constant, InsertPoint.before(op))
            op.operands[number] = constant.result

    def note(self, module: ModuleOp) -> None:
        """Says in the module what was taken. For an erased value, these are all inputs."""
        entry = entry_of(module)
        names = port_names(entry.arg_attrs, len(entry.args))
        noted = [
            DictionaryAttr({"of": StringAttr(name), "type": type, "by": StringAttr(reader)})
            for value, taken, reader in self.taken
            for each, type in ([(value, taken)] if _is_live(value) else _typed(entry.args))
            for name in [_name(each, entry.body.block, names)]
        ]
        if noted:
            module.attributes[READ_SIZES] = ArrayAttr(dict.fromkeys(noted))


def _is_live(value: SSAValue) -> bool:
    return isinstance(value, BlockArgument) or value.owner.parent is not None


def _typed(values: Sequence[SSAValue]) -> list[tuple[SSAValue, Attribute]]:
    return [(value, value.type) for value in values]


def _is_computed_integer(value: SSAValue) -> bool:
    if not isinstance(value.type, TensorType) or isinstance(value.owner, nn.ConstantOp):
        return False
    element: Attribute = tensor(value).element_type
    return is_integer(element)


def check_read_sizes(module: ModuleOp) -> None:
    """Raises DiagnosticException where a value has not the known sizes of the type that a reader took sizes of."""
    noted = module.attributes.get(READ_SIZES)
    types = dict(_types(module))
    listed = cast(ArrayAttr[DictionaryAttr], noted).data if noted is not None else ()
    for each in listed:
        of, type, reader = (each.data[key] for key in ("of", "type", "by"))
        assert isinstance(of, StringAttr) and isinstance(reader, StringAttr)
        now = types.get(of.data)
        if now is None or meet(now, type) != now:
            raise DiagnosticException(
                f"reshape: {reader.data} was read for the sizes of '{of.data}', a {type}, which would be "
                f"{now or 'another one'}; leave the dimensions of inputs unknown in the file, and reshape then"
            )


def _types(module: ModuleOp) -> Iterator[tuple[str, Attribute]]:
    """The types of the inputs and of the first results of operations, by name."""
    for op in module.walk():
        if op.results and (name := friendly_name(op)):
            yield name, op.results[0].type
    entry = entry_of(module)
    for argument, names in zip(
        entry.args, port_names(entry.arg_attrs, len(entry.args)), strict=True
    ):
        yield from ((name, argument.type) for name in names)


def _name(value: SSAValue, entry: Block, names: Sequence[Sequence[str]]) -> str:
    if isinstance(value, BlockArgument):
        return names[value.index][0] if value.block is entry and names[value.index] else ""
    owner = value.owner
    assert isinstance(owner, Operation)
    return (friendly_name(owner) or "") if value is owner.results[0] else ""


def _measured(value: SSAValue) -> Iterator[SSAValue]:
    """The values whose sizes a value is computed of."""
    pending, seen = [value], set[SSAValue]()
    while pending:
        owner = (each := pending.pop()).owner
        if each in seen or not isinstance(owner, Operation):
            continue
        seen.add(each)
        if isinstance(owner, nn.ShapeOfOp):
            yield owner.input
        else:
            pending += owner.operands
