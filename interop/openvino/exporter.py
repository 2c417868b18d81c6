"""
A module as an OpenVINO model, the way back from `graph.py`.

Most operations need no line here: an operation is written as its namesake, its properties as attributes of the
same names. What OpenVINO says otherwise has a handler in `_HANDLERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import openvino
from openvino.utils.node_factory import NodeFactory
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ModuleOp,
    TensorType,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, nn, qnn
from ...dialects.blob import BlobAttr
from ...dialects.elements import is_integer
from ...dialects.inferred import friendly_name, label, shape_of, tensor
from ...dialects.module import entry_of, port_names
from ...dialects.names import SPELLED, names_of
from ...dialects.nn.derived import DerivedOp
from ...dialects.walk import all_operations
from ...passes.decompose_ops import decompose_all
from ...passes.expand_column_scales import expand_column_scales, has_column_scales
from ...passes.expand_zero_points import expand_zero_points, has_zero_point
from ...passes.shapes.limits import limited_shape
from ...reference.arrays import Array, array_of, blob_of
from ..following import SCALE, Following
from ..rt_info import NOTES, notes_of
from .attributes import attributes_of
from .elements import name_of
from .one_interval import one_interval

OLDEST_OPSET = 16
"""
The newest opset that is complete. Operations are written in the newest version that it has; newer operations, in the
opset that added them.
"""

OPSET = f"opset{OLDEST_OPSET}"

NEWEST = {"Reverse": "opset1"}
"""The newest opset of types that later opsets dropped."""

Handler = Callable[["_Exporter", Any], Sequence[Any]]


def exported(module: ModuleOp) -> openvino.Model:
    """
    A module as a model. Inputs, outputs and states keep their names. A state that nothing reads is left out, since
    OpenVINO reads no file with one.

    Raises DiagnosticException, naming the operation, for what OpenVINO cannot express.
    """
    if any(map(has_column_scales, all_operations(module))):
        expand_column_scales(module := module.clone())
    if any(map(has_zero_point, all_operations(module))):
        expand_zero_points(module := module.clone())
    if any(map(_is_unknown, all_operations(module))):
        decompose_all(all_operations(module := module.clone()), _is_unknown)
    others = [op for op in module.ops if not isinstance(op, infra.VariableOp)]
    entry = entry_of(module)
    if others != [entry]:
        other = next(op for op in others if op is not entry)
        raise DiagnosticException(f"{label(other)}: OpenVINO has no functions; inline them first")
    read = {
        op.variable.string_value()
        for op in all_operations(module)
        if isinstance(op, infra.ReadValueOp)
    }
    variables = {
        op.sym_name.data: _variable(op.sym_name.data, op.type)
        for op in module.ops
        if isinstance(op, infra.VariableOp) and op.sym_name.data in read
    }
    exporter = _Exporter(variables)
    inputs = port_names(entry.arg_attrs, len(entry.args))
    model = exporter.model(entry.body.block, [next(iter(names), "") for names in inputs])
    for names, node in zip(inputs, cast(Sequence[Any], model.get_parameters()), strict=True):
        node.output(0).set_names(set(names))
    _limit_inputs(model, entry)
    outputs = port_names(entry.res_attrs, len(entry.function_type.outputs))
    _name_outputs(model.get_results(), outputs, model.get_parameters())
    if module.sym_name is not None:
        model.set_friendly_name(module.sym_name.data)
    for name, note in notes_of(module.attributes.get(NOTES)).items():
        model.set_rt_info(note, name)
    return model


def _limit_inputs(model: Any, entry: func.FuncOp) -> None:
    """Gives parameters the limits of their inputs, which other types of the model then follow."""
    for number, parameter in enumerate(model.get_parameters()):
        if (shape := limited_shape(entry, number)).has_limits:
            parameter.set_partial_shape(openvino.PartialShape(shape.to_string()))
    model.validate_nodes_and_infer_types()


def _is_unknown(op: Operation) -> bool:
    """Whether a derived operation is none of OpenVINO's."""
    return (
        isinstance(op, DerivedOp)
        and not names_of(type(op)).openvino
        and not isinstance(op, tuple(_HANDLERS))
    )


