"""An OpenVINO model as a module: its nodes in order (`nodes`, `special_nodes`), and loops and branches."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
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
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra
from ...dialects.inferred import NAME, InferredOp, shape_of, tensor
from ...dialects.module import names_attribute
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...dialects.verification import verify
from ...dialects.walk import all_operations, block_operations
from ...passes.erase_unused import is_dead
from ...passes.folding_writer import settled
from ...passes.shapes.limits import set_limits
from ...passes.shapes.partial_shape import PartialShape
from ...passes.shapes.read_sizes import ReadSizes
from ..mlir import SourceError
from ..rt_info import NOTES, attribute_of
from .ir_file import OPSETS, IrModel, Layer
from .nodes import Values, label_of, namesake, operand, operands_of, operation_classes, output_type
from .special_nodes import SPECIAL

if TYPE_CHECKING:
    import openvino

PORTS = ("Parameter", "Result")
"""What becomes the inputs and outputs of a model or body."""

NUMBERED = re.compile(r"Model\d+")
"""What OpenVINO calls models without a name, and writes so."""

OF_THE_FILE = ("OpenVINO Runtime", "version")
"""Notes of OpenVINO's about the file that it wrote or read."""


def module_of(model: openvino.Model | IrModel, declared: bool = True) -> ModuleOp:
    """
    The model, with entry `@main`; its results have the types that are `declared`, or else those that follow.

    Raises DiagnosticException, naming the operation, where it cannot be said here.
    """
    parameters = cast(Sequence[Any], model.get_parameters())
    sizes = ReadSizes()
    block, results = _block(model, sizes, declared)
    block.add_op(func.ReturnOp.create(operands=results))
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
    for number, node in enumerate(parameters):
        set_limits(entry, number, _declared_shape(node))
    name = model.get_friendly_name()
    is_given = name and not NUMBERED.fullmatch(name)
    module = ModuleOp([*_variables(entry), entry], sym_name=StringAttr(name) if is_given else None)
    _note(module, model.get_rt_info())
    sizes.note(module)
    verify(module)
    return module


def _declared_shape(parameter: Any) -> PartialShape:
    """The shape that a Parameter declares, with limits."""
    if isinstance(parameter, Layer):
        return PartialShape(parameter.data.get("shape", ""))
    return PartialShape(list(parameter.get_partial_shape()))


def _note(module: ModuleOp, noted: Mapping[str, Any]) -> None:
    """Gives a module what tools noted of the model."""
    if notes := {name: _plain(each) for name, each in noted.items() if name not in OF_THE_FILE}:
        module.attributes[NOTES] = attribute_of(notes)


def _plain(note: Any) -> Any:
    """The value of a note, of OpenVINO's or of a file."""
    if isinstance(note, Mapping):
        members = cast("Mapping[str, Any]", note)
        return {name: _plain(each) for name, each in members.items()}
    return getattr(note, "value", note)


def _variables(entry: func.FuncOp) -> list[infra.VariableOp]:
    """Declares what is read and assigned; OpenVINO's own declarations can leave the type open."""
    types: dict[str, TensorType[Any]] = {}
    operations = all_operations(entry)
    for op in operations:
        if isinstance(op, infra.ReadValueOp):
            types.setdefault(op.variable.string_value(), tensor(op.result))
    for op in operations:
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
    model: openvino.Model | IrModel, sizes: ReadSizes, declared: bool
) -> tuple[Block, list[SSAValue]]:
    """A block without its terminator, an argument for each parameter, and the results' values."""
    parameters, values = cast(Sequence[Any], model.get_parameters()), Values(sizes, declared)
    block = Block(arg_types=[_within(output_type, node, label_of(node), 0) for node in parameters])
    for node, argument in zip(parameters, block.args, strict=True):
        values[node.get_name(), 0] = argument
    for node in model.get_ordered_ops():
        if node.get_type_name() in PORTS:
            continue
        ops = _within(_import, node, label_of(node), values)
        if not declared:
            values.replace(node, _infer(ops, sizes))
        block.add_ops(ops)
        # An Assign gives what it assigns.
        for index, result in enumerate(ops[-1].results or [operand(node, 0, values)]):
            values[node.get_name(), index] = result
        values.replace(node, _settled(ops, sizes))
    results = [operand(node, 0, values) for node in model.get_results()]
    _erase_unused(block, results)
    return block, results


