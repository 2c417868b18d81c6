"""Profiles: an entry for each operation, fused or not, and what they are exported to."""

import csv
import json
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.lowering.calling_convention import MOST_STAMPS, STAMPS_WORDS
from lowstream.lowering.codegen import work
from lowstream.runtime.build import build
from lowstream.runtime.executable import Executable, Kernel, Origin
from lowstream.runtime.native import NativeProgram
from lowstream.runtime.profiling.profiling import ProfilingInfo, Status, profile_of, typical
from lowstream.runtime.requests.binding import Binding
from lowstream.test.unit.runtime import runtime_models

TWO_PRODUCTS = Kernel(
    "kernel.mat_mul",
    (
        Origin("first", "MatMul", True),
        Origin("second", "MatMul", True),
        Origin("sum", "Add", False),
    ),
)
GATES = Kernel("kernel.map", (Origin("s", "Sigmoid", False), Origin("m", "Multiply", False)))
NAMELESS = Kernel("kernel.map", ())


def executable(*kernels: Kernel) -> Executable:
    return Executable("cpu", "avx2", 1, (), (), (), kernels, 0, (), (), b"")


def test_products_of_one_kernel_are_all_executed():
    first, second, total = profile_of(executable(TWO_PRODUCTS), [3001])
    assert first == ProfilingInfo("first", "MatMul", Status.EXECUTED, "jit_avx2_I8", 1500)
    assert second == ProfilingInfo("second", "MatMul", Status.EXECUTED, "jit_avx2_I8", 1500)
    assert total == ProfilingInfo("sum", "Add", Status.NOT_RUN, "undef", 0)


def test_without_a_product_the_last_operation_is_executed():
    inner, last = profile_of(executable(GATES), [7])
    assert (inner.status, inner.nanoseconds) == ("NOT_RUN", 0)
    assert last == ProfilingInfo("m", "Multiply", Status.EXECUTED, "jit_avx2_FP32", 7)


def test_a_kernel_of_no_operation_has_its_own_name():
    (info,) = profile_of(executable(NAMELESS), [7])
    assert (info.node_name, info.status) == ("kernel.map", "EXECUTED")


def test_what_is_computed_at_one_of_two_places_is_one_entry():
    first, _, _ = profile_of(executable(TWO_PRODUCTS, TWO_PRODUCTS), [1000, 3001])
    assert first == ProfilingInfo("first", "MatMul", Status.EXECUTED, "jit_avx2_I8", 2000)


def test_times_of_openvino_users():
    (info,) = profile_of(executable(NAMELESS), [1_234_567])
    assert info.real_time == info.cpu_time == timedelta(microseconds=1235)


def test_profile_of_a_model(profiled: lowstream.CompiledModel):
    request = profiled.create_infer_request()
    request.infer([np.zeros((1, 16), np.float32)])
    product = next(info for info in request.profiling_info if info.node_type == "MatMul")
    assert product.status == "EXECUTED"
    assert product.exec_type.startswith("jit_")
    assert product.exec_type.endswith("_I8")
    assert product.nanoseconds > 0


def test_counters_are_off_by_default(sums: lowstream.CompiledModel):
    request = sums.create_infer_request()
    request.infer([np.zeros((1, 4), np.float32)])
    with pytest.raises(DiagnosticException, match="profiling=True"):
        _ = request.profiling_info


