"""A LiteRT model as the bytes of its file, and back."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, cast

import flatbuffers  # pyright: ignore[reportMissingTypeStubs]
import numpy as np
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects.elements import pack_codes
from lowstream.dialects.tfl import OPERATIONS
from lowstream.interop.tflite.exporter import LIMIT, SCHEMA_VERSION, operator_code
from lowstream.interop.tflite.schema import (
    ABSENT,
    BUILTINS,
    ELEMENTS,
    IDENTIFIER,
    TYPE_NAMES,
    schema,
    table_of,
)
from lowstream.interop.tflite.sparse import dense
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Signature, Subgraph, Tensor

_NAMES = {number: TYPE_NAMES[number].lower() for number in ELEMENTS}
_NUMBERS = {name: number for number, name in _NAMES.items()}


def serialize(graph: Graph) -> bytes:
    """The file's bytes. Raises DiagnosticException where it would be too large for the format."""
    size = sum(
        0 if tensor.data is None else tensor.data.nbytes
        for subgraph in graph.subgraphs
        for tensor in subgraph.tensors()
    )
    if size > LIMIT:
        raise DiagnosticException(
            f"the model's constants take {size} bytes; a .tflite file holds up to {LIMIT}: "
            "quantize the weights, or split the model"
        )
    builder = cast(Any, flatbuffers).Builder(size + (1 << 16))
    builder.Finish(_Pack(graph).model.Pack(builder), IDENTIFIER)
    return bytes(builder.Output())


class _Pack:
    """Numbers tensors, buffers and operator codes while it builds the schema's objects."""

    def __init__(self, graph: Graph):
        self.codes: dict[tuple[str, int, str], int] = {}
        self.buffers: list[Any] = [schema.BufferT()]  # number 0 is the empty one
        self.shared: dict[tuple[str, bytes], int] = {}
        model = self.model = schema.ModelT()
        model.version = SCHEMA_VERSION
        model.description = "lowstream"
        model.subgraphs = [self._subgraph(subgraph) for subgraph in graph.subgraphs]
        model.operatorCodes = [operator_code(*key) for key in self.codes]
        model.buffers = self.buffers
        if graph.signature is not None:
            model.signatureDefs = [self._signature(graph.subgraphs[0], graph.signature)]

    def _subgraph(self, subgraph: Subgraph) -> Any:
        tensors = subgraph.tensors()
        index = {tensor: i for i, tensor in enumerate(tensors)}
        packed = schema.SubGraphT()
        packed.name = subgraph.name
        packed.tensors = [self._tensor(tensor, i) for tensor, i in index.items()]
        packed.inputs = [index[tensor] for tensor in subgraph.inputs]
        packed.outputs = [index[tensor] for tensor in subgraph.outputs]
        packed.operators = [self._operator(op, index) for op in subgraph.operators]
        return packed

    def _tensor(self, tensor: Tensor, number: int) -> Any:
        packed = schema.TensorT()
        packed.name = tensor.name or f"t{number}"
        packed.shape = [max(size, 1) if size < 0 else size for size in tensor.shape]
        if any(size < 0 for size in tensor.shape):
            packed.shapeSignature = list(tensor.shape)
        packed.type = _NUMBERS[tensor.element]
        packed.buffer = 0 if tensor.data is None else self._buffer(tensor)
        packed.isVariable = tensor.variable
        packed.hasRank = True
        if (quantization := tensor.quantization) is not None:
            packed.quantization = parameters = schema.QuantizationParametersT()
            parameters.scale = list(quantization.scales)
            parameters.zeroPoint = list(quantization.zero_points or (0,) * len(quantization.scales))
            parameters.quantizedDimension = quantization.axis
        return packed

    def _buffer(self, tensor: Tensor) -> int:
        """A buffer with the tensor's data; equal ones are one."""
        assert tensor.data is not None
        data = np.asarray(tensor.data, order="C")
        is_packed = tensor.element in ("int4", "uint4")
        assert data.shape == tensor.shape
        assert data.dtype.name == tensor.element.replace("4" if is_packed else " ", "8")
        contents = pack_codes(4, data.ravel().tolist()) if is_packed else data.tobytes()
        raw = np.frombuffer(contents, np.uint8)
        key = tensor.element, contents
        if key not in self.shared:
            packed = schema.BufferT()
            packed.data = raw
            self.shared[key] = len(self.buffers)
            self.buffers.append(packed)
        return self.shared[key]

    def _operator(self, op: Operator, index: dict[Tensor, int]) -> Any:
        packed = schema.OperatorT()
        key = op.builtin, _version(op), op.custom
        packed.opcodeIndex = self.codes.setdefault(key, len(self.codes))
        packed.inputs = [ABSENT if tensor is None else index[tensor] for tensor in op.inputs]
        packed.outputs = [index[tensor] for tensor in op.outputs]
        if op.intermediates:
            packed.intermediates = [index[tensor] for tensor in op.intermediates]
        if op.custom:
            packed.customOptions = np.frombuffer(op.custom_options, np.uint8)
        elif (name := table_of(op.builtin)) is not None:
            field = "builtinOptions" if hasattr(schema.BuiltinOptions, name) else "builtinOptions2"
            kinds = getattr(schema, field[0].upper() + field[1:])
            setattr(packed, f"{field}Type", getattr(kinds, name))
            options = getattr(schema, f"{name}T")()
            setattr(packed, field, options)
            for option, value in op.options.items():
                assert hasattr(options, option), (op.builtin, option)
                setattr(options, option, value)
        return packed

    def _signature(self, subgraph: Subgraph, signature: Signature) -> Any:
        index = {tensor: i for i, tensor in enumerate(subgraph.tensors())}
        packed = schema.SignatureDefT()
        packed.signatureKey = signature.key
        packed.subgraphIndex = 0
        packed.inputs = _tensor_map(signature.inputs, subgraph.inputs, index)
        packed.outputs = _tensor_map(signature.outputs, subgraph.outputs, index)
        return packed


