"""
Pre- and postprocessing as part of the model, compiled with it: OpenVINO's `openvino.preprocess`, by its names.

    from lowstream.preprocess import ColorFormat, PrePostProcessor, ResizeAlgorithm

    ppp = PrePostProcessor(model)
    ppp.input().tensor().set_element_type("u8").set_layout("NHWC").set_color_format(ColorFormat.BGR)
    ppp.input().preprocess().convert_color(ColorFormat.RGB).resize(ResizeAlgorithm.RESIZE_LINEAR)
    ppp.input().preprocess().convert_element_type("f32").mean([123.7, 116.3, 103.5]).scale(58.4)
    ppp.input().model().set_layout("NCHW")
    model = ppp.build()
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp

from .interop.model import Model, module_of, position_of
from .passes.preprocess.build import build
from .passes.preprocess.chains import (
    InputInfo,
    InputTensorInfo,
    OutputInfo,
    OutputTensorInfo,
    PostProcessSteps,
    PreProcessSteps,
)
from .passes.preprocess.names import ColorFormat, Layout, PaddingMode, ResizeAlgorithm

__all__ = [
    "ColorFormat",
    "InputInfo",
    "InputTensorInfo",
    "Layout",
    "OutputInfo",
    "OutputTensorInfo",
    "PaddingMode",
    "PostProcessSteps",
    "PrePostProcessor",
    "PreProcessSteps",
    "ResizeAlgorithm",
]


class PrePostProcessor:
    """
    What is done to inputs before a model, and to outputs behind it. `build` makes it part of the model.

    What is not said is done all the same where it can be: at the end of a chain the element type and the layout become
    those of the model, or those that the caller wants.
    """

    def __init__(self, model: Model | ModuleOp):
        self._model = model if isinstance(model, Model) else Model(module_of(model))
        self._inputs: dict[int, InputInfo] = {}
        self._outputs: dict[int, OutputInfo] = {}

    def input(self, key: str | int | None = None) -> InputInfo:
        """
        The input of a name or number; the only one without. Raises DiagnosticException where there is none, or are
        others.
        """
        index = position_of(self._model.inputs, key, "input")
        return self._inputs.setdefault(index, InputInfo())

    def output(self, key: str | int | None = None) -> OutputInfo:
        """
        The output of a name or number; the only one without. Raises DiagnosticException where there is none, or are
        others.
        """
        index = position_of(self._model.outputs, key, "output")
        return self._outputs.setdefault(index, OutputInfo())

    def build(self) -> Model:
        """
        The model, changed in place. Raises DiagnosticException, and leaves it as it was, where a step does not fit.
        """
        build(self._model.module.clone(), self._inputs, self._outputs)
        build(self._model.module, self._inputs, self._outputs)
        self._inputs, self._outputs = {}, {}
        return self._model

    def __repr__(self) -> str:
        return "\n".join(self._lines()) or "<PrePostProcessor that changes nothing>"

    def _lines(self) -> Iterator[str]:
        for index, info in self._inputs.items():
            steps = " → ".join(name for name, _ in info.preprocess().steps)
            yield f"{self._model.inputs[index]}: {steps}"
        for index, info in self._outputs.items():
            steps = " → ".join(name for name, _ in info.postprocess().steps)
            yield f"{self._model.outputs[index]}: {steps}"
