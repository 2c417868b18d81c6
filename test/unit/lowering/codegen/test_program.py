"""Whole programs: states, loops, initial values, cancelling, counting."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import kernel
from lowstream.lowering.calling_convention import CANCEL
from lowstream.lowering.codegen import ir, weights_image
from lowstream.lowering.codegen.compile import compile_program
from lowstream.lowering.codegen.functions import KernelFunctions
from lowstream.lowering.codegen.load import LoadedProgram
from lowstream.lowering.codegen.map import MapKernel
from lowstream.lowering.machine import Isa, available_isas, choose_isa
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.lowering.codegen.kernels import each_isa
from lowstream.test.unit.lowering.codegen.native import Native, assembly_of, parse_program

ADD = """
kernel.map [5] ins({ins} : {types}) outs({out} : {type})
    access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {{
^body(%p: f32, %q: f32):
  %s = arith.addf %p, %q : f32
  kernel.yield %s : f32
}}
"""


def add(x: str, y: str, out: str) -> str:
    """An addition of two memrefs of five floats."""
    row = "memref<5xf32>"
    return ADD.format(ins=f"{x}, {y}", types=f"{row}, {row}", out=out, type=row)


COUNTER = f"""
kernel.program @main inputs ["x"] outputs ["y"] states ["h", "fixed"] assigned [true, false]
    inits [#nn.blob<dense<1.0> : tensor<5xf32>>, #nn.blob<dense<2.0> : tensor<5xf32>>] {{
^bb0(%x: memref<5xf32>, %y: memref<5xf32>, %h: memref<5xf32>, %h_next: memref<5xf32>,
     %f: memref<5xf32>, %f_next: memref<5xf32>, %arena: memref<64xi8>):
  %b = kernel.buffer %arena at 0 : memref<64xi8> -> memref<5xf32>
  {add("%x", "%h", "%b")}
  {add("%b", "%f", "%h_next")}
  kernel.copy %h_next to %y : memref<5xf32> to memref<5xf32>
}}
"""


def agree(text: str, isa: Isa, *inputs: np.ndarray, steps: int = 3) -> Native:
    """Runs machine and reference side by side, states included."""
    program = parse_program(text)
    native, judge = Native(program, isa), ProgramExecutor(program)
    for step in range(steps):
        given = [array + step for array in inputs]
        for have, want in zip(native.run(given), judge.run(given), strict=True):
            np.testing.assert_array_equal(have, want)
        assert native.states.keys() == judge.states.keys()
        for name, value in judge.states.items():
            np.testing.assert_array_equal(native.states[name], value)
    return native


@each_isa
def test_states(isa: Isa):
    """A state starts at its initial value and swaps when assigned; the other keeps its value and stays unset."""
    native = agree(COUNTER, isa, np.arange(5, dtype=np.float32))
    assert list(native.states) == ["h"]


@each_isa
def test_computed_initial_values(isa: Isa):
    """A value that is not constant is computed while the state is unset, and not after."""
    agree(
        f"""
        kernel.program @main inputs ["x"] outputs ["y"] states ["h"] assigned [true] inits [unit] {{
        ^bb0(%x: memref<5xf32>, %y: memref<5xf32>, %h: memref<5xf32>, %next: memref<5xf32>,
             %arena: memref<0xi8>):
          kernel.if_unset 0 {{
            {add("%x", "%x", "%h")}
          }}
          {add("%x", "%h", "%next")}
          kernel.copy %next to %y : memref<5xf32> to memref<5xf32>
        }}
        """,
        isa,
        np.arange(5, dtype=np.float32),
    )


LOOP = f"""
kernel.program @main inputs ["x"] outputs ["y"] states ["h"] assigned [true]
    inits [#nn.blob<dense<0.0> : tensor<5xf32>>] {{
^bb0(%x: memref<3x5xf32>, %y: memref<3x5xf32>, %h: memref<5xf32>, %next: memref<5xf32>,
     %arena: memref<64xi8>):
  %b = kernel.buffer %arena at 0 : memref<64xi8> -> memref<5xf32>
  kernel.copy %h to %b : memref<5xf32> to memref<5xf32>
  kernel.for 3 {{
  ^body(%i: index):
    %row = kernel.view %x offset 0 index %i step 20 : memref<3x5xf32> -> memref<5xf32>
    %back = kernel.view %y offset 40 index %i step -20 : memref<3x5xf32> -> memref<5xf32>
    {add("%row", "%b", "%b")}
    kernel.copy %b to %back : memref<5xf32> to memref<5xf32>
  }}
  kernel.copy %b to %next : memref<5xf32> to memref<5xf32>
}}
"""


@each_isa
def test_loops(isa: Isa):
    """Rows go in forwards and come out backwards."""
    agree(LOOP, isa, np.arange(15, dtype=np.float32).reshape(3, 5))


def test_cancelling():
    """A loop stops when asked to; the states stay as they were, and the next call runs again."""
    native = Native(parse_program(LOOP), choose_isa())
    native.run([np.ones((3, 5), np.float32)])
    before = native.states["h"]
    native.context[CANCEL] = 1
    assert native.call() == 1
    np.testing.assert_array_equal(native.states["h"], before)
    native.context[CANCEL] = 0
    assert native.call() == 0
    assert (native.states["h"] == 2 * before).all()


ENDLESS = f"""
kernel.program @main inputs ["x"] outputs ["y"] states [] assigned [] inits [] {{
^bb0(%x: memref<5xf32>, %y: memref<5xf32>, %arena: memref<0xi8>):
  kernel.for {1 << 30} {{
  ^body(%i: index):
    {add("%x", "%x", "%y")}
  }}
}}
"""
"""As good as that: seconds."""


@pytest.mark.host
def test_bound_calls():
    """A function of Python's own calls with its frame, while other threads of the interpreter run."""
    native = Native(parse_program(ENDLESS), choose_isa())
    (x, y, _) = (array.view(np.float32) for array in native.buffers.values())
    x[:], y[:] = 1, 0
    frame = native.frame()

    def cancel() -> None:
        while not y[0]:
            pass
        native.context[CANCEL] = 1

    other = threading.Thread(target=cancel)
    other.start()
    call: Any = native.code.bind(ctypes.addressof(frame))
    assert call() == 1
    other.join()
    assert (y == 2).all()
    with pytest.raises(TypeError, match="takes no arguments"):
        call(1)


