"""Operators that ONNX defines otherwise than we do give what ONNX Runtime gives."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import AttributeProto, TensorProto, helper

from lowstream import DiagnosticException, compile_model, precision_report, read_model, run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.onnx.graphs import (
    FLOAT,
    INT64,
    check,
    model,
    node,
    random,
)

X = random(2, 3, 4)


def test_arithmetic():
    proto = model(
        [
            node("Div", "i j", "quotient"),
            node("Mod", "i j", "rest"),
            node("Mod", "i j", "c_rest", fmod=1),
            node("Pow", "x two", "squared"),
            node("Clip", "x low -", "clipped"),
            node("Mean", "x y x", "mean"),
            node("LeakyRelu", "x", "leaky", alpha=0.1),
            node("PRelu", "x slope", "slopes"),
            node("Trilu", "x k", "upper"),
            node("ArgMax", "x", "most", axis=1, select_last_index=1),
            node("Hardmax", "x", "hardest", axis=1),
            node("Pad", "x pads - axes", "padded"),
            node("Pad", "x pads - axes", "around", mode="wrap"),
            node("OneHot", "j depth values", "hot"),
            node("ReduceLogSumExp", "x axes", "energy", keepdims=0),
            node("LpNormalization", "x", "unit", axis=1, p=1),
            node("LayerNormalization", "x gain", "normal"),
        ],
        {"x": (FLOAT, [2, 3, 4]), "y": (FLOAT, [4]), "i": (INT64, [4]), "j": (INT64, [4])},
        "quotient rest c_rest squared clipped mean leaky slopes upper most hardest padded around hot energy unit "
        "normal",
        {
            "two": np.array(2, np.int64),
            "low": np.array(-0.5, np.float32),
            "slope": random(4),
            "k": np.array(1, np.int64),
            "pads": np.array([1, 2], np.int64),
            "axes": np.array([1], np.int64),
            "depth": np.array(5, np.int64),
            "values": np.array([0.5, 2], np.float32),
            "gain": random(4),
        },
    )
    i, j = np.array([7, -7, 7, -7]), np.array([2, 2, -2, -2])
    check(proto, {"x": X, "y": random(4), "i": i, "j": j})


def test_windows():
    same = {"auto_pad": "SAME_UPPER", "strides": [2, 2]}
    proto = model(
        [
            node("Conv", "x w b", "plain", pads=[1, 0, 0, 1]),
            node("Conv", "x g", "groups", group=2, dilations=[2, 1]),
            node("ConvTranspose", "x t", "wider", strides=[2, 2], output_shape=[11, 12]),
            node("ConvTranspose", "x t", "same", **same),
            node(
                "MaxPool", "x", "greatest places", kernel_shape=[2, 2], ceil_mode=1, strides=[2, 2]
            ),
            node("AveragePool", "x", "average", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
            node("LpPool", "x", "power", kernel_shape=[2, 2], p=2),
            node("InstanceNormalization", "x s s", "instance"),
            node("BatchNormalization", "x s s s v", "batch"),
        ],
        {"x": (FLOAT, [1, 4, 5, 6])},
        "plain groups wider same greatest places average power instance batch",
        {
            "w": random(2, 4, 2, 2),
            "b": random(2),
            "g": random(4, 2, 2, 2),
            "t": random(4, 2, 3, 3),
            "s": random(4),
            "v": np.abs(random(4)),
        },
    )
    check(proto, {"x": random(1, 4, 5, 6)})


@pytest.mark.parametrize("sizes", [[9], [5, 6], [4, 5, 6]], ids=len)
def test_indices_of_images_in_column_major_order(sizes: list[int]):
    """The first dimension varies fastest."""
    options: dict[str, Any] = {"kernel_shape": [3] * len(sizes), "storage_order": 1}
    proto = model(
        [node("MaxPool", "x", "greatest places", **options, pads=[1] * 2 * len(sizes))],
        {"x": (FLOAT, [2, 3, *sizes])},
        "greatest places",
    )
    check(proto, {"x": random(2, 3, *sizes)})


def test_computed_sizes_follow_a_reshape():
    """Shapes that a model computes, of known and of unknown dimensions."""
    nodes = [
        node("Shape", "x", "whole"),
        node("Gather", "whole zero", "first"),
        node("Unsqueeze", "first axis", "row"),
        node("Concat", "row rest", "target", axis=0),
        node("Reshape", "x target", "flat"),
        node("Shape", "x", "tail", start=1),
        node("ConstantOfShape", "tail", "zeros"),
        node("Expand", "y whole", "wide"),
    ]
    constants = {
        "zero": np.array(0, np.int64),
        "axis": np.array([0], np.int64),
        "rest": np.array([-1], np.int64),
    }
    for batch in (1, "N"):
        proto = model(
            nodes,
            {"x": (FLOAT, [batch, 3, 4]), "y": (FLOAT, [4])},
            "flat zeros wide",
            constants,
        )
        read = read_model(proto)
        read.reshape({"x": [2, 3, 4]})
        results = compile_model(read).create_infer_request().infer({"x": X, "y": random(4)})
        assert np.asarray(results[0]).shape == (2, 12)
        assert np.asarray(results[1]).shape == (3, 4)
        np.testing.assert_array_equal(results[2], np.broadcast_to(random(4), (2, 3, 4)))


def test_older_versions_have_attributes_for_inputs():
    proto = model(
        [
            node("Squeeze", "x", "narrow", axes=[0]),
            node("Unsqueeze", "narrow", "again", axes=[1]),
            node("ReduceSum", "x", "sum", axes=[2], keepdims=0),
            node("Slice", "x", "part", starts=[1], ends=[3], axes=[1]),
            node("Softmax", "x", "soft", axis=1),
            node("Split", "x", "left right", axis=2, split=[1, 3]),
            node("Clip", "x", "clipped", min=-0.5, max=0.5),
        ],
        {"x": (FLOAT, [1, 3, 4])},
        "narrow again sum part soft left right clipped",
        opset=9,
    )
    check(proto, {"x": random(1, 3, 4)})


def test_recurrent_layers():
    steps, batch, inputs, hidden = 3, 2, 4, 5
    nodes, constants, outputs = [], {}, []
    for type, gates, more in (
        ("LSTM", 4, {"direction": "bidirectional"}),
        ("GRU", 3, {"linear_before_reset": 1, "direction": "reverse"}),
        ("RNN", 1, {"clip": 0.5}),
    ):
        directions = 2 if more.get("direction") == "bidirectional" else 1
        constants |= {
            f"{type}_w": random(directions, gates * hidden, inputs),
            f"{type}_r": random(directions, gates * hidden, hidden, seed=1),
            f"{type}_b": random(directions, 2 * gates * hidden, seed=2),
        }
        lengths = "-" if type == "LSTM" else "lengths"
        outputs += [f"{type}_y", f"{type}_h"]
        given = f"x {type}_w {type}_r {type}_b {lengths}"
        nodes.append(node(type, given, f"{type}_y {type}_h", hidden_size=hidden, **more))
    constants["lengths"] = np.array([3, 2], np.int32)
    proto = model(nodes, {"x": (FLOAT, [steps, batch, inputs])}, " ".join(outputs), constants)
    check(proto, {"x": random(steps, batch, inputs)})


def test_quantization():
    q, r = np.array([[200, 100], [3, 128]], np.uint8), np.array([[-3, 4], [127, -128]], np.int8)
    proto = model(
        [
            node("QuantizeLinear", "x scale point", "codes", axis=1),
            node("DequantizeLinear", "q half middle", "numbers"),
            node("DynamicQuantizeLinear", "x", "own step start"),
            node("DynamicQuantizeLinear", "tie", "own2 step2 start2"),
            node("DynamicQuantizeLinear", "nothing", "own3 step3 start3"),
            node("MatMulInteger", "q r middle", "product"),
            node("QLinearMatMul", "q half middle r half zero half middle", "both"),
        ],
        {"x": (FLOAT, [2, 3]), "tie": (FLOAT, [2]), "nothing": (FLOAT, [2])},
        "codes numbers own step start own2 step2 start2 own3 step3 start3 product both",
        {
            "scale": np.array([0.5, 1, 2], np.float32),
            "point": np.array([1, 2, 3], np.uint8),
            "half": np.array(0.5, np.float32),
            "middle": np.array(128, np.uint8),
            "zero": np.array(0, np.int8),
            "q": q,
            "r": r,
        },
    )
    tie = np.array([3.5, -3.5], np.float32)  # its zero point lies between two codes
    x = np.array([[0.25, 1.5, -3], [1.75, 2.5, 500]], np.float32)
    check(proto, {"x": x, "tie": tie, "nothing": 0 * tie})


def test_sequences_are_resolved():
    proto = model(
        [
            node("SplitToSequence", "x -", "parts", axis=1, keepdims=0),
            node("SequenceInsert", "parts y zero", "more"),
            node("SequenceErase", "more one", "fewer"),
            node("SequenceLength", "fewer", "count"),
            node("ConcatFromSequence", "fewer", "stacked", axis=0, new_axis=1),
        ],
        {"x": (FLOAT, [2, 3, 4]), "y": (FLOAT, [2, 4])},
        "count stacked",
        {"zero": np.array(0, np.int64), "one": np.array(1, np.int64)},
    )
    check(proto, {"x": X, "y": random(2, 4)})


def test_functions_of_the_model_are_written_out():
    scaled = helper.make_function(
        "own",
        "Scaled",
        ["a"],
        ["b"],
        [
            helper.make_node("LeakyRelu", ["a"], ["c"]),
            helper.make_node("Add", ["c", "c"], ["b"]),
        ],
        [helper.make_opsetid("", 21)],
        ["alpha"],
    )
    reference = scaled.node[0].attribute.add()
    reference.name, reference.ref_attr_name = "alpha", "alpha"
    reference.type = AttributeProto.FLOAT
    proto = model(
        [helper.make_node("Scaled", ["x"], ["y"], "call", domain="own", alpha=0.25)],
        {"x": (FLOAT, [4])},
        "y",
        functions=[scaled],
    )
    check(proto, {"x": random(4)})


def test_types_are_those_of_the_model():
    proto = model(
        [
            node("Cast", "x", "whole", to=TensorProto.INT8),
            node("Cast", "x", "half", to=TensorProto.FLOAT16),
            node("Cast", "x", "truth", to=TensorProto.BOOL),
            node("CastLike", "x whole", "again"),
        ],
        {"x": (FLOAT, [4])},
        "whole half truth again",
    )
    check(proto, {"x": np.array([-1.5, 0, 0.25, 100], np.float32)})


def test_images_and_indices():
    """All modes in which an image gets another size, and elements at indices."""
    modes = [
        {"mode": "nearest"},
        {
            "mode": "nearest",
            "coordinate_transformation_mode": "asymmetric",
            "nearest_mode": "floor",
        },
        {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
        {"mode": "cubic", "cubic_coeff_a": -0.5},
        {"mode": "linear", "axes": [3], "keep_aspect_ratio_policy": "not_larger"},
    ]
    nodes = [
        node("Resize", "image - - part" if "axes" in mode else "image - scales", f"r{i}", **mode)
        for i, mode in enumerate(modes)
    ]
    nodes += [
        node("TopK", "x two", "best places", axis=1, largest=0),
        node("ScatterElements", "x i u", "elements", axis=2, reduction="add"),
        node("ScatterND", "x j v", "slices"),
        node("GatherND", "x j", "found"),
        node("Einsum", "square x", "diagonal", equation="bii,bij->ij"),
        node("GridSample", "image grid", "sampled", mode="cubic", align_corners=1),
    ]
    proto = model(
        nodes,
        {"image": (FLOAT, [1, 2, 4, 5]), "x": (FLOAT, [2, 3, 4])},
        " ".join([f"r{i}" for i in range(len(modes))])
        + " best places elements slices found diagonal sampled",
        {
            "scales": np.array([1, 1, 1.5, 2], np.float32),
            "part": np.array([3], np.int64),
            "square": random(2, 3, 3),
            "two": np.array([2], np.int64),
            "i": np.array([[[0, -1]]], np.int64),
            "u": random(1, 1, 2),
            "j": np.array([[1, 0], [0, 2]], np.int64),
            "v": random(2, 4),
            "grid": np.tanh(random(1, 3, 3, 2)),
        },
    )
    check(proto, {"image": random(1, 2, 4, 5), "x": X}, 1e-4)


def test_boxes_are_suppressed_where_they_overlap_by_more_than_a_threshold():
    """Boxes next to each other overlap by nothing, which 0 does not suppress; without scores' threshold, all count."""
    low = np.array([[0, 0], [0, 1], [0, 0], [0.5, 0], [4, 4]], np.float32)
    proto = model(
        [
            node("NonMaxSuppression", "boxes x count", "first"),
            node("NonMaxSuppression", "boxes x count half least", "second"),
            node("NonMaxSuppression", "boxes x count half", "third", center_point_box=1),
        ],
        {"boxes": (FLOAT, [1, 5, 4]), "x": (FLOAT, [1, 2, 5])},
        "first second third",
        {
            "count": np.array([3], np.int64),
            "half": np.array([0.5], np.float32),
            "least": np.array([0.25], np.float32),
        },
    )
    scores = np.array([[[0.9, 0.8, 0.7, -0.5, 0.2], [0.1, 0.3, 0.5, 0.9, 0.4]]], np.float32)
    check(proto, {"boxes": np.concatenate([low, low + 1], 1)[None], "x": scores}, 0)


