"""
An OpenVINO model as a module.

Most operations need no line here: `MatMul` becomes `nn.mat_mul`, which says that it is known as that, and its
attributes become properties of the same name, in the form that the property's constraint takes.
What versions before the newest spell differently is in `versions.py`; operations that are no tensor
computation have a handler in `HANDLERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import OptPropertyDef, VariadicDef
from xdsl.rewriter import Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.element_names import OPENVINO as ELEMENTS
from ...dialects.inferred import NAME, InferredOp, tensor
from ...dialects.module import names_attribute
from ...dialects.names import namesakes
from ...dialects.verification import verify
from ...passes.einsum import einsum
from ...passes.folding_writer import settled
from ...passes.read_sizes import ReadSizes
from ..mlir import SourceError
from ..property_attributes import attribute_of
from .elements import constant_data, element_named, sizes_of, tensor_type
from .ir_file import OPSETS, Graph, Layer
from .refused import refusal
from .text_attributes import read_as
from .versions import normalize

if TYPE_CHECKING:
    import openvino

PORTS = ("Parameter", "Result")
"""What becomes the inputs and outputs of a model or body."""


class Values(dict[tuple[str, int], SSAValue]):
    """
    The values made so far, by the node's unique name and the number of its output, what is known of sizes, and whether
    results have the types that nodes say, or those that follow from operands.
    """

    def __init__(self, sizes: ReadSizes, declared: bool):
        super().__init__()
        self.sizes, self.declared = sizes, declared


def module_of(model: openvino.Model | Graph, declared: bool = True) -> ModuleOp:
    """
    The model, with entry `@main`; its results have the types that are `declared`, or else those that follow.

    Raises DiagnosticException, naming the operation, where it cannot be said here.
    """
    parameters = cast(Sequence[Any], model.get_parameters())
    sizes = ReadSizes()
    block, results = _block(model, sizes, declared)
    block.add_op(func.ReturnOp(*results))
    inputs, outputs = [argument.type for argument in block.args], [r.type for r in results]
    names = _port_names([node.output(0) for node in parameters], [])
    taken = [name for port in names for name in port]
    entry = func.FuncOp(
        "main",
        (inputs, outputs),
        Region(block),
        arg_attrs=names_attribute(names),
        res_attrs=names_attribute(
            _port_names([node.input_value(0) for node in model.get_results()], taken)
        ),
    )
    module = ModuleOp([*_variables(entry), entry])
    sizes.note(module)
    verify(module)
    return module


def _variables(entry: func.FuncOp) -> list[infra.VariableOp]:
    """Declares what is read and assigned; OpenVINO's own declarations can leave the type open."""
    types: dict[str, TensorType[Any]] = {}
    for op in entry.walk():
        if isinstance(op, infra.ReadValueOp):
            types.setdefault(op.variable.string_value(), tensor(op.result))
    for op in entry.walk():
        if isinstance(op, infra.AssignOp):
            types.setdefault(op.variable.string_value(), tensor(op.value))
    return [infra.VariableOp(name, type) for name, type in types.items()]


def _port_names(ports: Sequence[Any], taken: Sequence[str]) -> list[list[str]]:
    """
    The tensor names of each port; where it has none, the friendly name of its operation if no other
    port has it.
    """
    names = [sorted(port.get_names()) for port in ports]
    used = {*taken, *(name for port in names for name in port)}
    for found, port in zip(names, ports, strict=True):
        node = port.get_node()
        several = node.get_output_size() > 1
        fallback = node.get_friendly_name() + (f".{port.get_index()}" if several else "")
        if not found and fallback not in used:
            found.append(fallback)
            used.add(fallback)
    return names