def _infer(ops: Sequence[Operation], sizes: ReadSizes) -> dict[SSAValue, SSAValue]:
    """Gives results the types that follow from operands, not those that a file declares. By old results, the new."""
    found: dict[SSAValue, SSAValue] = {}
    for op in ops:
        if isinstance(op, InferredOp):
            for result, type in zip(op.results, op.infer_types(sizes.known), strict=False):
                found[result] = Rewriter.replace_value_with_new_type(result, type)
    return found


def _settled(ops: Sequence[Operation], sizes: ReadSizes) -> dict[SSAValue, SSAValue]:
    """Results that follow from constants become constants. By results, what takes their place."""
    found: dict[SSAValue, SSAValue] = {}
    for op in ops:
        if isinstance(op, InferredOp) and not op.regions:
            found.update(zip(list(op.results), settled(op, sizes), strict=True))
    return found


def _erase_unused(block: Block, results: Sequence[SSAValue]) -> None:
    """Erases what only operations have read that became constants."""
    for op in reversed(block_operations(block)):
        if is_dead(op) and not any(each in results for each in op.results):
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


# --- one operation --------------------------------------------------------------------------


def _import(node: Any, values: Values) -> list[Operation]:
    """The operations for a node, in order; the last one gives its results and has its name."""
    if not _is_of_opset(node):
        raise DiagnosticException(
            "this operation is not supported; it is none of OpenVINO's opsets"
        )
    handler = HANDLERS.get(node.get_type_name(), namesake)
    ops = handler(node, values)
    ops[-1].attributes[NAME] = StringAttr(node.get_friendly_name())
    return ops


def _is_of_opset(node: Any) -> bool:
    version = node.get_type_info().version_id
    return version in OPSETS if isinstance(node, Layer) else version.startswith("opset")


def reads(type: str) -> bool:
    """Whether operations of a type of OpenVINO's opsets are read."""
    return type in PORTS or type in HANDLERS or type.lower() in operation_classes()


# --- operations that have bodies ------------------------------------------------------------


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
        operands=[operand(node, index, values) for index in operands],
        result_types=[output_type(node, i) for i in range(node.get_output_size())],
        properties={
            **properties,
            "inputs": ArrayAttr(map(_input_port, inputs)),
            "outputs": ArrayAttr(map(_output_port, outputs)),
            "body_names": ArrayAttr(map(StringAttr, names)),
        },
        regions=[Region(block)],
    )


def _if(node: Any, values: Values) -> list[Operation]:
    operands = operands_of(node, values)
    types = [each.type for each in operands[1:]]
    result_types = [output_type(node, i) for i in range(node.get_output_size())]
    bodies: list[Region] = []
    for i in range(2):
        block, results = _block(node.get_function(i), values.sizes, values.declared)
        outputs = sorted(node.get_output_descriptions(i), key=lambda port: port.output_index)
        given: list[SSAValue] = [results[port.body_value_index] for port in outputs]
        given = [_of_rank(block, *pair) for pair in zip(given, result_types, strict=True)]
        block.add_op(infra.YieldOp(*given))
        inputs = node.get_input_descriptions(i)
        _rearrange(block, types, {p.body_parameter_index: p.input_index - 1 for p in inputs})
        bodies.append(Region(block))
    return [infra.IfOp.create(operands=operands, result_types=result_types, regions=bodies)]


def _of_rank(block: Block, value: SSAValue, result: TensorType[Any]) -> SSAValue:
    """What a body gives: where the other one gives a vector, OpenVINO takes a scalar for a vector of one element."""
    if shape_of(value) or result.get_num_dims() != 1:
        return value
    return Writer(InsertPoint.at_end(block)).reshaped(value, (1,))


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
    **SPECIAL,
    "TensorIterator": _tensor_iterator,
    "Loop": _loop,
    "If": _if,
}