def test_codes_of_constants_are_rounded_by_their_quotient():
    """A symmetric scale puts the least weight at -7.5 steps, which is the even -8; limits in f32 break such ties."""
    step = np.array(0.12031457, np.float32)
    weights = np.array([-7.5, 1, 7.5], np.float32) * step
    proto = model(
        [
            node("QuantizeLinear", "w step zero", "codes"),
            node("DequantizeLinear", "codes step zero", "values"),
            node("Mul", "x values", "y"),
        ],
        {"x": (FLOAT, [3])},
        "y",
        {"w": weights, "step": step, "zero": np.array(0, ml_dtypes.int4)},
    )
    quotients = np.rint(weights / step)
    assert list(quotients) == [-8, 1, 8]
    (result,) = Executor(read_model(proto).module).run([np.ones(3, np.float32)])
    np.testing.assert_array_equal(result, quotients.clip(-8, 7).astype(np.float32) * step)


def test_a_quantized_model_computes_in_8_bits():
    """A convolution between QuantizeLinear and DequantizeLinear multiplies codes, and is reported by its name."""
    proto = model(
        [
            node("QuantizeLinear", "x s z", "q"),
            node("DequantizeLinear", "q s z", "numbers"),
            node("DequantizeLinear", "w steps zeros", "filters", axis=0),
            node("Conv", "numbers filters b", "c", pads=[1, 1, 1, 1]),
            node("Relu", "c", "y"),
        ],
        {"x": (FLOAT, [1, 4, 6, 6])},
        "y",
        {
            "s": np.array(0.02, np.float32),
            "z": np.array(128, np.uint8),
            "w": np.random.default_rng(1).integers(-127, 128, (8, 4, 3, 3)).astype(np.int8),
            "steps": np.full(8, 0.01, np.float32),
            "zeros": np.zeros(8, np.int8),
            "b": random(8),
        },
    )
    low = read_model(proto)
    run_passes(low, "lpt")
    (line,) = (line for line in precision_report(low) if line["type"] == "Convolution")
    assert (line["name"], line["inputs"]) == ("c/WithoutBiases", ["u8", "i8"])
    check(proto, {"x": random(1, 4, 6, 6)}, 1e-4)


