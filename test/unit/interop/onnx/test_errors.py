"""What an ONNX model can have wrong is one line that names the file, the operator and the way out."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, external_data_helper, helper, numpy_helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.interop.mlir import SourceError
from lowstream.test.unit.interop.onnx.graphs import FLOAT, INT64, Array, check, model, node, random

X = {"x": (FLOAT, [4])}


def message_of(proto: onnx.ModelProto, folder: Path) -> str:
    path = folder / "m.onnx"
    path.write_bytes(proto.SerializeToString())
    with pytest.raises(SourceError) as caught:
        read_model(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: error: ") and "\n" not in message
    return message


@pytest.mark.parametrize(
    ("domain", "advice"),
    [
        ("com.example", "export the model with ONNX's own operators"),
        ("com.ms.internal.nhwc", "give the model as it was before ONNX Runtime optimized it"),
        ("ai.onnx.preview.training", "export the model for inference"),
        ("ai.onnx.contrib", "run what onnxruntime-extensions does to texts"),
    ],
)
def test_operators_that_nobody_knows(tmp_path: Path, domain: str, advice: str):
    custom = helper.make_node("Fancy", ["x"], ["y"], "mine", domain=domain)
    proto = model([custom], X, "y")
    proto.opset_import.append(helper.make_opsetid(domain, 1))
    message = message_of(proto, tmp_path)
    assert f"{domain}.Fancy 'mine': operators of domain '{domain}'" in message and advice in message
    assert "no such operator" in message_of(model([node("Fancy", "x", "y")], X, "y"), tmp_path)


def test_an_empty_sequence_is_no_result(tmp_path: Path):
    nodes = [node("Relu", "x", "y"), helper.make_node("SequenceEmpty", [], ["s"])]
    message = message_of(model(nodes, X, "y s"), tmp_path)
    assert message.endswith("result 's' is an empty sequence; only tensors can be results")


def test_names_and_attributes_that_are_no_text(tmp_path: Path):
    pad = helper.make_node("Pad", ["x", "n"], ["y"], "ends", mode="edge")
    data = model([pad], X | {"n": (TensorProto.INT64, [2])}, "y").SerializeToString()
    path = tmp_path / "m.onnx"
    for text, message in (
        (b"Pad", "the name b'\\xffad' is not text; the file is damaged"),
        (b"edge", "Pad 'ends': the attribute 'mode' is b'\\xffdge', no text"),
    ):
        assert text in data
        path.write_bytes(data.replace(text, b"\xff" + text[1:]))
        with pytest.raises(SourceError, match="text") as caught:
            read_model(path)
        assert str(caught.value) == f"{path}: error: {message}"


def test_attributes_of_another_type(tmp_path: Path):
    softmax = helper.make_node("Softmax", ["x"], ["y"], "s", axis=[0])
    assert "Softmax 's': the attribute 'axis' has the type INTS; ONNX says INT" in message_of(
        model([softmax], X, "y"), tmp_path
    )


@pytest.mark.parametrize("kind", ["Squeeze", "ReduceMean"])
def test_attributes_that_became_inputs(tmp_path: Path, kind: str):
    proto = model([helper.make_node(kind, ["x"], ["y"], "n", axes=[0])], X, "y")
    message = message_of(proto, tmp_path)
    assert f"{kind} 'n': it has no attribute 'axes' in opset 21; export" in message


def operator(kind: str, domain: str = "", **attributes: Any) -> onnx.ModelProto:
    """A model of one operator, which has three inputs."""
    made = helper.make_node(kind, ["x", "a", "b"], ["y"], "n", domain=domain, **attributes)
    proto = model([made], {name: (FLOAT, [1, 1, 4, 4]) for name in "xab"}, "y")
    if domain:
        proto.opset_import.append(helper.make_opsetid(domain, 1))
    return proto


RUNTIME = "com.microsoft"
LEARNING = "ai.onnx.ml"
DAMAGED = {
    "no number": (
        operator("MatMulNBits", RUNTIME, bits="4", K=4, N=4, block_size=16),
        "attribute bits is of type str, not int",
    ),
    "no whole number": (
        operator("MatMulNBits", RUNTIME, K=4.0, N=4, block_size=16),
        "attribute K is of type float, not int",
    ),
    "a list that is too short": (
        operator(
            "SVMRegressor",
            LEARNING,
            coefficients=[1.0] * 4,
            n_supports=3,
            support_vectors=[1.0] * 4,
            rho=[0.0],
        ),
        "its attributes do not fit together: cannot reshape array of size 4",
    ),
    "no targets": (
        operator("LinearRegressor", LEARNING, coefficients=[1.0] * 4, targets=0),
        "its attributes do not fit together: integer division or modulo by zero",
    ),
    "a norm of no exponent": (
        operator("LpPool", kernel_shape=[2, 2], p=0),
        "a norm of p = 0 is not supported; use a p above 0",
    ),
    "no type": (operator("Cast"), "attribute to is missing"),
    "type 0": (operator("Cast", to=0), "element type"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_damaged_attributes(tmp_path: Path, case: str):
    proto, message = DAMAGED[case]
    assert f" 'n': {message}" in message_of(proto, tmp_path)


def test_a_node_without_outputs(tmp_path: Path):
    proto = operator("QuantizeLinear")
    del proto.graph.node[0].output[:]
    assert "QuantizeLinear 'n': it has 0 outputs, and at least 1 in ONNX" in message_of(
        proto, tmp_path
    )


def test_values_that_nothing_gives(tmp_path: Path):
    """A cycle is such, too."""
    nodes = [node("Add", "x z", "y"), node("Relu", "y", "z")]
    assert "Add 'y': reads 'z', which nothing before it gives" in message_of(
        model(nodes, X, "z"), tmp_path
    )


@pytest.mark.parametrize("version", [999, 2**40])
def test_an_opset_of_the_future(tmp_path: Path, version: int):
    assert f"opset {version} is newer than" in message_of(
        model([node("Relu", "x", "y")], X, "y", opset=version), tmp_path
    )


@pytest.mark.parametrize("type", ["STRING", "INT2", "UINT2"])
def test_element_types_that_are_none_here(tmp_path: Path, type: str):
    proto = model([node("Identity", "x", "y")], {"x": (TensorProto.DataType.Value(type), [4])}, "y")
    assert f"'x': element type {type} is not supported" in message_of(proto, tmp_path)


def test_texts_are_read_outside_of_a_model(tmp_path: Path):
    proto = model([node("Identity", "x", "y")], {"x": (TensorProto.STRING, [4])}, "y")
    assert "read texts outside of the model" in message_of(proto, tmp_path)


def test_inputs_that_are_no_tensors(tmp_path: Path):
    proto = model([node("Identity", "x", "y")], X, "y")
    sequence = helper.make_sequence_type_proto(proto.graph.input[0].type)
    for kind in (sequence, helper.make_optional_type_proto(sequence)):
        proto.graph.input[0].type.CopyFrom(kind)
        message = message_of(proto, tmp_path)
        assert "'x' is of kind sequence" in message
        assert "give the model an input for each tensor" in message


def test_a_shape_of_unknown_rank(tmp_path: Path):
    proto = model([node("Relu", "x", "y")], X, "y")
    proto.graph.input[0].type.tensor_type.ClearField("shape")
    assert "number of dimensions of 'x' is unknown" in message_of(proto, tmp_path)


def test_files_that_are_no_models(tmp_path: Path):
    path = tmp_path / "m.onnx"
    for data in (
        b"",
        b"not a model",
        model([node("Relu", "x", "y")], X, "y").SerializeToString()[:-9],
    ):
        path.write_bytes(data)
        with pytest.raises(SourceError, match=r"not (.*ONNX model|a model, but an empty file)"):
            read_model(path)


def external(folder: Path, location: str) -> onnx.ModelProto:
    proto = model([node("Add", "x w", "y")], X, "y", {"w": random(4)})
    (folder / "w.bin").write_bytes(random(4).tobytes())
    external_data_helper.set_external_data(proto.graph.initializer[0], location, 0, 16)
    proto.graph.initializer[0].ClearField("raw_data")
    return proto


def test_external_data(tmp_path: Path):
    """It is beside the model, whole, and not outside of its folder."""
    inner = tmp_path / "inner"
    inner.mkdir()
    proto = external(tmp_path, "../w.bin")
    assert "outside of the model's folder" in message_of(proto, inner)
    (tmp_path / "circle.bin").symlink_to("circle.bin")
    os.mkfifo(tmp_path / "pipe.bin")
    for location in ("gone.bin", "", "pipe.bin", "circle.bin", "a\0b", "a" * 5000):
        proto = external(tmp_path, location)
        assert "belongs beside the model" in message_of(proto, tmp_path)
    proto.graph.initializer[0].external_data[1].value = "٣"
    assert "offset or length of its external data is not a number" in message_of(proto, tmp_path)
    proto = external(tmp_path, "w.bin")
    (tmp_path / "w.bin").write_bytes(bytes(8))
    assert "bytes 0 to 16 of w.bin, which has 8" in message_of(proto, tmp_path)
    proto = external(tmp_path, "w.bin")
    (tmp_path / "m.onnx").write_bytes(proto.SerializeToString())
    read = read_model(tmp_path / "m.onnx")
    assert [port.names for port in read.inputs] == [("x",)]
    with pytest.raises(Exception, match="read the model by its path"):
        read_model(proto)


def test_bytes_are_a_model():
    read = read_model(model([node("Relu", "x", "y")], X, "y").SerializeToString())
    assert read.outputs[0].names == ("y",)
    assert np.dtype(read.outputs[0].dtype) == np.float32


@pytest.mark.parametrize("mode", [{}, {"round_mode": "up"}, {"round_mode": "down"}])
def test_powers_of_two_are_rounded_to_the_nearest_alone(mode: dict[str, str]):
    shapes = {"x": (FLOAT, [3])}
    cast = node("Cast", "x", "y", to=TensorProto.FLOAT8E8M0, **mode)
    back = node("Cast", "y", "z", to=FLOAT)
    with pytest.raises(
        DiagnosticException, match=r"round_mode '\w+' is not supported; use 'nearest'"
    ):
        read_model(model([cast, back], shapes, "z", opset=24))
    nearest = node("Cast", "x", "y", to=TensorProto.FLOAT8E8M0, round_mode="nearest")
    read_model(model([nearest, back], shapes, "z", opset=24))


@pytest.mark.parametrize(
    ("large", "shape"),
    [(node("Pad", "x pads", "y", mode="wrap"), [4]), (node("EyeLike", "x", "y"), [1 << 22] * 2)],
)
def test_results_that_fill_all_memory(large: onnx.NodeProto, shape: list[int]):
    """Of two numbers in a file, terabytes: nobody begins to count."""
    pads = {"pads": np.array([1 << 40, 0])}
    proto = model([large], {"x": (FLOAT, shape)}, "y", pads)
    with pytest.raises(DiagnosticException, match=r"would take \d+ bytes, over the limit of"):
        compile_model(read_model(proto))


def test_a_triangle_of_a_size_that_only_a_run_tells_names_its_node():
    nodes = [node("Compress", "x kept", "rows", axis=-1), node("Trilu", "rows", "half")]
    kept = {"kept": np.array([1, 0, 1, 1], bool)}
    with pytest.raises(DiagnosticException, match=r"nn\.range .half/Range.: start, stop"):
        compile_model(read_model(model(nodes, {"x": (FLOAT, [6, 5, 4])}, "half", kept)))


def sparse(values: Array, indices: Array, dims: list[int]) -> onnx.ModelProto:
    """The sum of an input and a sparse initializer."""
    elements, places = (numpy_helper.from_array(each, "w") for each in (values, indices))
    proto = model([node("Add", "x w", "y")], X, "y")
    proto.graph.sparse_initializer.append(helper.make_sparse_tensor(elements, places, dims))
    return proto


@pytest.mark.parametrize("indices", [[1, 3], [[1], [3]]], ids=["flat", "rows"])
def test_sparse_tensors(indices: list[Any]):
    check(sparse(random(2), np.array(indices), [4]), {"x": random(4)})


@pytest.mark.parametrize(
    ("indices", "dims", "what"),
    [
        ([1, 4], [4], "has 2 elements at indices [2] that do not fit it"),
        ([-1, 3], [4], "has 2 elements at indices [2] that do not fit it"),
        ([[1, 1]], [4], "has 2 elements at indices [1, 2] that do not fit it"),
        ([1, 3, 2], [4], "has 2 elements at indices [3] that do not fit it"),
        ([1, 3], [-4], "cannot have shape [-4]"),
        ([1, 3], [1 << 20, 1 << 20], "would take 4398046511104 bytes, over the limit"),
    ],
)
def test_damaged_sparse_tensors(tmp_path: Path, indices: list[Any], dims: list[int], what: str):
    assert what in message_of(sparse(random(2), np.array(indices), dims), tmp_path)


def test_a_sparse_tensor_of_no_element_type(tmp_path: Path):
    proto = sparse(random(2), np.array([1, 3]), [4])
    proto.graph.sparse_initializer[0].values.data_type = TensorProto.UNDEFINED
    assert "element type UNDEFINED is not supported" in message_of(proto, tmp_path)


def test_a_sparse_tensor_reads_no_file_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (inner := tmp_path / "inner").mkdir()
    (tmp_path / "w.bin").write_bytes(random(2).tobytes())
    proto = sparse(random(2), np.array([1, 3]), [4])
    external_data_helper.set_external_data(proto.graph.sparse_initializer[0].values, "w.bin", 0, 8)
    assert "belongs beside the model" in message_of(proto, inner)


@pytest.mark.parametrize(
    ("operator", "rank", "what"),
    [
        (
            node("InstanceNormalization", "x one one", "y"),
            1,
            "has rank 1, which must be at least 2",
        ),
        (
            node("GroupNormalization", "x one one", "y", num_groups=1),
            1,
            "has rank 1, which must be at least 2",
        ),
        (node("Hardmax", "x", "y"), 0, "has rank 0, which must be at least 1"),
        (node("MatMulInteger", "codes codes", "y"), 0, "has rank 0, which must be at least 1"),
        (
            node("MatMulInteger", "bytes codes", "y"),
            0,
            "input 1 has rank 0, which must be at least",
        ),
        (node("MaxUnpool", "x places", "y", kernel_shape=[2]), 2, "do not fit an input of rank 2"),
        (
            node("MaxUnpool", "x places", "y", kernel_shape=[2], pads=[0]),
            3,
            "pads [0] do not fit an input of rank 3",
        ),
        (node("QuantizeLinear", "x two", "y"), 0, "is a scalar, and its scale has [2] elements"),
        (node("Attention", "x x x", "y"), 2, "have ranks [2, 2, 2]; they must all be 3, or all 4"),
    ],
    ids=lambda value: getattr(value, "op_type", None),
)
def test_inputs_of_too_few_dimensions(
    tmp_path: Path, operator: onnx.NodeProto, rank: int, what: str
):
    shape = [4] * rank
    inputs = {"x": (FLOAT, shape), "codes": (TensorProto.UINT8, shape), "places": (INT64, shape)}
    constants = {
        "one": np.ones(1, np.float32),
        "two": np.ones(2, np.float32),
        "bytes": np.ones((4, 4), np.uint8),
    }
    opset = 23 if operator.op_type == "Attention" else 20
    message = message_of(model([operator], inputs, "y", constants, opset), tmp_path)
    assert what in message and f"{operator.op_type} 'y'" in message


@pytest.mark.parametrize(
    ("operator", "what"),
    [
        (node("DepthToSpace", "x", "y", blocksize=2, mode="rows"), "mode is 'rows'; use 'DCR' or"),
        (
            node("ScatterND", "x places x", "y", reduction="sum"),
            "reduction is 'sum'; use 'none' or",
        ),
        (
            node("ScatterElements", "x places x", "y", reduction="sum"),
            "reduction is 'sum'; use 'none' or",
        ),
        (
            node("Resize", "x - - sizes", "y", mode="closest"),
            "mode is 'closest'; use 'nearest' or",
        ),
        (node("Gelu", "x", "y", approximate="sigmoid"), "approximate is 'sigmoid'; use 'none' or"),
        (
            node("MaxPool", "x", "y", kernel_shape=[2, 2], auto_pad="SAME"),
            "auto_pad is 'SAME'; use 'NOTSET' or",
        ),
    ],
    ids=lambda value: getattr(value, "op_type", None),
)
def test_words_that_an_attribute_does_not_know(tmp_path: Path, operator: onnx.NodeProto, what: str):
    inputs = {"x": (FLOAT, [1, 4, 4, 4]), "places": (INT64, [1, 4, 4, 3])}
    sizes = {"sizes": np.array([1, 4, 8, 8])}
    message = message_of(model([operator], inputs, "y", sizes), tmp_path)
    assert f"{operator.op_type} 'y': attribute {what}" in message


@pytest.mark.parametrize("operator", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize(
    ("inputs", "index"), [("x w w", 0), ("w x w", 1), ("w w x", 2), ("w w w - - x", 5)]
)
@pytest.mark.parametrize("rank", [0, 2, 4])
def test_recurrent_layers_of_other_ranks(
    tmp_path: Path, operator: str, inputs: str, index: int, rank: int
):
    layer = node(operator, inputs, "y", hidden_size=1)
    given = {"x": (FLOAT, [1] * rank), "w": (FLOAT, [1, 1, 1])}
    message = message_of(model([layer], given, "y"), tmp_path)
    assert f"{operator} 'y': input {index} has rank {rank}, which must be 3" in message


@pytest.mark.parametrize(
    ("type", "said", "reason"),
    [
        (TensorProto.UINT8, "ui8", "output has unsupported type tensor(uint8)"),
        (FLOAT, "f32", "OverflowError: cannot convert float infinity to integer"),
    ],
)
def test_nodes_that_no_rule_can_read(tmp_path: Path, type: int, said: str, reason: str):
    """ONNX's shape inference says why, where it knows."""
    numbers = node("RandomUniformLike", "x", "y", seed=np.inf)
    assert message_of(model([numbers], {"x": (type, [2])}, "y"), tmp_path).endswith(
        f": RandomUniformLike 'y': its inputs (tensor<2x{said}>) and attributes do not fit ({reason}); export the "
        "model again"
    )


def test_first_cells_of_other_ranks(tmp_path: Path):
    layer = node("LSTM", "w w w - - w x", "y", hidden_size=1)
    given = {"x": (FLOAT, [1, 1]), "w": (FLOAT, [1, 1, 1])}
    assert "LSTM 'y': input 6 has rank 2" in message_of(model([layer], given, "y"), tmp_path)


def test_groups_of_filters_of_unknown_sizes(tmp_path: Path):
    inputs = {"x": (FLOAT, [1, 4, 5]), "w": (FLOAT, [4, 2, "taps"])}
    message = message_of(model([node("Conv", "x w", "y", group=2)], inputs, "y"), tmp_path)
    assert "filters of [4, 2, ?] for 2 groups need known sizes" in message


def test_a_grid_whose_matrices_do_not_fit(tmp_path: Path):
    sizes = {"size": np.array([2, 1, 4, 5])}
    message = message_of(
        model([node("AffineGrid", "x size", "y")], {"x": (FLOAT, [2, 3, 4])}, "y", sizes), tmp_path
    )
    assert "AffineGrid 'y': theta of [2, 3, 4] does not fit sizes [2, 1, 4, 5]" in message
