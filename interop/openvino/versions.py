"""Upgrades operations of older versions to the newest one, and checks attributes that can have only one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.blob import BlobAttr
from ...dialects.element_names import OPENVINO as ELEMENTS
from ...dialects.elements import is_integer
from ...dialects.inferred import tensor
from ...dialects.nn.constant import ConstantOp, constant_of

Attributes = dict[str, Any]
Operands = list[SSAValue]


def normalize(
    type: str, attributes: Attributes, operands: Sequence[SSAValue]
) -> tuple[Attributes, Operands]:
    """
    Attributes and operands in the form of the newest version of operation `type`. Operands that older versions do not
    have are results of new constants.

    Raises DiagnosticException where they ask for something that the newest version cannot express.
    """
    rest, kept = copy(attributes), list(operands)
    if (rule := _RULES.get(type)) is not None:
        rule(rest, kept)
    if type in _WINDOWS:
        _window(rest, len(tensor(kept[0]).get_shape()) - 2 if kept else 0)
    return rest, kept


def _only(attributes: Attributes, name: str, value: object) -> None:
    """Removes an attribute whose only supported value is `value`."""
    if (found := attributes.pop(name, value)) != value:
        raise DiagnosticException(f"attribute {name} = {found!r} is not supported, only {value!r}")


def _window(attributes: Attributes, rank: int) -> None:
    """
    Files may omit strides of 1 and pads of 0. In memory, OpenVINO has computed the pads of `auto_pad`; in its files
    they are missing.
    """
    for name in ("strides", "dilations"):
        attributes.setdefault(name, [1] * rank)
    for name in ("pads_begin", "pads_end"):
        if attributes.get("auto_pad", "explicit") != "explicit" or not attributes.get(name):
            attributes[name] = [0] * rank


def _lower_case(attributes: Attributes, name: str) -> None:
    """Some versions write names of modes in capitals."""
    if name in attributes:
        attributes[name] = attributes[name].lower()


def _integers(given: Sequence[int] | int) -> SSAValue:
    """A new constant, for an attribute that became an operand."""
    values = [given] if isinstance(given, int) else sorted(given)
    type: TensorType[Any] = TensorType(i64, [len(values)])
    return ConstantOp(BlobAttr.of(type, values)).result


def _avg_pool(attributes: Attributes, operands: Operands) -> None:
    attributes["exclude_pad"] = attributes["exclude-pad"]
    del attributes["exclude-pad"]


def _batch_norm_inference(attributes: Attributes, operands: Operands) -> None:
    """In `BatchNormInference-1`, the input comes after gamma and beta."""
    if len(tensor(operands[0]).get_shape()) == 1:
        operands.insert(0, operands.pop(2))


def _backprop(attributes: Attributes, operands: Operands) -> None:
    attributes.setdefault("output_padding", [0] * (len(tensor(operands[0]).get_shape()) - 2))


def _broadcast(attributes: Attributes, operands: Operands) -> None:
    """`Broadcast-1` has an axes mapping even in modes that ignore it."""
    if attributes.get("mode") != "explicit":
        del operands[2:]


def _detection_output(attributes: Attributes, operands: Operands) -> None:
    """Before `DetectionOutput-8`, the number of classes was an attribute as well."""
    attributes.pop("num_classes", None)


def _gather(attributes: Attributes, operands: Operands) -> None:
    """`Gather-1` has no batch dimensions."""
    attributes.setdefault("batch_dims", 0)


def _gelu(attributes: Attributes, operands: Operands) -> None:
    _lower_case(attributes, "approximation_mode")


def _interpolate(attributes: Attributes, operands: Operands) -> None:
    """
    `Interpolate-1` has axes as an attribute, and one of two transformations. `Interpolate-4` has operands for both
    sizes and scales.
    """
    rank = len(tensor(operands[0]).get_shape())
    for name in ("pads_begin", "pads_end"):
        given = attributes.get(name, [])
        attributes[name] = [*given, *[0] * (rank - len(given))]
    if "axes" in attributes:
        aligned = attributes.pop("align_corners", True)
        attributes["coordinate_transformation_mode"] = "align_corners" if aligned else "asymmetric"
        attributes["nearest_mode"] = "simple"
        attributes["shape_calculation_mode"] = "sizes"
        operands.append(_integers(attributes["axes"]))
        del attributes["axes"]
    elif len(operands) > 2 and not is_integer(tensor(operands[2]).element_type):
        del operands[2 if attributes["shape_calculation_mode"] == "sizes" else 1]


def _lstm_cell(attributes: Attributes, operands: Operands) -> None:
    """`LSTMCell-1` has an order of gates, coupled gates and peepholes; only the usual ones are supported."""
    _only(attributes, "weights_format", "fico")
    _only(attributes, "input_forget", False)
    for peepholes in operands[6:]:
        blob = constant_of(peepholes)
        if blob is None or any(blob.data.values()):
            raise DiagnosticException("peepholes (input 6) are not supported, only zeros")
    del operands[6:]


def _max_pool(attributes: Attributes, operands: Operands) -> None:
    """`MaxPool-8` added indices, which are an operation of their own here, with attributes."""
    attributes.pop("index_element_type", None)
    attributes.pop("axis", None)


def _mvn(attributes: Attributes, operands: Operands) -> None:
    """Before `MVN-6`, axes were an attribute, or followed from `across_channels`."""
    if "eps_mode" in attributes:
        _lower_case(attributes, "eps_mode")
        return
    across = attributes.pop("across_channels", False)
    axes = list(range(1 if across else 2, len(tensor(operands[0]).get_shape())))
    operands.append(_integers(attributes.pop("reduction_axes", axes)))
    attributes["eps_mode"] = "inside_sqrt"


def _range(attributes: Attributes, operands: Operands) -> None:
    """The result of `Range-1` has the type of its operands."""
    element = tensor(operands[0]).element_type
    names = [name for name, type in ELEMENTS.items() if type == element]
    attributes.setdefault("output_type", names[0])


def _roi_pooling(attributes: Attributes, operands: Operands) -> None:
    """The number of bins has several names."""
    if "output_roi" not in attributes and "pooled_h" in attributes:
        attributes["output_roi"] = [attributes["pooled_h"], attributes["pooled_w"]]
    for name in ("output_size", "pooled_h", "pooled_w"):
        attributes.pop(name, None)


def _select(attributes: Attributes, operands: Operands) -> None:
    """Without a broadcast, shapes are equal, and NumPy's broadcast does nothing."""
    if attributes.get("auto_broadcast") == "none":
        del attributes["auto_broadcast"]
    _only(attributes, "auto_broadcast", "numpy")


