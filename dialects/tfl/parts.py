"""The parts of an LSTM as LiteRT lays them out: weights of four gates, states, and the rules for their sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    FloatAttr,
    NoneType,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..compatible import compatible_shapes
from ..inferred import Shape, label, spelled

GATES = ("input", "forget", "cell", "output")
"""The order of the gates in every group of operands."""

MATRICES = (
    *(f"{given}_to_{gate}_weights" for given in ("input", "recurrent") for gate in GATES),
    "projection_weights",
)
"""The operands that are weight matrices."""

WEIGHTS = (
    *MATRICES[:-1],
    *(f"cell_to_{gate}_weights" for gate in ("input", "forget", "output")),
    *("input_gate_bias", "forget_gate_bias", "cell_bias", "output_gate_bias"),
    *("projection_weights", "projection_bias"),
)
"""The operands of one direction between its input and its states."""

STATES = ("input_activation_state", "input_cell_state")

NORMS = tuple(f"{gate}_layer_norm_coefficients" for gate in GATES)

ACTIVATIONS = ("NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT")
"""LiteRT's fused activation functions."""

Four = tuple[SSAValue, SSAValue, SSAValue, SSAValue]
"""One operand for each gate."""


def is_absent(value: SSAValue) -> bool:
    """Whether an optional operand is not there."""
    return isinstance(value.type, NoneType)


def ranked_shape(value: SSAValue) -> Shape | None:
    """The shape of a ranked tensor; None of any other value."""
    type: Attribute = value.type
    return cast(TensorType[Any], type).get_shape() if isinstance(type, TensorType) else None


@dataclass(frozen=True)
class Attributes:
    """What an LSTM's attributes say: the activation of the cell, and limits, where 0 is no limit."""

    activation: str
    cell_clip: float
    proj_clip: float
    time_major: bool

    @classmethod
    def of(cls, op: Operation) -> Attributes:
        """The attributes of an LSTM; one that is not there has LiteRT's default."""
        activation = op.properties["fused_activation_function"]
        assert isinstance(activation, StringAttr)
        major = op.properties.get("time_major")
        cell, projection = (
            cast(FloatAttr[Any], op.properties[name]).value.data if name in op.properties else 0.0
            for name in ("cell_clip", "proj_clip")
        )
        return cls(activation.data, cell, projection, bool(cast(BoolAttr | None, major)))

    def verify(self, op: Operation) -> None:
        """Raises VerifyException, naming `op`, where an attribute has no meaning."""
        if self.activation not in ACTIVATIONS:
            raise VerifyException(
                f"{label(op)}: fused_activation_function '{self.activation}' is none of "
                f"{', '.join(ACTIVATIONS)}"
            )
        for name in ("cell_clip", "proj_clip"):
            if not (clip := getattr(self, name)) >= 0:
                raise VerifyException(f"{label(op)}: {name} {clip} is negative; 0 is no limit")


