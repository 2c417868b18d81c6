"""A whole inference, on planned memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from ..formatted import FormattedOp
from ..inferred import label
from ..operation import op_definition
from ..properties import INTEGERS, WORDS
from ..traits import Isolated
from .base import outside_bodies
from .program_memory import FailOp
from .types import shaped

SIZES = "kernel.sizes"
"""
The attribute of an entry that says which sizes of its results are known only at run time, as `sizes` of its program.
"""

STATE_SIZES = "kernel.state_sizes"
"""The same of its states, as `state_sizes` of its program."""


ALIASES = "kernel.aliases"
"""The attribute of an entry that says which results are written over an argument, as `aliases` of its program."""


@op_definition
class ProgramOp(FormattedOp):
    """
    A whole inference in the order of emission, on planned memory.

    Arguments: inputs, outputs, then for each state its current and its next value, then the arena. A state
    that is not in `assigned` keeps its current value; the next value of the others becomes current when a
    call succeeds.

    The current value has the type of what is read, the next one that of what is assigned: they may differ in
    sizes. A program serves calls that begin with states of the sizes it reads; after one that changed them,
    the caller takes the program for the new sizes. A state that is never read, or never assigned, has one
    type. `inits` holds each state's initial value where it is constant, else unit, and a
    `kernel.if_unset` computes it into the current value.

    `sizes` lists triples for outputs with fewer elements than fit: number of the output, dimension, and number of the
    output, behind all others, that holds how many there are. Users do not see those.

    `state_sizes` lists such triples for the next values of states: number of the state, dimension, output. The next
    value of a state in `in_place` lies where the current one is: a call changes only what did not count of it.

    `aliases` lists pairs: an output, and the input over which it is written (XLA's input-output aliasing). The caller
    gives both the same memory, and finds there what the input held, but for what did not count of it.

    With `flush_denormals`, denormal operands and results count as zeros.

    `flags` names, for some states, another one that says whether they are set: that alone counts, and whoever sets
    or resets the state sets or resets it. Users do not see it.

        kernel.program @main inputs ["X"] outputs ["Y"] states ["TI/H_t/variable_1"] assigned [true] inits […] {
        ^bb0(%x: memref<1x4xf32>, %y: memref<1x8xf32>, %h: memref<1x8xf32>,
             %h_next: memref<1x8xf32>, %arena: memref<512xi8>):
          …
        }
    """

    name = "kernel.program"

    sym_name = prop_def(SymbolNameConstraint())
    inputs = prop_def(WORDS)
    outputs = prop_def(WORDS)
    states = prop_def(WORDS)
    assigned = prop_def(ArrayAttr[BoolAttr])
    inits = prop_def(ArrayAttr)
    flags = opt_prop_def(DictionaryAttr)
    sizes = opt_prop_def(INTEGERS)
    state_sizes = opt_prop_def(INTEGERS)
    in_place = opt_prop_def(WORDS)
    aliases = opt_prop_def(INTEGERS)
    flush_denormals = opt_prop_def(UnitAttr)
    body = region_def("single_block")

    traits = traits_def(NoTerminator(), Isolated())
    assembly_format = (
        "$sym_name `inputs` $inputs `outputs` $outputs `states` $states `assigned` $assigned "
        "`inits` $inits (`flags` $flags^)? (`sizes` $sizes^)? (`state_sizes` $state_sizes^)? "
        "(`in_place` $in_place^)? (`aliases` $aliases^)? (`flush_denormals` $flush_denormals^)? "
        "attr-dict-with-keyword $body"
    )

    @property
    def input_args(self) -> Sequence[SSAValue]:
        """The arguments that hold the inputs."""
        return self.body.block.args[: len(self.inputs)]

    @property
    def output_args(self) -> Sequence[SSAValue]:
        """The arguments that hold the outputs."""
        start = len(self.inputs)
        return self.body.block.args[start : start + len(self.outputs)]

    @property
    def state_args(self) -> Sequence[tuple[SSAValue, SSAValue]]:
        """Current and next value of each state."""
        rest = self.body.block.args[len(self.inputs) + len(self.outputs) : -1]
        return list(zip(rest[::2], rest[1::2], strict=True))

    @property
    def flag_of(self) -> dict[str, str]:
        """By the name of a state, the state that says whether it is set."""
        flags: Mapping[str, Attribute] = {} if self.flags is None else self.flags.data
        return {name: cast(StringAttr, flag).data for name, flag in flags.items()}

    @property
    def failures(self) -> list[FailOp]:
        """The operations that end the program, in the order of their numbers."""
        return [op for op in outside_bodies(self) if isinstance(op, FailOp)]

    @property
    def dynamic_shapes(self) -> list[tuple[int, int, int]]:
        """What `sizes` lists."""
        return _triples(self.sizes)

    @property
    def computed_state_sizes(self) -> list[tuple[int, int, int]]:
        """What `state_sizes` lists."""
        return _triples(self.state_sizes)

    @property
    def input_of_output(self) -> dict[int, int]:
        """By the number of an output, that of the input over which it is written."""
        numbers = () if self.aliases is None else self.aliases.get_values()
        return dict(zip(numbers[::2], numbers[1::2], strict=True))

    @property
    def aliased_args(self) -> list[tuple[SSAValue, SSAValue]]:
        """The arguments of outputs that are written over inputs, and those of these inputs."""
        return [(self.output_args[o], self.input_args[i]) for o, i in self.input_of_output.items()]

    @property
    def hidden_outputs(self) -> set[int]:
        """The numbers of the outputs that hold sizes."""
        listed = (*self.dynamic_shapes, *self.computed_state_sizes)
        return {place for _, _, place in listed}

    @property
    def arena(self) -> SSAValue:
        """The argument that holds intermediate values."""
        return self.body.block.args[-1]

    def verify_(self) -> None:
        states = len(self.states)
        wanted = len(self.inputs) + len(self.outputs) + 2 * states + 1
        if len(self.body.block.args) != wanted or {len(self.assigned), len(self.inits)} != {states}:
            raise VerifyException(
                f"{label(self)}: {len(self.body.block.args)} arguments, its ports and states need {wanted}"
            )
        self._verify_states()
        self._verify_sizes()
        self._verify_aliases()
        from .plan_verifier import check_plan

        check_plan(self)

    def _verify_states(self) -> None:
        for name, (current, following) in zip(self.states, self.state_args, strict=True):
            before, after = shaped(current), shaped(following)
            if (before.get_element_type(), len(before.get_shape())) != (
                after.get_element_type(),
                len(after.get_shape()),
            ):
                raise VerifyException(
                    f"{label(self)}: state '{name.data}' is read as {before} and assigned as {after}; only "
                    "sizes may differ"
                )
            if name in (self.in_place or ()) and before != after:
                raise VerifyException(
                    f"{label(self)}: state '{name.data}' is written in place, as {after} over {before}"
                )
        names = {name.data for name in self.states}
        if unknown := {*self.flag_of, *self.flag_of.values()} - names:
            raise VerifyException(
                f"{label(self)}: flags name '{min(unknown)}', which is not a state"
            )

    def _verify_sizes(self) -> None:
        for number, dimension, place in self.dynamic_shapes:
            if not 0 <= number < place or not self._holds_size(place):
                raise VerifyException(
                    f"{label(self)}: output {place} of {len(self.outputs)} does not say how large output {number} is "
                    f"in dimension {dimension}"
                )
        for number, dimension, place in self.computed_state_sizes:
            if not 0 <= number < len(self.states) or not self._holds_size(place):
                raise VerifyException(
                    f"{label(self)}: output {place} of {len(self.outputs)} does not say how large state {number} is "
                    f"in dimension {dimension}"
                )

    def _verify_aliases(self) -> None:
        ports = (range(len(self.outputs)), range(len(self.inputs)))
        for pair in self.input_of_output.items():
            if any(number not in ports for number, ports in zip(pair, ports, strict=True)):
                raise VerifyException(
                    f"{label(self)}: output {pair[0]} of {len(self.outputs)} is written over input {pair[1]} of "
                    f"{len(self.inputs)}; aliases are pairs of an output and an input"
                )
        if len({*self.input_of_output.values()}) < len(self.input_of_output):
            raise VerifyException(f"{label(self)}: two outputs are written over one input")
        for output, input in self.aliased_args:
            if output.type != input.type:
                raise VerifyException(
                    f"{label(self)}: an output is written over an input, as {output.type} over {input.type}"
                )

    def _holds_size(self, place: int) -> bool:
        return place < len(self.outputs) and shaped(self.output_args[place]).get_shape() == (1,)


def _triples(listed: Any) -> list[tuple[int, int, int]]:
    numbers = () if listed is None else listed.get_values()
    return list(zip(numbers[::3], numbers[1::3], numbers[2::3], strict=True))