@pytest.mark.parametrize("shape", [[1, 2, 9, 8], ["a", "b", "c", "d"]], ids=["known", "unknown"])
def test_rounded_up_windows_count_padding_but_nothing_behind_it(shape: list[int | str]):
    """Nor do windows begin in the padding behind the input."""
    up = {"ceil_mode": 1, "count_include_pad": 1}
    windows = [
        ([2, 1], [3, 2], [1, 0, 0, 0]),
        ([3, 3], [2, 3], [1, 1, 1, 1]),
        ([2, 2], [2, 2], [1, 1, 1, 1]),
    ]
    nodes = [
        node("AveragePool", "x", f"y{n}", kernel_shape=kernel, strides=strides, pads=pads, **up)
        for n, (kernel, strides, pads) in enumerate(windows)
    ]
    nodes.append(
        node("LpPool", "x", "y3", kernel_shape=[2, 3], strides=[2, 1], auto_pad="SAME_UPPER")
    )
    proto = model(nodes, {"x": (FLOAT, shape)}, "y0 y1 y2 y3")
    check(proto, {"x": random(1, 2, 9, 8)})


def test_deformable_convolutions():
    constants = {"w": random(6, 2, 2, 3), "b": random(6)}
    given = {"group": 2, "offset_group": 2, "strides": [1, 2], "pads": [1, 0, 1, 2]}
    each = node("DeformConv", "x w o b m", "y", kernel_shape=[2, 3], dilations=[2, 1], **given)
    arrays = {"x": random(1, 4, 5, 6), "o": random(1, 24, 5, 3, seed=1), "m": random(1, 12, 5, 3)}
    ports = {name: (FLOAT, array.shape) for name, array in arrays.items()}
    check(model([each], ports, "y", constants, opset=22), arrays)


