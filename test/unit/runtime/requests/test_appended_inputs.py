"""Caches that are inputs and results: calls append to them in place, whatever arrays they are given as."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import lowstream
from lowstream.runtime.buckets import SMALLEST
from lowstream.runtime.native import NativeProgram
from lowstream.runtime.requests.batch import Padded
from lowstream.test.unit.runtime.decoder import DECODER, WIDTH, Array, Stepped, expected, numbers
from lowstream.test.unit.runtime.runtime_models import module


@pytest.fixture(scope="module")
def compiled() -> lowstream.CompiledModel:
    return lowstream.compile_model(module(DECODER))


def test_results_are_written_over_inputs(loaded: list[NativeProgram]) -> None:
    Stepped(lowstream.compile_model(module(DECODER)))
    executable = loaded[-1].executable
    assert executable.aliases == ((1, 1), (2, 2))
    assert [port.shape for port in executable.inputs] == [
        (1, 1, WIDTH),
        (1, SMALLEST + 1, WIDTH),
        (1, SMALLEST + 1, WIDTH),
        (1,),
    ]


@pytest.mark.parametrize("share_outputs", [False, True])
def test_what_is_given_back_is_not_copied(
    compiled: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch, share_outputs: bool
) -> None:
    stepped = Stepped(compiled)
    stepped.step(stepped.caches, share_outputs=share_outputs)
    first = stepped.caches
    monkeypatch.delattr(Padded, "copy_to")
    for share_inputs in (True, False, True):
        before = stepped.caches
        stepped.step(before, share_inputs, share_outputs)
        for old, new in zip(before, stepped.caches, strict=True):
            assert old.ctypes.data == new.ctypes.data
            assert_array_equal(old, new[:, :-1])
    assert first[0].shape[1] + 3 == stepped.caches[0].shape[1]
    stepped.check_kept()


def test_what_nobody_has_is_written_over(
    compiled: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """
    Tokens are taken back, and only the part that is given is left of a result: it is not copied, nor is what calls
    append to that afterwards.
    """
    stepped = Stepped(compiled)
    for _ in range(5):
        stepped.step(stepped.caches)
    monkeypatch.delattr(Padded, "copy_to")
    for _ in range(3):
        stepped.kept.clear()
        keys, values = stepped.caches
        stepped.caches = keys[:, :-2], values[:, :-2]
        del keys, values
        stepped.step(stepped.caches)
    for _ in range(2):
        stepped.step(stepped.caches)
    assert stepped.caches[0].shape[1] == 10
    stepped.check_kept()


def test_what_somebody_has_is_not_written_over(compiled: lowstream.CompiledModel) -> None:
    stepped = Stepped(compiled)
    for share_outputs in (False, True, False):
        stepped.step(stepped.caches)
        stepped.step((stepped.caches[0][:, :-2], stepped.caches[1][:, :-2]), True, share_outputs)
        stepped.step((numbers(1, 7, WIDTH), numbers(1, 7, WIDTH)), True, share_outputs)
    stepped.check_kept()


def test_what_is_appended_to_again_is_not_written_over(compiled: lowstream.CompiledModel) -> None:
    """Calls without caches append to those that a call copied, as somebody has what lay behind them."""
    stepped = Stepped(compiled)
    for _ in range(3):
        stepped.step(stepped.caches)
    keys, values = stepped.caches
    stepped.step((keys[:, :-2], values[:, :-2]))
    for _ in range(2):
        stepped.step(None)
    stepped.check_kept()


PASSED = (
    DECODER.replace(
        '{nn.names = ["values"]})',
        '{nn.names = ["values"]}, %cross: tensor<?x3xf32> {nn.names = ["cross"]})',
    )
    .replace(
        '-> (tensor<?x?x4xf32> {nn.names = ["y"]},',
        '-> (tensor<?x3xf32>, tensor<?x?x4xf32> {nn.names = ["y"]},',
    )
    .replace("return %y, %k, %v :", "return %cross, %y, %k, %v : tensor<?x3xf32>,")
)
"""As decoders do that attend to an encoder's cache, it gives an input as a result, too."""


