"""Compiled models: what compiling leaves alone, unknown dimensions, other processes."""

import copy
import multiprocessing
import os
import pickle
import re
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.dialects.builtin import TensorType, f32
from xdsl.rewriter import Rewriter
from xdsl.utils.exceptions import DiagnosticException, VerifyException

import lowstream
from lowstream.dialects.inferred import friendly_name
from lowstream.lowering import machine
from lowstream.lowering.codegen.load import LLVM
from lowstream.lowering.machine import AVX2, AVX512_VNNI, choose_isa
from lowstream.passes.reshape import Reshape
from lowstream.runtime import executable, host, native
from lowstream.runtime.cache.cache import Cache
from lowstream.runtime.compiled import MOST_PROGRAMS
from lowstream.test.unit.passes.lpt.small_models import Layers
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.runtime_models import START

ONES = np.ones((1, 4), np.float32)

TWO_INPUTS = """
func.func @main(%x: tensor<?xf32> {nn.names = ["X"]}, %w: tensor<4xf32> {nn.names = ["W"]})
    -> (tensor<?xf32> {nn.names = ["Y"]}, tensor<4xf32> {nn.names = ["doubled"]}) {
  %y = nn.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %z = nn.add %w, %w : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y, %z : tensor<?xf32>, tensor<4xf32>
}
"""


def test_ports(sums: lowstream.CompiledModel):
    (x,), (y, _) = sums.inputs, sums.outputs
    assert (x.names, x.shape, x.dtype, x.any_name) == (("X", "alias"), (1, 4), np.float32, "X")
    assert (y.names, y.shape, y.dtype) == (("Y",), (1, 4), np.float32)


def test_representations_fit_a_line(sums: lowstream.CompiledModel):
    assert repr(sums.inputs[0]) == "<input X|alias: float32[1, 4]>"
    signature = "(X: float32[1, 4]) -> (Y: float32[1, 4], twice: float32[1, 4])"
    assert repr(sums) == f"<CompiledModel {signature}>"
    assert repr(sums.create_infer_request()) == f"<InferRequest of <CompiledModel {signature}>>"
    assert repr(lowstream.Core()) == "<Core CPU>"
    assert repr(Cache("", 3 << 20)) == "<Cache off, up to 3 MiB>"
    assert repr(Cache("/kept", 3 << 20)) == "<Cache /kept, up to 3 MiB>"
    results = sums([np.array([[1, 2, 3, 6]], np.float32)])
    assert repr(results) == "<Results Y: float32[1, 4], twice: float32[1, 4]>"


def test_notebooks_show_tables(sums: lowstream.CompiledModel):
    text = sums._repr_html_()
    assert ">X, alias</td>" in text and " bytes of weights, " in text
    assert ">Y</td>" in sums([np.array([[1, 2, 3, 6]], np.float32)])._repr_html_()


@pytest.mark.parametrize("pipeline", ["auto", "lpt", None])
def test_a_module_that_is_not_valid_is_refused(pipeline: str | None):
    """Whatever changed it may have left it so; what reads files has looked already."""
    module = runtime_models.module(runtime_models.SUMS)
    (op,) = (op for op in module.walk() if friendly_name(op) == "doubled")
    Rewriter.replace_value_with_new_type(op.results[0], TensorType(f32, [2, 4]))
    with pytest.raises(VerifyException, match="doubled"):
        lowstream.compile_model(module, pipeline=pipeline)


@pytest.mark.parametrize("text", [runtime_models.SUMS, runtime_models.QUANTIZED])
def test_the_model_stays_as_it_is(text: str):
    module = runtime_models.module(text)
    lowstream.compile_model(module)
    assert str(module) == str(runtime_models.module(text))


def test_pipelines():
    """`auto` quantizes; None does not, so that the model computes in f32; a pipeline is run as given."""
    types: dict[str | None, set[str]] = {}
    for pipeline in ("auto", None, "lpt"):
        module = runtime_models.module(runtime_models.QUANTIZED)
        compiled = lowstream.compile_model(module, pipeline=pipeline, profiling=True)
        request = compiled.create_infer_request()
        request.infer([np.zeros((1, 16), np.float32)])
        profile = request.profiling_info
        types[pipeline] = {e.exec_type[-3:] for e in profile if e.node_type == "MatMul"}
    assert types == {"auto": {"_I8"}, None: {"P32"}, "lpt": {"_I8"}}


