"""What OpenVINO's users call, with its meaning: each test runs on OpenVINO, and here."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import openvino
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream import properties
from lowstream.interop.model import Model
from lowstream.runtime.host import usable_cores
from lowstream.runtime.openvino import properties as openvino_properties
from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.runtime.behaviours.side import TWO
from lowstream.test.unit.runtime.runtime_models import START, module

A, B = np.array([[1, 2, 3]], np.float32), np.array([[4, 5, 6]], np.float32)
ONES = np.ones((1, 4), np.float32)
FIRST = np.array(START, np.float32) + 1
ERRORS = (RuntimeError, DiagnosticException)

ALIVE: list[Any] = []
"""
Compiled models. OpenVINO's waits for its threads when it goes, with the interpreter's lock, for which a thread that
lets go of a callback may wait.
"""


def data(tensor: Any) -> Any:
    """OpenVINO's tensors hold arrays, and here they are arrays."""
    return tensor.data if isinstance(tensor, openvino.Tensor) else tensor


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    folder = tmp_path_factory.mktemp("models")

    def path(name: str) -> Path:
        found = folder / f"{name}.xml"
        if not found.exists():
            text = {"two": TWO, "sums": runtime_models.SUMS}[name]
            lowstream.save_model(Model(module(text)), found)
        return found

    return path


@pytest.fixture(params=[openvino, lowstream], ids=["openvino", "lowstream"])
def ov(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def two(ov: Any, files: Callable[[str], Path]) -> Any:
    ALIVE.append(compiled := ov.Core().compile_model(str(files("two")), "CPU"))
    return compiled


@pytest.fixture
def sums(ov: Any, files: Callable[[str], Path]) -> Any:
    ALIVE.append(compiled := ov.Core().compile_model(str(files("sums")), "CPU"))
    return compiled


# --- compiling ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"PERFORMANCE_HINT": "LATENCY"},
        {"PERFORMANCE_HINT": "THROUGHPUT"},
        {"INFERENCE_NUM_THREADS": 1},
        {"NUM_STREAMS": "1"},
        {"PERF_COUNT": True},
        {"PERF_COUNT": "YES"},
        {"INFERENCE_PRECISION_HINT": "f32"},
        {"EXECUTION_MODE_HINT": "ACCURACY"},
    ],
)
def test_configs(ov: Any, files: Callable[[str], Path], config: dict[str, Any]):
    compiled = ov.compile_model(str(files("two")), "CPU", config)
    assert_array_equal(compiled([A, B])[0], A + B)


def test_a_core_reads_and_compiles(ov: Any, files: Callable[[str], Path]):
    core = ov.Core()
    assert core.available_devices == ["CPU"]
    model = core.read_model(str(files("two")))
    assert_array_equal(core.compile_model(model, "CPU")([A, B])["sum"], A + B)
    assert {"add": "CPU", "times": "CPU"}.items() <= core.query_model(model, "CPU").items()
    assert isinstance(core.get_property("CPU", "FULL_DEVICE_NAME"), str)


def test_a_model_is_exported_and_imported(ov: Any, two: Any):
    exported = two.export_model()
    imported = ov.Core().import_model(exported, "CPU")
    assert_array_equal(imported([A, B])["product"], A * B)


def test_ports(two: Any):
    assert [port.any_name for port in two.inputs] == ["a", "b"]
    assert two.input("b").any_name == two.input(1).any_name == "b"
    assert two.output("product").any_name == two.output(1).any_name == "product"
    with pytest.raises(ERRORS):
        two.input()
    with pytest.raises(ERRORS):
        two.output("z")


def test_the_only_port(sums: Any):
    assert "X" in sums.input().names
    assert tuple(sums.input().shape) == (1, 4)


def test_properties_of_a_model(two: Any):
    assert two.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS") >= 1


# --- requests -------------------------------------------------------------------------------


def test_tensors_by_number(two: Any):
    request = two.create_infer_request()
    data(request.get_input_tensor(0))[...] = A
    data(request.get_input_tensor(1))[...] = B
    request.infer()
    assert_array_equal(data(request.get_output_tensor(1)), A * B)
    assert [data(tensor).shape for tensor in request.input_tensors] == [(1, 3), (1, 3)]
    assert_array_equal(data(request.output_tensors[0]), A + B)
    with pytest.raises(ERRORS):
        request.get_input_tensor()
    assert [port.any_name for port in request.model_inputs] == ["a", "b"]
    assert [port.any_name for port in request.model_outputs] == ["sum", "product"]


