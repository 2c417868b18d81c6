"""What is asked for by a wrong key or set to a wrong value is refused in one line, which quotes it shortly."""

import re
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, cast

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream import CompiledModel, InferRequest
from lowstream.interop.model import Model
from lowstream.passes.errors import shown
from lowstream.passes.low_latency2 import LowLatency2
from lowstream.runtime.openvino.properties import CONFIG
from lowstream.test.unit.runtime.behaviours.side import TWO
from lowstream.test.unit.runtime.runtime_models import module

ONES = np.ones((1, 3), np.float32)
HUGE: Any = 10**5000
"""Python refuses to write it in decimal digits."""

NONE: Any = None
FIVE: Any = [5]

KEYS: dict[str, tuple[Any, str]] = {
    "bytes": (b"x", "not by bytes; there is no {0} b'x'; {0}s: {1}"),
    "array": (np.array([1, 2]), "not by ndarray; results give arrays, and results.items"),
    "array of text": (np.array(["x", "y"]), "not by ndarray"),
    "none": (None, "not by NoneType; there is no {0} None; {0}s: {1}"),
    "float": (0.5, "not by float; there is no {0} 0.5"),
    "list": ([1], r"not by list; there is no {0} \[1\]"),
    "tuple": ((1,), r"not by tuple; there is no {0} \(1,\)"),
    "huge": (HUGE, r"there is no {0} 0x[0-9a-f]{{78}}… \(4155 characters\); the model has 2"),
    "negative": (-HUGE, "there is no {0} -0x.*; the model has 2"),
    "long": ("q" * 9999, r"there is no {0} 'q{{79}}… \(10001 characters\); {0}s: {1}"),
    "lines": ("a\nb", r"there is no {0} 'a\\nb'; {0}s: {1}"),
}


@pytest.fixture(scope="module")
def compiled() -> CompiledModel:
    return lowstream.compile_model(module(TWO))


@pytest.fixture
def request_of_two(compiled: CompiledModel) -> InferRequest:
    request = compiled.create_infer_request()
    request.infer([ONES, ONES])
    return request


def is_hashable(key: Any) -> bool:
    return not isinstance(key, list | np.ndarray)


USES: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "get_tensor": ("tensor", lambda request, key: request.get_tensor(key)),
    "set_tensor": ("input", lambda request, key: request.set_tensor(key, ONES)),
    "set_batch": ("input", lambda request, key: request.set_batch(key, [ONES])),
    "infer": ("input", lambda request, key: request.infer({key: ONES})),
    "start_async": ("input", lambda request, key: request.start_async({key: ONES})),
    "infer_sequence": ("input", lambda request, key: request.infer_sequence({key: ONES[None]})),
    "results": ("output", lambda request, key: request.results[key]),
}


@pytest.mark.parametrize(
    ("use", "kind"),
    [
        (use, kind)
        for use in USES
        for kind, (key, _) in KEYS.items()
        if is_hashable(key) or use in ("get_tensor", "set_tensor", "set_batch", "results")
    ],
)
def test_a_wrong_key_is_refused(request_of_two: InferRequest, use: str, kind: str):
    role, used = USES[use]
    key, said = KEYS[kind]
    if use == "get_tensor" and kind in ("huge", "negative"):
        role = "output"  # as a number of an output
    said = said.format(role, "'sum'" if role == "output" else "'a'")
    with pytest.raises(DiagnosticException, match=said) as error:
        used(request_of_two, key)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("in_place", [False, True], ids=["copied", "shared"])
@pytest.mark.parametrize(
    ("inputs", "kept"),
    [
        ({"a": 2 * ONES, "b": np.zeros((2, 2), np.float32)}, "input 'a'"),
        ([2 * ONES, np.zeros((2, 2), np.float32)], "input 'a'"),
        ((2 * ONES, "text"), "input 'a'"),
        ({1: ONES, "a": 2 * ONES[0, :2]}, "input 'b'"),
        ({1: 2 * ONES, "a": 2 * ONES, "c": ONES}, ""),
        ({1: 2 * ONES, "b": 3 * ONES}, ""),
        ({"c": ONES, "a": 3 * ONES}, ""),
        ([np.zeros(3, np.float32), ONES], ""),
    ],
    ids=range(8),
)
def test_a_refused_call_says_what_it_leaves(
    request_of_two: InferRequest, inputs: Any, kept: str, in_place: bool
):
    with pytest.raises(DiagnosticException) as error:
        request_of_two.infer(inputs, share_inputs=in_place)
    said = f"; of this call, the request keeps the value of {kept}"
    assert str(error.value).endswith(said) if kept else "; of this call" not in str(error.value)
    assert (request_of_two.infer()["sum"] == (3 if kept == "input 'a'" else 2)).all()