def _block(
    model: openvino.Model | Graph, sizes: ReadSizes, declared: bool
) -> tuple[Block, list[SSAValue]]:
    """A block without its terminator, an argument for each parameter, and the results' values."""
    parameters, values = cast(Sequence[Any], model.get_parameters()), Values(sizes, declared)
    block = Block(arg_types=[_within(_output_type, node, _label(node), 0) for node in parameters])
    for node, argument in zip(parameters, block.args, strict=True):
        values[node.get_name(), 0] = argument
    for node in model.get_ordered_ops():
        if node.get_type_name() in PORTS:
            continue
        ops = _within(_import, node, _label(node), values)
        if not declared:
            inferred = _infer(ops, sizes)
            for index in range(node.get_output_size()):
                key = node.get_name(), index
                if key in values:
                    values[key] = inferred.get(values[key], values[key])
        block.add_ops(ops)
        # An Assign gives what it assigns.
        for index, result in enumerate(ops[-1].results or [_operand(node, 0, values)]):
            values[node.get_name(), index] = result
        settled_values = _settled(ops, values.sizes)
        for index in range(node.get_output_size()):
            key = node.get_name(), index
            if key in values:
                values[key] = settled_values.get(values[key], values[key])
    results = [_operand(node, 0, values) for node in model.get_results()]
    _erase_unused(block, results)
    return block, results


def _infer(ops: Sequence[Operation], sizes: ReadSizes) -> dict[SSAValue, SSAValue]:
    """Gives results the types that follow from operands, in place of those that a file declares; the new by the old."""
    found: dict[SSAValue, SSAValue] = {}
    for op in ops:
        if isinstance(op, InferredOp):
            for result, type in zip(op.results, op.infer_types(sizes.known), strict=False):
                found[result] = Rewriter.replace_value_with_new_type(result, type)
    return found


def _settled(ops: Sequence[Operation], sizes: ReadSizes) -> dict[SSAValue, SSAValue]:
    """What constants determine becomes a constant. By results, what takes their place."""
    found: dict[SSAValue, SSAValue] = {}
    for op in ops:
        if isinstance(op, InferredOp) and not op.regions:
            found.update(zip(list(op.results), settled(op, sizes), strict=True))
    return found


def _erase_unused(block: Block, results: Sequence[SSAValue]) -> None:
    """What only operations have read that became constants."""
    for op in reversed(list(block.ops)):
        is_read = any(each.first_use or each in results for each in op.results)
        if not is_read and is_trivially_dead(op):
            Rewriter.erase_op(op)


def _within(build: Callable[..., Any], node: Any, label: str, *arguments: Any) -> Any:
    """`build(node, …)`; an error gets the operation's type, version and name in front."""
    try:
        return build(node, *arguments)
    except (_Located, SourceError):
        raise
    except DiagnosticException as error:
        raise _Located(f"{label}: {error}") from None


class _Located(DiagnosticException):
    """An error that already names its operation."""


def _label(node: Any) -> str:
    info = node.get_type_info()
    return f"{info.name} ({info.version_id}) '{node.get_friendly_name()}'"


def _operand(node: Any, index: int, values: Values) -> SSAValue:
    source = node.input_value(index)
    key = source.get_node().get_name(), source.get_index()
    if key not in values:
        raise DiagnosticException(
            f"its input {index} is output {key[1]} of '{source.get_node().get_friendly_name()}', which has none such"
        )
    return values[key]


def _output_type(node: Any, index: int) -> TensorType[Any]:
    if isinstance(node, Layer):
        return node.declared(index)
    element = node.get_output_element_type(index).get_type_name()
    return tensor_type(element, sizes_of(node.get_output_partial_shape(index)))


def _attributes(node: Any, cls: type[InferredOp]) -> dict[str, Any]:
    """Of a file they are text, which the properties of the operation give a type."""
    attributes = node.get_attributes()
    return read_as(cls, attributes) if isinstance(node, Layer) else attributes


# --- one operation --------------------------------------------------------------------------


def _import(node: Any, values: Values) -> list[Operation]:
    """The operations for a node, in order; the last one gives its results and has its name."""
    if not _is_of_opset(node):
        raise DiagnosticException(
            "this operation is not supported; it is none of OpenVINO's opsets"
        )
    handler = HANDLERS.get(node.get_type_name(), _generic)
    ops = handler(node, values)
    ops[-1].attributes[NAME] = StringAttr(node.get_friendly_name())
    return ops