@pytest.mark.parametrize("how", ["each", "all", "named"])
def test_setting_tensors(ov: Any, two: Any, how: str):
    request = two.create_infer_request()
    tensor = openvino.Tensor if ov is openvino else np.asarray
    a, b, product = tensor(A.copy()), tensor(B.copy()), tensor(np.zeros((1, 3), np.float32))
    if how == "each":
        request.set_input_tensor(0, a)
        request.set_input_tensor(1, b)
        request.set_output_tensor(1, product)
    elif how == "all":
        request.set_input_tensors({0: a, 1: b})
        request.set_output_tensors({1: product})
    else:
        request.set_tensors({"a": a, "b": b, "product": product})
    request.infer()
    assert_array_equal(data(product), A * B)


def test_the_only_tensor(ov: Any, sums: Any):
    request = sums.create_infer_request()
    request.set_input_tensor(openvino.Tensor(ONES) if ov is openvino else ONES)
    request.infer()
    assert_array_equal(data(request.get_output_tensor(0)), FIRST)


def test_a_request_of_its_own_for_each_call(sums: Any):
    for _ in range(2):
        assert_array_equal(sums.infer_new_request({"X": ONES})["Y"], FIRST)


def test_shared_inputs_and_outputs(two: Any):
    request, a = two.create_infer_request(), A.copy()
    request.infer([a, B], share_inputs=True)
    a[...] = 10
    results = request.infer(share_outputs=True)
    assert_array_equal(results[0], 10 + B)
    held = results[0]
    request.infer([A, B])
    assert_array_equal(held, A + B)


def test_results_are_a_mapping(two: Any):
    results = two([A, B])
    assert len(results) == 2
    assert {port.any_name for port in results.to_dict()} == {"sum", "product"}
    assert {port.any_name for port in list(results.keys())} == {"sum", "product"}
    assert len(list(results.values())) == len(list(results.items())) == 2


def test_states_by_name(sums: Any):
    request = sums.create_infer_request()
    request.infer([ONES])
    (state,) = request.query_state()
    assert state.name == "total"
    assert_array_equal(data(state.state), FIRST)
    request.reset_state()
    assert_array_equal(request.infer([ONES])[0], FIRST)


# --- asynchronous calls ---------------------------------------------------------------------


def test_callback(two: Any):
    request, seen = two.create_infer_request(), []
    request.set_callback(lambda userdata: seen.append((userdata, threading.current_thread())), 7)
    request.start_async([A, B])
    request.wait()
    ((userdata, thread),) = seen
    assert userdata == 7
    assert thread is not threading.main_thread()
    request.start_async([A, B], userdata=8)
    request.wait()
    assert seen[1][0] == request.userdata == 8


def test_waiting_for_a_while(two: Any):
    request = two.create_infer_request()
    request.start_async([A, B])
    while not request.wait_for(50):
        pass
    assert_array_equal(data(request.get_tensor("sum")), A + B)


def test_a_queue(ov: Any, two: Any):
    queue, seen = ov.AsyncInferQueue(two, 3), {}

    def keep(request: Any, number: int) -> None:
        seen[number] = np.array(data(request.get_output_tensor(0)))

    queue.set_callback(keep)
    for number in range(20):
        queue.start_async({"a": A * number, "b": B}, number)
    queue.wait_all()
    assert queue.is_ready()
    assert len(queue) == len(list(queue)) == 3
    assert sorted(seen) == [*range(20)]
    for number, found in seen.items():
        assert_array_equal(found, A * number + B)
    assert 0 <= queue.get_idle_request_id() < 3
    assert len(queue.userdata) == 3


def test_what_a_callback_raises_is_raised_by_waiting(ov: Any, two: Any):
    queue = ov.AsyncInferQueue(two, 1)

    def fail(request: Any, number: int) -> None:
        raise ValueError("of the callback")

    queue.set_callback(fail)
    queue.start_async([A, B])
    with pytest.raises((RuntimeError, ValueError), match="of the callback"):
        queue.wait_all()


@pytest.mark.parametrize("inputs", [{"z": A}, {"a": A[0, :2]}, [A]])
def test_wrong_inputs_of_a_queue(inputs: Any):
    """OpenVINO's queue is never ready again after such a call."""
    queue = lowstream.AsyncInferQueue(lowstream.compile_model(module(TWO)), 1)
    with pytest.raises(DiagnosticException):
        queue.start_async(inputs)
    assert queue.is_ready()
    queue.start_async([A, B])
    queue.wait_all()
    assert_array_equal(queue[0].results["sum"], A + B)


