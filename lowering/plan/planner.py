"""Turns kernels on tensors into a program on memory: decides where every value lies."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    DictionaryAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, kernel, nn
from ...dialects.inferred import label, shape_of, tensor
from ...dialects.kernel import Access, body_type, strides_of
from ...dialects.module import entry_of, port_names
from ...dialects.tensor_types import dense_memref
from ..bodies import BodyBuilder
from ..separate_results import is_read_once, root_of
from .branch import emit_branch
from .initial_values import initializers
from .iteration import emit_iterator
from .memref_layout import element_bytes, is_dense, memref_of, reshaped, strided
from .program_memory import Memory, memref
from .states import state_types


def plan(module: ModuleOp) -> kernel.ProgramOp:
    """
    The program of the module's entry, whose kernels are on tensors. Raises DiagnosticException where an
    operation is no kernel or an iterator's count is unknown.
    """
    variables = {op.sym_name.data: op for op in module.ops if isinstance(op, infra.VariableOp)}
    return Planner(entry_of(module), variables).run()


WholeOp = kernel.ConcatOp | kernel.PadOp | kernel.ScatterOp
"""An operation into whose result others can write their own."""

Part = tuple[WholeOp, int]
"""An input of an operation that is part of its result."""


@dataclass
class Planner:
    """
    The state of one planning. `place` maps tensors to their memrefs, `sinks` tensors that are not computed yet to
    their destinations, `parts` tensors to the concatenation or padding that they are an input of.
    """

    entry: func.FuncOp
    variables: dict[str, infra.VariableOp]
    memory: Memory = field(default_factory=Memory)
    place: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    sinks: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    parts: dict[SSAValue, Part] = field(default_factory=dict[SSAValue, Part])
    initial: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])

    def run(self) -> kernel.ProgramOp:
        """The program of the entry."""
        source = self.entry.body.block
        assigns = {
            op.variable.string_value(): op for op in source.ops if isinstance(op, infra.AssignOp)
        }
        self._add_arguments(source, assigns)
        self.initializers = initializers(source)
        self.inside = self._assigned_inside(assigns)
        for name in self.inside:
            self._begin_inside(name)
        self.emit_block(source)
        return kernel.ProgramOp(
            properties=self._properties(assigns), regions=[Region(self.memory.settle())]
        )

    def _add_arguments(self, source: Block, assigns: Mapping[str, infra.AssignOp]) -> None:
        """The arguments: inputs, outputs, and each state before and after; what ends in one is written there."""
        returned = source.last_op
        assert isinstance(returned, func.ReturnOp)
        for argument in source.args:
            type = memref_of(tensor(argument))
            self.place[argument] = self.memory.argument(type, argument.name_hint)
        outputs: list[SSAValue] = [
            self.memory.argument(memref_of(tensor(value)), None) for value in returned.operands
        ]
        self.states = {
            name: (self.memory.argument(current, None), self.memory.argument(following, None))
            for name, (current, following) in state_types(self.entry, self.variables).items()
        }
        aliases = self.entry.attributes.get(kernel.ALIASES)
        pairs = aliases.get_values() if isinstance(aliases, DenseArrayBase) else ()
        for output, input in zip(pairs[::2], pairs[1::2], strict=True):
            outputs[output] = self.place[source.args[input]]
        for value, target in zip(returned.operands, outputs, strict=True):
            self._sink_result(value, target)
        for name, assign in assigns.items():
            self._sink_result(assign.value, self.states[name][assign.in_place is None])

    def _properties(self, assigns: Mapping[str, infra.AssignOp]) -> dict[str, Attribute]:
        """What the program says of its ports and states."""
        inputs, outputs = self._port_names()
        properties: dict[str, Attribute] = {
            "sym_name": self.entry.sym_name,
            "inputs": inputs,
            "outputs": outputs,
            "states": ArrayAttr(map(StringAttr, self.states)),
            "assigned": ArrayAttr(
                BoolAttr.from_bool(name in {*assigns, *self.inside}) for name in self.states
            ),
            "inits": ArrayAttr(map(self._constant_init, self.states)),
        }
        if flags := {name: op.flag for name, op in self.variables.items() if op.flag is not None}:
            properties["flags"] = DictionaryAttr(
                {name: StringAttr(flag.string_value()) for name, flag in flags.items()}
            )
        for name, attribute in (
            ("sizes", kernel.SIZES),
            ("state_sizes", kernel.STATE_SIZES),
            ("aliases", kernel.ALIASES),
        ):
            if (listed := self.entry.attributes.get(attribute)) is not None:
                properties[name] = listed
        if in_place := [name for name, op in assigns.items() if op.in_place is not None]:
            properties["in_place"] = ArrayAttr(map(StringAttr, in_place))
        return properties

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

    def _constant_init(self, name: str) -> Attribute:
        init = self.initial.get(name) if self.variables[name].flag is None else None
        return (nn.constant_of(root_of(init)) if init is not None else None) or UnitAttr()

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
            self.sink(whole.operands[number], self._part(whole, number))
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

    def _sink_result(self, value: SSAValue, target: SSAValue) -> None:
        fits = self.sink(value, target)
        assert fits, "outputs and states are dense"

    def _dense(self, value: SSAValue) -> SSAValue:
        """A copy of a memref without gaps."""
        type = memref(value)
        target = self.memory.allocate(dense_memref(type.element_type, type.get_shape()))
        self.memory.copy(value, target)
        return target

    # --- operations -------------------------------------------------------------------------

    def emit_block(self, block: Block) -> None:
        """Writes the operations of a block in order; those that only initialize a state come with its read."""
        early = {op for ops in self.initializers.values() for op in ops}
        for op in block.ops:
            if isinstance(op, kernel.ConcatOp | kernel.ScatterOp) or (
                isinstance(op, kernel.PadOp) and not op.has_gaps
            ):
                self._expect_parts(op, early)
        if block is not self.entry.body.block:
            self._keep_what_changes(block)
        for op in block.ops:
            if op not in early:
                self._emit(op)
        if block is not self.entry.body.block:
            for op in block.ops:
                if isinstance(op, infra.AssignOp):
                    _, following = self.states[op.variable.string_value()]
                    self.memory.copy(self.where(op.value), following)

    def _emit(self, op: Operation) -> None:
        self.memory.step += 1
        match op:
            case kernel.KernelOp():
                self._emit_kernel(op)
            case kernel.ScatterOp():
                self._emit_scatter(op)
            case kernel.WholeKernelOp():
                ins = [self.where(value) for value in op.ins]
                self.memory.add(op.on(ins, [self.target(result) for result in op.results]))
            case kernel.PadOp():
                self._emit_pad(op)
            case kernel.ReshapeOp():
                self._emit_reshape(op)
            case kernel.SliceOp():
                self._emit_slice(op)
            case kernel.ConcatOp():
                self._emit_concat(op)
            case infra.ReadValueOp() if op in self.initializers:
                self._emit_read(op)
            case infra.ReadValueOp():
                self._read_inside(op)
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

    def _emit_scatter(self, op: kernel.ScatterOp) -> None:
        """The data are made in the place of the result, or copied there."""
        in_place = self._is_in_place(op, 0)
        target = self._part(op, 0)
        indices, updates = self.where(op.ins[1]), self.where(op.ins[2])
        self.memory.touch(target)
        if not in_place and (data := self.where(op.data)) is not target:
            self.memory.copy(data, target)
        self.memory.add(op.on([target, indices, updates], [target]))

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
        self.place[op.result] = self._inside(source, shape, op.offsets.get_values(), spaced)

    # --- wholes and their parts -------------------------------------------------------------

    def _expect_parts(self, op: WholeOp, early: set[Operation]) -> None:
        """Notes the inputs that their producers can write directly into the result."""
        parts = op.operands
        if isinstance(op, kernel.ScatterOp):
            parts = [op.data] if self._is_alone(op.data) else []
        for number, value in enumerate(parts):
            root = root_of(value)
            producer = root.owner
            if (
                isinstance(producer, Operation)
                and producer.parent is op.parent
                and not isinstance(producer, nn.ConstantOp | infra.ReadValueOp)
                and (producer in early) == (op in early)
                and root not in self.sinks
            ):
                self.parts.setdefault(root, (op, number))

    def _is_alone(self, value: SSAValue) -> bool:
        """Whether nothing else reads what this value holds, or one that its producer writes inside of it."""
        whole = root_of(value).owner
        inside = [
            part
            for number, part in enumerate(whole.operands if isinstance(whole, Operation) else ())
            if self.parts.get(root_of(part)) == (whole, number)
        ]
        return is_read_once(value) and all(map(self._is_alone, inside))

    def _part(self, op: WholeOp, number: int) -> SSAValue:
        """The memref of one input, inside that of the whole."""
        result = op.results[0]
        whole = self.place.get(result) or self.target(result)
        if isinstance(op, kernel.ScatterOp):
            return whole
        type, shape = memref(whole), shape_of(op.operands[number])
        strides, steps, firsts = strides_of(type), [1] * len(shape), [0] * len(shape)
        if isinstance(op, kernel.PadOp):
            firsts, steps = op.low.get_values(), [gap + 1 for gap in op.interior.get_values()]
        else:
            axis = op.axis.value.data
            firsts[axis] = sum(shape_of(value)[axis] for value in op.inputs[:number])
        spaced = [stride * step for stride, step in zip(strides, steps, strict=True)]
        return self._inside(whole, shape, firsts, spaced)

    def _inside(
        self,
        whole: SSAValue,
        shape: Sequence[int],
        firsts: Sequence[int],
        strides: Sequence[int] | None = None,
    ) -> SSAValue:
        """The part of a memref that begins at index `firsts`; `strides` are those of the whole, or others."""
        type = memref(whole)
        own = strides_of(type)
        first = sum(index * stride for index, stride in zip(firsts, own, strict=True))
        part = strided(type, shape, own if strides is None else strides)
        return self.memory.view(whole, part, first * element_bytes(type))

    def _is_in_place(self, op: WholeOp, number: int) -> bool:
        root = root_of(op.operands[number])
        return self.parts.get(root) == (op, number) and root in self.sinks

    def _emit_concat(self, op: kernel.ConcatOp) -> None:
        for number, value in enumerate(op.inputs):
            if not self._is_in_place(op, number):
                self.memory.copy(self.where(value), self._part(op, number))

    def _emit_pad(self, op: kernel.PadOp) -> None:
        in_place = self._is_in_place(op, 0)
        part = self._part(op, 0)
        whole = self.place[op.result]
        self.memory.touch(whole)
        if op.has_gaps:
            self.fill(whole, op.filling.value.data)
        else:
            for border in self._borders(op, whole):
                self.fill(border, op.filling.value.data)
        if not in_place:
            self.memory.copy(self.where(op.input), part)

    def _borders(self, op: kernel.PadOp, whole: SSAValue) -> list[SSAValue]:
        """The disjoint borders around the input: whole ones in the first dimension, the rest in each further one."""
        shape, inner = list(memref(whole).get_shape()), shape_of(op.input)
        low, high = op.low.get_values(), op.high.get_values()
        firsts = [0] * len(shape)
        borders: list[SSAValue] = []
        for d, size in enumerate(inner):
            for first, width in ((0, low[d]), (low[d] + size, high[d])):
                if width and all(shape):
                    starts = [*firsts[:d], first, *firsts[d + 1 :]]
                    sizes = [*shape[:d], width, *shape[d + 1 :]]
                    borders.append(self._inside(whole, sizes, starts))
            firsts[d], shape[d] = low[d], size
        return borders

    def fill(self, target: SSAValue, number: float) -> None:
        """A kernel that writes a number everywhere."""
        type = memref(target)
        scalar = body_type(type.element_type)
        rank = len(type.get_shape())

        body = BodyBuilder(Block())
        region = body.region(body.constant(number, scalar))
        self.memory.add(
            kernel.MapOp(type.get_shape(), [], [Access.identity(rank)], region, outs=[target])
        )

    # --- states -----------------------------------------------------------------------------

    def _assigned_inside(self, outside: Container[str]) -> list[str]:
        """
        The variables that bodies assign: every iteration goes on from what the one before left, so their next
        value begins as a copy of the current one.
        """
        found: dict[str, None] = {}
        for op in kernel.outside_bodies(self.entry):
            if isinstance(op, infra.AssignOp) and op.parent is not self.entry.body.block:
                name = op.variable.string_value()
                if name in outside:
                    raise DiagnosticException(
                        f"{label(op)}: variable '{name}' is assigned inside a body and outside of it"
                    )
                found[name] = None
        return list(found)

    def _begin_inside(self, name: str) -> None:
        current, following = self.states[name]
        if current.type != following.type:
            raise DiagnosticException(
                f"variable '{name}' is read as {current.type} and assigned as {following.type} inside a body; "
                "only outside of bodies can a state change its size"
            )
        self.memory.copy(current, following)

    def _keep_what_changes(self, block: Block) -> None:
        """What a body reads is what it began with, whatever bodies inside it assign meanwhile: a copy of it."""
        changed = {
            inner.variable.string_value()
            for op in block.ops
            for inner in kernel.outside_bodies(op)
            if isinstance(inner, infra.AssignOp) and inner.parent is not block
        }
        for op in block.ops:
            if isinstance(op, infra.ReadValueOp) and op.variable.string_value() in changed:
                _, following = self.states[op.variable.string_value()]
                self.memory.copy(following, self.target(op.result))

    def _read_inside(self, op: infra.ReadValueOp) -> None:
        name = op.variable.string_value()
        self._check_init(name, op)
        assert nn.constant_of(root_of(op.init)) is not None, "`flag-states`"
        current, following = self.states[name]
        self.place.setdefault(op.result, following if name in self.inside else current)

    def _check_init(self, name: str, op: infra.ReadValueOp) -> bool:
        """
        Whether this is the first read of the variable. Raises DiagnosticException where another one has
        another initial value.
        """
        if name not in self.initial:
            self.initial[name] = op.init
            return True
        first = self.initial[name]
        constants = [nn.constant_of(root_of(init)) for init in (first, op.init)]
        if first is not op.init and (None in constants or constants[0] != constants[1]):
            raise DiagnosticException(
                f"{label(op)}: variable '{name}' is read with two different initial values"
            )
        return False

    def _emit_read(self, op: infra.ReadValueOp) -> None:
        name = op.variable.string_value()
        current, _ = self.states[name]
        self.place[op.result] = current
        if not self._check_init(name, op) or nn.constant_of(root_of(op.init)) is not None:
            return
        body, early = Block(), self.initializers[op]
        with self.memory.inside(body):
            in_place = root_of(op.init).owner in early and self.sink(op.init, current)
            for inner in early:
                self._emit(inner)
            if not in_place:
                self.memory.copy(self.where(op.init), current)
        number = list(self.states).index(name)
        self.memory.add(kernel.IfUnsetOp(number, Region(body)))