@pytest.mark.parametrize("use", ["infer", "start_async", "infer_sequence"])
@pytest.mark.parametrize(("first", "second"), [(0, "a"), ("a", 0), (0, -2)], ids=range(3))
def test_an_input_is_given_once(request_of_two: InferRequest, use: str, first: Any, second: Any):
    given = ONES[None] if use == "infer_sequence" else ONES
    called: Any = getattr(request_of_two, use)
    with pytest.raises(
        DiagnosticException,
        match=f"input 'a' was given twice, as {first!r} and as {second!r}; give",
    ):
        called({first: given, "b": given, second: given})
    called({second: given, "b": given})


def test_keys_may_change_from_call_to_call(request_of_two: InferRequest):
    for keys in ((0, "b"), ("b", "a"), (1, 0), ("b", 0), ("a", "b")):
        values = {key: (2 if key in (0, "a") else 5) * ONES for key in keys}
        assert (request_of_two.infer(values)["sum"] == 7).all()
        assert (request_of_two.get_tensor("b").data == 5).all()
    assert (request_of_two.infer({"b": ONES})["sum"] == 3).all()


@pytest.mark.parametrize("key", [np.array([1, 2]), b"y", None, HUGE, [0]], ids=range(5))
def test_results_have_no_such_key(request_of_two: InferRequest, key: Any):
    assert key not in request_of_two.results
    assert request_of_two.results.get(key, 5) == 5


@pytest.mark.parametrize("name", CONFIG)
@pytest.mark.parametrize("value", [HUGE, -HUGE, "9" * 6000], ids=["huge", "negative", "long"])
def test_a_wrong_value_of_a_property_is_refused(name: str, value: Any):
    if (name, value) == ("CACHE_DIR", "9" * 6000):
        return  # a folder
    with pytest.raises(
        DiagnosticException, match=f"property '{name}' is .*… .* characters"
    ) as error:
        lowstream.compile_model(module(TWO), "CPU", {name: value})
    assert len(str(error.value)) < 300


def operation() -> Any:
    """The sum."""
    return next(op for op in Model(module(TWO)).get_ops() if op.name == "add")


