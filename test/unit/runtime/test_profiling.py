"""Profiles: an entry for each operation, fused or not, and what they are exported to."""

import csv
import json
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.lowering.codegen import work
from lowstream.runtime.binding import Binding
from lowstream.runtime.build import build
from lowstream.runtime.executable import Executable, Kernel, Origin
from lowstream.runtime.native import NativeProgram
from lowstream.runtime.profiling import ProfilingInfo, profile_of
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
    return Executable("cpu", "avx2", 1, (), (), (), kernels, 0, (), b"")


def test_products_of_one_kernel_are_all_executed():
    first, second, total = profile_of(executable(TWO_PRODUCTS), [3001])
    assert first == ProfilingInfo("first", "MatMul", "EXECUTED", "jit_avx2_I8", 1500)
    assert second == ProfilingInfo("second", "MatMul", "EXECUTED", "jit_avx2_I8", 1500)
    assert total == ProfilingInfo("sum", "Add", "NOT_RUN", "undef", 0)


def test_without_a_product_the_last_operation_is_executed():
    inner, last = profile_of(executable(GATES), [7])
    assert (inner.status, inner.nanoseconds) == ("NOT_RUN", 0)
    assert last == ProfilingInfo("m", "Multiply", "EXECUTED", "jit_avx2_FP32", 7)


def test_a_kernel_of_no_operation_has_its_own_name():
    (info,) = profile_of(executable(NAMELESS), [7])
    assert (info.node_name, info.status) == ("kernel.map", "EXECUTED")


def test_what_is_computed_at_one_of_two_places_is_one_entry():
    first, _, _ = profile_of(executable(TWO_PRODUCTS, TWO_PRODUCTS), [1000, 3001])
    assert first == ProfilingInfo("first", "MatMul", "EXECUTED", "jit_avx2_I8", 2000)


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


def test_trace(tmp_path: Path):
    profile = profile_of(executable(TWO_PRODUCTS, GATES), [3000, 500])
    lowstream.save_profile(profile, tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert [(e["name"], e["ph"], e["ts"], e["dur"]) for e in events] == [
        ("first", "X", 0.0, 1.5),
        ("second", "X", 1.5, 1.5),
        ("m", "X", 3.0, 0.5),
    ]


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