def _is_of_opset(node: Any) -> bool:
    version = node.get_type_info().version_id
    return version in OPSETS if isinstance(node, Layer) else version.startswith("opset")


def reads(type: str) -> bool:
    """Whether operations of a type of OpenVINO's opsets are read."""
    return type in PORTS or type in HANDLERS or type.lower() in operation_classes()


@cache
def operation_classes() -> dict[str, type[InferredOp]]:
    """The operations by OpenVINO's names of their types, in small letters: those of files and of nodes differ."""
    return {name.lower(): op for name, op in namesakes("openvino", InferredOp).items()}


def _generic(node: Any, values: Values, outputs: int | None = None) -> list[Operation]:
    """The operation of the same name, with the first `outputs` of the node's outputs."""
    cls = operation_classes().get(node.get_type_name().lower())
    if cls is None:
        raise DiagnosticException(
            f"this operation is not supported: {refusal(node.get_type_name())}"
        )
    operands = [_operand(node, i, values) for i in range(node.get_input_size())]
    if not operands and cls.get_irdl_definition().operands:
        raise DiagnosticException("has no inputs")
    try:
        attributes, operands = normalize(node.get_type_name(), _attributes(node, cls), operands)
    except IndexError:
        raise DiagnosticException(f"has only {len(operands)} inputs") from None
    _check_inputs(cls, operands)
    types = [_output_type(node, i) for i in range(outputs or node.get_output_size())]
    new = [
        v.owner for v in operands if isinstance(v.owner, nn.ConstantOp) and v.owner.parent is None
    ]
    properties = _properties(cls, attributes)
    return [*new, cls.create(operands=operands, result_types=types, properties=properties)]


def _check_inputs(cls: type[InferredOp], operands: Sequence[SSAValue]) -> None:
    """Raises DiagnosticException where an operation has not as many as it needs."""
    definitions = [each for _, each in cls.get_irdl_definition().operands]
    needed = sum(not isinstance(each, VariadicDef) for each in definitions)
    if len(operands) < needed or (len(operands) > needed == len(definitions)):
        raise DiagnosticException(f"has {len(operands)} inputs, and takes {needed}")


def _properties(cls: type[InferredOp], attributes: dict[str, Any]) -> dict[str, Attribute]:
    definitions = cls.get_irdl_definition().properties
    properties = {
        name: definition.default_value
        for name, definition in definitions.items()
        if definition.default_value is not None
    }
    for name, value in attributes.items():
        if name not in definitions:
            raise DiagnosticException(f"attribute {name} = {value!r} is not supported")
        properties[name] = attribute_of(name, value, definitions[name].constr, ELEMENTS)
    for name, definition in definitions.items():
        if name not in properties and not isinstance(definition, OptPropertyDef):
            raise DiagnosticException(f"attribute {name} is missing")
    return properties


# --- operations that are no tensor computation ----------------------------------------------


def _constant(node: Any, values: Values) -> list[Operation]:
    if isinstance(node, Layer):
        return [nn.ConstantOp(node.constant())]
    raw = node.data.reshape(-1).view(np.uint8)
    packed = node.get_element_type().get_type_name() == "u1"
    return [nn.ConstantOp(constant_data(_output_type(node, 0), raw, packed))]


def _inferred(node: Any, values: Values) -> list[Operation]:
    """Before version 5 of NonMaxSuppression and 4 of Proposal there is one output; a shape may say less than ours."""
    cls = operation_classes()[node.get_type_name().lower()]
    operands = [_operand(node, i, values) for i in range(node.get_input_size())]
    _check_inputs(cls, operands)
    return [cls.of(*operands, **_properties(cls, _attributes(node, cls)))]


def _max_pool(node: Any, values: Values) -> list[Operation]:
    """Indices, where something uses them, are an operation of their own."""
    pool = _generic(node, values, outputs=1)
    if node.get_output_size() == 1 or not node.output(1).get_target_inputs():
        return pool
    attributes = node.get_attributes()
    properties = {
        **pool[-1].properties,
        "axis": IntegerAttr(int(attributes.get("axis", 0)), i64),
        "index_element_type": element_named(attributes.get("index_element_type", "i64")),
    }
    indices = nn.MaxPoolIndicesOp.of(pool[-1].operands[0], **properties)
    values[node.get_name(), 1] = indices.result
    return [indices, *pool]


