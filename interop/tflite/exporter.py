"""A module of `tfl` as a .tflite file: a subgraph for each function, an operator for each operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import flatbuffers  # pyright: ignore[reportMissingTypeStubs]
import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    NoneType,
    StringAttr,
    TensorType,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import tfl
from ...dialects.inferred import friendly_name, label
from ...dialects.module import entry_of, port_names
from ...dialects.quant import UniformQuantizedType, storage_of
from ...reference.tfl import dense_array
from .importer import VERSION
from .schema import (
    ABSENT,
    ELEMENT_NUMBERS,
    IDENTIFIER,
    option_name,
    schema,
    table_of,
    value_of,
    version_of,
)

SCHEMA_VERSION = 3

LIMIT = 2**31 - 1
"""Bytes that a flatbuffer can address."""

EXTENDED = 127
"""The value of the old, 8-bit field for all builtins whose number is this or more."""


def exported(module: ModuleOp) -> bytes:
    """
    The bytes of a .tflite file for a module of `tfl`.

    Raises DiagnosticException for other operations, and where the file would be too large for the format.
    """
    model = _Exporter(module)
    size = sum(len(buffer) for _, buffer in model.shared)
    if size > LIMIT:
        raise DiagnosticException(
            f"the model's constants take {size} bytes; a .tflite file holds up to {LIMIT}: "
            "quantize the weights, or split the model"
        )
    builder = cast(Any, flatbuffers).Builder(size + (1 << 16))
    builder.Finish(model.packed().Pack(builder), IDENTIFIER)
    return bytes(builder.Output())


class _Exporter:
    """Numbers functions, buffers and operator codes while it builds the schema's objects."""

    def __init__(self, module: ModuleOp):
        entry = entry_of(module)
        others = [op for op in module.ops if isinstance(op, func.FuncOp) and op is not entry]
        self.names = [each.sym_name.data for each in (entry, *others)]
        self.codes: dict[tuple[str, int, str], int] = {}
        self.shared: dict[tuple[Attribute, bytes], int] = {}
        self.subgraphs = [_Subgraph(self, function) for function in (entry, *others)]

    def packed(self) -> Any:
        """The model."""
        model = schema.ModelT()
        model.version = SCHEMA_VERSION
        model.description = "lowstream"
        model.subgraphs = [subgraph.packed for subgraph in self.subgraphs]
        model.operatorCodes = [operator_code(*key) for key in self.codes]
        model.buffers = [
            schema.BufferT() for _ in range(len(self.shared) + 1)
        ]  # 0 is the empty one
        for (_, data), number in self.shared.items():
            model.buffers[number].data = np.frombuffer(data, np.uint8)
        signatures = [subgraph.signature(i) for i, subgraph in enumerate(self.subgraphs)]
        model.signatureDefs = [each for each in signatures if each is not None]
        return model