def test_a_start_before_all_elements_is_the_first_one_backwards():
    names = {"s": [-9, 7], "e": [-(2**31), -9], "t": [-2, -1], "a": [0, 1]}
    constants = {name: np.array(values, np.int64) for name, values in names.items()}
    proto = model([node("Slice", "x s e a t", "y")], {"x": (FLOAT, [4, 3])}, "y", constants)
    check(proto, {"x": random(4, 3)})


def test_selu_and_its_first_version():
    nodes = [node("Selu", "x", "y"), node("Selu", "y", "z", alpha=0.5, gamma=2.0)]
    for opset in (6, 22):
        check(model(nodes, {"x": (FLOAT, [2, 3])}, "z", opset=opset), {"x": random(2, 3)})
    (found,) = compile_model(read_model(model(nodes[:1], {"x": (FLOAT, [1])}, "y", opset=1)))(
        [np.ones(1, np.float32)]
    ).values()
    np.testing.assert_allclose(found, 1.0507, rtol=1e-6)


def test_space_to_depth_with_channels_first():
    each = node("SpaceToDepth", "x", "y", blocksize=2, mode="CRD")
    x = random(1, 2, 4, 6)
    (found,) = compile_model(read_model(model([each], {"x": (FLOAT, x.shape)}, "y", opset=28)))(
        [x]
    ).values()
    wanted = x.reshape(1, 2, 2, 2, 3, 2).transpose(0, 1, 3, 5, 2, 4).reshape(1, 8, 2, 3)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("shape", [["a"], ["n", "a"]], ids=["vector", "matrix"])
