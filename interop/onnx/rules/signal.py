"""Fourier transforms, and mel filter banks. Complex numbers are pairs along the last dimension."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.inferred import shape_of, spelled, tensor
from ....reference.arrays import blob_of, dtype_of
from ..node import Node, Values
from ..rule_table import rule
from .reduction import chosen_by_axis


@rule("DFT")
def dft(node: Node) -> Values:
    """
    Before version 20, the axis is an attribute. It counts the dimension of pairs, and may be known only at run time.
    """
    rank = node.rank()
    axis = node("axis", 1) if node.version < 20 else -2
    if node.get(2) is not None:
        if node.known(2) is None and node.get(1) is None and not node("onesided", 0):
            inverse = bool(node("inverse", 0))
            spectra = [_spectrum(node, node[0], each, -1, inverse) for each in range(rank - 1)]
            return chosen_by_axis(node, node[2], rank, spectra)
        (axis,) = node.integers(2, "axis")
    if not -rank <= axis < rank or axis % rank == rank - 1:
        raise node.refuse(f"axis {axis} is not a dimension of a signal of rank {rank}")
    size = node.integers(1, "dft_length") if node.get(1) is not None else [-1]
    return _spectrum(node, node[0], axis % rank, size[0], bool(node("inverse", 0)))


def _spectrum(node: Node, data: SSAValue, axis: int, size: int, inverse: bool = False) -> SSAValue:
    write, parts = node.write, shape_of(data)[-1]
    along = [write.integers(axis), *([] if size == -1 else [write.integers(size)])]
    last = write.integers(len(shape_of(data)) - 1)
    if parts == DYNAMIC_INDEX:
        raise node.refuse("its last dimension is unknown; give the model's inputs fixed shapes")
    if parts not in (1, 2):
        raise node.refuse(f"its last dimension is {parts}; it must be 1 (real) or 2 (complex)")
    if node("onesided", 0):
        if parts != 1 + inverse:
            raise node.refuse(
                "one side of a spectrum is that of real numbers; make onesided 0 or take the real parts"
            )
        if inverse:
            return write(nn.UnsqueezeOp, write(nn.IrdftOp, data, *along), last)
        return write(nn.RdftOp, write(nn.SqueezeOp, data, last), *along)
    if parts == 1:
        begin, end = ([0] * (len(shape_of(data)) - 1) + [more] for more in (0, 1))
        data = write(
            nn.PadOp, data, write.integers(*begin), write.integers(*end), pad_mode="constant"
        )
    return write(nn.IdftOp if inverse else nn.DftOp, data, *along)


@rule("STFT")
def stft(node: Node) -> Values:
    """
    The one-sided transform of real signals is `nn.stft`; others are transforms of frames that are gathered. Real
    signals may lack the last dimension of 1, as exporters write them.
    """
    write, signal, window = node.write, node[0], node.get(2)
    if len(shape_of(signal)) == 2:
        signal = write(nn.UnsqueezeOp, signal, write.integers(2))
    if len(shape_of(signal)) != 3:
        raise node.refuse(
            f"its signal has shape {spelled(shape_of(signal))}, not [batch, length, 1 or 2]"
        )
    length, parts = shape_of(signal)[1:]
    (step,) = node.integers(1, "frame_step")
    if node.get(3) is not None:
        (size,) = node.integers(3, "frame_length")
    else:
        size = length if window is None else shape_of(window)[0]
    is_half = node("onesided", 1) and parts == 1
    unknown = size == DYNAMIC_INDEX or (length == DYNAMIC_INDEX and not is_half)
    if unknown or step < 1 or not 0 < size <= (size if length == DYNAMIC_INDEX else length):
        raise node.refuse(
            f"frames {spelled([size])}, {step} apart, of a signal {spelled([length])} are not supported; give the "
            "model's inputs fixed shapes"
        )
    if window is None:
        type = TensorType(tensor(signal).element_type, [size])
        window = write.constant(BlobAttr.of(type, [1.0] * size))
    if is_half:
        real = write(nn.SqueezeOp, signal, write.integers(2))
        numbers = [write.integer(size), write.integer(step)]
        return write(nn.StftOp, real, window, *numbers, transpose_frames=False)
    count = (length - size) // step + 1
    places = [first + i for first in range(0, count * step, step) for i in range(size)]
    indices = write.constant(BlobAttr.of(TensorType(i64, [count, size]), places))
    frames = write(nn.GatherOp, signal, indices, write.integer(1), batch_dims=0)
    weighted = write(nn.MultiplyOp, frames, write.reshaped(window, (size, 1)))
    return _spectrum(node, weighted, 2, -1)


@rule("MelWeightMatrix")
def mel_weight_matrix(node: Node) -> Values:
    """The weight of each frequency of a spectrum in each band: triangles that are equally spaced on the mel scale."""
    bands, length, rate, *edges = (_known_number(node, i) for i in range(5))
    element = node.type_named("output_datatype") or f32
    if rate <= 0 or not 0 <= edges[0] <= edges[1] <= rate / 2:
        raise node.refuse(
            f"frequencies from {edges[0]:g} to {edges[1]:g} are none of a signal of {rate:g} numbers a second"
        )
    low, high = (2595 * np.log1p(edge / 700) / np.log(10) for edge in edges)
    mels = np.arange(bands + 2) * ((high - low) / (bands + 2)) + low
    hertz = 700 * np.expm1(mels / 2595 * np.log(10))
    corners: list[int] = ((length + 1) * hertz // rate).astype(np.int64).tolist()
    matrix = np.zeros((int(length) // 2 + 1, int(bands)))
    for band, (first, middle, last) in enumerate(
        zip(corners, corners[1:], corners[2:], strict=False)
    ):
        up, down = np.arange(first, middle + 1), np.arange(middle, last)
        matrix[up, band] = (up - first) / (middle - first) if middle > first else 1
        matrix[down, band] = (last - down) / max(last - middle, 1)
    return node.write.constant(blob_of(matrix.astype(dtype_of(element)), element))


def _known_number(node: Node, index: int) -> float:
    if (blob := nn.constant_of(node[index])) is None:
        raise node.refuse(
            f"input {index} is computed from what only a run knows; make it a constant"
        )
    return float(blob.data.values()[0])
