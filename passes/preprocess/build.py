"""Writing the steps into a model: in front of what reads its inputs, and behind what gives its outputs."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, ModuleOp, TensorType
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.compatible import compatible_shapes
from ...dialects.inferred import shape_of, spelled, tensor
from ...dialects.module import entry_of, names_attribute, port_attributes, port_names
from ...dialects.nn.writer import Writer
from ..errors import DiagnosticError, as_runtime_error, shortened, where
from ..infer_shapes import infer_types_and_states
from .chains import InputInfo, OutputInfo
from .names import NHWC, PLANES, UNKNOWN, ColorFormat, Layout, plane_shapes
from .steps import Stage, Step, Target, finished


def build(
    module: ModuleOp, inputs: Mapping[int, InputInfo], outputs: Mapping[int, OutputInfo]
) -> None:
    """
    Makes the steps part of the model. Raises DiagnosticException where one does not fit; the module may be
    changed then.
    """
    entry = entry_of(module)
    block = entry.body.block
    names = port_names(entry.arg_attrs, len(block.args))
    attributes = port_attributes(entry, "input")
    with as_runtime_error():
        for index in sorted(inputs, reverse=True):
            with where(_called("input", names[index], index)):
                given = _build_input(block, index, names[index], inputs[index])
                attributes[index : index + 1] = names_attribute(given)
        returned = entry.get_return_op()
        assert returned is not None, "an entry of one block returns"
        listed = port_names(entry.res_attrs, len(returned.operands))
        for index, info in outputs.items():
            with where(_called("output", listed[index], index)):
                _build_output(returned, index, info)
        entry.arg_attrs = ArrayAttr(attributes)
        entry.update_function_type()
        infer_types_and_states(module)


def _called(role: str, names: list[str], index: int) -> str:
    return f"{role} '{names[0]}'" if names else f"{role} {index}"


def _build_input(block: Block, index: int, names: list[str], info: InputInfo) -> list[list[str]]:
    """Replaces an input by those that the caller gives. Returns their names."""
    old, given = block.args[index], info.tensor()
    color = given.color
    layout, model = _layouts(info, len(given.shape or shape_of(old)))
    element = given.element or tensor(old).element_type
    shapes = plane_shapes(color, _image_shape(old, info, layout, model), layout)
    planes: list[SSAValue] = [
        block.insert_arg(TensorType(element, shape), index + number)
        for number, shape in enumerate(shapes)
    ]
    first = block.first_op
    assert first is not None, "an entry returns"
    target = Target(tensor(old), model)
    stage = Stage(Writer(InsertPoint.before(first)), tuple(planes), layout, color, target)
    stage = _run(stage, info.preprocess().steps)
    have, want = shape_of(stage.value), shape_of(old)
    if not compatible_shapes(have, want):
        raise DiagnosticError(
            f"preprocessing gives {spelled(have)}, and the model takes {spelled(want)}; resize, crop or pad it"
        )
    old.replace_all_uses_with(stage.value)
    block.erase_arg(old)
    if len(planes) == 1:
        return [names]
    suffixes = given.sub_names or PLANES[color]
    return [[f"{name}/{suffix}" for name in names] for suffix in suffixes]


def _layouts(info: InputInfo, rank: int) -> tuple[Layout, Layout]:
    """The layout of what the caller gives, and the model's. The steps tell the one of them that nobody says."""
    given, model = info.tensor(), info.model().layout
    image = NHWC if given.color is not ColorFormat.UNDEFINED else UNKNOWN
    layout = image if given.layout is None else given.layout
    if not layout.is_known:
        layout = model
        for order in _backwards(info, rank):
            layout = layout.moved(order)
    elif not model.is_known:
        model = layout
        for move in info.preprocess().moves:
            model = move if isinstance(move, Layout) else model.moved(move)
    return layout, model


def _backwards(info: InputInfo, rank: int) -> list[list[int]]:
    """The orders that undo those of the steps, the last one first."""
    orders = [move for move in info.preprocess().moves if isinstance(move, list)]
    if any(sorted(order) != list(range(rank)) for order in orders):
        return []  # a step refuses it
    return [[order.index(place) for place in range(rank)] for order in reversed(orders)]


def _image_shape(old: SSAValue, info: InputInfo, layout: Layout, model: Layout) -> list[int]:
    """The shape of what the caller gives, before it is divided into planes."""
    given, shape = info.tensor(), list(shape_of(old))
    if given.shape is not None:
        shape = [DYNAMIC_INDEX if size < 0 else size for size in given.shape]
    elif layout.is_known and model.is_known:
        if (order := model.order_to(layout, len(shape))) is not None:
            shape = [shape[place] for place in order]
    else:
        for order in _backwards(info, len(shape)):
            shape = [shape[place] for place in order]
    if given.size is not None:
        for name, size in zip("HW", given.size, strict=True):
            shape[layout.index(name, len(shape))] = DYNAMIC_INDEX if size < 0 else size
    return shape


def _build_output(returned: func.ReturnOp, index: int, info: OutputInfo) -> None:
    """Without a type or a layout that the caller wants, what the steps make is what the caller gets."""
    value, wanted = returned.operands[index], info.tensor()
    element = wanted.element or tensor(value).element_type
    target = Target(TensorType(element, shape_of(value)), wanted.layout or UNKNOWN)
    write = Writer(InsertPoint.before(returned))
    stage = Stage(write, (value,), info.model().layout, ColorFormat.UNDEFINED, target)
    stage = _run(stage, info.postprocess().steps, to_type=wanted.element is not None)
    returned.operands[index] = stage.value


def _run(stage: Stage, steps: list[tuple[str, Step]], to_type: bool = True) -> Stage:
    for name, step in steps:
        with where(shortened(name)):
            stage = step(stage)
    return finished(stage, to_type)