# --- what makes no sense here says so -------------------------------------------------------


def test_names_that_are_not_here_say_what_is():
    missing = [name for name in dir(openvino) if name[0] != "_" and not hasattr(lowstream, name)]
    assert "Extension" in missing
    for name in {*missing} - {"tools"}:  # a package, which an import finds
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'; [a-z]"):
            getattr(lowstream, name)
    assert not hasattr(lowstream, "opset13")
    with pytest.raises(ImportError, match=r"cannot import name 'opset13' .*; models are read, not"):
        from lowstream import opset13  # noqa: F401 # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnusedImport]
    with pytest.raises(ImportError, match="cannot import name 'opset99'"):
        from lowstream import opset99  # noqa: F401 # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType, reportUnusedImport]


@pytest.mark.parametrize(
    ("device", "config", "message"),
    [
        ("GPU", {}, "there is no device 'GPU'; models run on this CPU: 'CPU'"),
        (2, {}, "names a device, as in OpenVINO, and is 2; say num_threads=2"),
        ("CPU", {"PERF_COUNTS": True}, "'PERF_COUNTS' is not supported; did you mean 'PERF_COUNT'"),
        ("CPU", {"TINT": 1}, "'TINT' is not supported; known: INFERENCE_NUM_THREADS, "),
        ("CPU", {"PERF_COUNT": 3}, "'PERF_COUNT' is 3; it takes True or False"),
        ("CPU", {"INFERENCE_NUM_THREADS": -1}, "it takes a number of threads, 0 for all cores"),
        ("CPU", {"INFERENCE_PRECISION_HINT": "bf16"}, "it takes 'f32'"),
        ("CPU", {"PERFORMANCE_HINT": "FAST"}, "it takes 'LATENCY', or 'THROUGHPUT'"),
        ("CPU", {"CACHE_DIR": 3}, "takes a folder"),
        ("CPU", {"DEVICE_PROPERTIES": {"NPU": {}}}, "there is no device 'NPU'"),
        ("CPU", {"DEVICE_PROPERTIES": {"CPU": 5}}, "of 'CPU' are 5; give a dictionary"),
        ("CPU", {"DEVICE_PROPERTIES": {"CPU": {"PERF_COUNT": 3}}}, "'PERF_COUNT' is 3; it takes"),
    ],
)
def test_refused(files: Callable[[str], Path], device: Any, config: Any, message: str):
    with pytest.raises(DiagnosticException, match=message):
        lowstream.compile_model(files("two"), device, config)


def test_properties_of_this_device():
    compiled = lowstream.compile_model(
        module(TWO), "CPU", {"device_properties": {"CPU": {"PERF_COUNT": True}}}
    )
    assert compiled.get_property("PERF_COUNT")


def test_memory_that_is_read_only_is_not_written():
    fixed = A.copy()
    fixed.flags.writeable = False
    with pytest.raises(DiagnosticException, match="the tensor's memory is read-only"):
        lowstream.Tensor(B).copy_to(lowstream.Tensor(fixed, shared_memory=True))


def test_config_and_arguments_say_the_same(files: Callable[[str], Path]):
    compiled = lowstream.compile_model(files("two"), "AUTO", {"PERF_COUNT": True})
    request = compiled.create_infer_request()
    request.infer([A, B])
    assert request.get_profiling_info()
    assert request.get_compiled_model() is compiled


def test_requests_keep_all_cores_busy(monkeypatch: pytest.MonkeyPatch):
    """One for each that a call leaves to others."""
    monkeypatch.setattr(openvino_properties, "usable_cores", lambda: 8)
    compiled = lowstream.compile_model(module(TWO), "CPU", {"PERFORMANCE_HINT": "THROUGHPUT"})
    assert compiled.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS") == 8
    assert len(lowstream.AsyncInferQueue(compiled)) == 8
    one = compiled.executable()
    for threads, calls in ((1, 8), (3, 2), (8, 1), (16, 1)):
        assert openvino_properties.calls_at_once(replace(one, threads=threads)) == calls