def _name_outputs(
    results: Sequence[Any], names: Sequence[Sequence[str]], inputs: Sequence[Any]
) -> None:
    """Names the results. A value that is an input as well, or another result, is copied to have names of its own."""
    named = {node.output(0) for node in inputs}
    for result, listed in zip(results, names, strict=True):
        source = result.input_value(0)
        if source in named:
            source = _create("Identity", source)
            result.input(0).replace_source_output(source)
        named.add(source)
        result.output(0).set_names(set(listed))


def node_of(op: Operation, inputs: Sequence[Any]) -> Any:
    """
    OpenVINO's node of the type that an operation is known as. Raises DiagnosticException where there is none
    or OpenVINO refuses it.
    """
    listed = names_of(type(op)).openvino.partition(" ")[0]
    if not listed:
        raise DiagnosticException(
            f"{label(op)}: OpenVINO has no such operation; write the model as .mlir"
        )
    kind, _, version = listed.partition("-")
    newest = NEWEST.get(kind, f"opset{max(int(version), OLDEST_OPSET)}")
    attributes = attributes_of(op)
    if isinstance(op, nn.ForwardConvolution):
        attributes.pop("pad_value", None)  # `Following` says what it means
    try:
        return NodeFactory(newest).create(SPELLED.get(kind, kind), list(inputs), attributes)
    except RuntimeError as error:
        why = [line.strip() for line in str(error).splitlines() if line.strip()][-1]
        raise DiagnosticException(f"{label(op)}: OpenVINO refuses it: {why}") from None


def _type(element: Attribute) -> openvino.Type:
    return getattr(openvino.Type, name_of(element))


def _shape(type: TensorType[Any]) -> openvino.PartialShape:
    return openvino.PartialShape([-1 if n == DYNAMIC_INDEX else n for n in type.get_shape()])


def _variable(name: str, type: TensorType[Any]) -> Any:
    info: Any = cast(Any, openvino.op).util.VariableInfo()
    info.data_shape, info.data_type, info.variable_id = _shape(type), _type(type.element_type), name
    return cast(Any, openvino.op).util.Variable(info)


def constant_of(value: BlobAttr) -> Any:
    """A Constant node of these elements."""
    element = value.type.element_type
    if element == i1:
        return openvino.op.Constant(array_of(value))
    filled = openvino.Tensor(_type(element), openvino.Shape(list(value.type.get_shape())))
    raw: Any = filled.data
    raw.reshape(-1).view(np.uint8)[...] = np.frombuffer(memoryview(value.data.expanded()), np.uint8)
    return openvino.op.Constant(filled)


