"""Turns kernels on tensors into a program on memory: decides where every value lies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, kernel, nn
from ...dialects.inferred import label, shape_of, tensor
from ...dialects.kernel import strides_of
from ...dialects.module import entry_of, port_names
from ...dialects.tensor_types import dense_memref
from ..separate_results import root_of
from .branch import emit_branch
from .iteration import emit_iterator
from .memref_layout import is_dense, memref_of, reshaped
from .parts import Part, emit_concat, emit_pad, emit_scatter, expect_parts, place_of_part
from .program_memory import Memory, memref
from .states import States


def plan(module: ModuleOp) -> kernel.ProgramOp:
    """
    The program of the module's entry, whose kernels are on tensors. Raises DiagnosticException where an
    operation is no kernel or an iterator's count is unknown.
    """
    variables = {op.sym_name.data: op for op in module.ops if isinstance(op, infra.VariableOp)}
    return Planner(entry_of(module), variables).run()


@dataclass
class Planner:
    """
    One planning. `place` maps tensors to their memrefs, `sinks` tensors that are not computed yet to their
    destinations, `parts` tensors to the operation in whose result they lie, `starts` concatenations to where each input
    begins.
    """

    entry: func.FuncOp
    variables: dict[str, infra.VariableOp]
    memory: Memory = field(default_factory=Memory)
    place: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    sinks: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    parts: dict[SSAValue, Part] = field(default_factory=dict[SSAValue, Part])
    starts: dict[kernel.ConcatOp, Sequence[int]] = field(
        default_factory=dict[kernel.ConcatOp, Sequence[int]]
    )

    def run(self) -> kernel.ProgramOp:
        """The program of the entry."""
        source = self.entry.body.block
        returned = source.last_op
        assert isinstance(returned, func.ReturnOp)
        for argument in source.args:
            type = memref_of(tensor(argument))
            self.place[argument] = self.memory.argument(type, argument.name_hint)
        outputs: list[SSAValue] = [
            self.memory.argument(memref_of(tensor(value)), None) for value in returned.operands
        ]
        self.states = States(self)
        for output, input in self._aliases():
            outputs[output] = self.place[source.args[input]]
        results = zip(returned.operands, outputs, strict=True)
        for value, target in (*results, *self.states.targets()):
            fits = self.sink(value, target)
            assert fits, "outputs and states are dense"
        self.states.begin()
        self.emit_block(source)
        return kernel.ProgramOp(
            properties=self._properties(), regions=[Region(self.memory.settle())]
        )

    def _aliases(self) -> Iterator[tuple[int, int]]:
        """The numbers of outputs that lie in the memory of an input, each with that of the input."""
        aliases = self.entry.attributes.get(kernel.ALIASES)
        pairs = aliases.get_values() if isinstance(aliases, DenseArrayBase) else ()
        return zip(pairs[::2], pairs[1::2], strict=True)

    def _properties(self) -> dict[str, Attribute]:
        """What the program says of its ports and states."""
        inputs, outputs = self._port_names()
        properties: dict[str, Attribute] = {
            "sym_name": self.entry.sym_name,
            "inputs": inputs,
            "outputs": outputs,
        }
        for name, attribute in (
            ("sizes", kernel.SIZES),
            ("state_sizes", kernel.STATE_SIZES),
            ("aliases", kernel.ALIASES),
        ):
            if (listed := self.entry.attributes.get(attribute)) is not None:
                properties[name] = listed
        return properties | self.states.properties()

    def _port_names(self) -> tuple[ArrayAttr[StringAttr], ArrayAttr[StringAttr]]:
        """The first tensor name of each input and output."""
        type = self.entry.function_type
        inputs, outputs = (
            ArrayAttr(
                StringAttr(names[0] if names else f"{kind}{i}")
                for i, names in enumerate(port_names(given, len(types)))
            )
            for kind, given, types in (
                ("input", self.entry.arg_attrs, type.inputs),
                ("output", self.entry.res_attrs, type.outputs),
            )
        )
        return inputs, outputs

    # --- where values lie -------------------------------------------------------------------

    def where(self, value: SSAValue) -> SSAValue:
        """The memref in which a tensor lies, alive until now."""
        if (blob := nn.constant_of(value)) is not None:
            return self.memory.constant(blob)
        found = self.place[value]
        self.memory.touch(found)
        return found

    def target(self, value: SSAValue) -> SSAValue:
        """The memref for a tensor to be written: its destination, or a new buffer."""
        if value in self.parts and value not in self.sinks:
            whole, number = self.parts[value]
            self.sink(whole.operands[number], place_of_part(self, whole, number))
        target = self.sinks.get(value)
        if target is None:
            target = self.memory.allocate(memref_of(tensor(value)))
        self.memory.touch(target)
        self.place[value] = target
        return target

    def sink(self, value: SSAValue, target: SSAValue) -> bool:
        """
        Lets the producer of `value` write it into `target`; returns whether its layout allows that. The value has no
        other sink (`separate-results`).
        """
        root = root_of(value)
        if root is not value:
            view = reshaped(memref(target), shape_of(root))
            if view is None:
                return False
            target = self.memory.view(target, view)
        self.sinks[root] = target
        return True

    def _dense(self, value: SSAValue) -> SSAValue:
        """A copy of a memref without gaps."""
        type = memref(value)
        target = self.memory.allocate(dense_memref(type.element_type, type.get_shape()))
        self.memory.copy(value, target)
        return target

    # --- operations -------------------------------------------------------------------------

    def emit_block(self, block: Block) -> None:
        """Writes the operations of a block in order; those that only initialize a state come with its read."""
        early = {op for ops in self.states.initializers.values() for op in ops}
        for op in block.ops:
            if isinstance(op, kernel.ConcatOp | kernel.ScatterOp) or (
                isinstance(op, kernel.PadOp) and not op.has_gaps
            ):
                expect_parts(self, op, early)
        is_body = block is not self.entry.body.block
        if is_body:
            self.states.keep_what_changes(block)
        for op in block.ops:
            if op not in early:
                self.emit(op)
        if is_body:
            self.states.assign_inside(block)

    def emit(self, op: Operation) -> None:
        """Writes one operation."""
        self.memory.step += 1
        match op:
            case kernel.KernelOp():
                self._emit_kernel(op)
            case kernel.ScatterOp():
                emit_scatter(self, op)
            case kernel.WholeKernelOp():
                ins = [self.where(value) for value in op.ins]
                self.memory.add(op.on(ins, [self.target(result) for result in op.results]))
            case kernel.PadOp():
                emit_pad(self, op)
            case kernel.ReshapeOp():
                self._emit_reshape(op)
            case kernel.SliceOp():
                self._emit_slice(op)
            case kernel.ConcatOp():
                emit_concat(self, op)
            case infra.ReadValueOp():
                self.states.emit_read(op)
            case infra.IteratorOp():
                emit_iterator(self, op)
            case infra.IfOp():
                emit_branch(self, op)
            case kernel.CallParityOp(result=SSAValue() as result):
                self.memory.add(kernel.CallParityOp(self.target(result)))
            case infra.FailOp():
                self.memory.add(kernel.FailOp(op.message))
            case nn.ConstantOp() | infra.AssignOp() | func.ReturnOp() | infra.YieldOp():
                pass
            case _:
                raise DiagnosticException(f"{label(op)}: is not a kernel; run nn-to-kernels first")

    def _emit_kernel(self, op: kernel.KernelOp) -> None:
        read = self._factor_reader(op)
        factors = [[read(self.where(value)) for value in segment] for segment in op.factors]
        ins = [self.where(value) for value in op.ins]
        outs = [self.target(result) for result in op.results]
        self.memory.add(op.rebuilt(factors, ins, op.accesses, op.detach_region(op.body), outs=outs))

    def _factor_reader(self, op: kernel.KernelOp) -> Callable[[SSAValue], SSAValue]:
        """What a kernel asks of the memory of its factors."""
        if isinstance(op, kernel.ConvolutionOp):
            layout = op.packed
            merged = isinstance(layout, kernel.ConvolutionLayout) and layout.merged
            return self._whole if merged else self._rows
        if isinstance(op, kernel.MatMulOp | kernel.AttentionOp):
            return self._rows
        return lambda value: value

    def _whole(self, value: SSAValue) -> SSAValue:
        """The value without gaps."""
        return value if is_dense(memref(value)) else self._dense(value)

    def _rows(self, value: SSAValue) -> SSAValue:
        """The value with its last dimension dense, as products read it."""
        type = memref(value)
        if type.get_shape()[-1] == 1 or strides_of(type)[-1] == 1:
            return value
        return self._dense(value)

    def _emit_reshape(self, op: kernel.ReshapeOp) -> None:
        source, shape = self.where(op.input), shape_of(op.result)
        view = reshaped(memref(source), shape)
        if view is None:
            source = self._dense(source)
            view = memref_of(tensor(op.result))
        self.place[op.result] = self.memory.view(source, view)

    def _emit_slice(self, op: kernel.SliceOp) -> None:
        source = self.where(op.input)
        strides = zip(strides_of(memref(source)), op.steps.get_values(), strict=True)
        spaced = [stride * step for stride, step in strides]
        shape = shape_of(op.result)
        self.place[op.result] = self.memory.part(source, shape, op.offsets.get_values(), spaced)
