"""Modules as LiteRT models: for each operation the operators that do the same."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ....dialects.module import entry_of, port_names
from ....dialects.tables import import_modules
from ..graph import Graph, Signature, Subgraph
from .block import result, written
from .quantization import given_codes, taken_codes
from .states import States
from .writer import Writer

import_modules(__name__)


def graph_of(module: ModuleOp) -> Graph:
    """
    The entry of a module as a LiteRT model.

    Raises DiagnosticException, naming the operation, for what LiteRT cannot say.
    """
    entry = entry_of(module)
    main = Subgraph("main")
    write = Writer(main, Graph([main]))
    write.states = States(write)
    block = entry.body.block
    names = port_names(entry.arg_attrs, len(block.args))
    inputs = [ports[0] if ports else f"input_{i}" for i, ports in enumerate(names)]
    main.inputs = [given_codes(write, *port) for port in zip(block.args, inputs, strict=True)]
    results = written(write, block)
    names = port_names(entry.res_attrs, len(results))
    outputs = [ports[0] if ports else f"output_{i}" for i, ports in enumerate(names)]
    for value, name in zip(results, outputs, strict=True):
        result(write, taken_codes(write, value), name)
    write.states.finish()
    for subgraph in write.graph.subgraphs:
        subgraph.prune()
    write.graph.signature = Signature(tuple(inputs), tuple(outputs))
    return write.graph
