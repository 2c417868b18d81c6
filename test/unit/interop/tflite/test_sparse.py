"""Sparse tensors in every order and block, read as LiteRT makes them dense."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import flatbuffers  # pyright: ignore[reportMissingTypeStubs]
import numpy as np
import pytest
from ai_edge_litert import schema_py_generated  # pyright: ignore[reportMissingTypeStubs]
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.utils.exceptions import DiagnosticException

from lowstream.interop.tflite import tflite_module
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Graph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, by_litert, noise, number
from lowstream.test.unit.interop.tflite.serialize import IDENTIFIER, serialize

schema = cast(Any, schema_py_generated)
VECTORS = ("Uint8Vector", "Uint16Vector", "Int32Vector")


@dataclass(frozen=True)
class Form:
    """How a tensor is gone through: the order of its dimensions and blocks, and which list places."""

    shape: tuple[int, ...]
    blocks: tuple[tuple[int, int], ...]  # dimension, size
    order: tuple[int, ...]
    sparse: tuple[bool, ...]

    def split(self, array: Array) -> Array:
        """The dimensions of the tensor and then of its blocks, in the order in which they are gone through."""
        sizes: list[int] = []
        places: dict[int, int] = {}
        block = dict(self.blocks)
        for axis, size in enumerate(self.shape):
            places[axis] = len(sizes)
            sizes += [size // block[axis], block[axis]] if axis in block else [size]
        for i, (axis, _) in enumerate(self.blocks):
            places[len(self.shape) + i] = places[axis] + 1
        return array.reshape(sizes).transpose([places[axis] for axis in self.order])

    def parameters(self, array: Array, width: str) -> tuple[Any, Array]:
        """What the file says of the places, and the elements."""
        packed, parts = schema.SparsityParametersT(), [self.split(array)]
        packed.traversalOrder = list(self.order)
        packed.blockMap = [axis for axis, _ in self.blocks] or None
        packed.dimMetadata = []
        for is_sparse in self.sparse:
            dimension = schema.DimensionMetadataT()
            packed.dimMetadata.append(dimension)
            dimension.denseSize = len(parts[0]) if parts else 0
            if not is_sparse:
                parts = [each for part in parts for each in part]
                continue
            kept = [[i for i, each in enumerate(part) if np.any(each)] for part in parts]
            dimension.format = 1
            ends = np.cumsum([0, *map(len, kept)])
            dimension.arraySegmentsType, dimension.arraySegments = _vector(ends, width)
            dimension.arrayIndicesType, dimension.arrayIndices = _vector(
                [i for there in kept for i in there], width
            )
            parts = [part[i] for part, there in zip(parts, kept, strict=True) for i in there]
        return packed, np.array(parts, array.dtype)


def _vector(numbers: Sequence[int] | Array, width: str) -> tuple[int, Any]:
    vector = getattr(schema, f"{width}T")()
    vector.values = np.array(numbers, vector_type(width))
    return getattr(schema.SparseIndexVector, width), vector


def vector_type(width: str) -> str:
    return {"Uint8Vector": "uint8", "Uint16Vector": "uint16", "Int32Vector": "int32"}[width]


def with_sparse(data: bytes, name: str, form: Form, array: Array, width: str) -> Any:
    """The model in a file, one of its constants sparse."""
    model = schema.ModelT.InitFromPackedBuf(data, 0)
    (tensor,) = (t for t in model.subgraphs[0].tensors if t.name == name.encode())
    tensor.sparsity, values = form.parameters(array, width)
    model.buffers[tensor.buffer].data = np.frombuffer(values.tobytes(), np.uint8)
    return model


def packed(model: Any) -> bytes:
    builder = cast(Any, flatbuffers).Builder(1 << 16)
    builder.Finish(model.Pack(builder), IDENTIFIER)
    return bytes(builder.Output())


def holed(shape: Sequence[int], seed: int) -> Array:
    """Noise with zeros, the first element none, so that something is left."""
    array = noise(*shape, seed=seed)
    array[np.random.default_rng(seed).random(shape) < 0.6] = 0
    array[(0,) * len(shape)] = 1
    return array


@st.composite
def forms(draw: st.DrawFn) -> Form:
    """LiteRT goes through the blocks last, each in all its elements."""
    rank = draw(st.integers(1, 4))
    blocks: list[tuple[int, int]] = []
    shape: list[int] = []
    for axis in range(rank):
        size = draw(st.integers(1, 4))
        if draw(st.booleans()):
            blocks.append((axis, draw(st.integers(1, 3))))
            size *= blocks[-1][1]
        shape.append(size)
    order = (*draw(st.permutations(range(rank))), *range(rank, rank + len(blocks)))
    sparse = (*draw(st.tuples(*[st.booleans()] * rank)), *(False for _ in blocks))
    return Form(tuple(shape), tuple(blocks), order, sparse)


@settings(max_examples=30, deadline=None)
@given(form=forms(), width=st.sampled_from(VECTORS), seed=st.integers(0, 99))
def test_it_is_dense_when_it_is_read(form: Form, width: str, seed: int):
    array = holed(form.shape, seed)
    main = Part(x := Tensor(form.shape, "float32"))
    weights = Tensor(form.shape, "float32", "weights", array)
    main.gives(main("ADD", [x, main("DENSIFY", [weights], form.shape)], form.shape))
    data = packed(with_sparse(serialize(Graph([main.graph])), "weights", form, array, width))
    given = noise(*form.shape, seed=seed)
    (found,) = Executor(tflite_module(data)).run([given])
    np.testing.assert_array_equal(found, given + array)
    if any(form.sparse):  # LiteRT takes sparse ones alone for sparse
        np.testing.assert_array_equal(by_litert(data, [given])[0], found)


ROWS = Form((8, 16), (), (0, 1), (False, True))
BLOCKS = Form((8, 16), ((1, 4),), (0, 1, 2), (False, True, False))


@pytest.mark.parametrize("form", [ROWS, BLOCKS])
def test_weights_of_a_layer_may_be_sparse(form: Form):
    array = holed((8, 16), seed=1)
    main = Part(x := Tensor((2, 16), "float32"))
    weights = Tensor((8, 16), "float32", "weights", array)
    main.gives(main("FULLY_CONNECTED", [x, weights, number(np.zeros(8), "float32")], (2, 8)))
    data = packed(
        with_sparse(serialize(Graph([main.graph])), "weights", form, array, "Int32Vector")
    )
    given = noise(2, 16)
    (found,) = Executor(tflite_module(data)).run([given])
    np.testing.assert_allclose(found, by_litert(data, [given])[0], rtol=1e-5, atol=1e-6)


def _order(sparsity: Any) -> None:
    sparsity.traversalOrder = [0, 0, 2]


def _block(sparsity: Any) -> None:
    sparsity.blockMap = [5]


def _block_size(sparsity: Any) -> None:
    sparsity.dimMetadata[2].denseSize = 0


def _smaller_block(sparsity: Any) -> None:
    sparsity.dimMetadata[2].denseSize = 2


def _size(sparsity: Any) -> None:
    sparsity.dimMetadata[0].denseSize = 2**30


def _place(sparsity: Any) -> None:
    sparsity.dimMetadata[1].arrayIndices.values[0] = 200


def _segment(sparsity: Any) -> None:
    sparsity.dimMetadata[1].arraySegments.values[1] = 200


def _segments(sparsity: Any) -> None:
    sparsity.dimMetadata[1].arraySegments.values = np.zeros(0, np.int32)


def _none(sparsity: Any) -> None:
    sparsity.dimMetadata[1].arraySegments = None


def _fewer(sparsity: Any) -> None:
    sparsity.dimMetadata = sparsity.dimMetadata[:2]


@pytest.mark.parametrize(
    "damage",
    [
        _order,
        _block,
        _block_size,
        _smaller_block,
        _size,
        _place,
        _segment,
        _segments,
        _none,
        _fewer,
    ],
)
def test_parts_that_do_not_fit_are_named(damage: Any):
    array = holed((8, 16), seed=1)
    main = Part(x := Tensor((8, 16), "float32"))
    weights = Tensor((8, 16), "float32", "weights", array)
    main.gives(main("ADD", [x, main("DENSIFY", [weights], (8, 16))], (8, 16)))
    model = with_sparse(serialize(Graph([main.graph])), "weights", BLOCKS, array, "Int32Vector")
    (tensor,) = (t for t in model.subgraphs[0].tensors if t.name == b"weights")
    damage(tensor.sparsity)
    with pytest.raises(
        DiagnosticException, match=r"damaged sparse tensor: .*; copy the file again"
    ):
        tflite_module(packed(model))