def test_products_of_zero_points_on_both_sides_are_in_codes():
    """As they are exact; `lpt` alone leaves them to floating point, as OpenVINO does."""
    types: dict[str, str] = {}
    for pipeline in ("auto", "lpt"):
        layers = Layers((2, 3, 4), (2, 4, 5))
        left, right = (layers.quantized(value, (-1.0, 1.55)) for value in layers.inputs)
        module = layers.module(layers.mat_mul(left, right))
        compiled = lowstream.compile_model(module, pipeline=pipeline, profiling=True)
        request = compiled.create_infer_request()
        request.infer([np.ones((2, 3, 4), np.float32), np.ones((2, 4, 5), np.float32)])
        (product,) = (e for e in request.profiling_info if e.node_type == "MatMul")
        types[pipeline] = product.exec_type[-3:]
    assert types == {"auto": "_I8", "lpt": "P32"}


def test_passes_of_the_callers():
    from lowstream.passes.fold_constants import FoldConstants

    module = runtime_models.module(runtime_models.SUMS)
    compiled = lowstream.compile_model(module, pipeline=[FoldConstants()])
    assert_array_equal(compiled([ONES])[0], np.array(START) + 1)


@pytest.mark.parametrize(
    ("pipeline", "inputs", "outputs"),
    [
        ('reshape{inputs="X=3,W=4"}', [(3,), (4,)], [(3,), (4,)]),
        ('lpt,reshape{inputs="X=?"},lpt', [(-1,), (4,)], [(-1,), (4,)]),
        ('reshape{inputs="W=?"}', [(-1,), (-1,)], [(-1,), (-1,)]),
        ('trim{outputs="doubled"},cse', [(4,)], [(4,)]),
    ],
)
def test_passes_that_change_the_inputs_run_before_shapes_are_asked_for(
    pipeline: str, inputs: list[tuple[int, ...]], outputs: list[tuple[int, ...]]
):
    module = runtime_models.module(TWO_INPUTS)
    compiled = lowstream.compile_model(module, pipeline=pipeline)
    assert [port.shape for port in compiled.inputs] == inputs
    assert [port.shape for port in compiled.outputs] == outputs
    arrays = [np.ones([3 if n < 0 else n for n in shape], np.float32) for shape in inputs]
    for given, found in zip(arrays, compiled(arrays), strict=True):
        assert_array_equal(found, 2 * given)


def test_passes_of_the_callers_that_change_the_inputs_are_refused():
    """Nobody says of them that they do."""

    @dataclass(frozen=True)
    class Narrow(Reshape):
        name = "narrow"

    module = runtime_models.module(TWO_INPUTS)
    compiled = lowstream.compile_model(module, pipeline=[Narrow("X=2")])
    with pytest.raises(DiagnosticException, match=r"^the passes change the model's inputs; run"):
        compiled([np.ones(3, np.float32), np.ones(4, np.float32)])


def test_num_threads():
    module = runtime_models.module(runtime_models.SUMS)
    with pytest.raises(DiagnosticException, match="num_threads is 0; give at least 1, or None"):
        lowstream.compile_model(module, num_threads=0)
    for wrong in ("CPU", 1.0, True):
        with pytest.raises(DiagnosticException, match=rf"^num_threads is {wrong!r}; give a whole"):
            lowstream.compile_model(module, num_threads=wrong)  # pyright: ignore[reportArgumentType]
    small = lowstream.compile_model(module, num_threads=3)
    assert small.program(((1, 4),)).executable.threads == 1


def test_profiling_is_a_truth_value():
    with pytest.raises(DiagnosticException, match=r"^profiling is 'NO'; give True or False$"):
        lowstream.compile_model(runtime_models.module(runtime_models.SUMS), profiling="NO")  # pyright: ignore[reportArgumentType]


def test_ports_without_names_are_counted(types: lowstream.CompiledModel):
    text = runtime_models.TYPES.replace('{nn.names = ["a"]}', "")
    compiled = lowstream.compile_model(runtime_models.module(text))
    a, b = np.arange(3, dtype=np.int32), np.ones(3, np.int32)
    assert_array_equal(compiled({"input0": a, "b": b})["sum"], [1, 2, 3])
    assert_array_equal(types({"a": a, "b": b})["sum"], [1, 2, 3])


# --- calls without a request ----------------------------------------------------------------