def _tensor_map(names: Sequence[str], tensors: Sequence[Tensor], index: dict[Tensor, int]) -> Any:
    entries: list[Any] = []
    for name, tensor in zip(names, tensors, strict=True):
        entry = schema.TensorMapT()
        entry.name, entry.tensorIndex = name, index[tensor]
        entries.append(entry)
    return entries


def _version(op: Operator) -> int:
    quantized = any(
        tensor is not None and tensor.element == "int8" and tensor.quantization is not None
        for tensor in (*op.inputs, *op.outputs)
    )
    if (kind := OPERATIONS.get(op.builtin)) is None:
        return 1
    return kind.CODES_VERSION if quantized else kind.VERSION


# --- reading --------------------------------------------------------------------------------


def parse(data: bytes) -> Graph:
    """
    The model in a file's bytes; constants are views of them.

    Raises DiagnosticException where they are no whole model.
    """
    if len(data) < 8 or data[4:8] != IDENTIFIER:
        raise DiagnosticException(f"not a LiteRT model, which has {IDENTIFIER.decode()} at byte 4")
    try:
        model = schema.ModelT.InitFromPackedBuf(data, 0)
        return _unpack(model)
    except (IndexError, struct.error, ValueError, LookupError, TypeError, AttributeError) as error:
        raise DiagnosticException(
            f"truncated or damaged ({type(error).__name__}: {error}); copy the file again"
        ) from None


def _unpack(model: Any) -> Graph:
    buffers = [b"" if b.data is None else bytes(b.data) for b in model.buffers]
    subgraphs = [_subgraph(model, packed, buffers) for packed in model.subgraphs]
    signature = None
    for packed in model.signatureDefs or ():
        if packed.subgraphIndex == 0:
            signature = _signature(packed, model.subgraphs[0])
            break
    return Graph(subgraphs, signature)


def _subgraph(model: Any, packed: Any, buffers: Sequence[bytes]) -> Subgraph:
    tensors = [_tensor(tensor, buffers) for tensor in packed.tensors]

    def listed(indices: Any) -> list[Tensor]:
        return [tensors[i] for i in (() if indices is None else indices)]

    operators: list[Operator] = []
    for op in () if packed.operators is None else packed.operators:
        code = model.operatorCodes[op.opcodeIndex]
        number = max(code.builtinCode, code.deprecatedBuiltinCode)
        inputs = cast(list[int], op.inputs)
        given: Any = op.builtinOptions
        options = cast(dict[str, Any], {} if given is None else vars(given))
        content = b"" if op.customOptions is None else op.customOptions.tobytes()
        operators.append(
            Operator(
                BUILTINS[number],
                [None if i == ABSENT else tensors[i] for i in inputs],
                listed(op.outputs),
                options,
                listed(op.intermediates),
                (code.customCode or b"").decode(),
                content,
            )
        )
    name = (packed.name or b"main").decode()
    return Subgraph(name, listed(packed.inputs), listed(packed.outputs), operators)


def _tensor(packed: Any, buffers: Sequence[bytes]) -> Tensor:
    name = (packed.name or b"").decode()
    if packed.type not in _NAMES:
        kind = TYPE_NAMES.get(packed.type, str(packed.type))
        raise DiagnosticException(
            f"tensor '{name}' has elements of type {kind}, which have no meaning here; leave the part of "
            "the model that needs them out, and convert it anew"
        )
    element = _NAMES[packed.type]
    shape = tuple(int(size) for size in (() if packed.shape is None else packed.shape))
    data, raw = None, buffers[cast(int, packed.buffer)]
    if raw:
        data = np.frombuffer(raw, element)
        if packed.sparsity is not None:
            data = dense(data, shape, packed.sparsity)
        data = data.reshape(shape)
    elif packed.shapeSignature is not None and len(packed.shapeSignature):
        shape = tuple(int(size) for size in packed.shapeSignature)
    parameters, quantization = packed.quantization, None
    if parameters is not None and parameters.scale is not None and len(parameters.scale):
        zero_points = () if parameters.zeroPoint is None else map(int, parameters.zeroPoint)
        quantization = TensorQuantization(
            tuple(map(float, parameters.scale)), tuple(zero_points), parameters.quantizedDimension
        )
    return Tensor(shape, element, name, data, quantization, bool(packed.isVariable))


def _signature(packed: Any, subgraph: Any) -> Signature:
    def names(entries: Any, indices: Any) -> tuple[str, ...]:
        by_index = {entry.tensorIndex: entry.name.decode() for entry in entries or ()}
        return tuple(by_index.get(int(i), "") for i in (() if indices is None else indices))

    return Signature(
        names(packed.inputs, subgraph.inputs),
        names(packed.outputs, subgraph.outputs),
        (packed.signatureKey or b"").decode(),
    )