@dataclass(frozen=True)
class Parts:
    """
    The weights and states of one direction. Sizes: input [n_cell, n_input], recurrent [n_cell, n_output] (or
    [n_cell], a diagonal), peephole, bias and layer norm [n_cell], projection [n_output, n_cell], states
    [batch, n_output] and [batch, n_cell]. Without projection n_output is n_cell.
    """

    input: Four
    recurrent: Four
    peephole: tuple[SSAValue, SSAValue, SSAValue]  # input, forget, output
    bias: Four
    projection: SSAValue
    projection_bias: SSAValue
    output_state: SSAValue
    cell_state: SSAValue
    layer_norm: Four | None  # of sequences in two directions there is none

    @classmethod
    def of(
        cls,
        weights: Sequence[SSAValue],
        states: Sequence[SSAValue],
        norms: Sequence[SSAValue] | None,
    ) -> Parts:
        """The parts in the order of operands: 17 weights, two states, and four norms or none."""
        w = tuple(weights)
        return cls(
            cast(Four, w[0:4]),
            cast(Four, w[4:8]),
            (w[8], w[9], w[10]),
            cast(Four, w[11:15]),
            w[15],
            w[16],
            states[0],
            states[1],
            None if norms is None else cast(Four, tuple(norms)),
        )

    @property
    def coupled(self) -> bool:
        """Whether the input gate is what the forget gate leaves: `i = 1 - f`."""
        return is_absent(self.input[0])

    @property
    def is_normalized(self) -> bool:
        """Whether what enters the gates is normalized."""
        return self.layer_norm is not None and not is_absent(self.layer_norm[1])

    @property
    def has_peephole(self) -> bool:
        """Whether gates see the cell state."""
        return not is_absent(self.peephole[1])

    @property
    def has_projection(self) -> bool:
        """Whether outputs are projected."""
        return not is_absent(self.projection)

    @property
    def is_diagonal(self) -> bool:
        """Whether each cell sees only its own output."""
        shape = ranked_shape(self.recurrent[1])
        return shape is not None and len(shape) == 1

    @property
    def cells(self) -> int:
        """The number of cells, where it is known."""
        shape = ranked_shape(self.input[1])
        return shape[0] if shape else DYNAMIC_INDEX

    @property
    def outputs(self) -> int:
        """The number of outputs, where it is known."""
        if not self.has_projection:
            return self.cells
        shape = ranked_shape(self.projection)
        return shape[0] if shape else DYNAMIC_INDEX

    def verify(self, op: Operation, batch: int, inputs: int, direction: str = "") -> None:
        """Raises VerifyException, naming `op`, where parts do not fit each other; `direction` heads their names."""
        checks = _Checks(op, direction)
        cells, outputs = self.cells, self.outputs
        self._verify_presence(checks)
        recurrent = (cells,) if self.is_diagonal else (cells, outputs)
        for i, gate in enumerate(GATES):
            checks.sizes(f"input_to_{gate}_weights", self.input[i], (cells, inputs), i == 0)
            checks.sizes(f"recurrent_to_{gate}_weights", self.recurrent[i], recurrent, i == 0)
            checks.sizes(f"{gate}_gate_bias", self.bias[i], (cells,), i == 0)
            if self.layer_norm is not None:
                name = f"{gate}_layer_norm_coefficients"
                checks.sizes(name, self.layer_norm[i], (cells,), True)
        for gate, weights in zip(("input", "forget", "output"), self.peephole, strict=True):
            checks.sizes(f"cell_to_{gate}_weights", weights, (cells,), True)
        checks.sizes("projection_weights", self.projection, (outputs, cells), True)
        checks.sizes("projection_bias", self.projection_bias, (outputs,), True)
        checks.sizes("input_activation_state", self.output_state, (batch, outputs), False)
        checks.sizes("input_cell_state", self.cell_state, (batch, cells), False)

    def _verify_presence(self, checks: _Checks) -> None:
        coupled = {
            "input_to_input_weights": self.input[0],
            "recurrent_to_input_weights": self.recurrent[0],
            "input_gate_bias": self.bias[0],
        }
        checks.together("with coupled gates all, else none, may be absent", coupled)
        _, forget, leave = self.peephole
        peepholes = {"cell_to_forget_weights": forget, "cell_to_output_weights": leave}
        if not self.coupled:
            peepholes["cell_to_input_weights"] = self.peephole[0]
        elif not is_absent(self.peephole[0]):
            checks.fail("cell_to_input_weights is given, but the coupled gates have no input gate")
        checks.together("peephole weights must all be given, or none", peepholes)
        if not self.has_projection and not is_absent(self.projection_bias):
            checks.fail("projection_bias needs projection_weights")
        if self.layer_norm is None:
            return
        norms = {
            f"{gate}_layer_norm_coefficients": value
            for gate, value in zip(GATES, self.layer_norm, strict=True)
        }
        first = norms.pop("input_layer_norm_coefficients")
        checks.together("layer norm coefficients must all be given, or none", norms)
        if is_absent(first) != (self.coupled or not self.is_normalized):
            checks.fail(
                "input_layer_norm_coefficients must be there exactly where there is an input gate "
                "and the other gates are normalized"
            )

    @property
    def values(self) -> list[SSAValue]:
        """All operands that these parts are of."""
        found: list[SSAValue] = []
        for field in fields(self):
            value = getattr(self, field.name)
            found += [value] if isinstance(value, SSAValue) else value or ()
        return found


@dataclass(frozen=True)
class _Checks:
    """What verification of parts says of `op`."""

    op: Operation
    direction: str

    def fail(self, what: str) -> None:
        raise VerifyException(f"{label(self.op)}: {self.direction}{what}")

    def together(self, rule: str, values: dict[str, SSAValue]) -> None:
        absent = [name for name, value in values.items() if is_absent(value)]
        if absent and len(absent) != len(values):
            given = [name for name in values if name not in absent]
            self.fail(f"{rule}: {', '.join(given)} given, {', '.join(absent)} absent")

    def sizes(self, name: str, value: SSAValue, wanted: Sequence[int], optional: bool) -> None:
        if is_absent(value):
            if not optional:
                self.fail(f"{name} is absent; only operands of optional parts may be")
            return
        shape = ranked_shape(value)
        if shape is not None and len(shape) != len(wanted):
            self.fail(f"{name} has rank {len(shape)}, not {len(wanted)}")
        if shape is not None and not compatible_shapes(shape, wanted):
            self.fail(f"{name} has shape {spelled(shape)}, expected {spelled(wanted)}")
