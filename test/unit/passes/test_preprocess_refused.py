"""What preprocessing refuses is one line, which names the input and the step, and the model stays as it was."""

from typing import Any

import numpy as np
import openvino
import pytest
from openvino import Layout, Type

import lowstream
from lowstream import preprocess
from lowstream.test.unit.passes.test_preprocess import NCHW, Pipeline, image, network


def said(say: Pipeline) -> None:
    ppp = preprocess.PrePostProcessor(lowstream.read_model(network()))
    say(ppp, preprocess)
    ppp.build()


def huge(_: Any) -> int:
    return 10**5000


REFUSED: dict[str, Pipeline] = {
    "mean takes floating point, not ui8; convert_element_type": lambda p, _: image(p).mean(1.0),
    "has no channels": lambda p, _: p.input().preprocess().mean([1.0, 2.0, 3.0]),
    r"gives \[1, 3, 4, 4\], and the model takes \[1, 3, 8, 6\]": lambda p, m: image(
        p, Type.f32
    ).resize(m.ResizeAlgorithm.RESIZE_LINEAR, 4, 4),
    "the model takes no 2 planes of NV12": lambda p, _: (
        p.input().tensor().set_color_format("NV12_TWO_PLANES")
    ),
    "colors of undefined are not convertible to RGB": lambda p, _: image(p).convert_color("RGB"),
    "colors of GRAY are not convertible to RGB": lambda p, m: (
        p.input().tensor().set_color_format(m.ColorFormat.GRAY),
        image(p).convert_color(m.ColorFormat.RGB),
    ),
    "takes one plane, NV12 of two planes has 2": lambda p, m: (
        p.input().tensor().set_color_format(m.ColorFormat.NV12_TWO_PLANES),
        image(p).convert_element_type(Type.f32),
    ),
    "scale was given 2 numbers for 3 channels": lambda p, _: image(p, Type.f32).scale([1.0, 2.0]),
    "the model has no input 1": lambda p, _: p.input(1),
    "the model has no input 'q'; it has x": lambda p, _: p.input("q"),
    "there is no ResizeAlgorithm 'BEST'; there are": lambda p, _: image(p).resize("BEST"),
    "there is no element type 'u7'": lambda p, _: p.input().tensor().set_element_type("u7"),
    "layout 'NCHC' names a dimension twice": lambda p, _: p.input().model().set_layout("NCHC"),
    r"layout \[N,C\] does not fit a tensor of 4": lambda p, _: (
        p.input().tensor().set_layout("NC"),
        p.input().model().set_layout(NCHW),
    ),
    "they name different dimensions": lambda p, _: image(p, Type.f32, Layout("NDWC")),
    "is no order of 4 dimensions": lambda p, _: p.input().preprocess().convert_layout([0, 1, 2]),
    "crop was given 2 and 4 numbers for 4": lambda p, _: (
        p.input().preprocess().crop([0, 0], [1, 3, 8, 6])
    ),
    "there is no memory of type 'GPU'": lambda p, _: p.input().tensor().set_memory_type("GPU"),
    "resize takes height and width": lambda p, _: image(p).resize("RESIZE_LINEAR", 4),
    "5 elements of padding do not fit": lambda p, _: (
        p.input().tensor().set_shape([1, 3, 3, 6]),
        p.input().preprocess().pad([0, 0, 5, 0], [0, 0, 0, 0], 0, "REFLECT"),
    ),
    "was given 1 names; NV12_TWO_PLANES has 2 planes": lambda p, _: (
        p.input().tensor().set_color_format("NV12_TWO_PLANES", ["y"])
    ),
    "was given 1 names; RGB has no planes with names": lambda p, _: (
        p.input().tensor().set_color_format("RGB", ["y"])
    ),
    r"set_color_format was given \['y', 'y'\]; give different names": lambda p, _: (
        p.input().tensor().set_color_format("NV12_TWO_PLANES", ["y", "y"])
    ),
    "set_color_format was given 'yu'; give a list": lambda p, _: (
        p.input().tensor().set_color_format("NV12_TWO_PLANES", "yu")
    ),
    "^resize was given 8.5; give an integer": lambda p, _: image(p).resize("RESIZE_LINEAR", 8.5, 6),
    "^crop was given '0000'; give a list of integers": lambda p, _: image(p).crop("0000", "1386"),
    "^crop was given 0; give a list of integers": lambda p, _: image(p).crop(0, 1),
    r"^crop was given array\(0\); give a list": lambda p, _: image(p).crop(np.array(0), [1]),
    "^pad was given '1'; give a number": lambda p, _: image(p).pad([0], [0], "1", "CONSTANT"),
    "^mean was given None; give a number": lambda p, _: image(p).mean(None),
    "^mean was given 'abc'; give a list of numbers": lambda p, _: image(p).mean("abc"),
    "^scale was given 'a'; give a number": lambda p, _: image(p).scale(["a"]),
    "^mean was given no numbers": lambda p, _: image(p).mean([]),
    r"^mean was given 10+… \(401 characters\); give a number$": lambda p, _: image(p).mean(10**400),
    r"^mean was given 0x[0-9a-f]+… \(4155 characters\)": lambda p, _: image(p).mean(10**5000),
    "^custom was given 5; give a function": lambda p, _: image(p).custom(5),
    r"the custom operation gave 0x[0-9a-f]+… \(4155 characters\), not a value": lambda p, _: image(
        p
    ).custom(huge),
    "^set_shape was given 5; give a shape": lambda p, _: p.input().tensor().set_shape(5),
    "^set_shape cannot have a dimension of size 6.5": lambda p, _: (
        p.input().tensor().set_shape([1, 3, 8, 6.5])
    ),
    r"^set_shape cannot have a dimension of size 1\.\.9": lambda p, _: (
        p.input().tensor().set_shape(openvino.PartialShape("[1,3,8,1..9]"))
    ),
    r"^set_shape was given <PartialShape: \[...\]>; give a shape": lambda p, _: (
        p.input().tensor().set_shape(openvino.PartialShape.dynamic())
    ),
    "^set_from was given 5; give an array": lambda p, _: p.input().tensor().set_from(5),
    r"set_spatial_static_shape was given \[-7, 6\]; give sizes, or": lambda p, _: (
        p.input().tensor().set_spatial_static_shape(-7, 6)
    ),
    "^None is not a layout; write one as 'NCHW'": lambda p, _: p.input().model().set_layout(None),
    "there is no element type None": lambda p, _: p.input().tensor().set_element_type(None),
    r"input 'x': resize\(RESIZE_LINEAR, \(0, 6\)\): nn.interpolate: .* positive": lambda p, _: (
        image(p).resize("RESIZE_LINEAR", 0, 6)
    ),
    r"input 'x': pad\(.*, 300.0, CONSTANT\): a value of the constant is outside": lambda p, _: (
        image(p).pad([0, 1, 0, 0], [0] * 4, 300, "CONSTANT")
    ),
    r"output '.*': convert_layout\(\[1, 2\]\): \[1, 2\] is no order of 4": lambda p, _: (
        p.output().postprocess().convert_layout([1, 2])
    ),
    "input 'x': an image of 7 rows cannot be one of NV12": lambda p, _: (
        p.input().tensor().set_color_format("NV12_SINGLE_PLANE"),
        p.input().tensor().set_spatial_static_shape(7, 6),
        p.input().model().set_layout(NCHW),
    ),
}


@pytest.mark.parametrize("message", REFUSED)
def test_refused(message: str):
    with pytest.raises(RuntimeError, match=message) as error:
        said(REFUSED[message])
    assert isinstance(error.value, lowstream.DiagnosticException)


def test_a_model_of_unknown_height_says_no_size_to_resize_to():
    model = lowstream.read_model(network())
    model.reshape([1, 3, -1, 6])
    ppp = preprocess.PrePostProcessor(model)
    image(ppp, Type.f32).resize("RESIZE_LINEAR")
    with pytest.raises(RuntimeError, match="does not say the size to resize to; give height and"):
        ppp.build()


def test_a_model_that_a_step_does_not_fit_stays():
    model = lowstream.read_model(network())
    before = str(model.module)
    ppp = preprocess.PrePostProcessor(model)
    image(ppp).resize("RESIZE_LINEAR", 4, 4)
    with pytest.raises(RuntimeError):
        ppp.build()
    assert str(model.module) == before
