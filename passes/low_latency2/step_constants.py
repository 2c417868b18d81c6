"""Constants that say how many steps a recurrence has, where no input does."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects import nn
from ...dialects.elements import bits_of
from ...dialects.inferred import constant_integers, tensor
from ...dialects.walk import all_operations
from ..infer_shapes import ShapeError
from ..reshape import retype
from ..shapes.blocking_constant import blocking_constant_of, constant_name, held_sizes, upstream
from .reach import iterations, recurrences


def constants_of_steps(module: ModuleOp, number: int) -> list[str]:
    """
    The constants, by friendly name, with which recurrence `number` runs once if 1 takes the place of its steps in all
    of them; none where there are no such, or one of them has no name of its own.
    """
    op = recurrences(module)[number]
    if (steps := iterations(op)) is None or steps < 2:
        return []
    for held in (held for each in upstream(op) for held in held_sizes(each)):
        if held.size == steps and (found := _Trial(module, steps).ones(held.constant, number)):
            names = [constant_name(module, constant) for constant in found]
            return [name for name in names if name is not None] if all(names) else []
    return []


@dataclass(frozen=True)
class _Trial:
    """Puts 1 for the steps into one constant after the other."""

    module: ModuleOp
    steps: int

    def ones(self, first: nn.ConstantOp, number: int) -> list[nn.ConstantOp]:
        """The constants that need 1 together with the first; none where that does not leave one iteration."""
        changed = list[nn.ConstantOp]()
        constant: nn.ConstantOp | None = first
        for _ in count():
            if constant is None or constant in changed or not _is_size(constant, self.steps):
                return []
            changed.append(constant)
            trial = self.module.clone()
            copies = dict(zip(all_operations(self.module), all_operations(trial), strict=True))
            for each in changed:
                _put_ones(copies[each], self.steps)
            try:
                retype(trial, {})
            except ShapeError as error:
                found = blocking_constant_of(self.module, trial, error.op, {self.steps})
                constant = None if found is None else found.constant
            else:
                return changed if iterations(recurrences(trial)[number]) == 1 else []
        raise AssertionError("each constant is changed once")


def _is_size(constant: nn.ConstantOp, size: int) -> bool:
    """Whether a constant is a list of sizes that contains this one."""
    is_index = bits_of(tensor(constant.result).element_type) >= 32
    return is_index and size in (constant_integers(constant.result) or ())


def _put_ones(constant: Operation, size: int) -> None:
    import numpy as np

    from ...reference.arrays import array_of, blob_of

    assert isinstance(constant, nn.ConstantOp)
    array = array_of(constant.value)
    element = tensor(constant.result).element_type
    constant.properties["value"] = blob_of(
        np.where(array == size, 1, array).astype(array.dtype), element
    )
