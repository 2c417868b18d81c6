"""
A module as a plain graph, to be drawn: a node for each operation that computes, an edge for each value that one gives
another, a cluster for each body and state.

Constants are left away, and what is computed of them alone. What a body is given and gives is drawn through: an edge
goes from what makes a value to what reads it. On planned memory, an edge goes from what writes a buffer to what reads
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects import infra, kernel
from ...dialects.kernel.plan_verifier import root_of
from ...dialects.module import port_names
from ...dialects.names import type_name
from ...dialects.origins import layer_name, origins_of
from ...dialects.rnn.sequences import SequenceOp
from ...dialects.short_types import short_element, short_type
from ..precision_report import LOW, row_of
from .dot import can_draw, dot_of, drawn
from .parts import Cluster, Edge, Kind, Node, Parts

TYPES_AT_MOST = 3
"""What a kernel's node names of the operations it computes; there may be dozens in one."""


SIZES = ("i64", "i32")
"""Constants of these are axes, shapes and limits, whose precision tells nothing."""


class Graph(Parts):
    """Nodes in the order of computation, edges and clusters."""

    def to_dot(self) -> str:
        """The graph in Graphviz's language."""
        return dot_of(self)

    def to_svg(self) -> str:
        """The graph as a picture. Raises DiagnosticException where there is no Graphviz."""
        return drawn(self.to_dot())

    def _repr_svg_(self) -> str | None:
        """What a notebook shows; nothing where there is no Graphviz."""
        return self.to_svg() if can_draw() else None

    def __repr__(self) -> str:
        parts = {"node": self.nodes, "edge": self.edges, "cluster": self.clusters}
        sizes = [f"{len(each)} {what}{'s' * (len(each) != 1)}" for what, each in parts.items()]
        return f"<Graph of {self.name or 'a model'}: {', '.join(sizes)}>"


def graph_of(module: ModuleOp) -> Graph:
    """The graph of all functions and programs of a module; the only one needs no cluster."""
    builder = _Builder()
    tops = [op for op in module.ops if isinstance(op, FuncOp | kernel.ProgramOp)]
    tops = [op for op in tops if op.body.blocks]
    for op in tops:
        name = op.sym_name.data
        builder.function(op, "" if len(tops) == 1 else builder.cluster(f"@{name}", ""))
    if not tops:
        builder.block(module.body.block, "")
    builder.close_states()
    name = tops[0].sym_name.data if len(tops) == 1 else ""
    edges = dict.fromkeys(builder.edges)
    return Graph(name, tuple(builder.nodes), tuple(edges), tuple(builder.clusters))


def kind_of(types: Sequence[Attribute], precisions: Iterable[str] = ()) -> Kind:
    """How an operation of these results is coloured, which reads and writes these precisions."""
    names = list(map(_precision, types))
    if not LOW.isdisjoint((*precisions, *names)):
        return "low"
    if not names or names[0] in ("f32", "f64"):
        return "float"
    if names[0] in ("f16", "bf16"):
        return "half"
    return "integer" if names[0] == "boolean" or names[0][:1] in "iu" else "other"


