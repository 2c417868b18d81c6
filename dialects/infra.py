"""`infra`: states (`variable`, `read_value`, `assign`) and iteration (`tensor_iterator`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    IntAttr,
    ModuleOp,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    TensorType,
)
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    IsTerminator,
    SymbolOpInterface,
    MemoryReadEffect,
    MemoryWriteEffect,
    RecursiveMemoryEffect,
)
from xdsl.utils.exceptions import VerifyException

from .inferred import Constants, InferredOp, compatible, label, normalize_axis, shape_of, tensor

# --- states ---------------------------------------------------------------------------------


@irdl_op_definition
class VariableOp(IRDLOperation):
    """
    Declares a state of the model: its id and its type. Reads and assigns refer to it.

        infra.variable @"TI/H_t/variable_1" : tensor<1x128xf32>
    """

    name = "infra.variable"

    sym_name = prop_def(SymbolNameConstraint())
    type = prop_def(TensorType)

    traits = traits_def(SymbolOpInterface())
    assembly_format = "$sym_name attr-dict `:` $type"

    def __init__(self, name: str, type: TensorType[Any]):
        super().__init__(properties={"sym_name": StringAttr(name), "type": type})


def variables_of(op: Operation) -> dict[str, VariableOp]:
    """The variables of the module around `op`, by id."""
    module = op
    while not isinstance(module, ModuleOp):
        if (parent := module.parent_op()) is None:
            return {}
        module = parent
    return {v.sym_name.data: v for v in module.ops if isinstance(v, VariableOp)}


def _verify_use(op: Operation, name: str, type: Attribute) -> None:
    variable = variables_of(op).get(name)
    if variable is None:
        raise VerifyException(f"{label(op)}: variable '{name}' is not declared in this module")
    if not compatible(type, variable.type):
        raise VerifyException(
            f"{label(op)}: has type {type}, variable '{name}' is declared as {variable.type}"
        )


@irdl_op_definition
class ReadValueOp(IRDLOperation):
    """
    The variable's value when the call (inside a body: the iteration) began, or `init` while the variable is
    unset or after a reset (OpenVINO `ReadValue-6`).

        %h = infra.read_value @"TI/H_t/variable_1", %zero : tensor<1x128xf32>
    """

    name = "infra.read_value"

    variable = prop_def(SymbolRefAttr)
    init = operand_def(TensorType)
    result = result_def(TensorType)

    traits = traits_def(MemoryReadEffect())
    assembly_format = "$variable `,` $init attr-dict `:` type($init) `->` type($result)"

    def __init__(self, variable: str, init: SSAValue | Operation, type: TensorType[Any]):
        super().__init__(
            operands=[init],
            properties={"variable": SymbolRefAttr(variable)},
            result_types=[type],
        )

    def verify_(self) -> None:
        _verify_use(self, self.variable.string_value(), self.result.type)
        if not compatible(self.init.type, self.result.type):
            raise VerifyException(
                f"{label(self)}: init has type {self.init.type}, the result {self.result.type}"
            )


@irdl_op_definition
class AssignOp(IRDLOperation):
    """
    Sets the variable for the next call; all assigns of a call commit together when it succeeds
    (OpenVINO `Assign-6`).

        infra.assign @"TI/H_t/variable_1", %h : tensor<1x128xf32>
    """

    name = "infra.assign"

    variable = prop_def(SymbolRefAttr)
    value = operand_def(TensorType)

    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$variable `,` $value attr-dict `:` type($value)"

    def __init__(self, variable: str, value: SSAValue | Operation):
        super().__init__(operands=[value], properties={"variable": SymbolRefAttr(variable)})

    def verify_(self) -> None:
        _verify_use(self, self.variable.string_value(), self.value.type)


# --- iteration ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Slicing:
    """Where an iteration finds its part of a tensor: `part_size` elements along `axis`, `stride` further
    each time, from `start` to `end` (both may count from the back; a negative stride goes backward)."""

    axis: int
    start: int
    end: int
    stride: int
    part_size: int

    def iterations(self, size: int) -> int:
        """How many parts a dimension of `size` holds; negative limits count from its end."""
        start = self.start + size + 1 if self.start < 0 else self.start
        end = self.end + size + 1 if self.end < 0 else self.end
        return abs(end - start) // abs(self.stride)

    def begin(self, size: int, iteration: int) -> int:
        """The first index of the part of this iteration."""
        start = self.start + size + 1 if self.start < 0 else self.start
        if self.stride < 0:
            return start + (iteration + 1) * self.stride
        return start + iteration * self.stride


class PortAttr(ParametrizedAttribute):
    """How one operand or result of an iterator takes part in the iterations."""


class _FieldsPort(PortAttr):
    """A port whose text is `<name = value, …>`, one for each parameter."""

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            for i, (name, value) in enumerate(zip(self._names(), self.parameters, strict=True)):
                assert isinstance(value, IntAttr)
                printer.print_string(f"{', ' if i else ''}{name} = {value.data}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        values: list[IntAttr] = []
        with parser.in_angle_brackets():
            for i, name in enumerate(cls._names()):
                if i:
                    parser.parse_punctuation(",")
                parser.parse_keyword(name)
                parser.parse_punctuation("=")
                values.append(IntAttr(parser.parse_integer()))
        return values

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name, _ in cls.get_irdl_definition().parameters]


@irdl_attr_definition
class SlicedAttr(_FieldsPort):
    """The operand is cut along `axis`; each iteration takes its part."""

    name = "infra.sliced"

    axis: IntAttr
    start: IntAttr
    end: IntAttr
    stride: IntAttr
    part_size: IntAttr

    @property
    def slicing(self) -> Slicing:
        """The parameters as numbers."""
        return Slicing(
            self.axis.data, self.start.data, self.end.data, self.stride.data, self.part_size.data
        )


@irdl_attr_definition
class MergedAttr(_FieldsPort):
    """The operand in the first iteration, the body's result number `result` in the later ones."""

    name = "infra.merged"

    result: IntAttr