def test_calls_keep_states_and_inputs():
    compiled = lowstream.compile_model(runtime_models.module(runtime_models.SUMS))
    other = compiled.create_infer_request()
    kept = [compiled({"X": ONES}), compiled([ONES]), compiled()]
    for count, results in enumerate(kept, 1):
        assert_array_equal(results["Y"], np.array(START) + count)
    (state,) = compiled.query_state()
    assert_array_equal(state.state, np.array(START) + 3)
    compiled.reset_state()
    assert_array_equal(compiled()[0], np.array(START) + 1)
    assert_array_equal(other.infer([ONES])[0], np.array(START) + 1)


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads are interrupted wherever they can be."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_calls_of_several_threads_take_turns(restless: None):
    """None is lost, none is refused, and nobody sees another's results."""
    compiled = lowstream.compile_model(runtime_models.module(runtime_models.SUMS))

    def stream(_: int) -> list[float]:
        found = [compiled([ONES]) for _ in range(1000)]
        assert all((results["twice"] == 2 * results["Y"]).all() for results in found)
        return [float(results["Y"][0, 0]) for results in found]

    with ThreadPoolExecutor(4) as pool:
        totals = [total for found in pool.map(stream, range(4)) for total in found]
    assert sorted(totals) == list(range(1, 4001))


def test_results_of_a_call_are_copies():
    """Another thread's call may run before anybody looks at them."""
    results = lowstream.compile_model(runtime_models.module(runtime_models.SUMS))([ONES])
    for buffer in results.buffers:
        buffer[...] = 7
    assert_array_equal(results["Y"], np.array(START) + 1)
    assert_array_equal(results["twice"], 2 * results["Y"])


# --- unknown dimensions ---------------------------------------------------------------------


def test_a_program_for_each_shape(unknown: lowstream.CompiledModel):
    assert unknown.is_dynamic
    assert unknown.outputs[0].shape == (-1, 2)
    request = unknown.create_infer_request()
    for call, rows in enumerate((3, 1, 3, 4), 1):
        x = np.full((rows, 2), 10, np.float32)
        assert_array_equal(request.infer([x])["Y"], x + call)
    assert unknown.program(((3, 2),)) is unknown.program(((3, 2),))


def test_results_of_another_shape_stay(unknown: lowstream.CompiledModel):
    request = unknown.create_infer_request()
    x = np.zeros((2, 2), np.float32)
    before = request.infer([x])
    request.infer([np.zeros((5, 2), np.float32)])
    assert_array_equal(before[0], x + 1)


def test_set_tensor_of_another_shape(unknown: lowstream.CompiledModel):
    request = unknown.create_infer_request()
    x, y = np.zeros((2, 2), np.float32), np.zeros((3, 2), np.float32)
    request.set_tensor("X", x)
    request.infer()
    request.set_tensor("X", y)
    request.set_tensor("X", x)
    x[...] = 5
    assert_array_equal(request.infer()[0], x + 2)
    request.set_tensor("X", y)
    assert_array_equal(request.infer()[0], y + 3)


def test_a_refused_array_of_another_shape_is_refused_in_every_call():
    """Nothing is lost of the other inputs meanwhile."""
    request = lowstream.compile_model(runtime_models.module(TWO_INPUTS)).create_infer_request()
    weights, y = np.full(4, 2, np.float32), np.zeros(4, np.float32)
    request.infer({"X": weights[:3], "W": weights})
    request.set_tensor("doubled", y)
    request.set_tensor("X", y[:2])
    for _ in range(2):
        with pytest.raises(DiagnosticException, match="'X' would share memory with output 'doub"):
            request.infer()
    results = request.infer({"X": weights[:2]})
    assert_array_equal(results[0], [4, 4])
    assert_array_equal(results["doubled"], 2 * weights)
    assert np.shares_memory(request.get_tensor("doubled"), y)


def test_what_needs_shapes_asks_for_a_call(unknown: lowstream.CompiledModel):
    request = unknown.create_infer_request()
    with pytest.raises(DiagnosticException, match="not known before its first call"):
        request.get_tensor("Y")
    with pytest.raises(DiagnosticException, match="input 'X' has no value yet"):
        request.infer()


def test_programs_that_are_not_used_go(unknown: lowstream.CompiledModel):
    first = unknown.program(((1, 2),))
    for rows in range(2, MOST_PROGRAMS + 2):
        unknown.program(((rows, 2),))
    assert len(unknown._programs) == MOST_PROGRAMS
    assert unknown.program(((1, 2),)) is not first


# --- other processes ------------------------------------------------------------------------