def test_what_is_passed_through_is_not_copied(
    loaded: list[NativeProgram], monkeypatch: pytest.MonkeyPatch
) -> None:
    request = lowstream.compile_model(module(PASSED)).create_infer_request()
    given, kept = {"cross": numbers(5, 3)}, list[Array]()
    given |= {name: numbers(1, 1, WIDTH) for name in ("keys", "values")}
    first = given["cross"].copy()
    for step in range(8):
        if step == 5:
            assert {(0, 3), (2, 1), (3, 2)} == {*loaded[-1].executable.aliases}
            monkeypatch.delattr(Padded, "copy_to")
        cross, _, keys, values = request.infer({"x": numbers(1, 1, WIDTH)} | given)
        given = {"cross": cross, "keys": keys, "values": values}
        assert_array_equal(cross, first)
        kept.append(cross)
    monkeypatch.undo()
    other = request.infer({"x": numbers(1, 1, WIDTH)} | given | {"cross": first + 1})[0]
    assert_array_equal(other, first + 1)
    for cross in kept:
        assert_array_equal(cross, first)


def test_what_is_given_once_is_copied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    request = lowstream.compile_model(module(PASSED)).create_infer_request()
    given = {"cross": numbers(5, 3)} | {name: numbers(1, 1, WIDTH) for name in ("keys", "values")}
    for step in range(8):
        if step == 6:
            monkeypatch.delattr(Padded, "copy_to")
        cross, _, keys, values = request.infer({"x": numbers(1, 1, WIDTH)} | given)
        assert_array_equal(cross, numbers(5, 3))
        given = {"keys": keys, "values": values}


def test_what_a_program_before_read_is_let_go_at_once() -> None:
    """Its caches may be large; Python may take long to collect them."""
    request = lowstream.compile_model(module(PASSED)).create_infer_request()
    given = {name: numbers(1, 1, WIDTH) for name in ("x", "keys", "values")}
    cross = numbers(5, 3)
    read = weakref.ref(cross)
    gc.disable()
    try:
        request.infer(given | {"cross": cross}, share_inputs=True)
        del cross
        memory = weakref.ref(request._binding)  # pyright: ignore[reportPrivateUsage]
        assert read() is not None
        request.infer(given | {"cross": numbers(7, 3)})
        assert read() is None
        assert memory() is None
    finally:
        gc.enable()


SWAPPED = """
func.func @main(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  func.return %y, %x : tensor<3x2xf32>, tensor<3x2xf32>
}
"""


@pytest.mark.parametrize("share_inputs", [False, True])
@pytest.mark.parametrize("share_outputs", [False, True])
def test_what_is_passed_through_is_given_back(share_inputs: bool, share_outputs: bool) -> None:
    request = lowstream.compile_model(module(PASSED)).create_infer_request()
    cross, keys, values = numbers(5, 3), numbers(1, 1, WIDTH), numbers(1, 1, WIDTH)
    first = cross.copy()
    for number in range(SMALLEST + 3):
        x = numbers(1, 1, WIDTH)
        wanted = expected(x, keys, values)
        given = {"x": x, "keys": keys, "values": values, "cross": cross}
        if number % 3 == 2:  # it stays as it was
            del given["cross"]
        cross, *found = request.infer(given, share_inputs, share_outputs)
        assert_array_equal(cross, first)
        for result, each in zip(found, wanted, strict=True):
            assert_allclose(result, each, rtol=1e-5, atol=1e-5)
        _, keys, values = found


