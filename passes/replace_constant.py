"""`replace-constant`: other data for one constant, from a NumPy file."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Self, cast

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, ModuleOp, TensorType
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ..dialects import nn
from ..dialects.blob import BlobAttr
from ..dialects.inferred import constant_integers, friendly_name, label, shape_of, tensor
from ..dialects.module import entry_of, port_names
from ..dialects.rewriter import Rewriter
from .infer_shapes import infer_types, verify_fits
from .nearest import other_names

if TYPE_CHECKING:
    from ..reference.arrays import Array

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReplaceConstant(ModulePass):
    """
    The constant of a friendly name gets the array of an .npy file; types follow.

    The element type stays, and every number must be one of it; the shape may be another. Data for inputs
    of another size than the model has now make that size unknown, and a note says so: `reshape` sets it.
    Constants that fit only together are replaced together: `name=a,b file=a.npy,b.npy`.
    """

    name = "replace-constant"

    constants: tuple[str | int, ...] = field(metadata={"option": "name"})
    file: tuple[str, ...]

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """The option is called `name`, which of a pass is its own name."""
        given = spec.normalize_parameter_names().parameters
        return super().from_spec(ArgSpec(spec.name, _renamed(given, "name", "constants")))

    def spec(self, *, include_default: bool = False) -> ArgSpec:
        """What `from_spec` takes."""
        given = super().spec(include_default=include_default).parameters
        return ArgSpec(self.name, _renamed(given, "constants", "name"))

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        names = [str(name) for name in self.constants]
        if len(names) != len(self.file):
            raise DiagnosticException(
                f"replace-constant: {len(names)} names and {len(self.file)} files; give a file for each"
            )
        replace_constants(op, dict(zip(names, self.file, strict=True)))


def _renamed(
    parameters: Mapping[str, ParameterListType], old: str, new: str
) -> dict[str, ParameterListType]:
    return {new if key == old else key: value for key, value in parameters.items()}


def replace_constants(module: ModuleOp, files: Mapping[str, str]) -> None:
    """
    Gives constants, by friendly name, the arrays of .npy files.

    Raises DiagnosticException, and leaves the module as it was, where there is no such constant or
    array, or the arrays do not fit the model.
    """
    constants = {_constant(module, name): file for name, file in files.items()}
    data = {constant: _blob(constant, file) for constant, file in constants.items()}
    if not (unknown := _sizes_to_forget(module, data)):
        _put(module, data, ())
        return
    _put(module, data, unknown)
    entry = entry_of(module)
    names = port_names(entry.arg_attrs, len(entry.args))
    for index in sorted({index for index, _ in unknown}):
        log.warning(
            "replace-constant: the new data is for another size of input %s, which is %s now; "
            "reshape it",
            "/".join(names[index]) or index,
            entry.body.block.args[index].type,
        )


def _constant(module: ModuleOp, name: str) -> nn.ConstantOp:
    """The one constant of this friendly name."""
    named = [op for op in module.walk() if friendly_name(op) == name]
    constants = [op for op in named if isinstance(op, nn.ConstantOp)]
    if len(constants) == 1:
        return constants[0]
    if constants:
        raise DiagnosticException(
            f"replace-constant: {len(constants)} constants are named '{name}'"
        )
    if named:
        raise DiagnosticException(f"replace-constant: {label(named[0])} is not a constant")
    known = [
        each
        for op in module.walk()
        if isinstance(op, nn.ConstantOp) and (each := friendly_name(op))
    ]
    raise DiagnosticException(
        f"replace-constant: no constant is named '{name}'; {other_names(name, known)}"
    )


# --- data -----------------------------------------------------------------------------------


def _blob(constant: nn.ConstantOp, file: str) -> BlobAttr:
    """The array of a file as elements of the constant's type."""
    from ..reference.arrays import array_of, blob_of, dtype_of

    array, element = _load(file), tensor(constant.result).element_type
    dtype = dtype_of(element)
    fits = array.dtype.kind == dtype.kind or {array.dtype.kind, dtype.kind} == {"i", "u"}
    if fits:
        import numpy as np

        with np.errstate(all="ignore"):
            blob = blob_of(array.astype(dtype), element)
        fits = np.array_equal(array_of(blob), array, equal_nan=dtype.kind == "f")
        if fits:
            return blob
    raise DiagnosticException(
        f"replace-constant: {label(constant)} has elements of type {element}; {file} holds "
        f"{array.dtype}" + (" that are none" if array.dtype.kind in "iuf" else "")
    )


def _load(file: str) -> Array:
    """The array of an .npy file."""
    import numpy as np

    try:
        with open(file, "rb") as stream:
            if (version := np.lib.format.read_magic(stream)) not in ((1, 0), (2, 0), (3, 0)):
                raise ValueError(f"version {version}")
            stream.seek(0)
            return np.lib.format.read_array(stream, allow_pickle=False)
    except (OSError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - of a damaged header NumPy raises what its parsers do
        what = " ".join(str(error).split())
        raise DiagnosticException(f"{file}: error: not an .npy file of numbers: {what}") from None


# --- types ----------------------------------------------------------------------------------

Place = tuple[int, int]
"""A dimension of an input: the number of the input and of the dimension."""


def _sizes_to_forget(module: ModuleOp, data: Mapping[nn.ConstantOp, BlobAttr]) -> Sequence[Place]:
    """The dimensions of inputs that must become unknown for the model to take the data."""
    first: VerifyException | None = None
    for places in chain([()], _candidates(module, data)):
        trial = module.clone()
        copies = dict(zip(module.walk(), trial.walk(), strict=True))
        try:
            _put(trial, {cast(nn.ConstantOp, copies[op]): new for op, new in data.items()}, places)
            verify_fits(trial)
        except VerifyException as error:
            first = first or error
        else:
            return places
    raise DiagnosticException(
        f"replace-constant: {first}; constants that fit only together are replaced together, "
        "name=a,b file=a.npy,b.npy"
    ) from first


def _candidates(
    module: ModuleOp, data: Mapping[nn.ConstantOp, BlobAttr]
) -> Iterator[Sequence[Place]]:
    """Each dimension alone, those first whose size the old data had and the new has not; then all."""
    try:
        arguments = entry_of(module).body.block.args
    except DiagnosticException:
        return
    gone = {size for op, new in data.items() for size in _sizes(op) - _sizes(nn.ConstantOp(new))}
    sizes = {
        (index, dimension): size
        for index, argument in enumerate(arguments)
        if isinstance(argument.type, TensorType)
        for dimension, size in enumerate(shape_of(argument))
    }
    for place in sorted(sizes, key=lambda place: sizes[place] not in gone):
        yield [place]
    yield list(sizes)


def _sizes(constant: nn.ConstantOp) -> set[int]:
    """What a constant can say of sizes: its elements, if they are few, and its dimensions."""
    is_index = isinstance(tensor(constant.result).element_type, IntegerType)
    elements = constant_integers(constant.result) if is_index else None
    return {*(elements or ()), *shape_of(constant.result)}


def _put(
    module: ModuleOp, data: Mapping[nn.ConstantOp, BlobAttr], unknown: Sequence[Place]
) -> None:
    for constant, new in data.items():
        constant.properties["value"] = new
        Rewriter.replace_value_with_new_type(constant.result, new.type)
    for index, dimension in unknown:
        argument = entry_of(module).body.block.args[index]
        sizes = list(shape_of(argument))
        sizes[dimension] = DYNAMIC_INDEX
        type = TensorType(tensor(argument).element_type, sizes)
        Rewriter.replace_value_with_new_type(argument, type)
    infer_types(module)