WRONG: dict[str, Callable[[Any], Any]] = {
    "property 0x.* is not supported": lambda _: lowstream.compile_model("m.xml", "CPU", {HUGE: 1}),
    "config is 0x.*; give a dictionary": lambda _: lowstream.compile_model("m.xml", "CPU", HUGE),
    "say num_threads=0x": lambda _: lowstream.compile_model("m.xml", HUGE),
    "there is no device 'q+…": lambda _: lowstream.compile_model("m.xml", "q" * 999),
    "num_threads is -0x.*; give at least 1": lambda _: lowstream.compile_model(
        "m.xml", num_threads=-HUGE
    ),
    "jobs is -0x.*; give a number of": lambda c: lowstream.AsyncInferQueue(c, -HUGE),
    "the device has no property 'Nope'": lambda c: c.get_property("Nope"),
    "the device has no property '5'": lambda c: c.get_property(5),
    "the device has no property 'None'": lambda c: c.get_property(None),
    "properties are 5; give a dictionary": lambda c: c.set_property(5),
    "no property '0x.*": lambda _: lowstream.Core().get_property("CPU", HUGE),
    "a pipeline is text, .*, not 0x": lambda _: lowstream.run_passes(module(TWO), HUGE),
    r"not <class .*; make an object of it, LowLatency2\(…\)": lambda _: lowstream.run_passes(
        module(TWO), cast(Any, LowLatency2)
    ),
    "there is no element type 0x": lambda _: lowstream.Type(HUGE),
    "there is no element type None": lambda _: lowstream.Type(None),
    "names are 'ab'; give a list or a set": lambda _: Model(module(TWO)).inputs[0].set_names("ab"),
    r"names are \[5\]; give a list or a set": lambda _: Model(module(TWO)).inputs[0].add_names(FIVE),
    "names are None; give a list or a set": lambda _: Model(module(TWO)).inputs[0].set_names(NONE),
    "'a' was given 5; give a list of arrays": lambda c: c.create_infer_request().set_batch("a", 5),
    "'a' was given a batch of no arrays": lambda c: c.create_infer_request().set_batch("a", []),
    "wait_for was given '5'; give milliseconds": lambda c: c.create_infer_request().wait_for("5"),
    "the callback is 5; give a function": lambda c: c.create_infer_request().set_callback(5),
    "the callback is 'f'; give a": lambda c: lowstream.AsyncInferQueue(c).set_callback("f"),  # pyright: ignore[reportArgumentType]
    "a queue is of a compiled model, not of 5": lambda _: lowstream.AsyncInferQueue(cast(Any, 5)),
    "export_model was given 'm.bin'; give a stream": lambda c: c.export_model("m.bin"),
    r"say config=\{'NUM_STREAMS': 2\}": lambda _: lowstream.compile_model(
        "m.xml", cast(Any, {"NUM_STREAMS": 2})
    ),
    "save_model was given 5 as the path": lambda _: lowstream.save_model(module(TWO), cast(Any, 5)),
    r"input 0 was given 5; give a shape, such as \[1, 16\]": lambda _: Model(module(TWO)).reshape({0: FIVE[0]}),
    "a friendly name is text, not 5": lambda _: Model(module(TWO)).set_friendly_name(FIVE[0]),
    "a friendly name is text, not None": lambda _: operation().set_friendly_name(NONE),
    "add_outputs was given 5; give a name": lambda _: Model(module(TWO)).add_outputs(5),
    "add_outputs was given None; give": lambda _: Model(module(TWO)).add_outputs(["sum", None]),
    r"add_outputs was given \('add', 'x'\); give": lambda _: Model(module(TWO)).add_outputs(("add", "x")),
    "5 is not a result of the model": lambda _: Model(module(TWO)).remove_result(FIVE[0]),
    "None is no parameter of the model": lambda _: Model(module(TWO)).remove_parameter(NONE),
    "a path of notes is None; give a name": lambda _: Model(module(TWO)).set_rt_info("x", NONE),
    r"a path of notes is \[5\]; give a name": lambda _: Model(module(TWO)).get_rt_info(FIVE),
    r"a path of notes is \[\]; give a name": lambda _: Model(module(TWO)).set_rt_info("x", []),
    r"a source is what a node gives, node.output\(0\), not 5": lambda _: operation()
    .input(0)
    .replace_source_output(FIVE[0]),
    r"a source is what a node gives, node.output\(0\), not None": lambda _: operation().output(0).replace(NONE),
    "serialize cannot write .*: there is no folder /proc/none": lambda _: lowstream.serialize(
        Model(module(TWO)), "/proc/none.xml", "/proc/none/m.bin"
    ),
    r"no tensor has the shape \[-1, 2\]": lambda _: lowstream.Tensor("f32", [-1, 2]),
    r"no tensor has the shape \[1180591620717411303424, 2\]": lambda _: lowstream.Tensor("f32", [2**70, 2]),
    "a Tensor holds numbers, and no complex": lambda _: lowstream.Tensor(np.zeros(3, complex)),
    "a Tensor holds numbers, and no long": lambda _: lowstream.Tensor(np.ones(3, np.longdouble)),
    "a tensor of u4 has one element in": lambda _: lowstream.Tensor(
        np.zeros(2, np.uint8), [2, 2], lowstream.Type.u4
    ),
    "a Tensor holds numbers, and no record": lambda _: lowstream.Tensor(np.zeros(3, [("a", "f4")])),
    "wait_for was given -1; give milliseconds, from 0 on": lambda c: c.create_infer_request().wait_for(-1),
    "wait_for was given nan; give": lambda c: c.create_infer_request().wait_for(float("nan")),
}  # fmt: skip


@pytest.mark.parametrize("said", WRONG)
def test_a_wrong_argument_is_refused(compiled: CompiledModel, said: str):
    with pytest.raises(DiagnosticException, match=said) as error:
        WRONG[said](compiled)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "timeout", [HUGE, 1e300, float("inf"), np.float32(1e6), 10**6], ids=range(5)
)
def test_any_time_can_be_waited_for(compiled: CompiledModel, timeout: Any):
    request = compiled.create_infer_request()
    request.set_callback(lambda _: None)
    request.start_async([ONES, ONES])
    assert request.wait_for(timeout)


def test_what_a_callback_raises_is_no_timeout(compiled: CompiledModel):
    def too_late(_: Any) -> None:
        raise TimeoutError("of the callback")

    request = compiled.create_infer_request()
    request.set_callback(too_late)
    request.start_async([ONES, ONES])
    with pytest.raises(TimeoutError, match="of the callback"):
        request.wait_for(10**6)


class JustLate(Future[Any]):
    """It is done as soon as the time to wait for it has passed."""

    def result(self, timeout: float | None = None) -> Any:
        if timeout is None:
            return super().result()
        self.set_result(None)
        raise TimeoutError


def test_a_call_that_is_done_just_after_the_time_is_done(
    compiled: CompiledModel, monkeypatch: pytest.MonkeyPatch
):
    request = compiled.create_infer_request()
    monkeypatch.setattr(request, "_last_started", JustLate)
    assert request.wait_for(1)


class NoText:
    def __repr__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    ("value", "text"),
    [("a", "'a'"), (np.zeros((2, 2)), "array([[0., 0.],        [0., 0.]])"), (5, "5")],
    ids=range(3),
)
def test_a_value_is_quoted_on_one_line(value: Any, text: str):
    assert shown(value) == text


def test_what_has_no_text_is_quoted_by_its_type():
    assert re.match("<.*NoText object at 0x", shown(NoText()))
