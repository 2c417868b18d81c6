"""`reshape`: new shapes for a model's inputs; every other type follows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeGuard

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ..dialects.blob import MAX_BYTES
from ..dialects.inferred import MAX_RANK, Shape, tensor
from ..dialects.module import entry_of, port_names
from ..dialects.rewriter import Rewriter
from ..dialects.walk import all_operations
from .digits import natural
from .errors import DiagnosticError, shortened, shown
from .infer_shapes import ShapeError, infer_types_and_states, verify_fits
from .relax_constants import relax_constants
from .repeat_initial_values import repeat_initial_values
from .shapes.blocking_constant import blocking_constant_of, workarounds
from .shapes.limits import set_limits
from .shapes.partial_shape import Dimension, PartialShape
from .shapes.read_sizes import check_read_sizes

AnyShape = str | Sequence[int | str | tuple[int, int] | None]
"""
`"1x?x16"`, `"[1, ?, 16]"` or `[1, -1, 16]`; `?`, -1 and None are unknown dimensions, `1..8` and `(1, 8)` unknown ones
with limits.
"""

UNKNOWN = ("?", "-1")

NO_SHAPES = (Mapping, AbstractSet, bytes, bytearray)
"""What can be iterated, and is no shape: keys and codes of characters are no sizes in order."""

_SIZE = r"(?:\d+\.\.\d*|\.\.\d+|\d+|\?|-1)"
_SIZES = rf"{_SIZE}(?:x{_SIZE})*"
_LIST = rf"\[\s*(?:{_SIZE}(?:\s*,\s*{_SIZE})*\s*)?\]"
_SHAPE = re.compile(rf"{_SIZES}|{_LIST}", re.ASCII)
_ENTRY = re.compile(rf"\s*(.+?)\s*(?:=\s*({_SIZES}|{_LIST}|)|({_LIST}))\s*(?:,|$)", re.ASCII)
"""`X=1x?x16`, `X=[1,?,16]` or `X[1,?,16]`, as tools of OpenVINO have it; a scalar is `X=`."""


@dataclass(frozen=True)
class Reshape(ModulePass):
    """
    Inputs get new shapes, `X=1x1x16,Y=?x4`, and all types of the model follow from them: those in bodies,
    how often iterators run, and states whose initial value follows an input. Where the model does not fit
    otherwise, a constant initial value is repeated for the rows that what is assigned has.

    An input is named by a tensor name or by its number; `1x1x16` alone is for the only input. An unknown
    dimension is `?`, one with limits `1..8`: calls with other sizes are refused. Inputs that are not named keep their
    shapes. Where the new shapes do not fit the model, it stays as it was, and the error names the constant that stands
    in the way.
    """

    name = "reshape"

    inputs: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        reshape(op, parse_shapes(self.inputs, op))


def parse_shapes(text: str, module: ModuleOp) -> dict[str | int, AnyShape]:
    """
    `X=1x1x16,Y=?x4` by name, or `1x1x16` for the only input. Raises DiagnosticException, with inputs of the module as
    an example, where the text is not of this form. A shape may be `[1,1,16]`, too.
    """
    if _SHAPE.fullmatch(text) and len(entry_of(module).args) == 1:
        return {0: text}
    shapes: dict[str | int, AnyShape] = {}
    position = 0
    while position < len(text) or not shapes:
        if (entry := _ENTRY.match(text, position)) is None:
            raise DiagnosticException(
                f"reshape: '{text[position:]}' is not a list of inputs and shapes; write {_as_it_is(module)}"
            )
        shapes[entry[1]] = entry[3] or entry[2]
        position = entry.end()
    return shapes


def as_text(shape: Sequence[int]) -> str:
    """`1x?x16`, as `reshape` reads it."""
    return "x".join("?" if size == DYNAMIC_INDEX else str(size) for size in shape)


def _as_it_is(module: ModuleOp) -> str:
    """The shapes that the first inputs have, in the form that is read."""
    entry = entry_of(module)
    names = port_names(entry.arg_attrs, len(entry.args))
    shapes = [
        f"{port[0] if port else number}={as_text(tensor(value).get_shape())}"
        for number, (port, value) in enumerate(zip(names, entry.args, strict=True))
        if isinstance(value.type, TensorType)
    ]
    return ",".join(shapes[:2]) or "nothing, as the model has no inputs"


def reshape(module: ModuleOp, shapes: Mapping[str | int, AnyShape]) -> None:
    """
    Gives inputs, by name or number, new shapes, and infers everything else.

    Raises DiagnosticException, and leaves the module as it was, where an input or a shape is none
    or the model does not fit the shapes. Of a branch one body may not fit, if no constant is the reason: it fails if
    it is taken, also after the next reshape.
    """
    entry = entry_of(module)
    wanted: dict[int, PartialShape] = {}
    for name, shape in shapes.items():
        index = _input_index(entry, name)
        if index in wanted:
            raise DiagnosticException(f"reshape: input {name} is named twice")
        wanted[index] = parse_partial_shape(f"reshape: input {name!r}", shape)
    _fit(module, {index: sizes_of(shape) for index, shape in wanted.items()})
    for index, shape in wanted.items():
        set_limits(entry, index, shape)


def _fit(module: ModuleOp, wanted: Mapping[int, Shape]) -> None:
    """Gives inputs, by number, new shapes, and infers everything else. Raises DiagnosticException as `reshape` does."""
    trial, fails = module.clone(), False
    try:
        retype(trial, wanted)
    except ShapeError as error:
        if _reshape_with_initial_values(module, wanted):
            return
        sizes = _old_sizes(entry_of(module), wanted)
        blocking = blocking_constant_of(module, trial, error.op, sizes)
        if blocking is not None or not _fits_failing(module, wanted):
            advice = _advice(module, trial, error.op, wanted)
            raise DiagnosticException(f"reshape: {error}; {advice}") from error
        fails = True
        retype(trial := module.clone(), wanted, fails)
    except VerifyException as error:
        raise DiagnosticException(f"reshape: {error}") from error
    check_read_sizes(trial)
    retype(module, wanted, fails)


def _reshape_with_initial_values(module: ModuleOp, wanted: Mapping[int, Shape]) -> bool:
    """Reshapes a model that fits once initial values of states are repeated. Returns whether it does."""
    trial = module.clone()
    if not repeat_initial_values(trial, partial(retype, wanted=wanted)):
        return False
    try:
        retype(trial, wanted)
    except VerifyException:
        return False
    check_read_sizes(trial)
    repeat_initial_values(module, partial(retype, wanted=wanted))
    retype(module, wanted)
    return True


def _fits_failing(module: ModuleOp, wanted: Mapping[int, Shape]) -> bool:
    """Whether the new shapes fit if branches may fail."""
    try:
        retype(module.clone(), wanted, True)
    except VerifyException:
        return False
    return True


def retype(module: ModuleOp, wanted: Mapping[int, Shape], fails: bool = False) -> None:
    """
    Gives inputs, by number, new shapes, and infers everything else; `fails` as in `infer_types_and_states`. Raises
    VerifyException where they do not fit.
    """
    arguments = entry_of(module).body.block.args
    for index, shape in wanted.items():
        old = arguments[index]
        type = TensorType(tensor(old).element_type, shape)
        Rewriter.replace_value_with_new_type(old, type)
    infer_types_and_states(module, fails)
    verify_fits(module)


def _advice(
    module: ModuleOp, trial: ModuleOp, failed: Operation, wanted: Mapping[int, Shape]
) -> str:
    """What stands in the way, and each way out that helps."""
    blocking = blocking_constant_of(module, trial, failed, _old_sizes(entry_of(module), wanted))
    place = all_operations(trial).index(failed)
    ways = list(workarounds(module, all_operations(module)[place], blocking))
    if _fits_relaxed(module, place, wanted):
        ways.insert(0, "let it follow the inputs (relax-constants)")
    if blocking is None or not ways:
        ways.insert(0, "give the inputs other shapes")
    said = " or ".join(filter(None, (", ".join(ways[:-1]), *ways[-1:])))
    return ": ".join(filter(None, (str(blocking or ""), said)))


def _fits_relaxed(module: ModuleOp, place: int, wanted: Mapping[int, Shape]) -> bool:
    """Whether the new sizes get through the operation at a place once constants follow the inputs."""
    relaxed = module.clone()
    op = all_operations(relaxed)[place]
    if not relax_constants(relaxed):
        return False
    try:
        retype(relaxed, wanted)
    except ShapeError as error:
        return error.op is not op
    except VerifyException:
        return False
    return True


def _old_sizes(entry: func.FuncOp, wanted: Mapping[int, Shape]) -> set[int]:
    """The sizes that dimensions had which get another one."""
    sizes: set[int] = set()
    for index, shape in wanted.items():
        old = tensor(entry.body.block.args[index]).get_shape()
        if len(old) != len(shape):
            sizes |= set(old)
        sizes |= {a for a, b in zip(old, shape, strict=False) if a != b}
    return sizes - {DYNAMIC_INDEX}


def _input_index(entry: func.FuncOp, name: str | int) -> int:
    """The number of the input that is called so."""
    arguments = entry.body.block.args
    names = port_names(entry.arg_attrs, len(arguments))
    found = [i for i, port in enumerate(names) if name in port]
    number = natural(shown(name) if isinstance(name, int) else str(name))
    if not found and number is not None and number < len(arguments):
        found = [number]
    if not found:
        listed = ", ".join("/".join(port) or str(i) for i, port in enumerate(names)) or "none"
        raise DiagnosticException(f"reshape: there is no input {shown(name)}; inputs: {listed}")
    index = found[0]
    if not isinstance(arguments[index].type, TensorType):
        raise DiagnosticException(f"reshape: input '{name}' is a {arguments[index].type}")
    return index


def parse_shape(what: str, shape: AnyShape) -> Shape:
    """
    The dimensions. Raises DiagnosticException, naming `what` was given the shape, where one is no size, or has limits.
    """
    parsed = parse_partial_shape(what, shape)
    for size in parsed:
        if size.has_limits:
            raise _no_size(what, size.to_string())
    return sizes_of(parsed)


def sizes_of(shape: PartialShape) -> Shape:
    """A shape as types have it, without limits."""
    return tuple(DYNAMIC_INDEX if size.is_dynamic else int(size) for size in shape)


def parse_partial_shape(what: str, shape: AnyShape) -> PartialShape:
    """As `parse_shape`, also with limits."""
    if isinstance(shape, str):
        text = shape.strip().removeprefix("[").removesuffix("]").strip()
        sizes: Sequence[Any] = re.split(r"\s*[x,]\s*", text) if text else ()
    elif _is_listed(shape):
        sizes = list(shape)
    else:
        raise DiagnosticError(f"{what} was given {shown(shape)}; give a shape, such as [1, 16]")
    if len(sizes) > MAX_RANK:
        raise DiagnosticError(f"{what} was given {len(sizes)} dimensions; {MAX_RANK} do")
    return PartialShape(_parse_size(what, size) for size in sizes)


def _is_listed(shape: Any) -> TypeGuard[Iterable[Any]]:
    """Whether this is a list of sizes; OpenVINO's shape of an unknown rank has none."""
    is_ranked = not getattr(getattr(shape, "rank", None), "is_dynamic", False)
    return is_ranked and isinstance(shape, Iterable) and not isinstance(shape, NO_SHAPES)


def _parse_size(what: str, size: Any) -> Dimension:
    try:
        (parsed,) = PartialShape([-1 if size is None else size])
    except (DiagnosticException, TypeError, ValueError):
        parsed = None
    if parsed is not None and max(parsed.min_length, parsed.max_length) <= MAX_BYTES:
        return parsed
    raise _no_size(what, size if isinstance(size, str) else shown(size))


def _no_size(what: str, text: str) -> DiagnosticError:
    return DiagnosticError(
        f"{what} cannot have a dimension of size {shortened(text)}; use a size, or -1 for an unknown one"
    )