class _Exporter:
    """Writes blocks. The values of a block are outputs of nodes."""

    def __init__(self, variables: dict[str, Any]):
        self.variables = variables
        self.values: dict[SSAValue, Any] = {}
        self.written: set[Operation] = set()
        """Operations that another one's node stands for."""

    def model(self, block: Block, names: Sequence[str], more: Sequence[Any] = ()) -> Any:
        """
        A model of a block: a parameter for each argument, a result for each value that its terminator takes and
        for those of `more`.
        """
        parameters: list[Any] = []
        for argument, name in zip(block.args, names, strict=True):
            type = tensor(argument)
            node: Any = openvino.op.Parameter(_type(type.element_type), _shape(type))
            if name:
                node.set_friendly_name(name)
            parameters.append(node)
            self.values[argument] = node.output(0)
        sinks: list[Any] = []
        for op in block.ops:
            if isinstance(op, func.ReturnOp | infra.YieldOp) or op in self.written:
                continue
            if isinstance(op, infra.AssignOp) and op.variable.string_value() not in self.variables:
                continue
            outputs = self._write(op)
            if isinstance(op, infra.AssignOp):
                sinks += [outputs[0].get_node()]
            else:
                self.values.update(zip(op.results, outputs, strict=False))
        assert block.last_op is not None
        given = [self.values[value] for value in block.last_op.operands]
        results = [openvino.op.Result(value) for value in (*given, *(m.output(0) for m in more))]
        build: Any = openvino.Model
        return build(results, sinks, parameters, "lowstream")

    def inputs(self, op: Operation) -> list[Any]:
        """The nodes' outputs that an operation takes."""
        return [self.values[operand] for operand in op.operands]

    def _write(self, op: Operation) -> Sequence[Any]:
        handler = next((h for kind, h in _HANDLERS.items() if isinstance(op, kind)), None)
        outputs = handler(self, op) if handler else node_of(op, self.inputs(op)).outputs()
        if outputs and (name := friendly_name(op)):
            outputs[0].get_node().set_friendly_name(name)
        return outputs


def _create(type: str, *inputs: Any, **attributes: object) -> Any:
    return NodeFactory(OPSET).create(type, list(inputs), attributes).output(0)


# --- what OpenVINO says otherwise -----------------------------------------------------------


def _constant(exporter: _Exporter, op: nn.ConstantOp) -> Sequence[Any]:
    return [constant_of(op.value).output(0)]


def _binary_convolution(exporter: _Exporter, op: nn.BinaryConvolutionOp) -> Sequence[Any]:
    """Its filters are a constant of single bits."""
    if (filters := nn.constant_of(op.filters)) is None:
        raise DiagnosticException(f"{label(op)}: its filters are computed; OpenVINO has constants")
    bits = np.packbits(array_of(filters).reshape(-1), bitorder="little")
    packed = openvino.Tensor(bits, openvino.Shape(list(shape_of(op.filters))), openvino.Type.u1)
    filters = openvino.op.Constant(packed).output(0)
    return node_of(op, [exporter.inputs(op)[0], filters]).outputs()


def _max_pool_indices(exporter: _Exporter, op: nn.MaxPoolIndicesOp) -> Sequence[Any]:
    """The second output of a MaxPool node, which also gives the values."""
    node = NodeFactory(OPSET).create("MaxPool", list(exporter.inputs(op)), attributes_of(op))
    return [node.output(1)]


def _dequantize(exporter: _Exporter, op: qnn.DequantizeOp) -> Sequence[Any]:
    """Convert, Subtract and Multiply, as in models that other tools have quantized."""
    real = name_of(op.scale.type.element_type)
    value = _create("Convert", *exporter.inputs(op), destination_type=real)
    if op.zero_point is not None:
        shift = _create("Convert", constant_of(op.zero_point).output(0), destination_type=real)
        value = _create("Subtract", value, shift)
    value = _create("Multiply", value, constant_of(op.scale).output(0))
    if op.output_type is not None and op.output_type != op.scale.type.element_type:
        value = _create("Convert", value, destination_type=name_of(op.output_type))
    return [value]


def _fake_quantize(exporter: _Exporter, op: qnn.FakeQuantizeOp) -> Sequence[Any]:
    """A FakeQuantize whose results are codes is followed by a Convert to these."""
    data, *limits = exporter.inputs(op)
    if (found := one_interval(op)) is not None:
        factor, ends = found
        element = tensor(op.input).element_type
        data = _create("Multiply", data, constant_of(blob_of(factor, element)).output(0))
        limits[:2] = [constant_of(blob_of(end, element)).output(0) for end in ends]
    value = _create("FakeQuantize", data, *limits, levels=op.levels.value.data)
    if op.output_type is not None:
        value = _create("Convert", value, destination_type=name_of(op.output_type))
    return [value]


