"""A .tflite file as a module of `tfl`: a function for each subgraph, an operation for each operator."""

from __future__ import annotations

import struct
import warnings
from collections.abc import Sequence
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    StringAttr,
    TensorType,
    UnregisteredOp,
    f32,
    i32,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import OptPropertyDef
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, qnn, tfl
from ...dialects.blob import Blob, BlobAttr
from ...dialects.elements import i4, is_integer
from ...dialects.module import NAMES
from ...dialects.quant import PER_TENSOR, UniformQuantizedType, storage_of
from ...dialects.verification import verify
from ...reference.arrays import Array, blob_of, dtype_of
from .schema import (
    ABSENT,
    BUILTINS,
    ELEMENTS,
    IDENTIFIER,
    TYPE_NAMES,
    attribute_of,
    numbers_of,
    options_of,
    property_name,
    schema,
    table_of,
    version_of,
)
from .sparse import dense

VERSION = "tfl.version"
"""An attribute for operations whose version in the file is not the one that they need."""

INT2 = numbers_of("TensorType").get("INT2")
"""Codes of 2 bits, which become codes of 4."""

UNKNOWN = -1
"""The schema's value for a size that is known only at run time."""


def imported(data: bytes, signature: str | None = None) -> ModuleOp:
    """
    The module of `tfl` in the bytes of a file; sparse constants become dense. Its entry is the subgraph of a signature,
    or the first one.

    Raises DiagnosticException where they are no whole model, or it has no such signature.
    """
    if len(data) < 8 or data[4:8] != IDENTIFIER:
        raise DiagnosticException(f"not a LiteRT model, which has {IDENTIFIER.decode()} at byte 4")
    try:
        return _Importer(schema.ModelT.InitFromPackedBuf(data, 0), data, signature).module()
    except (IndexError, struct.error, ValueError, LookupError, TypeError, AttributeError) as error:
        raise DiagnosticException(
            f"truncated or damaged ({type(error).__name__}: {error}); copy the file again"
        ) from None


def listed(numbers: Any) -> list[int]:
    return [] if numbers is None else [int(number) for number in numbers]


def _content(buffer: Any, file: bytes) -> bytes:
    """The bytes of a buffer, which may lie behind the model in the file."""
    if buffer.data is not None:
        return bytes(buffer.data)
    return file[buffer.offset : buffer.offset + buffer.size] if buffer.offset > 1 else b""


def text(name: bytes | None) -> str:
    return (name or b"").decode()


def _signatures(listed: Sequence[Any], wanted: str | None) -> dict[int, Any]:
    """The signature of each subgraph that has one, the first of several; of a wanted key, that alone."""
    if wanted is not None:
        keys = [text(each.signatureKey) for each in listed]
        if wanted not in keys:
            known = ", ".join(map(repr, keys)) or "none; leave signature away"
            raise DiagnosticException(f"there is no signature '{wanted}' in it; it has {known}")
        listed = [listed[keys.index(wanted)]]
    return {each.subgraphIndex: each for each in reversed(listed)}


class _Importer:
    """The parts of a model that its subgraphs share: buffers, operator codes, and the names of functions."""

    def __init__(self, model: Any, file: bytes, signature: str | None):
        self.model = model
        self.buffers = [_content(each, file) for each in model.buffers]
        self.signatures = _signatures(model.signatureDefs or (), signature)
        self.entry = 0 if signature is None else next(iter(self.signatures))
        self.functions: list[str] = []
        for number, packed in enumerate(model.subgraphs):
            name = text(packed.name) or "subgraph"
            taken = name in ("main", *self.functions)
            own = f"{name}_{number}" if taken else name
            self.functions.append("main" if number == self.entry else own)

    def module(self) -> ModuleOp:
        others = [each for number, each in self.signatures.items() if number != self.entry]
        if unread := [text(each.signatureKey) for each in others]:
            warnings.warn(
                f"of the file's signatures only the one of its first subgraph is read, and not {', '.join(unread)}; "
                f"read_model(path, signature='{unread[0]}') reads another",
                stacklevel=2,
            )
        functions = [
            _Subgraph(self, packed).function(name, self.signatures.get(i))
            for i, (name, packed) in enumerate(
                zip(self.functions, self.model.subgraphs, strict=True)
            )
        ]
        module = ModuleOp([*functions])
        verify(module)
        return module


