"""
Whether an operation fits its definition. xDSL's verifier derives from the definition each time how many operands,
results and regions there may be. Here, a class knows that once. What does not verify here, xDSL's verifier explains.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    OpDef,
    OptionalDef,
    RegionDef,
    SingleBlockRegionDef,
    VariadicDef,
    VerificationContext,
)
from xdsl.irdl.operations import (
    AttrSizedSegments,
    OperandDef,
    ResultDef,
    SameVariadicSize,
)
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException

from .accessors import segments

Values = Sequence[SSAValue]

Parts = Callable[[Operation, Values], Sequence[Values] | None]
"""The operands or results of each definition; None where there are too few or too many."""


class Verifier:
    """
    Verifies operations of one definition. It may have one variadic operand, more with an attribute of their sizes, and
    one variadic result, but no variadic region.
    """

    @classmethod
    def of(cls, definition: OpDef) -> Self | None:
        """The verifier of a definition; None of one that this class does not know."""
        options = (AttrSizedSegments, SameVariadicSize)
        sizes = [each for each in definition.options if isinstance(each, options)]
        operands = _parts([each for _, each in definition.operands], sizes)
        results = _parts([each for _, each in definition.results], [])
        if operands is None or results is None or definition.successors:
            return None
        if any(isinstance(kind, VariadicDef) for _, kind in definition.regions):
            return None
        return cls(definition, operands, results)

    def __init__(self, definition: OpDef, operands: Parts, results: Parts):
        self._explain = definition.verify
        self._definition, self._operands, self._results = definition, operands, results
        self._regions: list[RegionDef] = [each for _, each in definition.regions]
        self._traits: list[OpTrait] | None = None

    def verify(self, op: Operation) -> None:
        """Raises VerifyException, as xDSL's verifier does, where an operation does not fit."""
        try:
            is_valid = self._is_valid(op)
        except VerifyException:
            is_valid = False
        if not is_valid:
            self._explain(op)

    def _is_valid(self, op: Operation) -> bool:
        definition, context = self._definition, VerificationContext()
        operands = self._operands(op, op._operands)  # pyright: ignore[reportPrivateUsage]
        results = self._results(op, op.results)
        if operands is None or results is None or len(op.regions) != len(self._regions):
            return False
        _verify_types(definition.operands, operands, context)
        _verify_types(definition.results, results, context)
        if op.successors or not all(map(_has_blocks, op.regions, self._regions)):
            return False
        for region, kind in zip(op.regions, self._regions, strict=True):
            if (block := region.first_block) is not None:
                kind.entry_args.verify(block.arg_types, context)
        if not definition.properties.keys() >= op.properties.keys():
            return False
        if not _fit(definition.properties, op.properties, context):
            return False
        if not _fit(definition.attributes, op.attributes, context):
            return False
        self._verify_traits(op)
        return True

    def _verify_traits(self, op: Operation) -> None:
        if self._traits is None:  # they may name operations that are declared later
            self._traits = [
                each for each in self._definition.traits if type(each).verify is not OpTrait.verify
            ]
        for trait in self._traits:
            trait.verify(op)


def _parts(kinds: Sequence[OperandDef | ResultDef], options: Sequence[object]) -> Parts | None:
    """How values are divided between definitions; None where this is not known here."""
    variadic = [n for n, kind in enumerate(kinds) if isinstance(kind, VariadicDef)]
    if len(options) > 1:
        return None
    if options:
        (option,) = options
        if isinstance(option, AttrSizedOperandSegments):
            return lambda op, values: _sized(kinds, option.container(op), values)
        return None
    count = len(kinds)
    if not variadic:
        return lambda op, values: [(each,) for each in values] if len(values) == count else None
    if len(variadic) > 1:
        return None
    (place,) = variadic
    behind, most = count - 1 - place, 1 if isinstance(kinds[place], OptionalDef) else None

    def parts(op: Operation, values: Values) -> Sequence[Values] | None:
        spare = len(values) - (count - 1)
        if spare < 0 or (most is not None and spare > most):
            return None
        end = place + spare
        after = [(each,) for each in values[end : end + behind]]
        return [*((each,) for each in values[:place]), values[place:end], *after]

    return parts


def _sized(
    kinds: Sequence[OperandDef | ResultDef], container: dict[str, Attribute], values: Values
) -> Sequence[Values] | None:
    """Values divided by the sizes that an attribute or property has."""
    sizes: Any = container.get(AttrSizedOperandSegments.attribute_name)
    if type(sizes) is not DenseArrayBase or sizes.elt_type != i32:
        return None
    places = segments(sizes.data.data)
    if len(places) != len(kinds) or (places and places[-1].stop != len(values)):
        return None
    for place, kind in zip(places, kinds, strict=True):
        size = place.stop - place.start
        most = 1 if isinstance(kind, OptionalDef) or not isinstance(kind, VariadicDef) else size
        if not (0 if isinstance(kind, VariadicDef) else 1) <= size <= most:
            return None
    return [values[place] for place in places]


def _verify_types(
    kinds: Sequence[tuple[str, OperandDef | ResultDef]],
    parts: Sequence[Values],
    context: VerificationContext,
) -> None:
    """Raises VerifyException where a definition does not allow the types of its values."""
    for (_, kind), part in zip(kinds, parts, strict=True):
        kind.constr.verify(tuple([each.type for each in part]), context)


def _has_blocks(region: Region, kind: RegionDef) -> bool:
    """Whether a region has one block, if it must."""
    first = region.first_block
    is_single = first is not None and first is region.last_block
    return is_single or not isinstance(kind, SingleBlockRegionDef)


def _fit(kinds: dict[str, Any], given: dict[str, Attribute], context: VerificationContext) -> bool:
    """Whether all attributes, or properties, that are required are given. Raises VerifyException where one is wrong."""
    for name, kind in kinds.items():
        if name in given:
            kind.constr.verify(given[name], context)
        elif not isinstance(kind, OptionalDef):
            return False
    return True