def test_pickle(sums: lowstream.CompiledModel):
    other = pickle.loads(pickle.dumps(sums))
    assert_array_equal(other([ONES])["twice"], 2 * (np.array(START) + 1))


@pytest.mark.parametrize("take", [pickle.dumps, copy.deepcopy])
def test_a_request_is_not_copied(take: Callable[[Any], Any], sums: lowstream.CompiledModel):
    with pytest.raises(TypeError, match=r"make another with create_infer_request\(\)"):
        take(sums.create_infer_request())


def test_a_damaged_pickle(sums: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch):
    """It is refused before anything of it is loaded, wherever the damage is."""
    payload = pickle.dumps(sums)
    monkeypatch.setattr(native, "NativeProgram", None)
    start = payload.index(b'{"__metadata__"')
    for place in range(start - 8, len(payload) - 64, 7):
        mutant = bytearray(payload)
        mutant[place] ^= 1 << place % 8
        with pytest.raises(DiagnosticException, match="the compiled model is damaged"):
            pickle.loads(mutant)


def test_a_pickle_without_the_key(sums: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LOWSTREAM_KEY", "a")
    sealed = pickle.dumps(sums)
    assert_array_equal(pickle.loads(sealed)([ONES])["Y"], np.array(START) + 1)
    for key in ("", "b"):
        monkeypatch.setenv("LOWSTREAM_KEY", key)
        with pytest.raises(DiagnosticException, match="sealed with another LOWSTREAM_KEY"):
            pickle.loads(sealed)


def test_pickle_of_unknown_dimensions(unknown: lowstream.CompiledModel):
    with pytest.raises(TypeError, match="unknown dimensions cannot be pickled"):
        pickle.dumps(unknown)


def test_another_cpu(sums: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch):
    payload = pickle.dumps(sums)
    monkeypatch.setattr(executable, "host_cpu", lambda: "z80")
    isa, here = choose_isa().name, host.host_cpu()
    message = f"compiled for {isa} on another CPU ({here}); compile it again on this one (z80)"
    with pytest.raises(DiagnosticException, match=re.escape(message)):
        pickle.loads(payload)


def test_cpus_differ_by_features_without_information_of_linux(monkeypatch: pytest.MonkeyPatch):
    """Models of another CPU would crash here."""
    monkeypatch.setattr(host, "CPU_INFORMATION", "/proc/there is no such file")
    found = set[str]()
    for isa in (AVX512_VNNI, AVX2):
        monkeypatch.setattr(machine, "host_features", lambda isa=isa: isa.requires)
        found.add(host.host_cpu.__wrapped__())
    assert len(found) == 2


def test_another_version(sums: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch):
    """One that calls programs in another way says so, instead of calling."""
    payload = pickle.dumps(sums)
    monkeypatch.setattr(executable, "CONVENTION", executable.CONVENTION + 1)
    with pytest.raises(DiagnosticException, match="compiled by another version of lowstream"):
        pickle.loads(payload)


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_fork_while_another_thread_compiles():
    """The child does not wait for that thread, which it does not have."""
    at_work = threading.Event()

    def compile_something() -> None:
        with LLVM:
            at_work.set()
            sum(range(10_000_000))

    thread = threading.Thread(target=compile_something)
    thread.start()
    at_work.wait()
    if not (child := os.fork()):
        os._exit(0 if LLVM.acquire(blocking=False) else 1)
    thread.join()
    assert os.waitpid(child, 0)[1] == 0
    assert LLVM.acquire(blocking=False), "the parent goes on"
    LLVM.release()


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_fork(sums: lowstream.CompiledModel):
    """A request goes on in a child, its asynchronous calls included."""
    request = sums.create_infer_request()
    request.start_async([ONES])
    request.wait()
    reader, writer = multiprocessing.Pipe(duplex=False)

    def child() -> None:
        request.start_async()
        request.wait()
        writer.send(request.results[0].tolist())
        os._exit(0)

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    assert reader.poll(20)
    assert reader.recv() == (np.array(START) + 2).tolist()
    process.join()


def test_files_that_are_no_models(tmp_path: Path):
    (tmp_path / "model.txt").touch()
    with pytest.raises(DiagnosticException, match=r"cannot read '.txt' files"):
        lowstream.compile_model(tmp_path / "model.txt")
    with pytest.raises(FileNotFoundError):
        lowstream.compile_model(tmp_path / "model.mlir")