@pytest.mark.parametrize(
    "shown",
    [
        np.from_dlpack,
        lambda array: np.asarray(memoryview(array)),
        lambda array: np.ctypeslib.as_array(np.ctypeslib.as_ctypes(array)),
        lambda array: SimpleNamespace(__array_interface__=array.__array_interface__, of=array),
    ],
    ids=["DLPack", "buffer", "ctypes", "array interface"],
)
def test_what_another_library_shows_is_given_back(shown: Callable[[Array], Any]) -> None:
    """As PyTorch's `from_numpy` does, whose tensors have the memory of the results."""
    request = lowstream.compile_model(module(SWAPPED)).create_infer_request()
    first = numbers(3, 2)
    x, y = request.infer([first, first + 1], share_outputs=True)
    for _ in range(3):
        x, y = request.infer([shown(x), shown(y)], share_inputs=True, share_outputs=True)
    assert_array_equal(x, first)
    assert_array_equal(y, first + 1)


def test_what_was_shared_is_given_back_after_another_program_ran() -> None:
    request = lowstream.compile_model(module(PASSED)).create_infer_request()
    cross = first = numbers(5, 3)
    for size, share_outputs in ((1, True), (SMALLEST + 3, False), (SMALLEST + 4, True)):
        caches = {name: numbers(1, size, WIDTH) for name in ("keys", "values")}
        given = {"x": numbers(1, 1, WIDTH), "cross": cross} | caches
        result = request.infer(given, share_inputs=True, share_outputs=share_outputs)[0]
        assert_array_equal(result, first)
        cross = result if share_outputs else cross


def test_results_that_nobody_asked_for_stay(compiled: lowstream.CompiledModel) -> None:
    request = Stepped(compiled).request
    given = {
        "x": numbers(1, 1, WIDTH),
        "keys": numbers(1, 6, WIDTH),
        "values": numbers(1, 6, WIDTH),
    }
    results = request.infer(given)
    for size in (5, 9, 30):
        request.infer(given | {name: numbers(1, size, WIDTH) for name in ("keys", "values")})
    for result, wanted in zip(results, expected(**given), strict=True):
        assert_allclose(result, wanted, rtol=1e-5, atol=1e-5)


def test_results_of_a_call_that_failed_to_start_stay(compiled: lowstream.CompiledModel) -> None:
    stepped = Stepped(compiled)
    results, wanted = stepped.request.results, [copy for _, copy in stepped.kept[-3:]]
    wrong = {"values": numbers(1, 9, WIDTH) + np.inf, "keys": numbers(1, 5, 9)}
    with pytest.raises(RuntimeError, match="keys"):
        stepped.request.infer(wrong)
    for result, each in zip(results, wanted, strict=True):
        assert_array_equal(result, each)
    stepped.step((numbers(1, 5, WIDTH), numbers(1, 5, WIDTH)))


def test_an_output_of_the_callers_is_of_the_exact_size(compiled: lowstream.CompiledModel) -> None:
    stepped = Stepped(compiled)
    stepped.step((numbers(1, SMALLEST, WIDTH), numbers(1, SMALLEST, WIDTH)))
    stepped.request.set_tensor(
        "y", lowstream.Tensor(np.empty((1, 1, WIDTH), np.float32), shared_memory=True)
    )
    stepped.step(None)
    stepped.check_kept()


