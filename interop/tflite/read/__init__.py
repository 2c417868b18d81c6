"""LiteRT models as modules."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Region

from ....dialects import infra
from ....dialects.module import names_attribute
from ....dialects.tables import import_modules
from ....dialects.verification import verify
from ....passes.legalize_tfl_to_rnn.update import expand_updates
from ..graph import Graph
from .reader import Reader

import_modules(__name__)


def module_of(graph: Graph) -> ModuleOp:
    """
    The first subgraph as the entry of a module.

    Raises DiagnosticException, naming the operator, for what cannot be said here.
    """
    main = graph.subgraphs[0]
    read = Reader.of(graph, main)
    results = read.run()
    read.block.add_op(func.ReturnOp(*results))
    types = [argument.type for argument in read.block.args], [value.type for value in results]
    inputs, outputs = ([tensor.name for tensor in side] for side in (main.inputs, main.outputs))
    if graph.signature is not None:
        inputs = [name or old for name, old in zip(graph.signature.inputs, inputs, strict=True)]
        outputs = [name or old for name, old in zip(graph.signature.outputs, outputs, strict=True)]
    entry = func.FuncOp(
        "main",
        types,
        Region(read.block),
        arg_attrs=names_attribute([[name] if name else [] for name in inputs]),
        res_attrs=names_attribute([[name] if name else [] for name in outputs]),
    )
    variables = [infra.VariableOp(name, type) for name, type in read.variables.items()]
    module = ModuleOp([*variables, entry])
    expand_updates(module)
    verify(module)
    return module