class _Subgraph:
    """A function, while its values become tensors."""

    def __init__(self, whole: _Exporter, function: func.FuncOp):
        self.whole, self.function = whole, function
        self.packed = schema.SubGraphT()
        own = function.attributes.get(tfl.OWN_NAME)
        self.packed.name = own.data if isinstance(own, StringAttr) else function.sym_name.data
        self.packed.tensors, self.packed.operators = [], []
        self.places: dict[SSAValue, int] = {}
        block = function.body.block
        self.stored = {op.value: op.variable for op in block.ops if isinstance(op, tfl.StoreOp)}
        names = tfl.argument_names(function)
        self.packed.inputs = [
            self._tensor(argument, name) for argument, name in zip(block.args, names, strict=True)
        ]
        for op in block.ops:
            self._operation(op)
        last = block.last_op
        assert isinstance(last, func.ReturnOp)
        self.packed.outputs = [self._place(value) for value in last.operands]

    def signature(self, index: int) -> Any:
        """The names of inputs and outputs, if users call this function."""
        key = self.function.attributes.get(tfl.SIGNATURE)
        if not isinstance(key, StringAttr):
            return None
        packed = schema.SignatureDefT()
        packed.signatureKey, packed.subgraphIndex = key.data, index
        packed.inputs = _tensor_map(self.function.arg_attrs, self.packed.inputs)
        packed.outputs = _tensor_map(self.function.res_attrs, self.packed.outputs)
        return packed

    # --- operators ------------------------------------------------------------------------------

    def _operation(self, op: Operation) -> None:
        if isinstance(op, tfl.NoValueOp | tfl.PseudoConstOp | tfl.VariableOp | func.ReturnOp):
            return  # what takes their values makes tensors of them
        if isinstance(op, tfl.StoreOp):
            if isinstance(op.value.owner, tfl.TflOp | tfl.CustomOp | UnregisteredOp):
                return
            raise DiagnosticException(f"{label(op)}: its value is not a result of an operator")
        builtin, custom = _builtin(op), ""
        packed = schema.OperatorT()
        if isinstance(op, tfl.CustomOp):
            custom = op.custom_code.data
            packed.customOptions = np.frombuffer(op.custom_option.content.data, np.uint8)
        else:
            self._options(packed, builtin, op)
        version = op.attributes.get(VERSION)
        number = version.value.data if isinstance(version, IntegerAttr) else version_of(op)
        packed.opcodeIndex = self.whole.codes.setdefault(
            (builtin, number, custom), len(self.whole.codes)
        )
        packed.inputs = [self._place(operand) for operand in op.operands]
        names = tfl.result_names(op)
        packed.outputs = [
            self._place(self.stored[value]) if value in self.stored else self._tensor(value, name)
            for value, name in zip(op.results, names, strict=True)
        ]
        types = [op.properties[name] for name in tfl.INTERMEDIATES if name in op.properties]
        if types:
            packed.intermediates = [self._added(type, "") for type in types]
        self.packed.operators.append(packed)

    def _options(self, packed: Any, builtin: str, op: Operation) -> None:
        if (name := table_of(builtin)) is None:
            return
        table = getattr(schema, f"{name}T")()
        for option, attribute in {**op.attributes, **op.properties}.items():
            if hasattr(table, option_name(option)):
                value = value_of(option, attribute, self.whole.names)
                setattr(table, option_name(option), value)
        kind = "BuiltinOptions" if hasattr(schema.BuiltinOptions, name) else "BuiltinOptions2"
        field = f"b{kind[1:]}"
        setattr(packed, field, table)
        setattr(packed, f"{field}Type", getattr(getattr(schema, kind), name))

    # --- tensors --------------------------------------------------------------------------------

    def _place(self, value: SSAValue) -> int:
        """The index of a value's tensor."""
        if isinstance(value.type, NoneType):
            return ABSENT
        if value in self.stored:
            return self._place(self.stored[value])
        if value not in self.places:
            assert isinstance(value.owner, tfl.PseudoConstOp | tfl.VariableOp), value.owner
            place = self._tensor(value, friendly_name(value.owner) or "")
            packed = self.packed.tensors[place]
            if isinstance(value.owner, tfl.PseudoConstOp):
                packed.buffer = self._buffer(value.owner)
            else:
                packed.isVariable = True
        return self.places[value]

    def _tensor(self, value: SSAValue, name: str) -> int:
        self.places[value] = self._added(value.type, name)
        return self.places[value]

    def _added(self, type: Attribute, name: str) -> int:
        """A new tensor."""
        assert isinstance(type, TensorType)
        shape, element = type.get_shape(), cast(TensorType[Any], type).element_type
        packed = schema.TensorT()
        packed.name = name or f"t{len(self.packed.tensors)}"  # LiteRT lists none without a name
        packed.shape = [1 if size == DYNAMIC_INDEX else size for size in shape]
        if DYNAMIC_INDEX in shape:
            packed.shapeSignature = [-1 if size == DYNAMIC_INDEX else size for size in shape]
        packed.hasRank = True
        if (number := ELEMENT_NUMBERS.get(storage_of(element))) is None:
            raise DiagnosticException(f"tensors of {element} have no place in a .tflite file")
        packed.type = number
        if isinstance(element, UniformQuantizedType):
            packed.quantization = parameters = schema.QuantizationParametersT()
            parameters.scale = list(element.scales.get_values())
            parameters.zeroPoint = list(element.zero_points.get_values())
            parameters.quantizedDimension = element.axis.data if element.is_per_axis else 0
        self.packed.tensors.append(packed)
        return len(self.packed.tensors) - 1

    def _buffer(self, op: tfl.PseudoConstOp) -> int:
        """A buffer with the data of a constant; equal ones are shared."""
        if not (data := dense_array(op.value).tobytes()):
            return 0
        key = storage_of(op.output.type.element_type), data
        return self.whole.shared.setdefault(key, len(self.whole.shared) + 1)


def _builtin(op: Operation) -> str:
    builtin = tfl.builtin_of(op)
    if not hasattr(schema.BuiltinOperator, builtin or "none"):
        raise DiagnosticException(
            f"{label(op)}: is not an operation of LiteRT; run nn-to-tfl first"
        )
    return builtin


def operator_code(builtin: str, version: int, custom: str) -> Any:
    """The index of an operator in the file's table; for a custom one, by its name."""
    packed = schema.OperatorCodeT()
    packed.builtinCode = getattr(schema.BuiltinOperator, builtin)
    packed.deprecatedBuiltinCode = min(packed.builtinCode, EXTENDED)
    packed.version = version
    if custom:
        packed.customCode = custom
    return packed


def _tensor_map(ports: ArrayAttr[DictionaryAttr] | None, places: Sequence[int]) -> list[Any]:
    entries: list[Any] = []
    for names, place in zip(port_names(ports, len(places)), places, strict=True):
        entry = schema.TensorMapT()
        entry.name, entry.tensorIndex = "".join(names[:1]), place
        entries.append(entry)
    return entries