def _broadcast(node: Any, values: Values) -> list[Operation]:
    """`explicit` (`none` in `Broadcast-1`) says where the input's dimensions are; it gets the others, of size 1."""
    if node.get_attributes()["mode"] not in ("explicit", "none"):
        return _generic(node, values)
    if (kept := values.sizes.integers(_operand(node, 2, values), _label(node))) is None:
        raise DiagnosticException(
            "its axes mapping is computed; give it a constant, or use mode 'numpy' behind an Unsqueeze"
        )
    type = _output_type(node, 0)
    rank = len(type.get_shape())
    if list(kept) != sorted(set(kept)) or not set(kept) <= set(range(rank)):
        raise DiagnosticException(
            f"its axes mapping {list(kept)} must be different dimensions of its result, of rank {rank}, in order"
        )
    added = [axis for axis in range(rank) if axis not in kept]
    axes = nn.ConstantOp(BlobAttr.of(TensorType(i64, [len(added)]), added))
    wide = nn.UnsqueezeOp.of(_operand(node, 0, values), axes.result)
    broadcast = nn.BroadcastOp(
        operands=[wide.result, _operand(node, 1, values)], result_types=[type]
    )
    return [axes, wide, broadcast]


def _convert_promote_types(node: Any, values: Values) -> list[Operation]:
    """Both operands in the type that OpenVINO's rules of promotion give."""
    left, right = (
        nn.ConvertOp.of(
            _operand(node, i, values), destination_type=_output_type(node, i).element_type
        )
        for i in range(2)
    )
    values[node.get_name(), 1] = right.result
    return [right, left]


def _einsum(node: Any, values: Values) -> list[Operation]:
    operands = [_operand(node, i, values) for i in range(node.get_input_size())]
    return einsum(node.get_attributes()["equation"], operands)


def _read_value(node: Any, values: Values) -> list[Operation]:
    name, type = node.get_attributes()["variable_id"], _output_type(node, 0)
    if node.get_input_size():
        return [infra.ReadValueOp(name, _operand(node, 0, values), type)]
    # Without an initial value a variable starts as zeros, and empty where its size is unknown.
    sizes = [0 if size == DYNAMIC_INDEX else size for size in type.get_shape()]
    zeros = nn.ConstantOp(BlobAttr.of(TensorType(type.element_type, sizes), 0))
    return [zeros, infra.ReadValueOp(name, zeros, type)]


def _assign(node: Any, values: Values) -> list[Operation]:
    return [infra.AssignOp(node.get_attributes()["variable_id"], _operand(node, 0, values))]


def _tensor_iterator(node: Any, values: Values) -> list[Operation]:
    return [_iterator(infra.TensorIteratorOp, node, values, node.get_body(), [], {})]


def _loop(node: Any, values: Values) -> list[Operation]:
    iteration, condition = node.get_special_body_ports()
    properties: dict[str, Attribute] = {}
    if condition >= 0:
        properties["body_condition"] = IntegerAttr(condition, i64)
    if iteration >= 0:
        properties["current_iteration"] = UnitAttr()
    extra = [iteration] if iteration >= 0 else []
    return [_iterator(infra.LoopOp, node, values, node.get_function(), extra, properties)]


