"""`make-stateful`: calls of the new model are calls of the old one that pass on what they got."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from xdsl.utils.exceptions import DiagnosticException

from lowstream import run_passes
from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.reference.executor import Executor

CELL = """
    infra.variable @AB : tensor<2xf32>
    func.func @main(%x: tensor<2xf32> {nn.names = ["X"]}, %h: tensor<2xf32> {nn.names = ["H", "hidden", "h"]},
                    %c: tensor<2xf32> {nn.names = ["C"]}, %a: tensor<2xf32> {nn.names = ["A", "hA"]})
        -> (tensor<2xf32> {nn.names = ["HN"]}, tensor<2xf32> {nn.names = ["CN"]},
            tensor<2xf32> {nn.names = ["Y", "AB"]}, tensor<2xf32> {nn.names = ["B"]},
            tensor<2xi32> {nn.names = ["N"]}) {
      %hn = nn.add %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %cn = nn.subtract %h, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %y = nn.multiply %hn, %cn : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %n = nn.convert %y to i32 : tensor<2xf32> -> tensor<2xi32>
      func.return %hn, %cn, %y, %a, %n : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi32>
    }
"""

NUMBERS = arrays(np.float32, (4, 2), elements=st.integers(-9, 9).map(float))


@given(frames=NUMBERS)
def test_calls_go_on_from_the_last_one(frames: np.ndarray) -> None:
    module = parse_module(CELL, "cell", context())
    cell = Executor(module.clone())
    run_passes(module, "make-stateful{inputs=hidden,C outputs=HN,CN}")
    stateful = Executor(module)
    h = c = a = np.zeros(2, np.float32)
    for x in frames:
        h, c, *expected = cell.run([x, h, c, a])
        given = stateful.run([x, a])
        for one, other in zip(expected, given, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("inputs=H,C outputs=HN", "2 inputs and 1 outputs; name an output for each input"),
        ("inputs=H,H outputs=HN,CN", "inputs 'H' and 'H' are the same; a state has one of each"),
        ("inputs=H,hidden outputs=HN,CN", "inputs 'H' and 'hidden' are the same; a state has one"),
        ("inputs=H,C outputs=HN,HN", "outputs 'HN' and 'HN' are the same; a state has one of each"),
        ("inputs=hiden outputs=HN", "there is no input 'hiden'; did you mean 'hidden'?"),
        ("inputs=H outputs=Q", "there is no output 'Q'; outputs: HN, CN, Y, AB, B, N"),
        (
            "inputs=H outputs=N",
            "state 'HN' would be read as tensor<2xf32> and assigned tensor<2xi32>",
        ),
        (
            "inputs=h,hA outputs=AB,B",
            "the model has a state 'hAB' already; rename the input or the output",
        ),
        (
            "inputs=A outputs=B",
            "the model has a state 'AB' already; rename the input or the output",
        ),
    ],
)
def test_what_is_no_pair_is_refused(options: str, message: str) -> None:
    module = parse_module(CELL, "cell", context())
    before = str(module)
    with pytest.raises(DiagnosticException) as raised:
        run_passes(module, f"make-stateful{{{options}}}")
    assert str(raised.value).startswith(f"make-stateful: {message}")
    assert str(module) == before
