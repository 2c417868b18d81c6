"""An ONNX model as a module: its graph is the entry; the rule of each node's type writes its operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import NAME, friendly_name
from ...dialects.module import names_attribute
from ...dialects.verification import verify
from ...passes.erase_unused import erase_dead
from ...passes.folding_writer import FoldingWriter
from ...passes.shapes.read_sizes import ReadSizes
from .attributes import check_type, decode
from .channel_blocks import channels_in_block
from .elements import (
    READERS_OF_2_BITS,
    constant_data,
    has_2_bits,
    sparse_data,
    tensor_type,
    widened_data,
)
from .functions import Functions
from .initializers import Data
from .invalid import what_is_invalid
from .namesakes import namesake
from .node import InvalidNodeError, LocatedError, Node, Stack, Value, Values
from .order import in_order
from .package import (
    ADDED_BY_RUNTIME,
    DEFAULT,
    LEARNING,
    PREVIEW,
    WITHOUT_SCHEMAS,
    import_onnx,
    schema_of,
)
from .rule_table import SaidByFunctionError
from .rules import RULES
from .states import StatePorts, noted
from .unknown_squeezes import UnknownSqueezes, has_declared_ranks
from .unsupported import UNKNOWN, unknown_domain, unknown_operator


def module_of(proto: Any, data: Data) -> ModuleOp:
    """
    The model, with entry `@main`. Raises DiagnosticException, naming the operator, where it cannot be said here.

    A Squeeze without axes leaves unknown sizes as they are, or removes them, as the declared results want it.
    """
    squeezes = UnknownSqueezes(are_one=False)
    try:
        module, outputs = _read(proto, data, squeezes)
    except DiagnosticException:
        if squeezes.met is None:
            raise
    else:
        if squeezes.met is None or has_declared_ranks(module, outputs):
            return module
    module, outputs = _read(proto, data, UnknownSqueezes(are_one=True))
    if not has_declared_ranks(module, outputs):
        raise DiagnosticException(
            f"Squeeze '{squeezes.met}': neither with its unknown sizes nor without them do results have as many "
            "dimensions as the model declares; give it axes, or the model's inputs known sizes"
        )
    return module


def _read(proto: Any, data: Data, squeezes: UnknownSqueezes) -> tuple[ModuleOp, Sequence[Any]]:
    """The model, and the outputs of its graph."""
    opsets = opsets_of(proto.opset_import)
    states = noted(proto.metadata_props)
    flags = {state.is_set: state for state in states}
    model = GraphContext(data, Functions.of(proto), proto.graph, flags, squeezes=squeezes)
    graph, block = proto.graph, Block()
    scope = Scope(model, block, opsets)
    scope.add_constants(graph)
    given = {state.input for state in states}
    inputs = [
        info for info in graph.input if info.name not in scope.values and info.name not in given
    ]
    for info in inputs:
        scope.values[info.name] = block.insert_arg(tensor_type(info), len(block.args))
    for state in states:
        if state.is_set:
            scope.values[state.input] = None
        else:
            scope.values[state.input] = state.read(block, scope.tensor(state.input))
    scope.uses = {info.name: {"output"} for info in graph.output}
    scope.add_nodes(graph.node)
    after = {state.output: state for state in states}
    outputs = [info for info in graph.output if info.name not in after]
    for state in states:
        if state.output:
            state.assign(block, scope.tensor(state.output))
    outputs = [each for info in outputs for each in scope.results_of(info)]
    results = [value for _, value, _ in outputs]
    block.add_op(func.ReturnOp(*results))
    erase_dead(block)
    entry = func.FuncOp(
        "main",
        (list(block.arg_types), [result.type for result in results]),
        Region(block),
        arg_attrs=names_attribute([[info.name] for info in inputs]),
        res_attrs=names_attribute([[name] for name, _, _ in outputs]),
    )
    module = ModuleOp([*(state.declared() for state in states), entry])
    model.sizes.note(module)
    verify(module)
    return module, [info for *_, info in outputs]


def opsets_of(imports: Iterable[Any], around: Mapping[str, int] | None = None) -> dict[str, int]:
    """
    The opset version of each domain; `around` has those of domains that are not imported. Raises DiagnosticException
    where the `onnx` package is too old for a model's opset.
    """
    found: dict[str, int] = {each.domain: each.version for each in imports}
    known = found | {name: version for name, version in (around or {}).items() if name not in found}
    own = next((known[name] for name in DEFAULT if name in found), known.get("", 1))
    onnx = import_onnx()
    if own > (newest := onnx.defs.onnx_opset_version()):
        raise DiagnosticException(
            f"opset {own} is newer than {newest}, the newest that onnx {onnx.__version__} knows; install a newer onnx"
        )
    return known | dict.fromkeys(DEFAULT, own)


@dataclass
class GraphContext:
    """What all graphs of a model share."""

    data: Data
    functions: Functions
    graph: Any
    states: dict[str, StatePorts] = field(default_factory=dict[str, StatePorts])
    """The states whose initial value is computed, by the input that says whether they are set."""
    sizes: ReadSizes = field(default_factory=ReadSizes)
    squeezes: UnknownSqueezes = field(default_factory=UnknownSqueezes)

    @cached_property
    def channels_in_block(self) -> int:
        """How many channels lie in a block of NCHWc. Raises DiagnosticException where filters contradict each other."""
        return channels_in_block(self.graph, self.data)


@dataclass
class Scope:
    """
    The names of one graph: of what they stand for is written in `block`. A body knows those around it, too; what it
    takes from there is one more argument of its block (`captured`), if it has a block of its own.
    """

    model: GraphContext
    block: Block
    opsets: dict[str, int]
    parent: Scope | None = None
    attributes: dict[str, Any] = field(default_factory=dict[str, Any])
    path: str = ""
    values: dict[str, Value | Any] = field(default_factory=dict[str, Any])
    captured: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    uses: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    @property
    def write(self) -> FoldingWriter:
        """Appends an operation to the block."""
        return FoldingWriter(InsertPoint.at_end(self.block), self.model.sizes)

    def lookup(self, name: str) -> Value:
        """The value of a name. Raises DiagnosticException where nothing before has that name."""
        if not name:
            return None
        if name not in self.values:
            if self.parent is None:
                raise DiagnosticException(f"reads '{name}', which nothing before it gives")
            self.values[name] = self._taken(self.parent.lookup(name))
        value: Any = self.values[name]
        if not isinstance(value, SSAValue | tuple | Stack | None):
            value = self.values[name] = self.constant(value, name)
        return cast(Value, value)

    def readers(self, name: str) -> set[str]:
        """The types of the nodes of this graph that read a name; `output` where it is one of the model's."""
        return self.uses.get(name, set())

    def tensor(self, name: str) -> SSAValue:
        """The tensor of a name."""
        value = self.lookup(name)
        if not isinstance(value, SSAValue):
            kind = "an empty optional" if value is None else "an empty sequence"
            if value:
                kind = "a sequence, whose values ConcatFromSequence puts together"
            raise DiagnosticException(f"result '{name}' is {kind}; only tensors can be results")
        return value

    def results_of(self, info: Any) -> list[tuple[str, SSAValue, Any]]:
        """
        The results that an output of the model becomes: one, or of a sequence as many as it has tensors. Each with its
        name, and what the model declares of it.
        """
        value = self.lookup(info.name)
        parts = value if isinstance(value, tuple) else ()
        tensors = [part for part in parts if isinstance(part, SSAValue)]
        if not parts or len(tensors) < len(parts):
            return [(info.name, self.tensor(info.name), info)]
        declared = type(info)(name=info.name)  # a sequence says nothing of ranks
        return [(f"{info.name}/{place}", part, declared) for place, part in enumerate(tensors)]

    def constant(self, tensor: Any, name: str) -> SSAValue:
        """Appends a constant to the block."""
        raw = self.model.data.of
        is_sparse = tensor.DESCRIPTOR.name == "SparseTensorProto"
        if is_sparse:
            made = sparse_data(tensor, raw)
        elif has_2_bits(tensor) and name and self.readers(name) <= READERS_OF_2_BITS:
            made = widened_data(tensor, raw(tensor))
        else:
            made = constant_data(tensor, raw(tensor))
        op = nn.ConstantOp(made)
        if name:
            op.attributes[NAME] = StringAttr(name)
        self.block.add_op(op)
        return op.result

    def _taken(self, value: Value) -> Value:
        """A value of the surrounding graph, as a value of this one."""
        assert self.parent is not None
        if value is None or self.parent.block is self.block:
            return value
        if isinstance(value, tuple):
            return tuple(map(self._taken, value))
        if isinstance(value, Stack):
            taken = self._taken(value.tensor)
            assert isinstance(taken, SSAValue)
            return Stack(taken)
        if isinstance(value.owner, nn.ConstantOp):
            copy = value.owner.clone()
            self.block.add_op(copy)
            return copy.result
        if value not in self.captured:
            self.captured[value] = self.block.insert_arg(value.type, len(self.block.args))
        return self.captured[value]

    def add_constants(self, graph: Any) -> None:
        """Names the initializers of a graph. Each becomes a constant where it is first read."""
        for tensor in graph.initializer:
            self.values[tensor.name] = tensor
        for sparse in graph.sparse_initializer:
            self.values[sparse.values.name] = sparse

    # --- nodes --------------------------------------------------------------------------------------

    def add_nodes(self, nodes: Sequence[Any]) -> None:
        """Reads nodes, each behind what it reads."""
        for proto in nodes:
            for name in proto.input:
                self.uses.setdefault(name, set()).add(proto.op_type)
        for proto in in_order(nodes):
            outputs = cast(Sequence[str], proto.output)
            name = self.path + (str(proto.name) or next(filter(None, outputs), ""))
            try:
                results = self._results(proto, name)
            except LocatedError:
                raise
            except DiagnosticException as error:
                domain = "" if proto.domain in DEFAULT else f"{proto.domain}."
                kind = InvalidNodeError if isinstance(error, VerifyException) else LocatedError
                raise kind(f"{domain}{proto.op_type} '{name}': {error}") from None
            for output, value in zip(proto.output, results, strict=False):
                self.values[output] = value

    def _results(self, proto: Any, name: str) -> Sequence[Value]:
        inputs = [self.lookup(each) for each in proto.input]
        attributes = dict(self._attributes(proto))
        before = self.block.last_op
        try:
            results = self._made(proto, name, attributes, inputs)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise DiagnosticException(what_is_invalid(proto, inputs, self.opsets, error)) from error
        listed = results if isinstance(results, list) else [results]
        _name(listed, before, name)
        return listed

    def _made(
        self, proto: Any, name: str, attributes: dict[str, Any], inputs: list[Value]
    ) -> Values:
        type, functions = proto.op_type, self.model.functions
        if type == "Where" and proto.input[0] in self.model.states:
            init = inputs[2]
            assert isinstance(init, SSAValue)
            return self.model.states[proto.input[0]].read(self.block, init)
        if (local := functions.local(proto)) is not None:
            return self.call(local, opsets_of(local.opset_import), attributes, inputs, name)
        domain = "" if proto.domain in DEFAULT else proto.domain
        if domain not in ("", LEARNING, PREVIEW, *WITHOUT_SCHEMAS):
            raise DiagnosticException(unknown_domain(domain))
        opset = self.opsets.get(domain, 1)
        schema = schema_of(type, opset, domain)
        type = f"{domain}.{type}" if domain else type
        decoded = {
            name: value for name, value in map(decode, attributes.values()) if value is not None
        }
        node = Node(type, 1, name, decoded, inputs, list(proto.output), self.write, self)
        if schema is not None:
            return self._of_schema(schema, node, proto, attributes)
        is_known = domain in WITHOUT_SCHEMAS or type in ADDED_BY_RUNTIME
        if not is_known or type not in RULES:
            raise DiagnosticException(unknown_operator(proto.op_type, domain, opset))
        return RULES[type](node)

    def _of_schema(self, schema: Any, node: Node, proto: Any, attributes: dict[str, Any]) -> Values:
        """The results of an operator that ONNX has: by a rule, as an operation of the same name, or by its function."""
        opset = max(self.opsets.get(schema.domain, 1), schema.since_version)
        for key in attributes:
            if key not in schema.attributes:
                raise DiagnosticException(
                    f"it has no attribute '{key}' in opset {opset}; export the model again"
                )
        for key, definition in schema.attributes.items():
            if key in attributes:
                check_type(attributes[key], definition.type)
            elif definition.default_value.name:
                node.attributes[key] = decode(definition.default_value)[1]
        if len(node.outputs) < schema.min_output:
            raise DiagnosticException(
                f"it has {len(node.outputs)} outputs, and at least {schema.min_output} in ONNX; export the model again"
            )
        node.version = schema.since_version
        if (known := RULES.get(node.type)) is not None:
            with suppress(SaidByFunctionError):
                return known(node)
        if callable(same := namesake(node)):
            return same()
        functions, inputs = self.model.functions, node.inputs
        if (function := functions.of_schema(schema, opset, proto, attributes, inputs)) is not None:
            defaults = {
                key: each.default_value
                for key, each in schema.attributes.items()
                if each.default_value.name
            }
            body_opsets = opsets_of(function.opset_import, self.opsets)
            return self.call(function, body_opsets, defaults | attributes, inputs, node.name)
        raise DiagnosticException(same or UNKNOWN)

    def _attributes(self, proto: Any) -> Iterator[tuple[str, Any]]:
        """The attributes of a node; a reference to an attribute of the surrounding function is resolved."""
        for attribute in proto.attribute:
            if not (reference := attribute.ref_attr_name):
                yield attribute.name, attribute
            elif reference in self.attributes:
                copy = type(attribute)()
                copy.CopyFrom(self.attributes[reference])
                copy.name = attribute.name
                yield attribute.name, copy

    def call(
        self,
        function: Any,
        opsets: dict[str, int],
        attributes: dict[str, Any],
        inputs: Sequence[Value],
        name: str,
    ) -> list[Value]:
        """The results of a function, whose body is written here."""
        if self.path.count("/") >= MOST_CALLS:
            raise DiagnosticException("this function calls itself")
        defaults = {each.name: each for each in function.attribute_proto}
        scope = Scope(self.model, self.block, opsets, None, defaults | attributes, path=f"{name}/")
        given = [*inputs, *[None] * (len(function.input) - len(inputs))]
        scope.values.update(zip(function.input, given, strict=True))
        scope.add_nodes(function.node)
        # Of outputs that a caller leaves out, bodies may say nothing.
        return [scope.lookup(name) if name in scope.values else None for name in function.output]

    # --- bodies -------------------------------------------------------------------------------------

    def inlined(self, graph: Any, arguments: Sequence[Value]) -> list[Value]:
        """The results of a body that is written here."""
        scope = Scope(self.model, self.block, self.opsets, self, self.attributes, self.path)
        scope.add_constants(graph)
        names = [info.name for info in graph.input]
        scope.values.update(zip(names, arguments, strict=True))
        scope.add_nodes(graph.node)
        return [scope.lookup(info.name) for info in graph.output]

    def failing_body(
        self, message: str, results: Sequence[SSAValue]
    ) -> tuple[Scope, list[SSAValue]]:
        """
        A body that ends the inference with the message, in a block of its own, and yields zeros of these types. Raises
        DiagnosticException with the message where one of them has unknown sizes.
        """
        types = [cast(TensorType[Any], result.type) for result in results]
        if not all(type.has_static_shape() for type in types):
            raise DiagnosticException(message)
        scope = Scope(self.model, Block([infra.FailOp.of_branch(message)]), self.opsets, self)
        return scope, [scope.write.constant(BlobAttr.of(type, 0)) for type in types]

    def body(self, graph: Any, types: Sequence[Attribute]) -> tuple[Scope, list[SSAValue]]:
        """
        A body in a block of its own without a terminator, whose first arguments have these types; and its results.
        """
        scope = Scope(
            self.model, Block(arg_types=types), self.opsets, self, self.attributes, self.path
        )
        scope.add_constants(graph)
        names = [info.name for info in graph.input]
        if len(names) != len(types):
            raise DiagnosticException(f"a body takes {len(names)} values, it is given {len(types)}")
        scope.values.update(zip(names, scope.block.args, strict=True))
        scope.add_nodes(graph.node)
        return scope, [scope.tensor(info.name) for info in graph.output]


MOST_CALLS = 64
"""How deep functions may call each other."""


def _name(results: Sequence[Value], before: Operation | None, name: str) -> None:
    """Gives the operation that was written last for a node the node's name, if none of them has it."""
    first = next((value for value in results if isinstance(value, SSAValue)), None)
    if first is None or not name or not isinstance(owner := first.owner, Operation):
        return
    written = list(_written_after(before, owner))
    if any(friendly_name(op) == name for op in written):
        return
    if owner is not before and (NAME not in owner.attributes or owner in written):
        owner.attributes[NAME] = StringAttr(name)


def _written_after(before: Operation | None, op: Operation) -> Iterator[Operation]:
    """The operations of a block behind a given one, which is among the last ones."""
    each = op.parent.last_op if op.parent is not None else None
    for _ in range(LOOK_BACK):
        if each is None or each is before:
            return
        yield each
        each = each.prev_op


LOOK_BACK = 64
"""Most nodes become at most so many operations."""
