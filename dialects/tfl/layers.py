"""Operations with windows and weights, normalizations, and images in other sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from xdsl.ir import SSAValue
from xdsl.irdl import AnyAttr, operand_def, opt_operand_def, result_def

from ..quant import PER_TENSOR
from .operation import (
    ELEMENT,
    FLAG,
    FLOAT,
    INTEGER,
    MAYBE_FLAG,
    NUMBER,
    UNIT,
    WORD,
    TflOp,
    operation,
)


class BiasedOp(TflOp):
    """A sum of products, plus `bias`, the last operand, where there is one."""

    if TYPE_CHECKING:
        bias: SSAValue | None


class WindowOp(TflOp):
    """A window that goes over an image, channels last."""

    ELEMENTS: ClassVar = FLOAT

    padding = WORD
    stride_h = INTEGER
    stride_w = INTEGER
    fused_activation_function = WORD


class PoolOp(WindowOp):
    """Pooling: one element of all in a window."""

    TABLE: ClassVar = "Pool2DOptions"

    input = operand_def(AnyAttr())
    output = result_def(AnyAttr())
    filter_height = INTEGER
    filter_width = INTEGER


class ConvolutionOp(BiasedOp, WindowOp):
    """A sum of products with the filters."""

    input = operand_def(AnyAttr())
    filter = operand_def(AnyAttr())
    bias = opt_operand_def(AnyAttr())
    output = result_def(AnyAttr())
    dilation_h_factor = INTEGER
    dilation_w_factor = INTEGER


class TransposedOp(BiasedOp, WindowOp):
    """The transpose of a convolution, as its gradient is."""


class VolumeOp(ConvolutionOp):
    """The same with windows of three dimensions."""

    TABLE: ClassVar = "Conv3DOptions"

    stride_d = INTEGER
    dilation_d_factor = INTEGER


AveragePool2DOp = operation(
    "average_pool_2d", base=PoolOp, codes_version=2, codes="same", codes_16="same"
)
MaxPool2DOp = operation("max_pool_2d", base=PoolOp, codes_version=2, codes="same", codes_16="same")
Conv2DOp = operation(
    "conv_2d",
    base=ConvolutionOp,
    codes_version=3,
    weights={"filter": 0},
    dynamic_range=True,
    quantized_bias_type=ELEMENT,
)
DepthwiseConv2DOp = operation(
    "depthwise_conv_2d",
    base=ConvolutionOp,
    codes_version=3,
    weights={"filter": 3},
    dynamic_range=True,
    depth_multiplier=INTEGER,
)
Conv3DOp = operation("conv_3d", base=VolumeOp)
Conv3DTransposeOp = operation(
    "conv_3d_transpose",
    "output_shape, filter, input, bias? -> output",
    TransposedOp,
    table="Conv3DOptions",
    stride_d=INTEGER,
    dilation_d_factor=INTEGER,
    dilation_h_factor=INTEGER,
    dilation_w_factor=INTEGER,
)
TransposeConvOp = operation(
    "transpose_conv",
    "output_shape, weights, input, bias? -> output",
    TransposedOp,
    codes_version=2,
    weights={"weights": 0},
    quantized_bias_type=ELEMENT,
)
FullyConnectedOp = operation(
    "fully_connected",
    "input, filter, bias? -> output",
    BiasedOp,
    codes_version=4,
    fused_activation_function=WORD,
    weights_format=WORD,
    keep_num_dims=FLAG,
    asymmetric_quantize_inputs=MAYBE_FLAG,
    quantized_bias_type=ELEMENT,
    elements=FLOAT,
    weights={"filter": 0},
    dynamic_range=True,
)
BatchMatMulOp = operation(
    "batch_matmul",
    "x, y -> output",
    codes_version=2,
    weights={"y": PER_TENSOR},
    dynamic_range=True,
    adj_x=FLAG,
    adj_y=FLAG,
    asymmetric_quantize_inputs=MAYBE_FLAG,
    elements=FLOAT,
)

FakeQuantOp = operation(
    "fake_quant", "input -> output", min=NUMBER, max=NUMBER, num_bits=INTEGER, narrow_range=FLAG
)
L2Pool2DOp = operation("l2_pool_2d", base=PoolOp)
L2NormalizationOp = operation(
    "l2_normalization", "input -> output", table="L2NormOptions", fused_activation_function=WORD
)
LocalResponseNormalizationOp = operation(
    "local_response_normalization",
    "input -> output",
    radius=INTEGER,
    bias=NUMBER,
    alpha=NUMBER,
    beta=NUMBER,
)
LogSoftmaxOp = operation("log_softmax", "input -> output")
SoftmaxOp = operation(
    "softmax",
    "input -> output",
    codes_version=2,
    beta=NUMBER,
    elements=FLOAT,
    codes=(1 / 256, -128),
    codes_16=UNIT,
)


class ResizeOp(TflOp):
    """Resizes an image, channels last."""

    ELEMENTS: ClassVar = FLOAT

    input = operand_def(AnyAttr())
    size = operand_def(AnyAttr())
    output = result_def(AnyAttr())
    align_corners = FLAG
    half_pixel_centers = FLAG


ResizeBilinearOp = operation(
    "resize_bilinear", base=ResizeOp, codes_version=2, codes="same", codes_16="same"
)
ResizeNearestNeighborOp = operation(
    "resize_nearest_neighbor", base=ResizeOp, codes_version=2, codes="same", codes_16="same"
)