@dataclass
class _Builder:
    nodes: list[Node] = field(default_factory=list[Node])
    edges: list[Edge] = field(default_factory=list[Edge])
    clusters: list[Cluster] = field(default_factory=list[Cluster])
    sources: dict[SSAValue, tuple[str, ...]] = field(
        default_factory=dict[SSAValue, tuple[str, ...]]
    )
    """Which nodes a value comes from; none for constants."""
    states: dict[str, tuple[str, list[str], list[str]]] = field(
        default_factory=dict[str, tuple[str, list[str], list[str]]]
    )
    """By name, the cluster of a state, its reads and its assigns."""

    def node(
        self,
        type: str,
        name: str,
        kind: Kind,
        lines: Iterable[str],
        cluster: str,
        reason: str = "",
    ) -> str:
        id = f"n{len(self.nodes)}"
        self.nodes.append(Node(id, type, name, kind, tuple(lines), reason, cluster))
        return id

    def cluster(self, label: str, parent: str, is_state: bool = False) -> str:
        id = f"c{len(self.clusters)}"
        self.clusters.append(Cluster(id, label, parent, is_state))
        return id

    def connect(self, value: SSAValue, target: str, is_back: bool = False) -> None:
        for source in self.sources.get(value, ()):
            self.edges.append(Edge(source, target, short_type(value.type), is_back))

    # --- functions --------------------------------------------------------------------------

    def function(self, op: FuncOp | kernel.ProgramOp, cluster: str) -> None:
        if isinstance(op, kernel.ProgramOp):
            self.program(op, cluster)
            return
        block = op.body.block
        for arg, names in zip(block.args, port_names(op.arg_attrs, len(block.args)), strict=True):
            name = names[0] if names else arg.name_hint or ""
            self.sources[arg] = (self.node("Input", name, "port", [short_type(arg.type)], cluster),)
        self.block(block, cluster)
        last = block.last_op
        if not isinstance(last, ReturnOp):
            return
        names = port_names(op.res_attrs, len(last.arguments))
        for value, listed in zip(last.arguments, names, strict=True):
            name = listed[0] if listed else ""
            self.connect(
                value, self.node("Output", name, "port", [short_type(value.type)], cluster)
            )

    def program(self, op: kernel.ProgramOp, cluster: str) -> None:
        for arg, name in zip(op.input_args, op.inputs, strict=True):
            lines = [short_type(arg.type)]
            self.sources[arg] = (self.node("Input", name.data, "port", lines, cluster),)
        for (current, _), name in zip(op.state_args, op.states, strict=True):
            self.sources[current] = (self.read(name.data, current.type, cluster),)
        self.block(op.body.block, cluster)
        for arg, name in zip(op.output_args, op.outputs, strict=True):
            lines = [short_type(arg.type)]
            self.connect(arg, self.node("Output", name.data, "port", lines, cluster))
        for (_, following), name in zip(op.state_args, op.states, strict=True):
            if following in self.sources:
                self.connect(following, self.assign(name.data, following.type, cluster))

    # --- states -----------------------------------------------------------------------------

    def read(self, state: str, type: Attribute, cluster: str) -> str:
        return self._access(state, "ReadValue", type, cluster)

    def assign(self, state: str, type: Attribute, cluster: str) -> str:
        return self._access(state, "Assign", type, cluster)

    def _access(self, state: str, what: str, type: Attribute, cluster: str) -> str:
        if state not in self.states:
            self.states[state] = self.cluster(f"state {state}", cluster, True), [], []
        found = self.states[state]
        id = self.node(what, "", "state", [short_type(type)], found[0])
        (found[1] if what == "ReadValue" else found[2]).append(id)
        return id

    def close_states(self) -> None:
        """What a call assigns the next one reads."""
        for _, reads, assigns in self.states.values():
            self.edges += [Edge(a, r, "next call", True) for a in assigns for r in reads]

    # --- operations -------------------------------------------------------------------------

    def block(self, block: Block, cluster: str) -> None:
        for op in block.ops:
            self.operation(op, cluster)

    def operation(self, op: Operation, cluster: str) -> None:
        match op:
            case ReturnOp() | infra.YieldOp() | infra.VariableOp():
                return
            case infra.ReadValueOp():
                id = self.read(op.variable.string_value(), op.result.type, cluster)
                self.sources[op.result] = (id,)
                self.connect(op.init, id)
            case infra.AssignOp():
                id = self.assign(op.variable.string_value(), op.value.type, cluster)
                self.connect(op.value, id)
            case kernel.BufferOp() | kernel.ViewOp() | kernel.ConstantOp():
                return
            case kernel.EmittedOp() | kernel.CopyOp() if not op.results:
                self.on_memory(op, cluster)
            case _ if op.regions and not isinstance(op, kernel.EmittedOp):
                self.with_bodies(op, cluster)
            case _ if op.results and not any(self.sources.get(each) for each in op.operands):
                return  # a constant
            case _:
                if isinstance(op, SequenceOp):
                    cluster = self.cluster(_sequence_label(op), cluster)
                id = self.computing(op, cluster)
                self.sources |= dict.fromkeys(op.results, (id,))
                for operand in op.operands:
                    self.connect(operand, id)

    def computing(self, op: Operation, cluster: str) -> str:
        if isinstance(op, kernel.EmittedOp):
            return self.kernel(op, cluster)
        row = row_of(op)
        reads = [
            precision
            for operand, precision in zip(op.operands, row["inputs"], strict=True)
            if self.sources.get(operand) or precision not in SIZES
        ]
        lines = [f"{_each(reads)} → {_each(row['outputs'])}"]
        kind = kind_of(op.result_types, (*row["inputs"], *row["outputs"]))
        return self.node(row["type"], row["name"], kind, lines, cluster, row["reason"])

    def kernel(self, op: kernel.EmittedOp, cluster: str) -> str:
        origins = origins_of(op)
        types = list(dict.fromkeys(origin.type for origin in origins))
        more = f" +{len(types) - TYPES_AT_MOST}" if len(types) > TYPES_AT_MOST else ""
        listed = f": {', '.join(types[:TYPES_AT_MOST])}{more}" if types else ""
        reads = [_precision(value.type) for value in op.reads]
        writes = [value.type for value in op.outputs]
        lines = [f"{_each(reads)} → {_each(map(_precision, writes))}"]
        name = origins[0].name if origins else ""
        return self.node(op.name + listed, name, kind_of(writes, reads), lines, cluster)

    def on_memory(self, op: kernel.EmittedOp | kernel.CopyOp, cluster: str) -> None:
        """What reads and writes buffers; one that writes a whole buffer is its only source."""
        if isinstance(op, kernel.CopyOp):
            reads, writes = (op.source,), (op.target,)
            id = self.node("kernel.copy", "", kind_of([op.target.type]), [], cluster)
        else:
            reads, writes = op.reads, tuple(op.outs)
            id = self.computing(op, cluster)
        for value in reads:
            for source in self.sources.get(root_of(value), ()):
                self.edges.append(Edge(source, id, short_type(value.type)))
        for value in writes:
            root = root_of(value)
            before = self.sources.get(root, ()) if value is not root else ()
            self.sources[root] = (*before, id)

    def with_bodies(self, op: Operation, cluster: str) -> None:
        """Loops are drawn through; other operations with bodies have a node behind these, which gives the results."""
        is_loop = isinstance(op, infra.IteratorOp)
        for number, region in enumerate(op.regions):
            if not region.blocks:
                continue
            body = self.cluster(_body_label(op, number), cluster)
            for block in region.blocks:
                self.arguments(op, block, body)
                self.block(block, body)
            if is_loop:
                self.loop(op, body)
        if is_loop or not op.results:
            return
        id = self.computing(op, cluster)
        for value in (*self._selectors(op), *_yielded(op)):
            self.connect(value, id)
        self.sources |= dict.fromkeys(op.results, (id,))

    def _selectors(self, op: Operation) -> Sequence[SSAValue]:
        """The operands that no body is given."""
        return (op.condition,) if isinstance(op, infra.IfOp) else op.operands

    def arguments(self, op: Operation, block: Block, cluster: str) -> None:
        """What a body is given: parts and what the iteration before left have nodes of their own."""
        given = list(op.operands)
        if isinstance(op, infra.IteratorOp):
            given = given[op.first_operand :]
        elif isinstance(op, infra.IfOp):
            given = list(op.inputs)
        ports = op.inputs.data if isinstance(op, infra.IteratorOp) else ()
        for number, (arg, operand) in enumerate(zip(block.args, given, strict=False)):
            port = ports[number] if number < len(ports) else None
            if isinstance(port, infra.SlicedAttr | infra.MergedAttr):
                what = "Merged" if isinstance(port, infra.MergedAttr) else "Sliced"
                id = self.node(what, arg.name_hint or "", "port", [short_type(arg.type)], cluster)
                self.connect(operand, id)
                self.sources[arg] = (id,)
            else:
                self.sources[arg] = self.sources.get(operand, ())

    def loop(self, op: infra.IteratorOp, body: str) -> None:
        """What a loop gives, what it gives its next iteration, and what limits it."""
        block = op.regions[0].block
        for arg, port in zip(block.args, op.inputs, strict=False):
            if isinstance(port, infra.MergedAttr):
                (target,) = self.sources[arg]
                self.connect(op.yielded[port.result.data], target, is_back=True)
        for result, port in zip(op.results, op.outputs, strict=True):
            assert isinstance(port, infra.ConcatenatedAttr | infra.IterationAttr)
            self.sources[result] = self.sources.get(op.yielded[port.result.data], ())
        limits = [each for each in op.operands[: op.first_operand] if self.sources.get(each)]
        if isinstance(op, infra.LoopOp) and (condition := op.condition) is not None:
            limits += [condition] if self.sources.get(condition) else []
        if limits:
            id = self.node("Limits", "", "port", [], body)
            for value in limits:
                self.connect(value, id)