def _product(exporter: _Exporter, op: Operation) -> Sequence[Any]:
    """
    `product(q, w) = product((q - z) * a, w * (s / a))` where the operations behind it subtract `z` and multiply by `s`.
    OpenVINO multiplies codes only inside of its plugins, which look for this form. Otherwise `s` is 1, and `product(z,
    w)` of the code it is padded with is added.
    """
    if not is_integer(tensor(op.operands[0]).element_type):
        return node_of(op, exporter.inputs(op)).outputs()
    following = Following.of(op)
    data, weights, *rest = exporter.inputs(op)
    data = _create("Convert", data, destination_type="f32")
    if following.zero_point:
        data = _create("Subtract", data, _number(data, following.zero_point))
    data = _create("Multiply", data, _number(data, SCALE))
    node = node_of(op, [data, _scaled(op, weights, following.scales / SCALE), *rest])
    value = node.output(0)
    if following.last is not op:
        exporter.values[following.last.results[0]] = value
        exporter.written.update(following.ops)
        return []
    if following.zero_point:
        shift = following.of_zero_point(op).astype(np.float32)
        value = _create("Add", value, openvino.op.Constant(shift).output(0))
    element = tensor(op.results[0]).element_type
    return [_create("Convert", value, destination_type=name_of(element))]


def _scaled(op: Operation, weights: Any, scales: Array) -> Any:
    """
    Weights as codes times a scale for each output channel. For groups, OpenVINO looks for a constant without that
    dimension, which is reshaped.
    """
    shape = shape_of(op.operands[1])
    is_grouped = isinstance(op, nn.GroupConvolutionOp)
    codes = nn.constant_of(op.operands[1]) if is_grouped else None
    if codes is not None:
        outputs = shape[0] * shape[1]
        flat = TensorType(codes.type.element_type, [outputs, *shape[2:]])
        weights = constant_of(BlobAttr(replace(codes.data, type=flat))).output(0)
    elif is_grouped and scales.size > 1:
        scales = scales.reshape([shape[0], -1, *[1] * (len(shape) - 2)])
    value = _create("Convert", weights, destination_type="f32")
    if scales.size == 1:
        scales = scales.reshape([1] * len(value.get_partial_shape()))
    value = _create("Multiply", value, openvino.op.Constant(scales.astype(np.float32)).output(0))
    return (
        _create("Reshape", value, _sizes(*shape), special_zero=False)
        if codes is not None
        else value
    )


def _sizes(*sizes: int) -> Any:
    return openvino.op.Constant(np.array(sizes, np.int64)).output(0)


def _number(value: Any, number: float) -> Any:
    """A number in the rank of a value."""
    shape = [1] * len(value.get_partial_shape())
    return openvino.op.Constant(np.full(shape, number, np.float32)).output(0)


def _read_value(exporter: _Exporter, op: infra.ReadValueOp) -> Sequence[Any]:
    read: Any = cast(Any, openvino.op).read_value
    return read(*exporter.inputs(op), exporter.variables[op.variable.string_value()]).outputs()


def _assign(exporter: _Exporter, op: infra.AssignOp) -> Sequence[Any]:
    """
    The API makes an Assign only for a node of one output, so a Parameter stands in for the operand until it is made.
    """
    (value,) = exporter.inputs(op)
    single = openvino.op.Parameter(value.get_element_type(), value.get_partial_shape())
    assign: Any = cast(Any, openvino.op).assign
    node = assign(single, exporter.variables[op.variable.string_value()])
    node.input(0).replace_source_output(value)
    return node.outputs()


def _tensor_iterator(exporter: _Exporter, op: infra.TensorIteratorOp) -> Sequence[Any]:
    return _iterated(exporter, op, cast(Any, openvino.op).tensor_iterator(), [])


