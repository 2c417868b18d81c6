"""
The committed int8 LSTM, level by level: machine against kernels, kernels against the operations they came
from, each step with the states of the level that judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

import lowstream
from lowstream import read_model, run_passes
from lowstream.dialects import context, kernel, qnn
from lowstream.dialects.inferred import friendly_name
from lowstream.dialects.kernel import shaped, storage_bytes
from lowstream.dialects.module import entry_of
from lowstream.dialects.origins import origins_of
from lowstream.interop.model import Model
from lowstream.lowering.lower_to_kernels import lower, lowering_passes
from lowstream.lowering.machine import available_isas
from lowstream.lowering.plan import PlanMemory
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor

MODEL = Path(lowstream.__file__).parent / "docs" / "examples" / "pitch" / "pitch.mlir"
ORDERS = ("low-latency2,lpt", "lpt,low-latency2")
STEPS = 40


def streaming(order: str) -> Model:
    """The model as it streams."""
    model = read_model(MODEL)
    run_passes(model, order)
    return model


def frames(module: ModuleOp) -> list[Array]:
    """A signal that changes slowly, as sounds do."""
    rng = np.random.default_rng(1)
    shape = kernel.shaped(entry_of(module).body.block.args[0]).get_shape()
    signal = [np.zeros(shape, np.float32)]
    for _ in range(STEPS):
        signal.append((0.9 * signal[-1] + 0.4 * rng.standard_normal(shape)).astype(np.float32))
    return signal[1:]


def on_tensors(module: ModuleOp) -> ModuleOp:
    """The module as kernels whose memory is not planned yet."""
    clone = module.clone()
    for each in lowering_passes():
        if isinstance(each, PlanMemory):
            break
        each.apply(context(), clone)
    return clone


@pytest.mark.parametrize("order", ORDERS)
def test_kernels_give_the_codes_of_the_operations_they_came_from(order: str):
    model = streaming(order)
    reference, kernels = Executor(model.module), Executor(on_tensors(model.module))
    wanted: dict[str | None, Array] = {}
    found: dict[str | None, Array] = {}

    def see_operation(op: Operation, _: Sequence[Array], results: Sequence[Array]) -> None:
        if isinstance(op, qnn.FakeQuantizeOp) and results[0].itemsize == 1:
            wanted[friendly_name(op)] = results[0]

    def see_kernel(op: Operation, _: Sequence[Array], results: Sequence[Array]) -> None:
        if isinstance(op, kernel.KernelOp):
            names = [o.name for o in origins_of(op) if o.type == "FakeQuantize"]
            found.update(zip(names, (r for r in results if r.itemsize == 1), strict=True))

    same = total = 0
    for frame in frames(model.module):
        kernels.states = dict(reference.states)
        outputs = zip(
            reference.run([frame], see_operation), kernels.run([frame], see_kernel), strict=True
        )
        assert wanted.keys() == found.keys()
        apart = [
            np.abs(codes.astype(int).reshape(-1) - found[name].astype(int).reshape(-1))
            for name, codes in wanted.items()
        ]
        assert max(a.max() for a in apart) <= 1
        same += sum(int((a == 0).sum()) for a in apart)
        total += sum(a.size for a in apart)
        if not any(a.any() for a in apart):
            for a, b in outputs:
                np.testing.assert_allclose(a, b, rtol=0, atol=1e-5)
    assert same >= 0.999 * total


@pytest.mark.parametrize("isa", [isa.name for isa in available_isas()])
def test_the_machine_gives_the_bits_of_the_kernels(isa: str, monkeypatch: pytest.MonkeyPatch):
    model = streaming(ORDERS[0])
    monkeypatch.setenv("LOWSTREAM_ISA", isa)
    request = lowstream.compile_model(model).create_infer_request()
    program = ProgramExecutor(lower(model.module, isa))
    for frame in frames(model.module)[:5]:
        for i, output in enumerate(program.run([frame])):
            np.testing.assert_array_equal(output, request.infer([frame])[i])
        for state in request.query_state():
            np.testing.assert_array_equal(program.states[state.name], state.state)


@pytest.mark.parametrize("order", ORDERS)
def test_products_run_in_8_bits(order: str):
    model = streaming(order)
    request = lowstream.compile_model(model, profiling=True).create_infer_request()
    request.infer([frames(model.module)[0]])
    products = [row for row in lowstream.precision_report(model) if row["type"] == "MatMul"]
    counted = [e for e in request.profiling_info if e.node_type == "MatMul"]
    assert products
    assert len(products) == len(counted)
    assert all(row["inputs"] == ["i8", "i8"] for row in products)
    assert all(e.exec_type.endswith("_I8") and e.status.endswith("EXECUTED") for e in counted)


def test_a_step_copies_nothing_and_moves_little():
    program = lower(streaming(ORDERS[0]).module)
    moved = 0
    for op in program.walk():
        assert not isinstance(op, kernel.CopyOp)
        if isinstance(op, kernel.KernelOp):
            touched = {v for v in op.operands if not isinstance(v.owner, kernel.ConstantOp)}
            moved += sum(storage_bytes(shaped(value)) for value in touched)
    ports = [*program.input_args, *program.output_args, *(v for s in program.state_args for v in s)]
    needed = sum(storage_bytes(shaped(value)) for value in ports)
    assert moved <= 2 * needed