def test_table(tmp_path: Path):
    profile = profile_of(executable(TWO_PRODUCTS, GATES), [10, 5])
    lowstream.save_profile(profile, tmp_path / "counters.csv")
    with (tmp_path / "counters.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["node_name"] for row in rows] == ["first", "second", "sum", "s", "m"]
    assert [int(row["nanoseconds"]) for row in rows] == [5, 5, 0, 0, 5]


def stamps(*threads: tuple[tuple[int, int, int], ...]) -> list[int]:
    """What two threads left in memory."""
    memory = [0] * (len(threads) * STAMPS_WORDS)
    for number, runs in enumerate(threads):
        memory[number * STAMPS_WORDS] = len(runs)
        words = [word for run in runs for word in run]
        memory[number * STAMPS_WORDS + 1 : number * STAMPS_WORDS + 1 + len(words)] = words
    return memory


TWO_THREADS = stamps(((0, 5000, 8000), (1, 8200, 8700)), ((0, 5100, 7900),))


def test_a_trace_has_calls_and_threads_as_they_were(tmp_path: Path):
    profile = profile_of(executable(TWO_PRODUCTS, GATES), [3000, 500], TWO_THREADS)
    lowstream.save_profile(typical([profile, profile]), tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert names == {0: "calls", 1: "thread 0", 2: "thread 1"}
    slices = [(e["name"], e["tid"], e["ts"], e["dur"]) for e in events if e["ph"] == "X"]
    assert [each for each in slices if each[1] == 0] == [
        ("call 0", 0, 0.0, 3.7),
        ("call 1", 0, 0.0, 3.7),
    ]
    assert slices[2:5] == [
        ("first", 1, 0.0, 3.0),
        ("m", 1, 3.2, 0.5),
        ("first", 2, 0.1, 2.8),
    ]
    first = next(e for e in events if e["name"] == "first")
    assert first["args"]["operations"] == "MatMul first, MatMul second, Add sum"


def test_a_trace_needs_what_threads_did(tmp_path: Path):
    with pytest.raises(DiagnosticException, match=r"give what request\.profiling_info gave"):
        lowstream.save_profile([], tmp_path / "trace.json")
    assert not (tmp_path / "trace.json").exists()


def test_a_kernel_knows_its_runs_threads_and_operations():
    product = replace(TWO_PRODUCTS, multiply_accumulates=3000)
    twice = stamps(((0, 0, 9), (0, 10, 19)), ((0, 0, 9), (0, 9, 9)))
    (kernel,) = profile_of(executable(product), [4000], twice).kernels
    assert (kernel.runs, kernel.threads, kernel.giga_operations) == (2, 2, 3.0)
    full = stamps(((0, 0, 9),) * MOST_STAMPS)
    (kernel,) = profile_of(executable(product), [4000], full).kernels
    assert (kernel.runs, kernel.giga_operations) == (None, 0.0)


def test_the_typical_call_is_the_median():
    one, two, three = (profile_of(executable(GATES), [time]) for time in (900, 5, 7))
    profile = typical([one, two, three])
    assert [info.nanoseconds for info in profile] == [0, 7]
    assert [each.nanoseconds for each in profile.kernels] == [7]


def test_calls_of_other_programs_do_not_count():
    other = profile_of(executable(TWO_PRODUCTS, GATES), [1, 1], TWO_THREADS)
    profile = typical([other, profile_of(executable(GATES), [7])])
    assert [each.nanoseconds for each in profile.kernels] == [7]
    assert profile.spans == ()


def test_a_profile_is_a_table_of_kernels():
    kernels = (GATES, replace(TWO_PRODUCTS, type="f32", shape=(1, -1), multiply_accumulates=3000))
    profile = profile_of(executable(*kernels), [1000, 3000])
    assert repr(profile) == "<Profile of 5 operations in 2 kernels: 4.0 µs>"
    assert str(profile).splitlines() == [
        "4.0 µs in 2 kernels for 5 operations (avx2, 1 thread)",
        "  µs  share  GOP/s  type      result    operation  and",
        "3.00  75.0%    2.0  MatMul    f32[1,?]  first      2 more",
        "1.00  25.0%         Multiply  []        m          1 more",
    ]
    assert ">first</td>" in profile._repr_html_()


def test_short_kernels_are_one_line():
    profile = profile_of(executable(*[NAMELESS] * 23), range(1000, 24000, 1000))
    assert str(profile).splitlines()[-1] == "3 more kernels took 6.0 µs"


def test_other_endings_are_refused(tmp_path: Path):
    with pytest.raises(DiagnosticException, match=r"profile.txt: a profile is written as"):
        lowstream.save_profile([], tmp_path / "profile.txt")


@pytest.mark.parametrize("threads", [1, 2])
def test_counters_start_anew_in_every_call(threads: int, monkeypatch: pytest.MonkeyPatch):
    """Each has one thread that clears it and counts, whether its kernel is divided or not."""
    monkeypatch.setattr(work, "SPLIT_WORK", 1 << 11)
    monkeypatch.setattr(work, "THREADS_WORK", 0)
    module = runtime_models.module(runtime_models.PRODUCTS)
    built = build(module, "auto", True, threads)
    assert built.threads == threads
    binding = Binding(NativeProgram(built))
    for _ in range(50):
        for i in range(len(binding.counters)):
            binding.counters[i] = 1 << 60
        binding.run()
        assert all(0 < count < 1 << 60 for count in binding.counters)
        spans = profile_of(built, list(binding.counters), list(binding.stamps)).spans
        assert {span.kernel for span in spans} == {*range(len(built.kernels))}
        assert all(span.begin <= span.end for span in spans)
        first = [span for span in spans if span.thread == 0]
        assert all(a.end <= b.begin for a, b in pairwise(first))
