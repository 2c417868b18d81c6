"""The pass: each annotated function is tried in turn; what cannot be fused stays as it was."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ...dialects.compatible import compatible
from ...dialects.rewriter import Rewriter
from ..nearest import nearest
from ..tensorflow import is_private
from . import fusable
from .bidirectional import group_directions
from .composite import IMPLEMENTS, Annotation, Call, CannotFuseError, Composite
from .contract import ContractError
from .known_composites import composites
from .types import argument_types, calls_of
from .writing import TfWriter

log = logging.getLogger(__name__)


class PrepareCompositeFunctions(ModulePass):
    """
    The bodies of annotated functions become fused operations.

    - `lstm_<id>`, `indy_lstm_<id>` (Keras): `tfl.unidirectional_sequence_lstm`; a forward and a backward layer on the
      same input one `tfl.bidirectional_sequence_lstm`.
    - `[lingvo.]LSTMCellSimple`, `[lingvo.]LayerNormalizedLSTMCellSimple`: `tfl.lstm`.
    - `#tf_type.func<@name, {tfl_fusable_op = true, …}>`: `tfl.custom`.
    - What users' packages declare comes first.

    A function that does not keep its annotation's contract stays as it was, with a warning that says what was
    expected.
    """

    name = "prepare-composite-functions"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        known = composites()
        group_directions(op, lambda function: prepared(op, function, known))
        for function in list(op.ops):
            if isinstance(function, func.FuncOp) and function.body.blocks:
                _fuse(op, function, known)


@dataclass(frozen=True)
class Prepared:
    """An annotated function that keeps its contract: what it is, and how it may be written anew."""

    function: func.FuncOp
    annotation: Annotation
    composite: Composite | None
    names: Sequence[str | None]
    types: Sequence[Attribute]
    sizes: dict[str, int]
    used: frozenset[int]

    def call(self, arguments: Sequence[SSAValue], write: TfWriter) -> Call:
        """What the builder is given for these arguments."""
        given = {
            name: value
            for name, value in zip(self.names, arguments, strict=True)
            if name is not None
        }
        return Call(self.function, self.annotation, given, self.sizes, write, self.used)


def prepared(
    module: ModuleOp, function: func.FuncOp, known: Sequence[Composite]
) -> Prepared | None:
    """
    The function as one that can be fused; None where it has no annotation that is known.

    Raises ContractError where it does not keep the contract.
    """
    if (annotation := Annotation.of(function)) is None:
        return None
    types = argument_types(module, function)
    used = _used(module, function)
    composite = next((each for each in known if each.matches(annotation)), None)
    if composite is None:
        if not fusable.is_fusable(annotation):
            return None
        names = [f"argument{i}" for i in range(len(types))]
        return Prepared(function, annotation, None, names, types, {}, used)
    interface = composite.interface_of(function, types)
    names, sizes = interface.bind(types)
    if (count := len(function.function_type.outputs.data)) != interface.results:
        raise ContractError(f"has {count} results, expected {interface.results}")
    return Prepared(function, annotation, composite, names, types, sizes, used)


def _used(module: ModuleOp, function: func.FuncOp) -> frozenset[int]:
    """The results that a caller reads; of a public function all."""
    if not is_private(function):
        return frozenset(range(len(function.function_type.outputs.data)))
    return frozenset(
        i
        for call in calls_of(module, function.sym_name.data)
        for i, result in enumerate(call.results)
        if result.first_use is not None
    )


FUSED = "tf._lowstream_fused"
"""The attribute of a function that was written anew; its annotation stays for others to see."""


def _fuse(module: ModuleOp, function: func.FuncOp, known: Sequence[Composite]) -> None:
    if FUSED in function.attributes:
        return
    try:
        found = prepared(module, function, known)
        block = None if found is None else written(found)
    except (CannotFuseError, ContractError, VerifyException) as error:
        annotation = Annotation.of(function)
        assert annotation is not None
        log.warning(
            "@%s stays as it was: as '%s' it %s",
            function.sym_name.data,
            annotation.name,
            " ".join(str(error).split()),
        )
        return
    if block is not None:
        replace_body(module, function, block)
    elif (problem := _misspelled(function, known)) is not None:
        log.warning("@%s stays as it was: %s", function.sym_name.data, problem)


def _misspelled(function: func.FuncOp, known: Sequence[Composite]) -> str | None:
    """What is wrong with an annotation that nothing matches; None where it may well mean something else."""
    annotation = Annotation.of(function)
    if annotation is None:
        attribute = function.attributes.get(IMPLEMENTS)
        return None if attribute is None else f"{IMPLEMENTS} = {attribute} is no text"
    found = [
        f"{each.annotation}<id>" for each in known if each.prefix and _begins(annotation, each)
    ]
    found = found or nearest(annotation.name, [one.annotation for one in known if not one.prefix])
    meant = " or ".join(f"'{name}'" for name in found)
    return f"nothing known is '{annotation.name}'; did you mean {meant}?" if found else None


def _begins(annotation: Annotation, composite: Composite) -> bool:
    """Whether an annotation begins as those of this kind do, but for case and what parts it from the id."""
    word = composite.annotation.rstrip("_")
    name, rest = annotation.name[: len(word)], annotation.name[len(word) :]
    return name.casefold() == word.casefold() and bool(rest) and not rest[0].isalpha()


def written(found: Prepared) -> Block:
    """The new body of a function. Raises what the builder raises."""
    block = Block(arg_types=found.types)
    for old, new in zip(found.function.body.block.args, block.args, strict=True):
        new.name_hint = old.name_hint
    write = TfWriter(InsertPoint.at_end(block))
    call = found.call(block.args, write)
    build = fusable.build if found.composite is None else found.composite.builder
    results = list(build(call))
    outputs = found.function.function_type.outputs.data
    if len(results) != len(outputs):
        raise DiagnosticException(
            f"@{found.function.sym_name.data}: the builder of '{found.annotation.name}' gave "
            f"{len(results)} results, the function has {len(outputs)}"
        )
    for i, (result, type) in enumerate(zip(results, outputs, strict=True)):
        if not _fits(result.type, type) and i in found.used:
            raise CannotFuseError(
                f"has result {i} of type {type}, the fused operation gives {result.type}"
            )
    for op in block.ops:
        op.verify()
    write.op(func.ReturnOp(*results))
    return block


def _fits(new: Attribute, old: Attribute) -> bool:
    ranked = all(isinstance(type, TensorType) for type in (new, old))
    return compatible(new, old) if ranked else True


def replace_body(module: ModuleOp, function: func.FuncOp, block: Block) -> None:
    """Gives a function a new body, and the types that it has now."""
    region = function.body
    for old in list(region.blocks):
        region.detach_block(old)
        old.erase(safe_erase=False)
    region.add_block(block)
    last = block.last_op
    assert isinstance(last, func.ReturnOp)
    function.update_function_type()
    function.attributes[FUSED] = StringAttr("")
    for call in list(calls_of(module, function.sym_name.data)):
        for result, value in zip(list(call.results), last.operands, strict=True):
            if isinstance(call, func.CallOp):
                Rewriter.replace_value_with_new_type(result, value.type)