def test_slopes_of_an_unknown_number(shape: list[str]):
    """They go with the last dimension, as NumPy aligns them."""
    inputs = {"x": (FLOAT, shape), "slopes": (FLOAT, ["b"])}
    x = random(*range(2, 2 + len(shape)))
    check(
        model([node("PRelu", "x slopes", "y")], inputs, "y"),
        {"x": x, "slopes": random(x.shape[-1])},
    )


@pytest.mark.parametrize("size", [7, 8])
def test_parts_of_an_unknown_size_are_equal_but_for_the_last(size: int):
    nodes = [node("Split", "x", "a b c", num_outputs=3, axis=1)]
    proto = model(nodes, {"x": (FLOAT, [2, "n"])}, "a b c")
    check(proto, {"x": random(2, size)})


@pytest.mark.parametrize("opset", [17, 18])
def test_a_relu_with_a_threshold_before_it_was_a_function(opset: int):
    nodes = [node("ThresholdedRelu", "x", "y", alpha=0.25), node("ThresholdedRelu", "x", "z")]
    x = np.array([-1, 0, 0.25, 0.5, 1, 2], np.float32)
    check(model(nodes, {"x": (FLOAT, [6])}, "y z", opset=opset), {"x": x})


def test_negative_dimensions_of_a_permutation_count_from_the_last():
    """As PyTorch's older exporter writes `permute(0, -2, -1, 1)`, which ONNX Runtime refuses."""
    x = random(2, 3, 4, 5)
    proto = model([node("Transpose", "x", "y", perm=[0, -2, -1, 1])], {"x": (FLOAT, x.shape)}, "y")
    given = compile_model(read_model(proto)).create_infer_request().infer({"x": x})[0]
    np.testing.assert_array_equal(given, x.transpose(0, 2, 3, 1))


@pytest.mark.parametrize("order", [[0, -3, 1], [0, -2, -4]], ids=["equal", "below"])
def test_negative_dimensions_that_are_no_permutation(order: list[int]):
    proto = model([node("Transpose", "x", "y", perm=order)], {"x": (FLOAT, [2, 3, 4])}, "y")
    with pytest.raises(DiagnosticException, match=r"-4\] is not a permutation|0, 1\] is not a"):
        read_model(proto)


def test_a_constant_has_no_negative_size():
    proto = model(
        [node("ConstantOfShape", "sizes", "y")], {}, "y", {"sizes": np.array([2, -3], np.int64)}
    )
    with pytest.raises(
        DiagnosticException, match=r"ConstantOfShape 'y': shape \[2, -3\] has a neg"
    ):
        read_model(proto)
