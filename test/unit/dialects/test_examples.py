"""Every example in a docstring reads, prints, verifies, infers, compiles and is as OpenVINO has the operation."""

import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
import openvino
import pytest
from openvino.utils.node_factory import NodeFactory
from xdsl.dialects.builtin import (
    ModuleOp,
    TensorType,
)
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from lowstream.dialects import context, kernel, nn, qnn, rnn
from lowstream.dialects.compatible import compatible
from lowstream.dialects.inferred import InferredOp, constant_integers, tensor
from lowstream.dialects.module import entry_of
from lowstream.dialects.names import names_of
from lowstream.interop.mlir import parse_module
from lowstream.interop.openvino import exporter
from lowstream.lowering.lower_to_kernels import lower
from lowstream.lowering.machine import Isa, available_isas
from lowstream.reference.arrays import Array, array_of, dtype_of
from lowstream.reference.executor import Executor
from lowstream.test.unit.dialects.examples import example_of, text_of
from lowstream.test.unit.dialects.sampling import exemplary
from lowstream.test.unit.dialects.test_inference import sampler_of
from lowstream.test.unit.lowering.codegen.native import Native

TENSORS = [op for dialect in (nn.Nn, qnn.Qnn, rnn.Rnn) for op in dialect.operations]


def by_name(ops: list[type[Operation]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("op", ops, ids=lambda op: op.name)


def printed(module: ModuleOp, generic: bool) -> str:
    text = io.StringIO()
    Printer(text, print_generic_format=generic).print_op(module)
    return text.getvalue()


@cache
def read(op: type[Operation]) -> ModuleOp:
    """The example, which is to stay as it is."""
    return example_of(op)


@cache
def answered(op: type[Operation]) -> tuple[list[Array], list[Array]]:
    """Inputs of the example, and what it gives for them."""
    inputs = inputs_of(read(op))
    return inputs, meant(read(op), inputs)


def inputs_of(module: ModuleOp) -> list[Array]:
    """Small numbers, half of floating-point ones below 0."""
    rng = np.random.default_rng(1)
    inputs: list[Array] = []
    for argument in entry_of(module).args:
        shape, dtype = tensor(argument).get_shape(), dtype_of(tensor(argument).element_type)
        numbers = rng.uniform(-2, 2, shape) if dtype.kind == "f" else rng.integers(0, 4, shape)
        inputs.append(numbers.astype(dtype))
    return inputs


def meant(module: ModuleOp, inputs: list[Array]) -> list[Array]:
    with np.errstate(all="ignore"):
        return list(Executor(module).run(inputs))


KERNELS = [
    op
    for op in kernel.Kernel.operations
    if not op.has_trait(IsTerminator) and "…" not in text_of(op)
]
"""Those whose example leaves nothing out."""


@by_name([*TENSORS, *KERNELS])
def test_an_example_is_read_as_it_is_printed(op: type[Operation]):
    module = example_of(op)
    module.verify()
    custom = printed(module, generic=False)
    for generic in (False, True):
        again = parse_module(printed(module, generic), "text", context())
        again.verify()
        assert again.is_structurally_equivalent(module)
        assert printed(again, generic=False) == custom


@by_name([op for op in TENSORS if issubclass(op, InferredOp)])
def test_an_example_has_the_types_that_its_operands_give(op: type[Operation]):
    (instance,) = (each for each in read(op).walk() if isinstance(each, op))
    assert isinstance(instance, InferredOp)
    assert instance.infer_types(constant_integers) == list(instance.result_types)
    _, results = answered(op)
    for type, result in zip(instance.result_types, results, strict=True):
        assert isinstance(type, TensorType)
        assert compatible(type, TensorType(type.element_type, result.shape))
        assert dtype_of(type.element_type) == result.dtype


def compiled() -> Iterator[tuple[type[Operation], Isa]]:
    """
    Each example of `rnn` on each instruction set. Those of `nn` and `qnn` are on one each, in turn, but for those
    that `lowering/operations/test_operations.py` compiles, as it draws no other operands.
    """
    isas = available_isas()
    for i, op in enumerate(TENSORS):
        if op in rnn.Rnn.operations or not issubclass(op, InferredOp):
            yield from ((op, isa) for isa in isas)
        elif sampler_of(op) is not exemplary:
            yield op, isas[i % len(isas)]


@pytest.mark.parametrize(("op", "isa"), [*compiled()], ids=lambda each: each.name)
def test_an_example_compiles_to_what_it_means(op: type[Operation], isa: Isa):
    inputs, wanted = answered(op)
    results = Native(lower(read(op), isa.name), isa).run(inputs)
    for have, want in zip(results, wanted, strict=True):
        assert have.dtype == want.dtype
        np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-5)


def node_of(op: Operation) -> Any:
    """OpenVINO's node of the type that an operation is known as, in the newest opset that is complete."""
    inputs: list[Any] = []
    for operand in op.operands:
        blob, type = nn.constant_of(operand), tensor(operand)
        shape = openvino.PartialShape(list(type.get_shape()))
        known = None if blob is None else openvino.op.Constant(array_of(blob))
        given = openvino.op.Parameter(openvino.Type(dtype_of(type.element_type)), shape)
        inputs.append((known or given).output(0))
    return exporter.node_of(op, inputs)


@by_name([op for op in TENSORS if names_of(op).openvino and issubclass(op, InferredOp)])
def test_openvino_has_the_operation_in_this_version(op: type[Operation]):
    (instance,) = (each for each in read(op).walk() if isinstance(each, op))
    node = node_of(instance)
    version = names_of(op).openvino.partition("-")[2]
    assert node.get_type_info().version_id == f"opset{version}"
    for output, result in zip(node.outputs(), instance.results, strict=False):
        shape = openvino.PartialShape([max(size, -1) for size in tensor(result).get_shape()])
        theirs = output.get_partial_shape()
        assert theirs == shape or (shape.is_dynamic and theirs.compatible(shape))


def test_files_of_openvino_spell_types_so(tmp_path: Path):
    """In its API, four are spelled otherwise."""
    for ours, theirs in exporter.SPELLED.items():
        x = openvino.op.Parameter(openvino.Type.f32, openvino.PartialShape([1, 2]))
        inputs: list[Any] = [x.output(0)] * (2 if theirs == "PRelu" else 1)
        node: Any = openvino.op.Constant(np.ones((1, 2), np.float32))
        if theirs != node.get_type_name():
            node = NodeFactory("opset16").create(theirs, inputs, {})
        openvino.save_model(cast(Any, openvino.Model)([node], [x], "m"), tmp_path / "m.xml")
        assert f'type="{ours}"' in (tmp_path / "m.xml").read_text()