def _shuffle_channels(attributes: Attributes, operands: Operands) -> None:
    attributes.setdefault("axis", 1)
    attributes.setdefault("group", 1)


def _strided_slice(attributes: Attributes, operands: Operands) -> None:
    for name in ("new_axis_mask", "shrink_axis_mask", "ellipsis_mask"):
        attributes.setdefault(name, [])


_WINDOWS = frozenset(
    {
        "AvgPool",
        "BinaryConvolution",
        "Convolution",
        "ConvolutionBackpropData",
        "DeformableConvolution",
        "GroupConvolution",
        "GroupConvolutionBackpropData",
        "MaxPool",
    }
)

_RULES: dict[str, Callable[[Attributes, Operands], None]] = {
    "AvgPool": _avg_pool,
    "BatchNormInference": _batch_norm_inference,
    "Broadcast": _broadcast,
    "ConvolutionBackpropData": _backprop,
    "DetectionOutput": _detection_output,
    "Gather": _gather,
    "Gelu": _gelu,
    "GroupConvolutionBackpropData": _backprop,
    "Interpolate": _interpolate,
    "LSTMCell": _lstm_cell,
    "MaxPool": _max_pool,
    "MVN": _mvn,
    "Range": _range,
    "ROIPooling": _roi_pooling,
    "Select": _select,
    "ShuffleChannels": _shuffle_channels,
    "StridedSlice": _strided_slice,
}