def test_streams_divide_the_cores():
    from lowstream.runtime.openvino.properties import configured

    hint = openvino.properties.hint.PerformanceMode.THROUGHPUT
    assert configured({"PERFORMANCE_HINT": hint}).num_threads == 1
    assert configured({"NUM_STREAMS": 1}).num_threads == usable_cores()
    assert configured({"NUM_STREAMS": 2 * usable_cores()}).num_threads == 1
    assert configured({"INFERENCE_NUM_THREADS": 0}).num_threads is None
    for streams, threads in ((1, 6), (2, 3), (4, 1), (8, 1)):  # whichever is said first
        said = {"NUM_STREAMS": streams, "INFERENCE_NUM_THREADS": 6}
        assert configured(said).num_threads == threads
        assert configured(dict(reversed(said.items()))).num_threads == threads
    for said in ({"PERFORMANCE_HINT": hint}, {"NUM_STREAMS": "AUTO"}):
        assert configured({**said, "INFERENCE_NUM_THREADS": 6}).num_threads == 1
    assert configured({"INFERENCE_PRECISION_HINT": openvino.Type.f32}).num_threads is None


def test_what_a_model_says_is_a_member():
    hint = properties.hint
    config = {
        "PERFORMANCE_HINT": hint.PerformanceMode.THROUGHPUT,
        "EXECUTION_MODE_HINT": "ACCURACY",
    }
    compiled = lowstream.compile_model(module(TWO), "CPU", config)
    assert compiled.get_property(hint.performance_mode) == hint.PerformanceMode.THROUGHPUT
    assert compiled.get_property(hint.execution_mode) == hint.ExecutionMode.ACCURACY
    assert compiled.get_property(hint.scheduling_core_type) == hint.SchedulingCoreType.ANY_CORE
    assert compiled.get_property(properties.log.level) == properties.log.Level.NO
    assert lowstream.Core().get_property("DEVICE_TYPE") == properties.device.Type.INTEGRATED


@pytest.mark.parametrize("config", [3, 0, "LATENCY", "", [("PERF_COUNT", True)], []])
def test_a_config_is_a_dictionary(config: Any):
    with pytest.raises(DiagnosticException, match="give a dictionary of properties"):
        lowstream.compile_model(module(TWO), "CPU", config)
    with pytest.raises(DiagnosticException, match="give a dictionary of properties"):
        lowstream.Core().set_property("CPU", config)


def test_unknown_properties(sums: Any, ov: Any):
    with pytest.raises(ERRORS):
        sums.get_property("COLOUR")
    with pytest.raises(ERRORS):
        ov.Core().get_property("CPU", "COLOUR")


def test_a_damaged_export():
    compiled = lowstream.compile_model(module(TWO))
    exported = bytearray(compiled.export_model())
    exported[-1] ^= 1
    with pytest.raises(DiagnosticException):
        lowstream.import_model(exported)


def test_unknown_dimensions_are_not_exported():
    compiled = lowstream.compile_model(module(runtime_models.UNKNOWN))
    with pytest.raises(DiagnosticException, match=r"unknown dimensions, .* export one that was"):
        compiled.export_model()


@pytest.mark.parametrize("error", [RuntimeError, DiagnosticException])
def test_errors_have_both_names(files: Callable[[str], Path], error: type[Exception]):
    compiled = lowstream.compile_model(files("two"))
    request = compiled.create_infer_request()
    model = lowstream.read_model(files("two"))
    for call in (
        lambda: request.infer({"z": A}),
        lambda: request.infer([A[:, :2], B]),
        lambda: request.get_tensor("z"),
        lambda: compiled.output("z"),
        lambda: lowstream.Core().get_property("CPU", "COLOUR"),
        lambda: model.reshape({"a": [1, 2]}),
        lambda: model.input("z"),
        lambda: lowstream.compile_model(module(TWO), pipeline="trim{inputs=z}"),
        lambda: lowstream.read_model(files("two").with_suffix(".bin")),
        lambda: lowstream.save_model(model, "two.abc"),
    ):
        with pytest.raises(error):
            call()


def test_a_model_is_cloned_and_has_ports(files: Callable[[str], Path]):
    model = lowstream.read_model(files("two"))
    clone = model.clone()
    clone.reshape({"a": [2, 3], "b": [2, 3]})
    assert model.input("a").shape == model.input(0).shape == (1, 3)
    assert clone.output("sum").shape == clone.output(1).shape == (2, 3)
    with pytest.raises(RuntimeError, match="the model has 2 inputs; say which"):
        model.input()


@pytest.mark.parametrize("exported", ["model.onnx", None, 3])
def test_what_was_never_exported_is_not_imported(exported: Any):
    for import_model in (lowstream.import_model, lowstream.Core().import_model):
        with pytest.raises(
            RuntimeError, match="import_model takes the bytes that export_model gave, not "
        ):
            import_model(exported)
