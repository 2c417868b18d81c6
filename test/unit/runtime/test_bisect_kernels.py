"""
Kernels of whole networks: the machine gives what they mean, on every instruction set and with any number of threads.

Threads divide kernels however small they are here.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, ModuleOp

import lowstream
from lowstream.dialects import kernel
from lowstream.lowering import reuse_weights_across_calls
from lowstream.lowering.codegen import work
from lowstream.lowering.lower_to_kernels import Fused
from lowstream.lowering.machine import ENVIRONMENT, available_isas, choose_isa
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array
from lowstream.reference.program import ProgramExecutor, Run
from lowstream.runtime import bisect_kernels
from lowstream.runtime.bisect_kernels import KernelDifference, compare_kernels, compare_program
from lowstream.runtime.bisect_layers import compare_layers
from lowstream.runtime.build import prepared
from lowstream.runtime.cache.tuned import configurations_for
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.small_networks import NETWORKS
from lowstream.tools import run_tool

PITCH = Path(__file__).parents[3] / "docs/examples/pitch/pitch.mlir"
ISAS = [isa.name for isa in available_isas()]
THREADS = 2


@pytest.fixture
def divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every kernel of some hundred operations is worth several threads."""
    monkeypatch.setattr(work, "SPLIT_WORK", 1 << 8)
    monkeypatch.setattr(work, "THREADS_WORK", 0)
    monkeypatch.setenv("LOWSTREAM_CACHE_DIR", "")


def network(name: str, low: bool) -> tuple[ModuleOp, Array]:
    module, image = NETWORKS[name](low)
    return prepared(module, "auto"), image


def pitch_step() -> tuple[ModuleOp, Array]:
    """A step of two LSTMs in 8 bits."""
    module = lowstream.read_model(PITCH).module
    run_passes(module, "low-latency2,lpt")
    return module, np.random.default_rng(0).normal(size=(1, 1, 64)).astype(np.float32)


# --- machine and kernel ---------------------------------------------------------------------


