"""Turns kernels on tensors into a program on memory: decides where every value lies and when it dies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i8,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, kernel, nn
from ...dialects.blob import BlobAttr, bits_of
from ...dialects.inferred import label, shape_of, tensor
from ...dialects.kernel import storage_bytes, strides_of
from ...dialects.module import entry_of, port_names
from ..results import root_of
from .arena import Lifetime, aligned, assign_offsets
from .layout import memref_of, reshaped, strided

Kernel = kernel.MapOp | kernel.MatMulOp


@dataclass
class _Buffer:
    """A buffer in the arena: its operation, when it is first written and last read."""

    op: kernel.BufferOp
    start: int
    end: int


@dataclass
class Planner:
    """The state of one planning: `place` says in which memref each tensor lies."""

    entry: func.FuncOp
    variables: dict[str, infra.VariableOp]
    place: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    sinks: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    buffers: dict[SSAValue, _Buffer] = field(default_factory=dict[SSAValue, _Buffer])
    constants: dict[BlobAttr, SSAValue] = field(default_factory=dict[BlobAttr, SSAValue])
    initial: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    touched: set[SSAValue] = field(default_factory=set[SSAValue])
    step: int = 0
    weights: int = 0

    def run(self) -> kernel.ProgramOp:
        """The program of the entry."""
        source = self.entry.body.block
        self.program = Block()
        self.block = self.program
        returned = source.last_op
        assert isinstance(returned, func.ReturnOp)
        inputs = [self._argument(memref_of(tensor(arg)), arg.name_hint) for arg in source.args]
        outputs = [self._argument(memref_of(tensor(v)), None) for v in returned.operands]
        states = {
            name: (
                self._argument(memref_of(cast(Any, op.type)), None),
                self._argument(memref_of(cast(Any, op.type)), None),
            )
            for name, op in self.variables.items()
        }
        self.states = states
        self.arena = self._argument(MemRefType(i8, [0]), "arena")
        self.place.update(zip(source.args, inputs, strict=True))
        assigned = [op for op in source.ops if isinstance(op, infra.AssignOp)]
        for value, target in zip(returned.operands, outputs, strict=True):
            self._sink(value, target)
        for op in assigned:
            self._sink(op.value, states[op.variable.string_value()][1])
        self._init_slices = self._initializers(source)
        self._emit_block(source)
        self._settle()
        _drop_unused_views(self.program)
        names = self._port_names(len(inputs), len(outputs))
        written = {op.variable.string_value() for op in assigned}
        return kernel.ProgramOp(
            properties={
                "sym_name": self.entry.sym_name,
                "inputs": names[0],
                "outputs": names[1],
                "states": ArrayAttr([StringAttr(name) for name in states]),
                "assigned": ArrayAttr([BoolAttr.from_bool(name in written) for name in states]),
                "inits": ArrayAttr([self._constant_init(source, name) for name in states]),
            },
            regions=[Region(self.program)],
        )

    # --- ports and states -------------------------------------------------------------------

    def _argument(self, type: MemRefType[Any], hint: str | None) -> SSAValue:
        argument = self.program.insert_arg(type, len(self.program.args))
        argument.name_hint = hint
        return argument

    def _port_names(
        self, inputs: int, outputs: int
    ) -> tuple[ArrayAttr[StringAttr], ArrayAttr[StringAttr]]:
        given = (
            (port_names(self.entry.arg_attrs, inputs), "input"),
            (port_names(self.entry.res_attrs, outputs), "output"),
        )
        first, second = (
            ArrayAttr(
                [StringAttr(names[0] if names else f"{kind}{i}") for i, names in enumerate(ports)]
            )
            for ports, kind in given
        )
        return first, second

    def _constant_init(self, source: Block, name: str) -> Attribute:
        for op in source.ops:
            if isinstance(op, infra.ReadValueOp) and op.variable.string_value() == name:
                return nn.constant_of(root_of(op.init)) or UnitAttr()
        return UnitAttr()

    def _initializers(self, source: Block) -> dict[Operation, list[Operation]]:
        """For each read with a computed initial value, the operations that compute only that."""
        found: dict[Operation, list[Operation]] = {}
        for read in source.ops:
            if not isinstance(read, infra.ReadValueOp):
                continue
            mine: list[Operation] = []
            waiting = [read.init.owner]
            while waiting:
                op = waiting.pop()
                if not isinstance(op, Operation) or op in mine or isinstance(op, _STATEFUL):
                    continue
                if all(
                    use.operation is read or use.operation in mine
                    for result in op.results
                    for use in result.uses
                ):
                    mine.append(op)
                    waiting += [value.owner for value in op.operands]
            found[read] = mine
        return found

    def _sink(self, value: SSAValue, target: SSAValue) -> bool:
        """
        Lets what computes `value` write it into `target`, where memory allows. The value has no other sink
        (`separate-results`).
        """
        root = root_of(value)
        if root is not value:
            view = reshaped(_memref(target), shape_of(root))
            if view is None:
                return False
            target = self._add(kernel.ViewOp(target, view))
        self.sinks[root] = target
        return True

    # --- memory -----------------------------------------------------------------------------

    def _add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def _allocate(self, type: MemRefType[Any]) -> SSAValue:
        op = kernel.BufferOp(self.arena, 0, type)
        self.buffers[op.result] = _Buffer(op, self.step, self.step)
        return self._add(op)

    def _touch(self, value: SSAValue) -> None:
        """Keeps the buffer behind a memref alive until now."""
        while isinstance(owner := value.owner, kernel.ViewOp):
            value = owner.base
        if (buffer := self.buffers.get(value)) is not None:
            buffer.end = max(buffer.end, self.step)
            self.touched.add(value)

    def _constant(self, blob: BlobAttr) -> SSAValue:
        if blob not in self.constants:
            op = kernel.ConstantOp(blob, self.weights)
            self.weights += aligned(storage_bytes(blob.type))
            first = self.program.first_op
            if first is None:
                self.program.add_op(op)
            else:
                self.program.insert_op_before(op, first)
            self.constants[blob] = op.result
        return self.constants[blob]

    def _where(self, value: SSAValue) -> SSAValue:
        """The memref in which a tensor lies, alive until now."""
        if (blob := nn.constant_of(value)) is not None:
            return self._constant(blob)
        found = self.place[value]
        self._touch(found)
        return found

    def _target(self, value: SSAValue) -> SSAValue:
        """The memref into which a tensor is to be written: where it goes anyway, or a buffer of its own."""
        target = self.sinks.get(value)
        if target is None:
            target = self._allocate(memref_of(tensor(value)))
        else:
            self._touch(target)
        self.place[value] = target
        return target

    def _settle(self) -> None:
        """Gives every buffer its offset and the arena its size."""
        buffers = list(self.buffers.values())
        lifetimes = [Lifetime(storage_bytes(_memref(b.op.result)), b.start, b.end) for b in buffers]
        offsets, total = assign_offsets(lifetimes)
        arena_type: MemRefType[Any] = MemRefType(i8, [total])
        arena = self.program.insert_arg(arena_type, len(self.program.args))
        arena.name_hint = "arena"
        for buffer, offset in zip(buffers, offsets, strict=True):
            buffer.op.properties["offset"] = IntegerAttr(offset, 64)
        self.arena.replace_all_uses_with(arena)
        self.program.erase_arg(cast(Any, self.arena))

    # --- operations -------------------------------------------------------------------------

    def _emit_block(self, block: Block) -> None:
        early = {op for ops in self._init_slices.values() for op in ops}
        for op in block.ops:
            if op not in early:
                self._emit(op)

    def _emit(self, op: Operation) -> None:
        self.step += 1
        match op:
            case kernel.MapOp() | kernel.MatMulOp():
                self._emit_kernel(op)
            case kernel.ReshapeOp():
                self._emit_reshape(op)
            case kernel.ConcatOp():
                self._emit_concat(op)
            case infra.ReadValueOp():
                self._emit_read(op)
            case infra.TensorIteratorOp():
                self._emit_iterator(op)
            case nn.ConstantOp() | infra.AssignOp() | func.ReturnOp() | infra.YieldOp():
                pass
            case _:
                raise DiagnosticException(f"{label(op)}: is no kernel; run nn-to-kernels first")

    def _emit_kernel(self, op: Kernel) -> None:
        attributes = dict(op.attributes)
        ins = [self._where(value) for value in op.ins]
        if isinstance(op, kernel.MatMulOp):
            a = [self._rows(self._where(value)) for value in op.a]
            b = [self._rows(self._where(value)) for value in op.b]
            outs = [self._target(result) for result in op.results]
            new: Operation = kernel.MatMulOp(
                op.shape,
                op.groups.value.data,
                a,
                b,
                ins,
                op.accesses,
                op.body.clone(),
                outs=outs,
                offset_a=op.offsets if op.offset_a else None,
                layout=op.packed,
                attributes=attributes,
            )
        else:
            outs = [self._target(result) for result in op.results]
            new = kernel.MapOp(
                op.shape, ins, op.accesses, op.body.clone(), outs=outs, attributes=attributes
            )
        self.block.add_op(new)

    def _rows(self, value: SSAValue) -> SSAValue:
        """The value with its last dimension dense, as products read it."""
        type = _memref(value)
        shape = type.get_shape()
        if shape[-1] == 1 or strides_of(type)[-1] == 1:
            return value
        return self._copied(value)

    def _copied(self, value: SSAValue) -> SSAValue:
        type = _memref(value)
        target = self._allocate(MemRefType(type.element_type, type.get_shape()))
        self.block.add_op(kernel.CopyOp(value, target))
        return target

    def _emit_reshape(self, op: kernel.ReshapeOp) -> None:
        source = self._where(op.input)
        view = reshaped(_memref(source), shape_of(op.result))
        if view is None:
            source = self._copied(source)
            view = memref_of(tensor(op.result))
        self.place[op.result] = self._add(kernel.ViewOp(source, view))

    def _emit_concat(self, op: kernel.ConcatOp) -> None:
        whole = self._target(op.result)
        type, axis = _memref(whole), op.axis.value.data
        strides, offset = strides_of(type), 0
        for value in op.inputs:
            shape = shape_of(value)
            part = kernel.ViewOp(
                whole,
                strided(type, shape, strides),
                offset * strides[axis] * _element_bytes(type),
            )
            self.block.add_op(part)
            self.block.add_op(kernel.CopyOp(self._where(value), part.result))
            offset += shape[axis]

    def _emit_read(self, op: infra.ReadValueOp) -> None:
        name = op.variable.string_value()
        if op not in self._init_slices:
            raise DiagnosticException(
                f"{label(op)}: reads variable '{name}' inside an iterator; only states of the whole model "
                "compile"
            )
        current, _ = self.states[name]
        self.place[op.result] = current
        if self.initial.setdefault(name, op.init) is not op.init:
            raise DiagnosticException(
                f"{label(op)}: variable '{name}' is read with two different initial values"
            )
        if nn.constant_of(root_of(op.init)) is not None:
            return
        body = Block()
        with self._inside(body):
            root = root_of(op.init)
            early = self._init_slices[op]
            in_place = root.owner in early and self._sink(op.init, current)
            assert op.parent is not None
            for inner in op.parent.ops:
                if inner in early:
                    self._emit(inner)
            if not in_place:
                self.block.add_op(kernel.CopyOp(self._where(op.init), current))
        number = list(self.states).index(name)
        self.block.add_op(kernel.IfUnsetOp(number, Region(body)))

    @contextmanager
    def _inside(self, block: Block) -> Iterator[None]:
        outer, self.block = self.block, block
        yield
        self.block = outer

    # --- iteration --------------------------------------------------------------------------

    def _emit_iterator(self, op: infra.TensorIteratorOp) -> None:
        count = op.iterations()
        if not count:
            raise DiagnosticException(
                f"{label(op)}: runs {count or 'an unknown number of'} iterations; give inputs of a shape "
                "that says how many"
            )
        body = Block(arg_types=[IndexType()])
        gathered: dict[int, list[SSAValue]] = {}
        last: dict[int, SSAValue] = {}
        late: list[tuple[SSAValue, SSAValue]] = []
        merged = {p.result.data for p in op.inputs if isinstance(p, infra.MergedAttr)}
        final: dict[int, SSAValue] = {}
        for port, result in zip(op.outputs, op.results, strict=True):
            if isinstance(port, infra.ConcatenatedAttr):
                gathered.setdefault(port.result.data, []).append(self._target(result))
                continue
            assert isinstance(port, infra.IterationAttr)
            number = port.result.data
            if port.iteration.data not in (-1, count - 1):
                raise DiagnosticException(
                    f"{label(op)}: gives the value of iteration {port.iteration.data}; only the last one "
                    "compiles"
                )
            kept = final if number in merged else last
            if number in kept:
                late.append((self._target(result), kept[number]))
            else:
                kept[number] = self._target(result)
        carried: dict[int, SSAValue] = {}
        for i, port in enumerate(op.inputs):
            if isinstance(port, infra.MergedAttr):
                free = final.pop(port.result.data, None)
                carried[i] = free or self._allocate(memref_of(tensor(op.operands[i])))
                self.block.add_op(kernel.CopyOp(self._where(op.operands[i]), carried[i]))
        self.step += 1
        outer, self.touched = self.touched, set()
        outside = set(self.buffers)
        with self._inside(body):
            index = body.args[0]
            for i, (port, argument) in enumerate(zip(op.inputs, op.body.block.args, strict=True)):
                match port:
                    case infra.SlicedAttr():
                        source = self._where(op.operands[i])
                        self.place[argument] = self._part(source, port.slicing, index)
                    case infra.MergedAttr():
                        self.place[argument] = carried[i]
                    case _:
                        self.place[argument] = self._where(op.operands[i])
            copies = self._yield_targets(op, carried, gathered, last, index)
            self._emit_block(op.body.block)
            self.step += 1
            for value, target in copies:
                self.block.add_op(kernel.CopyOp(self._where(value), target))
        self.block.add_op(kernel.ForOp(count, Region(body)))
        for buffer in self.touched & outside:
            self._touch(buffer)
        self.touched |= outer
        for target in (
            *carried.values(),
            *last.values(),
            *(t for ts in gathered.values() for t in ts),
        ):
            self._touch(target)
        for target, source in late:
            self.block.add_op(kernel.CopyOp(source, target))

    def _part(self, whole: SSAValue, slicing: infra.Slicing, index: SSAValue) -> SSAValue:
        """The part of a memref that belongs to the iteration `index`."""
        type = _memref(whole)
        shape, strides, size = list(type.get_shape()), strides_of(type), _element_bytes(type)
        first, second = (slicing.begin(shape[slicing.axis], i) for i in (0, 1))
        shape[slicing.axis] = slicing.part_size
        unit = strides[slicing.axis] * size
        part = strided(type, shape, strides)
        return self._add(kernel.ViewOp(whole, part, first * unit, index, (second - first) * unit))

    def _yield_targets(
        self,
        op: infra.TensorIteratorOp,
        carried: dict[int, SSAValue],
        gathered: dict[int, list[SSAValue]],
        last: dict[int, SSAValue],
        index: SSAValue,
    ) -> list[tuple[SSAValue, SSAValue]]:
        """
        Lets each value that the body yields be written where it is needed, and lists the copies that remain:
        what comes back as an argument is copied at the end of the iteration, since the argument may still be
        read until then.
        """
        copies: list[tuple[SSAValue, SSAValue]] = []
        ports = [port for port in op.outputs if isinstance(port, infra.ConcatenatedAttr)]
        slicings = {port.result.data: port.slicing for port in ports}
        for number, value in enumerate(op.yielded):
            targets = [
                self._part(whole, slicings[number], index) for whole in gathered.get(number, ())
            ]
            if number in last:
                targets.append(last[number])
            if targets and self._sink(value, targets[0]):
                targets = targets[1:]
            targets += [
                carried[i]
                for i, port in enumerate(op.inputs)
                if isinstance(port, infra.MergedAttr) and port.result.data == number
            ]
            copies += [(value, target) for target in targets]
        return copies


def _drop_unused_views(block: Block) -> None:
    for op in reversed(list(block.walk())):
        if isinstance(op, kernel.ViewOp) and not any(True for _ in op.result.uses):
            op.detach()
            op.erase()


def _memref(value: SSAValue) -> MemRefType[Any]:
    return cast(MemRefType[Any], value.type)


def _element_bytes(type: MemRefType[Any]) -> int:
    return max(bits_of(type.element_type), 8) // 8


_STATEFUL = (infra.ReadValueOp, infra.TensorIteratorOp)
"""What an initial value may be computed from, but not computed with: it stays where it is."""


def plan(module: ModuleOp) -> kernel.ProgramOp:
    """
    The program of the module's entry, whose kernels are on tensors. Raises DiagnosticException where an
    operation is no kernel or an iterator's count is unknown.
    """
    variables = {op.sym_name.data: op for op in module.ops if isinstance(op, infra.VariableOp)}
    return Planner(entry_of(module), variables).run()
