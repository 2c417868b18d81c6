"""Modules as LiteRT models: for each operation the operators that do the same."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, SSAValue

from ....dialects import infra, nn
from ....dialects.module import entry_of, port_names
from ..graph import Graph, Signature, Subgraph, Tensor

# Their import fills the table of emitters.
from . import (
    activation,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    blocks,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    convolution,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    elementwise,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    interpolate,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    matrix,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    movement,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    normalization,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    pooling,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    reduction,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    selection,  # noqa: F401  # pyright: ignore[reportUnusedImport]
    shape,  # noqa: F401  # pyright: ignore[reportUnusedImport]
)
from .writer import View, Writer, element_of, identity, sizes_of


def graph_of(module: ModuleOp) -> Graph:
    """
    The entry of a module as a LiteRT model.

    Raises DiagnosticException, naming the operation, for what LiteRT cannot say.
    """
    entry = entry_of(module)
    main = Subgraph("main")
    graph = Graph([main])
    write = Writer(main, graph)
    block = entry.body.block
    names = port_names(entry.arg_attrs, len(block.args))
    inputs = [ports[0] if ports else f"input_{i}" for i, ports in enumerate(names)]
    for argument, name in zip(block.args, inputs, strict=True):
        main.inputs.append(given(write, argument, name))
    results = written(write, block)
    names = port_names(entry.res_attrs, len(results))
    outputs = [ports[0] if ports else f"output_{i}" for i, ports in enumerate(names)]
    for value, name in zip(results, outputs, strict=True):
        main.outputs.append(result(write, value, name, main))
    graph.signature = Signature(tuple(inputs), tuple(outputs))
    return graph


def given(write: Writer, argument: SSAValue, name: str) -> Tensor:
    """The tensor in which a subgraph gets an argument."""
    found = Tensor(sizes_of(argument), element_of(argument), name)
    write.values[argument] = View(found, identity(found.rank))
    return found


def written(write: Writer, block: Block) -> list[SSAValue]:
    """Writes the operations of a block. Returns what its terminator gives."""
    for op in block.ops:
        if isinstance(op, func.ReturnOp | infra.YieldOp):
            return list(op.operands)
        if not isinstance(op, nn.ConstantOp):
            write.run(op)
    raise AssertionError("a block without a terminator")


def result(write: Writer, value: SSAValue, name: str, subgraph: Subgraph) -> Tensor:
    """The tensor in which a subgraph gives a result: one of its own, that nothing else is."""
    found = write.plain(value)
    if found.data is not None or found in subgraph.inputs or found in subgraph.outputs:
        copy = Tensor(found.shape, found.element, quantization=found.quantization)
        write.copy(found, copy)
        found = copy
    found.name = name
    return found