def _yielded(op: Operation) -> list[SSAValue]:
    """What the bodies give."""
    last = [block.last_op for region in op.regions for block in region.blocks]
    return [value for each in last if each is not None for value in each.operands]


def _precision(type: Attribute) -> str:
    return short_element(getattr(type, "element_type", type))


def _each(names: Iterable[str]) -> str:
    """Each name once."""
    return " ".join(dict.fromkeys(names))


def _sequence_label(op: SequenceOp) -> str:
    """A sequence is a loop over time."""
    steps = short_type(op.operands[0].type).partition("[")[2].rstrip("]").split(",")
    return f"{type_name(op)} of {steps[1] if len(steps) > 1 else '?'} steps"


def _body_label(op: Operation, number: int) -> str:
    name, what = layer_name(op), type_name(op)
    match op:
        case infra.IteratorOp():
            count = op.iterations()
            what += f", {_iterations(count)}"
        case infra.IfOp() | kernel.IfOp():
            what += ", then" if number == 0 else ", else"
        case kernel.ForOp():
            what = f"kernel.for, {_iterations(op.count.value.data)}"
        case _:
            what = op.name if what == op.name or not op.name.startswith("infra.") else what
    return f"{name}: {what}" if name else what


def _iterations(count: int | None) -> str:
    return f"{'?' if count is None else count} iteration{'' if count == 1 else 's'}"