@pytest.mark.usefixtures("divided")
@pytest.mark.parametrize(
    ("name", "low", "isa"),
    [
        *(("residual", True, isa) for isa in ISAS),
        *(("inverted", i % 2 == 0, isa) for i, isa in enumerate(ISAS)),
    ],
)
def test_kernels_give_what_they_mean(
    name: str, low: bool, isa: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(ENVIRONMENT, isa)
    module, image = network(name, low)
    found = list(compare_kernels(module, [image], THREADS))
    assert len(found) > 15
    assert {each.type for each in found} == ({"ui8", "f32"} if low else {"f32"})
    assert not [each for each in found if each.count or each.strays]


@pytest.mark.usefixtures("divided")
@pytest.mark.parametrize(
    ("isa", "far"), [(ISAS[0], reuse_weights_across_calls.FAR), *((isa, 0) for isa in ISAS)]
)
def test_kernels_of_a_step_give_what_they_mean(isa: str, far: int, monkeypatch: pytest.MonkeyPatch):
    """Also where some of them are computed at one of two places."""
    monkeypatch.setenv(ENVIRONMENT, isa)
    monkeypatch.setattr(reuse_weights_across_calls, "FAR", far)
    module, frame = pitch_step()
    found = list(compare_kernels(module, [frame], THREADS))
    assert "kernel.mat_mul 'lstm0.x'" in [each.name for each in found]
    assert not [each for each in found if each.count or each.strays]


def test_loops_and_initial_values_count_as_one_kernel():
    states = runtime_models.module(runtime_models.STARTS_FROM_INPUT)
    (first, *_) = compare_kernels(states, [np.ones(4, np.float32)])
    assert (first.name, first.count) == ("kernel.if_unset", 0)
    sequence = lowstream.read_model(PITCH)
    sequence.reshape({"frame": [1, 3, 64]})
    frames = np.random.default_rng(0).normal(size=(1, 3, 64)).astype(np.float32)
    found = list(compare_kernels(prepared(sequence.module, "auto"), [frames]))
    assert [each.name for each in found].count("kernel.for") == 2
    assert not [each for each in found if each.count or each.strays]


# --- kernel and nn --------------------------------------------------------------------------


@pytest.mark.parametrize("name", NETWORKS)
def test_layers_are_at_most_a_code_apart(name: str):
    module, image = network(name, True)
    found = list(compare_layers(module, [image]))
    assert sum(each.is_code for each in found) >= 10
    assert not [each for each in found if not each.is_close]


# --- threads --------------------------------------------------------------------------------


@pytest.mark.usefixtures("divided")
@pytest.mark.parametrize(("name", "low"), [("residual", True), ("inverted", False)])
def test_networks_give_the_same_bits_whatever_the_threads(name: str, low: bool):
    module, image = NETWORKS[name](low)
    same_on_threads(module, [image, -image, image[..., ::-1].copy()])


@pytest.mark.usefixtures("divided")
def test_steps_give_the_same_bits_whatever_the_threads():
    module, _ = pitch_step()
    same_on_threads(module, list(np.random.default_rng(1).normal(size=(6, 1, 1, 64))))


def same_on_threads(module: ModuleOp, feeds: list[Array]) -> None:
    wanted: list[Array] = []
    for threads in (1, 2, 3):
        compiled = lowstream.compile_model(module, num_threads=threads)
        assert compiled.executable().threads == threads
        request = compiled.create_infer_request()
        found = [request.infer([feed])[0].copy() for feed in feeds]
        wanted = wanted or found
        np.testing.assert_array_equal(found, wanted)


# --- what is wrong is found -----------------------------------------------------------------


def twice_as_much(monkeypatch: pytest.MonkeyPatch, place: int) -> None:
    """The machine's program doubles what the kernel at this place yields."""
    stepped = bisect_kernels.stepped

    def changed(program: kernel.ProgramOp) -> object:
        found, numbers = stepped(program)
        op = [op for op in found.walk() if isinstance(op, kernel.KernelOp)][place]
        end = op.body.block.last_op
        assert isinstance(end, kernel.YieldOp)
        for i, x in enumerate(end.operands):
            add = arith.AddiOp if isinstance(x.type, IntegerType) else arith.AddfOp
            op.body.block.insert_op_before(sum := add(x, x), end)
            end.operands[i] = sum.result
        return found, numbers

    monkeypatch.setattr(bisect_kernels, "stepped", changed)


def test_a_wrong_kernel_is_the_only_one_found(monkeypatch: pytest.MonkeyPatch):
    module, image = network("inverted", True)
    twice_as_much(monkeypatch, 5)
    found = list(compare_kernels(module, [image]))
    assert [i for i, each in enumerate(found) if not each.is_close] == [5]
    assert 0 < found[5].count < found[5].size
    assert found[5].largest > 1


def test_what_a_trusted_kernel_leaves_is_the_machines(monkeypatch: pytest.MonkeyPatch):
    """So later kernels are compared on what it made."""
    module, image = runtime_models.module(runtime_models.QUANTIZED), np.linspace(-1, 1, 16)[None]
    twice_as_much(monkeypatch, 0)
    isa = choose_isa()
    program = Fused.of(module, isa).finished(configurations_for(1, isa.name))
    first, second = compare_program(program, [image], isa)
    assert not first.is_close and second.is_close
    runs: list[Run] = []
    begin = bisect_kernels.ProgramExecutor.begin

    def begun(self: ProgramExecutor, inputs: Sequence[Array]) -> Run:
        runs.append(begin(self, inputs))
        return runs[-1]

    monkeypatch.setattr(bisect_kernels.ProgramExecutor, "begin", begun)
    fq = next(op for op in program.walk() if isinstance(op, kernel.KernelOp))
    made: list[Array] = []
    for trusted in ({}, {fq}):
        assert list(compare_program(program, [image], isa, trusted=trusted))[-1] == second
        type: Any = fq.outs[0].type
        made.append(runs[-1].places[fq.outs[0]].array(type))
    np.testing.assert_array_equal(made[1], made[0] + made[0])


def test_what_is_written_elsewhere_is_found(monkeypatch: pytest.MonkeyPatch):
    step = bisect_kernels.Machine.step

    def astray(self: bisect_kernels.Machine, number: int, run: Run) -> bisect_kernels.Memory:
        memory = step(self, number, run)
        memory[self.arguments[0]][:3] ^= 1
        return memory

    monkeypatch.setattr(bisect_kernels.Machine, "step", astray)
    module = runtime_models.module(runtime_models.SUMS)
    first = next(compare_kernels(module, [np.ones((1, 4), np.float32)]))
    assert (first.count, first.strays, first.is_close) == (0, 3, False)


@pytest.mark.parametrize(
    ("type", "most"), [("i8", 0), ("ui8", 0), ("i64", 0), ("i1", 0), ("f32", 2), ("bf16", 2)]
)
def test_integers_are_equal_and_floats_within_two_places(type: str, most: int):
    assert KernelDifference("k", type, 9, 1, most, 0).is_close
    assert not KernelDifference("k", type, 9, 1, most + 1, 0).is_close
    assert not KernelDifference("k", type, 9, 0, 0, 1).is_close


@pytest.mark.filterwarnings("error")
def test_infinities_do_not_make_all_tiles_alike():
    """What was never written may be any bytes; the largest finite element says how far others may be off."""
    wanted = np.array([1, 2, np.inf, np.inf, np.nan], np.float32)
    given = np.array([1 + 1e-5, 3, np.inf, 1, np.nan], np.float32)
    near = bisect_kernels._is_near(wanted, given)  # pyright: ignore[reportPrivateUsage]
    np.testing.assert_array_equal(near, [True, False, False, False, False])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_are_counted_in_units_of_the_last_place(dtype: type[np.floating]):
    one, least = dtype(1), np.finfo(dtype).smallest_subnormal
    wanted = np.array([one, -one, 0, least, np.nan, np.inf], dtype)
    found = np.array([np.nextafter(one, dtype(2)), -one, -0.0, -least, np.nan, np.inf], dtype)
    assert bisect_kernels.distances(wanted, found, False).tolist() == [1, 0, 0, 2, 0, 0]
    assert bisect_kernels.distances(wanted[-2:], wanted[-1:], False)[0] > 2
    assert bisect_kernels.distances(wanted[-1:], -wanted[-1:], False)[0] > 2


@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint8, np.int64, np.uint64])
def test_integers_are_counted_in_ones(dtype: Any):
    low, high = (0, 1) if dtype == np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    ends = np.array([low, high, high], dtype)
    assert bisect_kernels.distances(ends, ends[::-1], True).tolist() == [high - low, 0, high - low]