@irdl_attr_definition
class InvariantAttr(PortAttr):
    """The same operand in every iteration."""

    name = "infra.invariant"


@irdl_attr_definition
class ConcatenatedAttr(_FieldsPort):
    """The body's result number `result` of all iterations, put together along `axis`."""

    name = "infra.concatenated"

    result: IntAttr
    axis: IntAttr
    start: IntAttr
    end: IntAttr
    stride: IntAttr
    part_size: IntAttr

    @property
    def slicing(self) -> Slicing:
        """The parameters as numbers."""
        return Slicing(
            self.axis.data, self.start.data, self.end.data, self.stride.data, self.part_size.data
        )


@irdl_attr_definition
class IterationAttr(_FieldsPort):
    """The body's result number `result` of one `iteration`; -1 is the last."""

    name = "infra.iteration"

    result: IntAttr
    iteration: IntAttr


@irdl_op_definition
class YieldOp(IRDLOperation):
    """
    Ends a body and gives its results.

        infra.yield %y, %h : tensor<1x1x8xf32>, tensor<1x8xf32>
    """

    name = "infra.yield"

    values = var_operand_def(TensorType)

    traits = traits_def(IsTerminator())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue | Operation):
        super().__init__(operands=[values])


@irdl_op_definition
class TensorIteratorOp(InferredOp):
    """
    Runs its body once for each part of the sliced operands (OpenVINO `TensorIterator-1`).

    `inputs` has one port for each operand and body argument, in the source's order; `outputs` one for each
    result; `body_names` the friendly names of the body's parameters.

        %y = infra.tensor_iterator %x, %h0 inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 1>]
            outputs [#infra.concatenated<result = 0, axis = 1, …>] body_names ["X_t", "H_t"] : (…) -> (…) {
        ^bb0(%x_t: tensor<1x1x4xf32>, %h: tensor<1x8xf32>):
          …
          infra.yield %y_t, %h_next : tensor<1x1x8xf32>, tensor<1x8xf32>
        }
    """

    name = "infra.tensor_iterator"

    operands_ = var_operand_def(TensorType)
    results_ = var_result_def(TensorType)
    inputs = prop_def(ArrayAttr[PortAttr])
    outputs = prop_def(ArrayAttr[PortAttr])
    body_names = prop_def(ArrayAttr[StringAttr])
    body = region_def("single_block")

    traits = traits_def(IsolatedFromAbove(), RecursiveMemoryEffect())
    assembly_format = (
        "$operands_ `inputs` $inputs `outputs` $outputs `body_names` $body_names attr-dict `:` "
        "functional-type(operands, results) $body"
    )

    @property
    def yielded(self) -> Sequence[SSAValue]:
        """The body's results."""
        last = self.body.block.last_op
        assert isinstance(last, YieldOp)
        return last.values

    def iterations(self) -> int | None:
        """How often the body runs, once where nothing is sliced; None while a sliced dimension is unknown."""
        count = 1
        for operand, port in zip(self.operands, self.inputs, strict=True):
            if isinstance(port, SlicedAttr):
                size = shape_of(operand)[port.axis.data]
                if size == DYNAMIC_INDEX:
                    return None
                count = port.slicing.iterations(size)
        return count

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        count, types = self.iterations(), list[Attribute]()
        for port in self.outputs:
            assert isinstance(port, ConcatenatedAttr | IterationAttr)
            value = self.yielded[port.result.data]
            shape = list(shape_of(value))
            if isinstance(port, ConcatenatedAttr):
                axis = normalize_axis(self, port.axis.data, len(shape))
                if count is None or shape[axis] == DYNAMIC_INDEX:
                    shape[axis] = DYNAMIC_INDEX
                else:
                    shape[axis] = count * port.part_size.data
            types.append(TensorType(tensor(value).element_type, shape))
        return types

    def verify_(self) -> None:
        block = self.body.block
        if not isinstance(block.last_op, YieldOp):
            raise VerifyException(f"{label(self)}: the body must end in infra.yield")
        sizes = {len(self.inputs), len(block.args), len(self.body_names), len(self.operands)}
        if len(sizes) > 1:
            raise VerifyException(
                f"{label(self)}: {len(self.operands)} operands, {len(self.inputs)} input ports, "
                f"{len(block.args)} body arguments and {len(self.body_names)} names must be as many"
            )
        if len(self.outputs) != len(self.results):
            raise VerifyException(
                f"{label(self)}: {len(self.outputs)} output ports for {len(self.results)} results"
            )
        counts: set[int] = set()
        for operand, port, arg in zip(self.operands, self.inputs, block.args, strict=True):
            counts |= self._verify_input(operand, port, arg)
        for port in self.outputs:
            if not isinstance(port, ConcatenatedAttr | IterationAttr):
                raise VerifyException(f"{label(self)}: {port.name} cannot be an output port")
        if len(counts) > 1:
            raise VerifyException(
                f"{label(self)}: sliced inputs give different numbers of iterations: {sorted(counts)}"
            )
        for port in self.outputs:
            self._verify_output(port)
        super().verify_()

    def _verify_input(self, operand: SSAValue, port: PortAttr, arg: SSAValue) -> set[int]:
        counts: set[int] = set()
        wanted = operand.type
        match port:
            case SlicedAttr():
                shape, slicing = list(shape_of(operand)), port.slicing
                axis = normalize_axis(self, slicing.axis, len(shape))
                if slicing.stride == 0 or slicing.part_size < 1:
                    raise VerifyException(
                        f"{label(self)}: stride {slicing.stride} with part size {slicing.part_size} "
                        "never ends; use a stride other than 0 and a positive part size"
                    )
                if shape[axis] != DYNAMIC_INDEX:
                    counts.add(count := slicing.iterations(shape[axis]))
                    self._verify_parts(slicing, shape[axis], count)
                shape[axis] = slicing.part_size
                wanted = TensorType(tensor(operand).element_type, shape)
            case MergedAttr():
                back = self._yielded_type(port.result.data)
                if not compatible(back, arg.type):
                    raise VerifyException(
                        f"{label(self)}: body result {port.result.data} of type {back} comes back as "
                        f"an argument of type {arg.type}"
                    )
            case InvariantAttr():
                pass
            case _:
                raise VerifyException(f"{label(self)}: {port.name} cannot be an input port")
        if not compatible(wanted, arg.type):
            raise VerifyException(
                f"{label(self)}: a body argument of type {arg.type} is given {wanted}"
            )
        return counts

    def _verify_output(self, port: PortAttr) -> None:
        count = self.iterations()
        if isinstance(port, IterationAttr):
            self._yielded_type(port.result.data)
            iteration = port.iteration.data
            if iteration < -1 or count is not None and iteration >= count:
                raise VerifyException(
                    f"{label(self)}: there is no iteration {iteration}; the last one is -1"
                )
            return
        assert isinstance(port, ConcatenatedAttr)
        type = self._yielded_type(port.result.data)
        assert isinstance(type, TensorType)
        shape = cast(TensorType[Any], type).get_shape()
        size = shape[normalize_axis(self, port.axis.data, len(shape))]
        if size not in (port.part_size.data, DYNAMIC_INDEX):
            raise VerifyException(
                f"{label(self)}: parts of size {port.part_size.data} are put together, body result "
                f"{port.result.data} has size {size} along axis {port.axis.data}"
            )

    def _verify_parts(self, slicing: Slicing, size: int, count: int) -> None:
        for iteration in (0, count - 1):
            begin = slicing.begin(size, iteration)
            if count and not 0 <= begin <= size - slicing.part_size:
                raise VerifyException(
                    f"{label(self)}: iteration {iteration} takes elements {begin} to "
                    f"{begin + slicing.part_size} of dimension {slicing.axis}, which has {size}"
                )

    def _yielded_type(self, index: int) -> Attribute:
        if not 0 <= index < len(self.yielded):
            raise VerifyException(
                f"{label(self)}: there is no body result {index}; the body gives {len(self.yielded)}"
            )
        return self.yielded[index].type


Infra = Dialect(
    "infra",
    [VariableOp, ReadValueOp, AssignOp, TensorIteratorOp, YieldOp],
    [SlicedAttr, MergedAttr, InvariantAttr, ConcatenatedAttr, IterationAttr],
)
