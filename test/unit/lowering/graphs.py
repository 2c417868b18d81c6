"""Random models for tests, each output with what is known of it."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp, TensorType, f32
from xdsl.ir import Block, Region

from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.graph_arithmetic import (
    binary,
    clamp,
    dequantize,
    divide,
    integers,
    product,
    quantize,
    quantized_product,
    relu,
    squash,
    through_half,
    to_codes_and_back,
)
from lowstream.test.unit.lowering.graph_bodies import (
    iterate,
    state,
)
from lowstream.test.unit.lowering.graph_movements import (
    broadcast,
    concat,
    reshape,
    slice_,
    split,
    squeeze,
    transpose,
    unsqueeze,
)
from lowstream.test.unit.lowering.graph_writer import (
    UNIT,
    Draw,
    Graph,
    Known,
    Rule,
)

RULES: list[Rule] = [
    relu, squash, clamp, binary, binary, binary, divide, product, product, quantize, quantize,
    quantized_product, quantized_product, dequantize, through_half, to_codes_and_back, integers,
    split, split, concat, slice_, transpose, reshape, squeeze, unsqueeze, broadcast, state, iterate,
]  # fmt: skip


class Model:
    """A module and what is known of its outputs."""

    def __init__(self, module: ModuleOp, outputs: list[Known], inputs: list[tuple[int, ...]]):
        self.module, self.outputs, self.inputs = module, outputs, inputs

    def __repr__(self) -> str:
        return str(self.module)

    def feeds(self, seed: int) -> list[Array]:
        """Inputs for one call."""
        random = np.random.default_rng(seed)
        return [
            random.integers(-64, 65, shape).astype(np.float32) * np.float32(UNIT)
            for shape in self.inputs
        ]


@st.composite
def models(draw: Draw) -> Model:
    """Functions of one to three inputs and 3 to 20 operations; an output may be an input, or leave twice."""
    shapes = draw(
        st.lists(
            st.sampled_from([(2, 4), (1, 4), (4,), (1, 1, 4), (2, 3, 4), (3,), ()]),
            min_size=1,
            max_size=3,
        )
    )
    types = [TensorType(f32, shape) for shape in shapes]
    block = Block(arg_types=types)
    graph = Graph(draw, block, [Known(arg) for arg in block.args], [], RULES)
    graph.grow(draw(st.integers(3, 20)))
    outputs = draw(st.lists(st.sampled_from(graph.pool), min_size=1, max_size=4))
    if draw(st.booleans()):
        outputs.append(graph.pool[-1])
    block.add_op(func.ReturnOp(*(known.value for known in outputs)))
    signature = FunctionType.from_lists(types, [known.value.type for known in outputs])
    entry = func.FuncOp("main", signature, Region(block))
    module = ModuleOp([*graph.variables, entry])
    return Model(module, outputs, shapes)
