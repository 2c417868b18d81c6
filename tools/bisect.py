"""`run-tool --bisect` and `--bisect-kernels`: which part of a model is the first to differ from the reference?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.utils.exceptions import DiagnosticException

from .options import read
from .table import print_table

if TYPE_CHECKING:
    from pathlib import Path

    import numpy.typing as npt
    from xdsl.dialects.builtin import ModuleOp

    from ..interop.model import Model
    from ..runtime.bisect_kernels import KernelDifference

    Array = npt.NDArray[Any]


def prepared_module(source: Path | Model, passes: str, inputs: Sequence[Array]) -> ModuleOp:
    """The model after these passes, for inputs of these shapes."""
    from ..passes.legalize import legalized
    from ..runtime.build import prepared, split_at_inputs
    from ..runtime.specialize import specialized

    first, rest = split_at_inputs(passes)
    module = prepared(legalized(read(source).module), first)
    return prepared(specialized(module, [array.shape for array in inputs], {}), rest)


def bisect_layers(module: ModuleOp, inputs: Sequence[Array]) -> None:
    """Compares layers with the reference of `nn`. Raises DiagnosticException, naming the first that differs."""
    from ..runtime.bisect_layers import LayerDifference, compare_layers

    found: list[LayerDifference] = []
    for each in compare_layers(module, inputs):
        found.append(each)
        if not each.is_close:
            break
    rows = [[each.layer, each.dtype, f"{each.largest:.3g}", f"{each.share:.2%}"] for each in found]
    print_table("layers", ["layer", "type", "largest difference", "elements"], rows)
    if found and not found[-1].is_close:
        raise DiagnosticException(
            f"{found[-1].layer}: machine and reference are {found[-1].largest:.3g} apart; all "
            f"{len(found) - 1} layers before agree"
        )


def bisect_kernels(module: ModuleOp, inputs: Sequence[Array], threads: int | None) -> None:
    """Compares kernels with their meaning. Raises DiagnosticException, naming the first that differs."""
    from ..runtime.bisect_kernels import compare_kernels
    from ..runtime.host import usable_cores

    print_kernels(compare_kernels(module, inputs, threads or usable_cores()))


def print_kernels(compared: Iterable[KernelDifference]) -> None:
    """Prints a line for each kernel. Raises DiagnosticException, naming the first that differs."""
    from ..lowering.machine import choose_isa

    found: list[KernelDifference] = []
    for each in compared:
        found.append(each)
        if not each.is_close:
            break
    rows = [
        [each.name, each.type, str(each.size), str(each.count), f"{each.largest:g}"]
        for each in found
    ]
    columns = ["kernel", "type", "elements", "that differ", "largest difference"]
    print_table(f"kernels of {choose_isa().name}", columns, rows)
    if found and not found[-1].is_close:
        last = found[-1]
        unit = " ulp" if last.is_float else ""
        elsewhere = f" and {last.strays} bytes of other memory" * (last.strays > 0)
        raise DiagnosticException(
            f"{last.name}: machine and reference differ in {last.count} of {last.size} elements by up to "
            f"{last.largest:g}{unit}{elsewhere}; all {len(found) - 1} kernels before agree"
        )