def _iterator(
    cls: type[infra.IteratorOp],
    node: Any,
    values: Values,
    body: Any,
    extra: Sequence[int],
    properties: dict[str, Attribute],
) -> Operation:
    """
    An iterator whose body has an argument for each input description, in their order, and `extra` ones.

    OpenVINO's operands before those of the ports (a Loop's trip count and condition) come first here too.
    """
    inputs = node.get_input_descriptions()
    outputs = sorted(node.get_output_descriptions(), key=lambda port: port.output_index)
    before = node.get_input_size() - len({port.input_index for port in inputs})
    order = [port.body_parameter_index for port in inputs]
    names = [body.get_parameters()[index].get_friendly_name() for index in order]
    block, results = _block(body, values.sizes, values.declared)
    block.add_op(infra.YieldOp(*results))
    types = [block.args[index].type for index in (*order, *extra)]
    _rearrange(block, types, {index: i for i, index in enumerate((*order, *extra))})
    operands = [*range(before), *(port.input_index for port in inputs)]
    return cls.create(
        operands=[_operand(node, index, values) for index in operands],
        result_types=[_output_type(node, i) for i in range(node.get_output_size())],
        properties={
            **properties,
            "inputs": ArrayAttr(map(_input_port, inputs)),
            "outputs": ArrayAttr(map(_output_port, outputs)),
            "body_names": ArrayAttr(map(StringAttr, names)),
        },
        regions=[Region(block)],
    )


def _if(node: Any, values: Values) -> list[Operation]:
    operands = [_operand(node, i, values) for i in range(node.get_input_size())]
    types = [operand.type for operand in operands[1:]]
    bodies: list[Region] = []
    for i in range(2):
        block, results = _block(node.get_function(i), values.sizes, values.declared)
        outputs = sorted(node.get_output_descriptions(i), key=lambda port: port.output_index)
        indices: list[int] = [port.body_value_index for port in outputs]
        block.add_op(infra.YieldOp(*(results[index] for index in indices)))
        inputs = node.get_input_descriptions(i)
        _rearrange(block, types, {p.body_parameter_index: p.input_index - 1 for p in inputs})
        bodies.append(Region(block))
    results = [_output_type(node, i) for i in range(node.get_output_size())]
    return [infra.IfOp.create(operands=operands, result_types=results, regions=bodies)]


def _rearrange(block: Block, types: Sequence[Attribute], position: dict[int, int]) -> None:
    """Gives the block arguments of these types; what was number `i` becomes number `position[i]`."""
    old = list(block.args)
    if not position.keys() == set(range(len(old))):
        raise DiagnosticException("a body needs a port for each of its parameters")
    new = [block.insert_arg(type, len(block.args)) for type in types]
    for i, argument in enumerate(old):
        argument.replace_all_uses_with(new[position[i]])
        block.erase_arg(argument)


def _slicing(port: Any) -> list[IntAttr]:
    """
    OpenVINO counts both borders in, and -1 is the last element; here the upper border is left out,
    and -1 is the end of the dimension.
    """
    forward, start, end = port.stride > 0, port.start, port.end
    if forward:
        start, end = start - (start < 0), end + (end >= 0)
    else:
        start, end = start + (start >= 0), end - (end < 0)
    return [IntAttr(n) for n in (port.axis, start, end, port.stride, port.part_size)]


def _input_port(port: Any) -> infra.PortAttr:
    match port.get_type_info().name:
        case "SliceInputDescription":
            return infra.SlicedAttr(*_slicing(port))
        case "MergedInputDescription":
            return infra.MergedAttr(IntAttr(port.body_value_index))
        case "InvariantInputDescription":
            return infra.InvariantAttr()
        case other:
            raise DiagnosticException(f"input port {other} is not supported")


def _output_port(port: Any) -> infra.PortAttr:
    result = IntAttr(port.body_value_index)
    match port.get_type_info().name:
        case "ConcatOutputDescription":
            return infra.ConcatenatedAttr(result, *_slicing(port))
        case "BodyOutputDescription":
            return infra.IterationAttr(result, IntAttr(port.iteration))
        case other:
            raise DiagnosticException(f"output port {other} is not supported")


HANDLERS: dict[str, Callable[[Any, Values], list[Operation]]] = {
    "Constant": _constant,
    "Broadcast": _broadcast,
    "ConvertPromoteTypes": _convert_promote_types,
    "Einsum": _einsum,
    "MaxPool": _max_pool,
    "NonMaxSuppression": _inferred,
    "Proposal": _inferred,
    "ReadValue": _read_value,
    "Assign": _assign,
    "TensorIterator": _tensor_iterator,
    "Loop": _loop,
    "If": _if,
}