class _Subgraph:
    """A subgraph, and the values of its tensors so far."""

    def __init__(self, whole: _Importer, packed: Any):
        self.whole, self.packed, self.tensors = whole, packed, packed.tensors
        self.types = [self._type(tensor) for tensor in self.tensors]
        self.names = [text(tensor.name) for tensor in self.tensors]
        inputs = listed(packed.inputs)
        self.block = Block(arg_types=[self.types[i] for i in inputs])
        self.values: dict[int, SSAValue] = dict(zip(inputs, self.block.args, strict=True))

    def function(self, name: str, signature: Any) -> func.FuncOp:
        """The subgraph as a function; of a signature it has the names of inputs and outputs."""
        for op in () if self.packed.operators is None else self.packed.operators:
            self._operator(op)
        inputs, outputs = listed(self.packed.inputs), listed(self.packed.outputs)
        results = [self._value(i) for i in outputs]
        self.block.add_op(func.ReturnOp(*results))
        made = func.FuncOp(
            name,
            ([a.type for a in self.block.args], [r.type for r in results]),
            Region(self.block),
            visibility=None if name == "main" else "private",
            arg_attrs=self._ports(inputs, signature and signature.inputs),
            res_attrs=self._ports(outputs, signature and signature.outputs),
        )
        if (own := text(self.packed.name)) not in ("", name):
            made.attributes[tfl.OWN_NAME] = StringAttr(own)
        if signature is not None:
            made.attributes[tfl.SIGNATURE] = StringAttr(text(signature.signatureKey))
        return made

    def _ports(self, indices: Sequence[int], entries: Any) -> ArrayAttr[DictionaryAttr]:
        given = {entry.tensorIndex: text(entry.name) for entry in entries or ()}
        found: list[DictionaryAttr] = []
        for i in indices:
            own, name = self.names[i], given.get(i) or self.names[i]
            port: dict[str, Attribute] = {NAMES: ArrayAttr([StringAttr(name)])} if name else {}
            if own != name:
                port[tfl.OWN_NAME] = StringAttr(own)
            found.append(DictionaryAttr(port))
        return ArrayAttr(found)

    # --- operators ------------------------------------------------------------------------------

    def _operator(self, op: Any) -> None:
        code = self.whole.model.operatorCodes[op.opcodeIndex]
        builtin = BUILTINS[max(code.builtinCode, code.deprecatedBuiltinCode)]
        try:
            made = self._operation(builtin, code, op)
        except DiagnosticException as error:
            raise DiagnosticException(f"{builtin}: {error}") from None
        for i, value in zip(listed(op.outputs), made.results, strict=False):
            if not self.tensors[i].isVariable:
                self.values[i] = value
                continue
            self.block.add_op(tfl.StoreOp.create(operands=[value, self._value(i)]))

    def _operation(self, builtin: str, code: Any, op: Any) -> Operation:
        operands = [self._operand(i) for i in listed(op.inputs)]
        types = [self.types[i] for i in listed(op.outputs)]
        made = self._made(builtin, code, op, operands, types)
        tfl.name_results(made, [self.names[i] for i in listed(op.outputs)])
        if code.version != version_of(made):
            made.attributes[VERSION] = IntegerAttr(code.version, i32)
        for name, i in zip(tfl.INTERMEDIATES, listed(op.intermediates), strict=False):
            made.properties[name] = self.types[i]
        self.block.add_op(made)
        made.verify()
        return made

    def _made(
        self, builtin: str, code: Any, op: Any, operands: list[SSAValue], types: Sequence[Attribute]
    ) -> Operation:
        if builtin == "CUSTOM":
            content = b"" if op.customOptions is None else op.customOptions.tobytes()
            return tfl.CustomOp(operands, text(code.customCode), content, types)
        kind = tfl.OPERATIONS.get(builtin)
        options = self._options(builtin, kind, op.builtinOptions or op.builtinOptions2)
        if kind is None:
            return UnregisteredOp.with_name(f"tfl.{builtin.lower()}").create(
                operands=operands, result_types=types, attributes=options
            )
        if options.get("kernel_type") == tfl.LstmKernelTypeAttr.of("BASIC"):
            kind = tfl.BasicLstmOp
        definition = kind.get_irdl_definition()
        if issubclass(kind, tfl.LstmOperation | tfl.BidirectionalSequenceLstmOp):
            missing = len(definition.operands) - len(operands)
            operands += [self._operand(ABSENT) for _ in range(missing)]
        return kind.create(
            operands=operands,
            result_types=types,
            properties=options,
            regions=[Region() for _ in definition.regions],
        )

    def _options(
        self, builtin: str, kind: type[tfl.TflOp] | None, given: Any
    ) -> dict[str, Attribute]:
        """The options of an operator as properties; optional ones only where they differ from the schema's default."""
        if (table := table_of(builtin)) is None:
            return {}
        default = options_of(getattr(schema, f"{table}T")())
        told = default if given is None else options_of(given)
        known = {} if kind is None else kind.get_irdl_definition().properties
        found: dict[str, Attribute] = {}
        for option, value in told.items():
            name = property_name(option)
            is_needed = name in known and not isinstance(known[name], OptPropertyDef)
            if is_needed or not (value is None or np.array_equal(value, default[option])):
                found[name] = attribute_of(name, value, self.whole.functions)
        return found

    # --- tensors --------------------------------------------------------------------------------

    def _operand(self, index: int) -> SSAValue:
        if index != ABSENT:
            return self._value(index)
        if ABSENT not in self.values:
            self.values[ABSENT] = self._given(tfl.NoValueOp())
        return self.values[ABSENT]

    def _value(self, index: int) -> SSAValue:
        """The value of a tensor. Constants and variables are written where they are first used."""
        if index not in self.values:
            tensor, type = self.tensors[index], self.types[index]
            made: Operation
            raw = self.whole.buffers[int(tensor.buffer)]
            if tensor.isVariable:
                made = tfl.VariableOp(type)
            elif raw and (size := _block_size(tensor)):
                made = self._in_blocks(tensor, raw, type, size)
            elif raw or 0 in type.get_shape():
                made = tfl.PseudoConstOp(self._constant(tensor, raw, type), type)
            else:
                name = self.names[index]
                raise DiagnosticException(f"tensor '{name}' is read before it is written")
            tfl.name_results(made, [self.names[index]])
            self.values[index] = self._given(made)
        return self.values[index]

    def _given(self, made: Operation) -> SSAValue:
        self.block.add_op(made)
        return made.results[0]

    def _in_blocks(self, tensor: Any, raw: bytes, type: TensorType[Any], size: int) -> nn.ReshapeOp:
        """A constant `[outputs, inputs]` with a scale for each block of `size` inputs, dequantized."""
        name, shape = text(tensor.name), type.get_shape()
        if len(shape) != 2 or shape[1] % size or tensor.quantization.details.zeroPoints != ABSENT:
            raise DiagnosticException(
                f"tensor '{name}' of shape {list(shape)} has a scale for each block of {size} elements, which is read "
                "of matrices of whole blocks without zero points; quantize it with one for each channel"
            )
        place = int(tensor.quantization.details.scales)
        given = self.whole.buffers[int(self.tensors[place].buffer)]
        scales = np.frombuffer(given, dtype_of(ELEMENTS[self.tensors[place].type]))
        blocks = (shape[0], shape[1] // size, size)
        storage = _storage(tensor)
        assert storage is not None, "its type has been read"
        kept: TensorType[Any] = TensorType(storage, blocks)
        codes = nn.ConstantOp(self._constant(tensor, raw, kept))
        values = qnn.DequantizeOp.of(
            codes.result, scale=blob_of(scales.astype(np.float32).reshape(*blocks[:2], 1), f32)
        )
        sizes = nn.ConstantOp(blob_of(np.array(shape, np.int64)))
        self.block.add_ops([codes, values, sizes])
        return nn.ReshapeOp.of(values.result, sizes.result)

    def _constant(self, tensor: Any, raw: bytes, type: TensorType[Any]) -> BlobAttr:
        element = storage_of(type.element_type)
        if tensor.type == INT2:
            return blob_of(_of_two_bits(raw, type.get_shape()), element)
        if tensor.sparsity is None and is_integer(element) and 1 < element.width.data < 8:
            return BlobAttr(Blob(TensorType(element, type.get_shape()), raw))
        data = np.frombuffer(raw, dtype_of(element))
        if tensor.sparsity is not None:
            data = dense(data, type.get_shape(), tensor.sparsity)
        return blob_of(data.reshape(type.get_shape()), element)

    def _type(self, tensor: Any) -> TensorType[Any]:
        name, element = text(tensor.name), _storage(tensor)
        if element is None:
            kind = TYPE_NAMES.get(tensor.type, str(tensor.type))
            raise DiagnosticException(
                f"tensor '{name}' has elements of type {kind}, which have no meaning here; leave the part of "
                "the model that needs them out, and convert it anew"
            )
        shape = listed(tensor.shape)
        if not self.whole.buffers[int(tensor.buffer)]:
            shape = listed(tensor.shapeSignature) or shape
        quantization = tensor.quantization
        if _block_size(tensor):
            element = f32
        if quantization is not None and isinstance(element, IntegerType):
            codes = cast(IntegerType, element)
            element = _quantized(name, codes, shape, quantization)
        return TensorType(element, [DYNAMIC_INDEX if size < 0 else size for size in shape])


def _storage(tensor: Any) -> Attribute | None:
    """The type of a tensor's elements, or of its codes; None where tensors have no such elements here."""
    return i4 if tensor.type == INT2 else ELEMENTS.get(tensor.type)


def _block_size(tensor: Any) -> int:
    """How many elements share a scale; 0 where scales are for channels or the tensor."""
    details = tensor.quantization and tensor.quantization.details
    return max(getattr(details, "blockSize", 0), 0)


def _of_two_bits(raw: bytes, shape: Sequence[int]) -> Array:
    """Signed codes, four in a byte, the first in the lowest bits."""
    codes = np.frombuffer(raw, np.int8)[:, None] << np.arange(6, -2, -2, dtype=np.int8)
    return (codes.astype(np.int8) >> 6).reshape(-1)[: prod(shape)].reshape(shape)


def _quantized(name: str, element: IntegerType, shape: Sequence[int], parameters: Any) -> Attribute:
    """The quantized type with these scales; without scales, the type itself."""
    scales = [] if parameters.scale is None else [float(scale) for scale in parameters.scale]
    if not scales:
        return element
    count, axis, points = len(scales), parameters.quantizedDimension, listed(parameters.zeroPoint)
    if count > 1 and (not 0 <= axis < len(shape) or shape[axis] not in (count, UNKNOWN)):
        raise DiagnosticException(
            f"tensor '{name}' has {count} scales along dimension {axis}, which its shape {list(shape)} has "
            "no place for; convert the model anew"
        )
    if len(points) == 1:
        points *= count
    is_whole = count == 1 and axis == 0
    return UniformQuantizedType.of(element, scales, points, PER_TENSOR if is_whole else axis)