def _loop(exporter: _Exporter, op: infra.LoopOp) -> Sequence[Any]:
    """A Loop. OpenVINO's body always has a condition, so a body without one gets a constant that holds."""
    trip, condition = exporter.inputs(op)[:2]
    node = cast(Any, openvino.op).loop(trip, condition)
    holds = [] if op.body_condition is not None else [openvino.op.Constant(np.array(True))]
    number = len(op.yielded) if op.body_condition is None else op.body_condition.value.data
    iteration = len(op.inputs) if op.current_iteration is not None else -1
    return _iterated(exporter, op, node, holds, [iteration, number])


def _iterated(
    exporter: _Exporter,
    op: infra.IteratorOp,
    node: Any,
    more: Sequence[Any],
    special: Sequence[int] | None = None,
) -> Sequence[Any]:
    """The node of an iterator with its ports. `more` are results of the body beside those that it yields."""
    names = [*(name.data for name in op.body_names), *[""] * op.extra_arguments]
    body = exporter.model(op.body.block, names, more)
    node.set_function(body)
    if special is not None:
        node.set_special_body_ports(list(special))
    results: list[Any] = [result.output(0) for result in body.get_results()]
    given = exporter.inputs(op)[op.first_operand :]
    for port, parameter, value, operand in zip(
        op.inputs, body.get_parameters(), given, op.operands_, strict=False
    ):
        match port:
            case infra.SlicedAttr():
                node.set_sliced_input(parameter, value, *_slicing(port.slicing, operand))
            case infra.MergedAttr():
                node.set_merged_input(parameter, value, results[port.result.data])
            case _:
                node.set_invariant_input(parameter, value)
    outputs: list[Any] = []
    for port, result in zip(op.outputs, op.results, strict=True):
        if isinstance(port, infra.ConcatenatedAttr):
            cut = _slicing(port.slicing, result)
            outputs.append(node.get_concatenated_slices(results[port.result.data], *cut))
        else:
            assert isinstance(port, infra.IterationAttr)
            outputs.append(node.get_iter_value(results[port.result.data], port.iteration.data))
    return outputs


def _slicing(cut: infra.Slicing, value: SSAValue) -> tuple[int, ...]:
    """
    Start, stride, part size, end and axis as OpenVINO has them: both borders are included, and -1 is the last element.
    OpenVINO is inconsistent where the last element is given by its index from the front, so it is always -1 here.
    """
    size = shape_of(value)[cut.axis]
    start, end = (-1 if border == size else border for border in (cut.start, cut.end))
    if cut.stride > 0:
        start, end = start + (start < 0), end - (end >= 0)
    else:
        start, end = start - (start >= 0), end + (end < 0)
    return start, cut.stride, cut.part_size, end, cut.axis


def _if(exporter: _Exporter, op: infra.IfOp) -> Sequence[Any]:
    condition, *given = exporter.inputs(op)
    node = cast(Any, openvino.op).if_op(condition)
    bodies = [exporter.model(body, [""] * len(body.args)) for body in op.bodies]
    node.set_then_body(bodies[0])
    node.set_else_body(bodies[1])
    for value, *parameters in zip(given, *(b.get_parameters() for b in bodies), strict=True):
        node.set_input(value, *parameters)
    pairs = zip(*(body.get_results() for body in bodies), strict=True)
    return [node.set_output(*pair) for pair in pairs]


_HANDLERS: dict[type[Operation], Handler] = {
    nn.ConstantOp: _constant,
    nn.MatMulOp: _product,
    nn.ConvolutionBase: _product,
    nn.BinaryConvolutionOp: _binary_convolution,
    nn.MaxPoolIndicesOp: _max_pool_indices,
    qnn.DequantizeOp: _dequantize,
    qnn.FakeQuantizeOp: _fake_quantize,
    infra.ReadValueOp: _read_value,
    infra.AssignOp: _assign,
    infra.TensorIteratorOp: _tensor_iterator,
    infra.LoopOp: _loop,
    infra.IfOp: _if,
}
