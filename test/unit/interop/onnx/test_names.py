"""What of an ONNX model keeps the names of its nodes: states are called by that of the recurrence which had them."""

import numpy as np
import pytest
from onnx import NodeProto, helper

from lowstream import compile_model, read_model, run_passes
from lowstream.test.unit.interop.onnx.graphs import FLOAT, model, node

WEIGHTS = {
    name: np.ones((1, *shape), np.float32)
    for name, shape in {"w": (20, 4), "r": (20, 5), "b": (40,), "p": (15,)}.items()
}
BODY = helper.make_graph(
    [helper.make_node("Add", ["h_t", "x_t"], ["h_new"])],
    "body",
    [helper.make_tensor_value_info(name, FLOAT, [4]) for name in ("h_t", "x_t")],
    [helper.make_tensor_value_info("h_new", FLOAT, [4])],
)


@pytest.mark.parametrize(
    ("made", "states"),
    [
        (node("LSTM", "x w r b", "y", hidden_size=5), ["y/variable_0", "y/variable_1"]),
        (
            node("LSTM", "x w r b - - - p", "y", hidden_size=5),
            ["y/H_t/variable_1", "y/C_t/variable_2"],
        ),
        (node("Scan", "h x2", "y", body=BODY, num_scan_inputs=1), ["y/h_t/variable_0"]),
    ],
    ids=["sequence", "peepholes", "scan"],
)
def test_states_are_called_by_their_node(made: NodeProto, states: list[str]):
    nodes = [node("Squeeze", "x one", "x2"), made]
    constants = {**WEIGHTS, "h": np.zeros(4, np.float32), "one": np.array([1])}
    read = read_model(model(nodes, {"x": (FLOAT, [1, 1, 4])}, "y", constants))
    names = [op.attributes.get("nn.name") for op in read.module.walk()]
    assert sum(getattr(name, "data", "") == "y" for name in names) == 1
    run_passes(read, "low-latency2")
    request = compile_model(read).create_infer_request()
    assert [state.name for state in request.query_state()] == states