def test_a_call_that_is_cancelled_leaves_inputs(
    compiled: lowstream.CompiledModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    stepped = Stepped(compiled)
    stepped.step(stepped.caches, share_outputs=True)
    binding = stepped.request._binding  # pyright: ignore[reportPrivateUsage]
    assert binding is not None
    for appended in binding.appended.values():
        appended.whole[:, appended.given.shape[1] :] = np.inf  # as far as it may have come
    with pytest.raises(lowstream.DiagnosticException, match="cancelled"):
        binding.raise_why_stopped()
    stepped.step(None)


@pytest.mark.parametrize("share", [False, True])
def test_what_was_appended_before_is_gone_when_less_is_given(
    compiled: lowstream.CompiledModel, share: bool
) -> None:
    stepped = Stepped(compiled)
    given = {"x": np.full((1, 1, WIDTH), np.inf, np.float32)}
    given |= {name: numbers(1, 6, WIDTH) for name in ("keys", "values")}
    stepped.request.infer(given, share_outputs=share)
    stepped.step((numbers(1, 4, WIDTH), numbers(1, 4, WIDTH)))


def test_bits_of_another_type(compiled: lowstream.CompiledModel) -> None:
    """They lie in the memory of the input, but are other numbers."""
    stepped = Stepped(compiled)
    x, integers = np.zeros((1, 1, WIDTH), np.float32), np.arange(24, dtype=np.int32)
    given = {name: integers.view(np.float32).reshape(1, 6, WIDTH) for name in ("keys", "values")}
    results = stepped.request.infer({"x": x} | given, share_outputs=True)
    stepped.given = results["all keys"].view(np.int32), results["all values"].copy()
    stepped.request.set_tensor("keys", lowstream.Tensor(stepped.given[0], shared_memory=True))
    stepped.request.set_tensor("values", results["all values"])
    stepped.given = stepped.given[0].copy(), stepped.given[1]
    stepped.step(None)


def test_part_of_an_array_is_read_in_each_call(compiled: lowstream.CompiledModel) -> None:
    """Only the request has the part, but the array may be changed."""
    stepped = Stepped(compiled)
    own = numbers(1, 8, WIDTH), numbers(1, 8, WIDTH)
    stepped.step((own[0][:, 1:], own[1][:, 1:]), share_inputs=True)
    for _ in range(3):
        for each in own:
            each += 1
        stepped.given = own[0][:, 1:], own[1][:, 1:]
        stepped.step(None)


@pytest.mark.parametrize("share", [False, True])
def test_an_input_that_is_not_given_is_as_it_was(
    compiled: lowstream.CompiledModel, share: bool
) -> None:
    stepped = Stepped(compiled)
    own = numbers(1, 6, WIDTH), numbers(1, 6, WIDTH)
    stepped.step(own, share)
    for each in own:
        each += 1
    if share:
        stepped.given = own
    stepped.step(None, share)
    stepped.step(None, share, tokens=3)


def test_requests_and_threads_have_caches_of_their_own(compiled: lowstream.CompiledModel) -> None:
    both = [Stepped(compiled), Stepped(compiled, batch=3)]
    for number in range(12):
        stepped = both[number % 2]
        stepped.step(stepped.caches, is_async=bool(number & 2), share_outputs=bool(number & 4))
    for stepped in both:
        stepped.check_kept()


def test_caches_of_another_request(compiled: lowstream.CompiledModel) -> None:
    one, other = Stepped(compiled), Stepped(compiled)
    for _ in range(3):
        one.step(other.caches, share_inputs=True, share_outputs=True)
        other.step(one.caches, share_inputs=True, share_outputs=True)


def test_tensors_of_the_request(compiled: lowstream.CompiledModel) -> None:
    stepped = Stepped(compiled)
    request = stepped.request
    for _ in range(3):
        given = stepped.caches
        for name in ("keys", "values"):
            request.set_tensor(name, request.get_tensor(f"all {name}"))
        stepped.given = given[0].copy(), given[1].copy()
        stepped.step(None)
    request.get_tensor("keys")[...] = 7
    stepped.given[0][...] = 7
    stepped.step(None)


def test_shared_tensors_that_are_swapped(compiled: lowstream.CompiledModel) -> None:
    stepped = Stepped(compiled)
    stepped.step(stepped.caches, share_outputs=True)
    swapped = stepped.caches[::-1]
    stepped.given = swapped[0].copy(), swapped[1].copy()
    for name, array in zip(("keys", "values"), swapped, strict=True):
        stepped.request.set_tensor(name, lowstream.Tensor(array, shared_memory=True))
    stepped.step(None)


def test_tensors_of_outputs_that_are_swapped(compiled: lowstream.CompiledModel) -> None:
    """Nobody asked for the results, which lie where these are to be copied."""
    stepped = Stepped(compiled)
    request, x = stepped.request, numbers(1, 1, WIDTH)
    request.infer({"x": x, "keys": numbers(1, 6, WIDTH), "values": numbers(1, 6, WIDTH) + 1})
    swapped = [request.get_tensor(f"all {name}").data for name in ("values", "keys")]
    stepped.given = swapped[0].copy(), swapped[1].copy()
    for name, array in zip(("keys", "values"), swapped, strict=True):
        request.set_tensor(name, lowstream.Tensor(array, shared_memory=True))
    stepped.step(None)


def test_a_tensor_of_another_port(compiled: lowstream.CompiledModel) -> None:
    stepped = Stepped(compiled)
    keys = stepped.request.get_tensor("all keys")
    stepped.step((numbers(*keys.shape), keys))


def test_stages_one_by_one(compiled: lowstream.CompiledModel) -> None:
    request = Stepped(compiled).request
    calls = [
        {
            "x": numbers(1, 1, WIDTH),
            "keys": numbers(1, size, WIDTH),
            "values": numbers(1, size, WIDTH),
        }
        for size in (6, 5)
    ]
    found: list[lowstream.Results] = []
    for call in calls:
        request.stages.preprocess(call, share_inputs=True)
        request.stages.start()
        request.stages.wait()
        found.append(request.stages.postprocess())
    for results, call in zip(found, calls, strict=True):
        for result, each in zip(results, expected(**call), strict=True):
            assert_allclose(result, each, rtol=1e-5, atol=1e-5)


CHOICES: dict[str, Callable[[Stepped], Any]] = {
    "last": lambda stepped: stepped.caches,
    "swapped": lambda stepped: stepped.caches[::-1],
    "twice": lambda stepped: (stepped.caches[0], stepped.caches[0]),
    "cropped": lambda stepped: tuple(each[:, :-2] for each in stepped.caches),
    "window": lambda stepped: tuple(each[:, 1:] for each in stepped.caches),
    "backwards": lambda stepped: tuple(each[:, ::-1] for each in stepped.caches),
    "every second": lambda stepped: tuple(each[:, ::2] for each in stepped.caches),
    "beams": lambda stepped: tuple(each[[1, 1]] for each in stepped.caches),
    "crossed": lambda stepped: tuple(each[::-1] for each in stepped.caches),
    "of memory": lambda stepped: tuple(np.asarray(memoryview(each)) for each in stepped.caches),
    "of swapped memory": lambda stepped: tuple(
        np.asarray(memoryview(each)) for each in stepped.caches[::-1]
    ),
    "one new": lambda stepped: (stepped.caches[1], numbers(*stepped.caches[0].shape)),
    "other new": lambda stepped: (numbers(*stepped.caches[0].shape), stepped.caches[0]),
    "short": lambda _: (numbers(2, 2, WIDTH), numbers(2, 2, WIDTH) - 1),
    "long": lambda _: (numbers(2, 19, WIDTH), numbers(2, 19, WIDTH) - 1),
    "none": lambda _: None,
}


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(CHOICES)), *[st.booleans()] * 3, st.sampled_from([1, 1, 2])
        ),
        min_size=1,
        max_size=8,
    )
)
def test_any_array_may_be_given(
    compiled: lowstream.CompiledModel, steps: list[tuple[str, bool, bool, bool, int]]
) -> None:
    stepped, is_shared = Stepped(compiled, batch=2), False
    for name, share_inputs, share_outputs, is_async, tokens in steps:
        if name == "none" and is_shared:
            continue  # what it reads may have changed
        share_outputs &= not is_async
        stepped.step(CHOICES[name](stepped), share_inputs, share_outputs, is_async, tokens)
        is_shared = share_inputs | share_outputs | is_shared & (name == "none")
    stepped.check_kept()


@pytest.mark.parametrize(
    "name",
    [
        "swapped",
        "one new",
        "other new",
        "every second",
        "window",
        "of memory",
        "of swapped memory",
        "crossed",
    ],
)
@pytest.mark.parametrize("share_inputs", [False, True])
def test_parts_of_shared_memory(
    compiled: lowstream.CompiledModel, name: str, share_inputs: bool
) -> None:
    stepped = Stepped(compiled, batch=2)
    for _ in range(3):
        stepped.step(stepped.caches, share_outputs=True)
        stepped.step(CHOICES[name](stepped), share_inputs, share_outputs=True)