def test_the_tool_names_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    words = files(tmp_path, runtime_models.QUANTIZED, np.linspace(-1, 1.1, 16)[None])
    run_tool.main([*words, "--bisect-kernels"])
    printed = capsys.readouterr().out
    assert printed.splitlines()[2].split() == ["kernel.map", "'fq'", "i8", "16", "0", "0"]
    assert printed.splitlines()[3].split()[:2] == ["kernel.mat_mul", "'product'"]
    twice_as_much(monkeypatch, 1)
    with pytest.raises(SystemExit) as left:
        run_tool.main([*words, "--bisect-kernels"])
    assert left.value.code == 1
    message = capsys.readouterr().err
    assert "kernel.mat_mul 'product': machine and reference differ in 16 of 16" in message
    assert " ulp; all 1 kernels before agree" in message


def test_the_tool_takes_the_shapes_of_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    words = files(tmp_path, runtime_models.UNKNOWN, np.ones((3, 2)))
    run_tool.main([*words, "--bisect", "--bisect-kernels"])
    printed = capsys.readouterr().out
    assert "layers\n" in printed
    assert "kernels of " in printed


def files(folder: Path, text: str, array: Array) -> list[str]:
    """What `run-tool` gets for a model of one input."""
    model, file = folder / "model.mlir", folder / "x.npy"
    model.write_text(text)
    np.save(file, array.astype(np.float32))
    return [str(model), "--input", str(file)]
