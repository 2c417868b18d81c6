"""The operands of an iterator under construction, each with its port and its body's argument."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Region, SSAValue

from ..dialects import infra
from ..dialects.inferred import shape_of, tensor
from ..dialects.nn.writer import Writer


def steps(axis: int, backward: bool = False) -> list[IntAttr]:
    """The parameters of a port that goes along an axis, element by element, from its start or its end."""
    start, end, stride = (-1, 0, -1) if backward else (0, -1, 1)
    return [IntAttr(number) for number in (axis, start, end, stride, 1)]


def concatenated(result: int, axis: int, backward: bool = False) -> infra.ConcatenatedAttr:
    """The port of a result with one element from each step."""
    return infra.ConcatenatedAttr(IntAttr(result), *steps(axis, backward))


def last(result: int) -> infra.IterationAttr:
    """The port of a result of the last step."""
    return infra.IterationAttr(IntAttr(result), IntAttr(-1))


@dataclass(eq=False)
class Ports:
    """The operands of an iterator so far. Carried values are the body's first results."""

    block: Block = field(default_factory=Block)
    operands: list[SSAValue] = field(default_factory=list[SSAValue])
    ports: list[infra.PortAttr] = field(default_factory=list[infra.PortAttr])
    names: list[StringAttr] = field(default_factory=list[StringAttr])
    carried: int = 0

    def sliced(
        self, value: SSAValue, axis: int = 0, backward: bool = False, name: str = ""
    ) -> SSAValue:
        """The part of one step: one element of the axis, which stays with size 1."""
        return self.parts(value, infra.SlicedAttr(*steps(axis, backward)), name)

    def parts(self, value: SSAValue, port: infra.SlicedAttr, name: str = "") -> SSAValue:
        """The part of one step, as the port says."""
        shape = list(shape_of(value))
        shape[port.slicing.axis] = port.slicing.part_size
        return self._add(value, port, TensorType(tensor(value).element_type, shape), name)

    def invariant(self, value: SSAValue, name: str = "") -> SSAValue:
        """The same value at each step; one argument, however often it is asked for."""
        known = zip(self.operands, self.ports, self.block.args, strict=True)
        for operand, port, argument in known:
            if operand is value and isinstance(port, infra.InvariantAttr):
                return argument
        return self._add(value, infra.InvariantAttr(), value.type, name)

    def merged(self, value: SSAValue, name: str = "") -> SSAValue:
        """A carried value: the body's next result becomes its value in the next step."""
        port = infra.MergedAttr(IntAttr(self.carried))
        self.carried += 1
        return self._add(value, port, value.type, name)

    @property
    def properties(self) -> dict[str, Attribute]:
        """The properties of the iterator that say what its operands are."""
        return {"inputs": ArrayAttr(self.ports), "body_names": ArrayAttr(self.names)}

    def scan(
        self,
        write: Writer,
        after: Sequence[SSAValue],
        output: SSAValue,
        axis: int,
        size: int,
        backward: bool = False,
    ) -> infra.TensorIteratorOp:
        """
        Writes the iterator of a body that returns the states after a step, and the step's output, which has size 1 at
        `axis`. Returns all outputs, which are `size` steps long, and the last states.
        """
        self.block.add_op(infra.YieldOp(*after, output))
        shape = list(shape_of(output))
        shape[axis] = size
        whole = TensorType(tensor(output).element_type, shape)
        count = len(after)
        outputs = [concatenated(count, axis, backward), *map(last, range(count))]
        iterator = infra.TensorIteratorOp.create(
            operands=self.operands,
            result_types=[whole, *(value.type for value in after)],
            properties={**self.properties, "outputs": ArrayAttr(outputs)},
            regions=[Region(self.block)],
        )
        return write.builder.insert(iterator)

    def _add(self, value: SSAValue, port: infra.PortAttr, type: Attribute, name: str) -> SSAValue:
        self.operands.append(value)
        self.ports.append(port)
        self.names.append(StringAttr(name or f"input{len(self.names)}"))
        argument = self.block.insert_arg(type, len(self.block.args))
        if name:
            argument.name_hint = name.lower()
        return argument