@pytest.mark.parametrize("threads", [1, 2])
def test_counters(threads: int):
    """One for each kernel in the order of `walk`, copies aside; set anew by every call, by all threads together."""
    native = Native(parse_program(LOOP), choose_isa(), profiling=True, threads=threads)
    for _ in range(2):
        native.elapsed[0] = 10**15
        native.run([np.ones((3, 5), np.float32)])
        assert 0 < native.elapsed[0] < 10**12
    assert native.elapsed[1] == -1


def test_profiling_costs_nothing_when_off():
    program = parse_program(LOOP)
    assert "clock_gettime" in assembly_of(program, choose_isa(), profiling=True)[-1]
    assert "clock_gettime" not in "".join(assembly_of(program, choose_isa()))


def test_equal_kernels_share_a_function():
    """Three additions, and two copies, of the same shape."""
    text = COUNTER.replace(
        "kernel.copy",
        add("%b", "%b", "%b") + "kernel.copy %b to %b :"
        " memref<5xf32> to memref<5xf32>\nkernel.copy",
    )
    *kernels, _ = assembly_of(parse_program(text), choose_isa())
    assert "".join(kernels).count("define") == 2


def test_parts_of_a_kernel_are_another_function():
    (program, isa), names = (parse_program(COUNTER), choose_isa()), list[str]()
    functions = KernelFunctions(ir.Module(), isa, lambda name, *_: names.append(name))
    (copy, *_) = (op for op in program.walk() if isinstance(op, kernel.CopyOp))
    for is_split in (False, True, True, False):
        functions.of(MapKernel.of_copy(copy, isa), is_split)
    assert len(names) == len(set(names)) == 2


def test_constants():
    """They lie in one image, at their offsets; booleans take a byte each."""
    program = parse_program(
        """
        kernel.program @main inputs [] outputs ["y", "z"] states [] assigned [] inits [] {
        ^bb0(%y: memref<3xf32>, %z: memref<3xi1>, %arena: memref<0xi8>):
          %c = kernel.constant <dense<[1.0, 2.0, 3.0]> : tensor<3xf32>> at 64 : memref<3xf32>
          %t = kernel.constant <dense<[true, false, true]> : tensor<3xi1>> at 128 : memref<3xi1>
          kernel.copy %c to %y : memref<3xf32> to memref<3xf32>
          kernel.copy %t to %z : memref<3xi1> to memref<3xi1>
        }
        """
    )
    image = compile_program(program, choose_isa()).weights.in_memory()
    assert len(image) == 131
    assert image[64:76] == np.array([1, 2, 3], np.float32).tobytes()
    for isa in available_isas():
        y, z = Native(program, isa).run([])
        assert (y.tolist(), z.tolist()) == ([1, 2, 3], [True, False, True])


@pytest.mark.parametrize("at_once", [1, 7, 8, 100])
def test_an_image_comes_in_pieces(monkeypatch: pytest.MonkeyPatch, at_once: int):
    monkeypatch.setattr(weights_image, "READ_AT_ONCE", at_once)
    program = parse_program("""
        kernel.program @main inputs [] outputs ["y"] states [] assigned [] inits [] {
        ^bb0(%y: memref<8xi8>, %arena: memref<64xi8>):
          %c = kernel.constant <dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi8>> at 64 : memref<8xi8>
          %d = kernel.constant <dense<9> : tensor<3xi8>> at 128 : memref<3xi8>
          %e = kernel.constant <dense<9> : tensor<0xi8>> at 128 : memref<0xi8>
          kernel.copy %c to %y : memref<8xi8> to memref<8xi8>
        }
    """)
    image = weights_image.WeightsImage.of(program)
    assert image.nbytes == 131
    assert max(map(len, image.pieces())) <= max(at_once, 64)
    expected = bytes(64) + bytes(range(1, 9)) + bytes(56) + b"\t\t\t"
    assert b"".join(map(bytes, image.pieces())) == bytes(image.in_memory()) == expected


def test_what_is_no_part_of_a_program():
    program = parse_program(COUNTER)
    nested = program.clone()
    program.body.block.insert_op_before(nested, program.body.block.first_op)  # pyright: ignore[reportArgumentType]
    with pytest.raises(
        DiagnosticException, match=r"kernel.program: has no place in a kernel.program"
    ):
        assembly_of(program, choose_isa())


def test_a_program_loads_twice():
    """Each object has its own name in the process, and goes when nobody holds it."""
    compiled = compile_program(parse_program(COUNTER), choose_isa())
    first, second = LoadedProgram(compiled.objects), LoadedProgram(compiled.objects)
    assert first is not second
    del first
    assert second.call is not None
