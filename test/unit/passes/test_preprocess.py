"""Preprocessing in the model: each pipeline is the same code for OpenVINO and here, and gives the same results."""

from collections.abc import Callable
from typing import Any

import numpy as np
import openvino
import pytest
from numpy.testing import assert_allclose
from openvino import Layout, Type, opset13
from openvino import preprocess as openvino_preprocess

import lowstream
from lowstream import preprocess

NCHW, NHWC = Layout("NCHW"), Layout("NHWC")

Pipeline = Callable[[Any, Any], object]
"""Is given a PrePostProcessor, and the module with its enumerations."""

PIPELINES: dict[str, Pipeline] = {}


def pipeline(*arguments: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Registers a pipeline, with arguments that are part of its name."""

    def register(run: Callable[..., None]) -> Callable[..., None]:
        name = " ".join([run.__name__, *map(str, arguments)])
        PIPELINES[name] = lambda ppp, p: run(ppp, p, *arguments)
        return run

    return register


def image(ppp: Any, type: Any = Type.u8, layout: Any = NHWC) -> Any:
    """An input as cameras give it. Returns its steps."""
    ppp.input().tensor().set_element_type(type).set_layout(layout)
    ppp.input().model().set_layout(NCHW)
    return ppp.input().preprocess()


@pipeline()
def nothing(ppp: Any, p: Any) -> None:
    pass


@pipeline(Type.u8)
@pipeline(Type.i8)
@pipeline(Type.f16)
@pipeline(Type.i32)
@pipeline(Type.f64)
def element_type(ppp: Any, p: Any, type: Any) -> None:
    ppp.input().tensor().set_element_type(type)


@pipeline()
def layout(ppp: Any, p: Any) -> None:
    image(ppp, Type.f32)


@pipeline()
def layout_with_dots(ppp: Any, p: Any) -> None:
    image(ppp, Type.f32, Layout("N...C"))
    ppp.input().model().set_layout(Layout("NC..."))


@pipeline()
def layout_in_words(ppp: Any, p: Any) -> None:
    image(ppp, Type.f32, Layout("[batch,height,width,channels]"))


@pipeline()
def order_of_dimensions(ppp: Any, p: Any) -> None:
    ppp.input().tensor().set_shape([1, 8, 6, 3])
    ppp.input().preprocess().convert_layout([0, 3, 1, 2])


@pipeline(None, None, [0, 2, 3, 1])
@pipeline(None, None, [0, 3, 1, 2], [0, 1, 3, 2])
@pipeline(None, NCHW, [0, 3, 1, 2])
@pipeline(None, NCHW, [0, 3, 1, 2], NHWC)
@pipeline(NHWC, None, [0, 3, 1, 2])
@pipeline(NHWC, None, NCHW)
@pipeline(NHWC, None, NCHW, [0, 1, 3, 2])
@pipeline(NHWC, NCHW, [0, 3, 1, 2], Layout("NCWH"))
def layouts_that_the_steps_tell(ppp: Any, p: Any, given: Any, model: Any, *moves: Any) -> None:
    if given:
        ppp.input().tensor().set_layout(given)
    if model:
        ppp.input().model().set_layout(model)
    for move in moves:
        ppp.input().preprocess().convert_layout(move)


@pipeline(NHWC, [0, 3, 1, 2])
@pipeline(NHWC, NCHW)
@pipeline(NCHW)
@pipeline(NHWC)
def resize_to_a_size_of_the_model_that_the_steps_tell(
    ppp: Any, p: Any, given: Any, *moves: Any
) -> None:
    ppp.input().tensor().set_layout(given).set_spatial_static_shape(12, 10)
    steps = ppp.input().preprocess().resize(p.ResizeAlgorithm.RESIZE_LINEAR)
    for move in moves:
        steps.convert_layout(move)


@pipeline()
def gray_has_the_channels_of_the_model(ppp: Any, p: Any) -> None:
    image(ppp)
    ppp.input().tensor().set_color_format(p.ColorFormat.GRAY)


@pipeline()
def mean_and_scale(ppp: Any, p: Any) -> None:
    image(ppp).convert_element_type(Type.f32).mean(2.0).scale(4.0)


@pipeline()
def mean_and_scale_of_channels(ppp: Any, p: Any) -> None:
    image(ppp).convert_element_type(Type.f32).mean([1.0, 2.0, 3.0]).scale([2.0, 4.0, 0.5])


@pipeline()
def mean_and_scale_of_one_in_a_list(ppp: Any, p: Any) -> None:
    """Which is that of all channels, where no layout says which dimension they are."""
    ppp.input().preprocess().mean([2.0]).scale(np.float32(4.0))


@pipeline()
def arrays_as_arguments(ppp: Any, p: Any) -> None:
    steps = image(ppp).convert_element_type(Type.f32).convert_layout(np.array([0, 3, 1, 2]))
    steps.mean(np.array([1.0, 2.0, 3.0])).crop(np.array([0, 0, 0, 0]), (1, 3, 8, 6))


@pipeline()
def mean_in_the_models_layout(ppp: Any, p: Any) -> None:
    steps = image(ppp).convert_element_type(Type.f32).convert_layout(NCHW)
    steps.mean([1.0, 2.0, 3.0]).scale(58.4)


@pipeline()
def reverse_channels(ppp: Any, p: Any) -> None:
    image(ppp).reverse_channels()


@pipeline("RESIZE_LINEAR", 12, 10)
@pipeline("RESIZE_LINEAR", 5, 3)
@pipeline("RESIZE_CUBIC", 12, 10)
@pipeline("RESIZE_CUBIC", 31, 3)
@pipeline("RESIZE_NEAREST", 11, 5)
@pipeline("RESIZE_BILINEAR_PILLOW", 12, 10)
@pipeline("RESIZE_BICUBIC_PILLOW", 12, 10)
@pipeline("RESIZE_BICUBIC_PILLOW", 1, 13)
def resize(ppp: Any, p: Any, mode: str, height: int, width: int) -> None:
    steps = image(ppp, Type.f32)
    ppp.input().tensor().set_spatial_static_shape(height, width)
    steps.resize(getattr(p.ResizeAlgorithm, mode))


@pipeline()
def resize_between_mean_and_scale(ppp: Any, p: Any) -> None:
    steps = image(ppp).convert_layout(NCHW).convert_element_type(Type.f32).mean(3.0)
    ppp.input().tensor().set_spatial_static_shape(9, 5)
    steps.resize(p.ResizeAlgorithm.RESIZE_LINEAR).scale([2.0, 4.0, 8.0]).reverse_channels()


@pipeline()
def colors_after_resize(ppp: Any, p: Any) -> None:
    tensor = ppp.input().tensor().set_element_type(Type.u8).set_layout(NHWC)
    tensor.set_color_format(p.ColorFormat.RGB).set_spatial_static_shape(13, 11)
    steps = ppp.input().preprocess().resize(p.ResizeAlgorithm.RESIZE_NEAREST, 8, 6)
    steps.convert_color(p.ColorFormat.BGR).reverse_channels()
    ppp.input().model().set_layout(NCHW)


@pipeline("RESIZE_LINEAR")
@pipeline("RESIZE_NEAREST")
@pipeline("RESIZE_BILINEAR_PILLOW")
def resize_codes(ppp: Any, p: Any, mode: str) -> None:
    steps = image(ppp)
    ppp.input().tensor().set_spatial_static_shape(16, 12)
    steps.resize(getattr(p.ResizeAlgorithm, mode), 8, 6).convert_element_type(Type.f32)


@pipeline()
def resize_any_size(ppp: Any, p: Any) -> None:
    steps = image(ppp, Type.f32)
    ppp.input().tensor().set_spatial_dynamic_shape()
    steps.resize(p.ResizeAlgorithm.RESIZE_LINEAR, 8, 6)


@pipeline()
def crop(ppp: Any, p: Any) -> None:
    ppp.input().tensor().set_shape([1, 3, 12, 9])
    ppp.input().preprocess().crop([0, 0, 2, 1], [1, 3, 10, -2])


@pipeline()
def crop_from_the_end(ppp: Any, p: Any) -> None:
    ppp.input().tensor().set_shape([1, 3, 12, 9])
    ppp.input().preprocess().crop([0, 0, -9, 1], [1, 3, -1, 7])


@pipeline()
def images_last(ppp: Any, p: Any) -> None:
    image(ppp, Type.f32, Layout("HWCN"))


@pipeline("CONSTANT")
@pipeline("REFLECT")
@pipeline("SYMMETRIC")
def pad(ppp: Any, p: Any, mode: str) -> None:
    ppp.input().tensor().set_shape([1, 3, 5, 4])
    steps = ppp.input().preprocess()
    steps.pad([0, 0, 1, 2], [0, 0, 2, 0], 1.5, getattr(p.PaddingMode, mode))


@pipeline("RGB", "BGR")
@pipeline("BGR", "RGB")
@pipeline("RGBX", "RGB")
@pipeline("RGBX", "BGR")
@pipeline("BGRX", "RGB")
@pipeline("BGRX", "BGR")
@pipeline("NV12_SINGLE_PLANE", "RGB")
@pipeline("NV12_SINGLE_PLANE", "BGR")
@pipeline("NV12_TWO_PLANES", "RGB")
@pipeline("NV12_TWO_PLANES", "BGR")
@pipeline("I420_SINGLE_PLANE", "RGB")
@pipeline("I420_SINGLE_PLANE", "BGR")
@pipeline("I420_THREE_PLANES", "RGB")
@pipeline("I420_THREE_PLANES", "BGR")
def color(ppp: Any, p: Any, have: str, wanted: str) -> None:
    tensor = ppp.input().tensor().set_element_type(Type.u8)
    tensor.set_color_format(getattr(p.ColorFormat, have))
    ppp.input().preprocess().convert_color(getattr(p.ColorFormat, wanted))
    ppp.input().model().set_layout(NCHW)


@pipeline("RGB")
@pipeline("BGR")
@pipeline("NV12_SINGLE_PLANE")
@pipeline("NV12_TWO_PLANES")
@pipeline("I420_SINGLE_PLANE")
@pipeline("I420_THREE_PLANES")
def gray(ppp: Any, p: Any, have: str) -> None:
    """The three channels of the model are rows of a gray image here."""
    tensor = ppp.input().tensor().set_element_type(Type.u8)
    tensor.set_layout(NHWC).set_shape([3, 8, 6, 3 if "PLANE" not in have else 1])
    tensor.set_color_format(getattr(p.ColorFormat, have))
    ppp.input().preprocess().convert_color(p.ColorFormat.GRAY).convert_layout([3, 0, 1, 2])


@pipeline()
def video_in_floating_point(ppp: Any, p: Any) -> None:
    tensor = ppp.input().tensor().set_element_type(Type.f32)
    tensor.set_color_format(p.ColorFormat.NV12_TWO_PLANES, ["brightness", "colors"])
    ppp.input().preprocess().convert_color(p.ColorFormat.RGB).mean([9.0, 8.0, 7.0])
    ppp.input().model().set_layout(NCHW)


@pipeline()
def set_from(ppp: Any, p: Any) -> None:
    ppp.input().tensor().set_from(openvino.Tensor(np.zeros((1, 8, 6, 3), np.uint8)))
    ppp.input().tensor().set_layout(NHWC)
    ppp.input().model().set_layout(NCHW)


@pipeline(Type.f16)
@pipeline(Type.i32)
def output_type(ppp: Any, p: Any, type: Any) -> None:
    ppp.output().tensor().set_element_type(type)


@pipeline()
def output_layout(ppp: Any, p: Any) -> None:
    ppp.output().model().set_layout(NCHW)
    ppp.output().tensor().set_layout(NHWC)


@pipeline()
def output_steps(ppp: Any, p: Any) -> None:
    ppp.output().postprocess().convert_element_type(Type.i32).convert_layout([0, 2, 3, 1])


@pipeline()
def everything(ppp: Any, p: Any) -> None:
    tensor = ppp.input().tensor().set_element_type(Type.u8)
    tensor.set_color_format(p.ColorFormat.NV12_TWO_PLANES).set_spatial_static_shape(20, 16)
    steps = ppp.input().preprocess().convert_color(p.ColorFormat.BGR)
    steps.convert_element_type(Type.f32).resize(p.ResizeAlgorithm.RESIZE_LINEAR, 8, 7)
    steps.crop([0, 0, 1, 0], [1, 8, 6, 3]).pad(
        [0, 0, 1, 0], [0, 0, 0, 0], 3.0, p.PaddingMode.CONSTANT
    )
    steps.mean([1.0, 2.0, 3.0]).scale([2.0, 2.0, 4.0]).convert_layout(NCHW).reverse_channels()
    ppp.input().model().set_layout(NCHW)
    ppp.output().model().set_layout(NCHW)
    ppp.output().postprocess().convert_layout(NHWC)
    ppp.output().tensor().set_element_type(Type.f16)


def network(count: int = 1) -> Any:
    """As many inputs, each times a number for each channel."""
    make: Any = openvino.Model
    names = ["x", *(f"x{number}" for number in range(1, count))]
    inputs = [opset13.parameter([1, 3, 8, 6], np.float32, name=name) for name in names]
    factors = np.array([[[[1.0]], [[2.0]], [[-1.5]]]], np.float32)
    results = [opset13.multiply(each, factors) for each in inputs]
    for each, name in zip(inputs, names, strict=True):
        each.output(0).set_names({name})
    return make(results, inputs, "network")


class Part:
    """A PrePostProcessor of many inputs, as one of a single input and output."""

    def __init__(self, ppp: Any, number: int):
        self._ppp, self._number = ppp, number

    def input(self) -> Any:
        return self._ppp.input(self._number)

    def output(self) -> Any:
        return self._ppp.output(self._number)


def arrays(compiled: lowstream.CompiledModel) -> list[Any]:
    """Images for the model: 16 times 12 where it takes any size."""
    generator = np.random.default_rng(0)
    shapes = [
        tuple(16 - 4 * d if n < 0 else n for d, n in enumerate(port.shape, -1))
        for port in compiled.inputs
    ]
    ports = zip(shapes, compiled.inputs, strict=True)
    return [generator.integers(0, 100, shape).astype(port.dtype) for shape, port in ports]


@pytest.mark.parametrize(
    "names", [sorted({*PIPELINES} - {"resize_any_size"}), ["resize_any_size"]], ids=len
)
def test_pipelines_agree(names: list[str]):
    """All of them are one model, each for an input of its own, so that there is one to compile."""
    theirs = network(len(names))
    ours = lowstream.read_model(network(len(names)))
    for ppp, module in (
        (openvino_preprocess.PrePostProcessor(theirs), openvino_preprocess),
        (preprocess.PrePostProcessor(ours), preprocess),
    ):
        for number, name in enumerate(names):
            PIPELINES[name](Part(ppp, number), module)
        ppp.build()
    compiled = lowstream.compile_model(ours)
    given = arrays(compiled)
    reference = openvino.compile_model(theirs, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    assert len(reference.inputs) == len(given)
    for name, wanted, found in zip(names, reference(given).values(), compiled(given), strict=True):
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), name
        tolerance = 2e-3 if found.itemsize == 2 else 1e-5
        off = 1e-4 + ("resize_codes" in name)
        wide = found.astype(float), wanted.astype(float)
        assert_allclose(*wide, rtol=tolerance, atol=off, err_msg=name)


def test_there_are_enough_pipelines():
    assert len(PIPELINES) >= 26


def test_an_operation_of_the_users():
    model = lowstream.read_model(network())
    ppp = preprocess.PrePostProcessor(model)
    ppp.input().preprocess().custom(lambda x: (x * 2.0).at_most(3.0))
    ppp.output().postprocess().custom(lambda x: -1.0 - x)
    assert repr(ppp).startswith("<Port x: f32[1,3,8,6]>: custom")
    x = np.arange(144, dtype=np.float32).reshape(1, 3, 8, 6)
    factors = np.array([1.0, 2.0, -1.5], np.float32).reshape(1, 3, 1, 1)
    found = lowstream.compile_model(ppp.build())(x)[0]
    assert_allclose(found, -1 - np.minimum(x * 2, 3) * factors)


@pytest.mark.parametrize("video", ["NV12_SINGLE_PLANE", "I420_SINGLE_PLANE"])
def test_brightness_of_any_number_of_rows(video: str):
    """Two thirds of the rows, of which each call brings as many as it wants."""
    x = opset13.parameter([1, -1, -1, 1], np.float32, name="x")
    make: Any = openvino.Model
    model = lowstream.read_model(make([opset13.relu(x)], [x], "rows"))
    ppp = preprocess.PrePostProcessor(model)
    ppp.input().tensor().set_element_type(Type.u8)
    ppp.input().tensor().set_color_format(getattr(preprocess.ColorFormat, video))
    ppp.input().preprocess().convert_color(preprocess.ColorFormat.GRAY)
    compiled = lowstream.compile_model(ppp.build())
    for rows in (6, 12):
        frame = np.arange(rows * 4, dtype=np.uint8).reshape(1, rows, 4, 1)
        assert_allclose(compiled(frame)[0], frame[:, : rows // 3 * 2])
    with pytest.raises(lowstream.DiagnosticException, match="does not split into 3"):
        compiled(np.zeros((1, 8, 4, 1), np.uint8))


def test_bytes_are_read_where_they_lie():
    """The array of the caller's is the first kernel's operand: no call copies or converts it before."""
    model = lowstream.read_model(network())
    ppp = preprocess.PrePostProcessor(model)
    image(ppp).convert_element_type("f32").mean([1.0, 2.0, 3.0]).scale(4.0)
    request = lowstream.compile_model(ppp.build(), profiling=True).create_infer_request()
    request.set_tensor("x", camera := np.zeros((1, 8, 6, 3), np.uint8))
    request.infer()
    assert np.shares_memory(request.get_tensor("x"), camera)
    assert len(request.profiling_info.kernels) == 1
