"""Greedy decoders, as torch.onnx writes them: a loop over frames, in it one that emits symbols until a blank."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import parser

from lowstream import compile_model
from lowstream.test.unit.interop.onnx.sessions import session_of
from lowstream.test.unit.pairwise import each_pair

SLICE = """
begin = Unsqueeze(t, first)
next = Add(t, one)
end = Unsqueeze(next, first)
f = Slice(e, begin, end, first)
"""

DECODER = """
<ir_version: 8, opset_import: ["": 17]>
decoder (float[ROWS, 4] e, float[5, 4] table, float[4, 5] joint, float[BATCH, 4] s)
    => (int64[BATCH] last, int64[BATCH] total, float[BATCH, 4] state) {
  yes = Constant<value = bool {1}>()
  zero = Constant<value = int64 {0}>()
  one = Constant<value = int64 {1}>()
  most = Constant<value = int64 {3}>()
  radix = Constant<value = int64 {7}>()
  modulus = Constant<value = int64 {1000003}>()
  unlimited = Constant<value = int64 {9223372036854775807}>()
  first = Constant<value = int64[1] {0}>()
  sizes = Shape<start = 0, end = 1>(s)
  blanks = ConstantOfShape<value = int64[1] {0}>(sizes)
  lengths = Shape(e)
  frames = Gather(lengths, zero)
  last, total, state = Loop(frames, yes, blanks, blanks, s) <body = frame (
      int64 t, bool on, int64[BATCH] last0, int64[BATCH] total0, float[BATCH, 4] s0
    ) => (bool on1, int64[BATCH] last1, int64[BATCH] total1, float[BATCH, 4] s1) {
    OUTER
    on1 = Identity(yes)
    last1, total1, s1, n1 = Loop(unlimited, yes, last0, total0, s0, zero) <body = symbol (
        int64 i, bool on2, int64[BATCH] last2, int64[BATCH] total2, float[BATCH, 4] s2, int64 n2
      ) => (bool on3, int64[BATCH] last3, int64[BATCH] total3, float[BATCH, 4] s3, int64 n3) {
      INNER
      embedded = Gather(table, last2)
      recurrent = Add(embedded, s2)
      hidden = Tanh(recurrent)
      joined = Add(f, hidden)
      scores = MatMul(joined, joint)
      k = ArgMax<axis = 1, keepdims = 0>(scores)
      is_blank = Equal(k, zero)
      last3 = Where(is_blank, last2, k)
      axis = Constant<value = int64[1] {1}>()
      other = Unsqueeze(is_blank, axis)
      s3 = Where(other, s2, hidden)
      shifted = Mul(total2, radix)
      appended = Add(shifted, k)
      total3 = Mod(appended, modulus)
      largest = ReduceMax<keepdims = 0>(k)
      goes_on = Greater(largest, zero)
      n3 = Add(n2, one)
      is_short = Less(n3, most)
      on3 = And(goes_on, is_short)
    }>
  }>
}
"""


@each_pair(place=["OUTER", "INNER"], batch=[1, 2], rows=["6", "T"])
def test_a_frame_may_be_taken_in_either_loop(tmp_path: Path, place: str, batch: int, rows: str):
    """The states of the decoder are those of the last symbol that is none; a frame emits three symbols at most."""
    text = DECODER.replace("ROWS", rows).replace("BATCH", str(batch)).replace(place, SLICE)
    text = text.replace("OUTER", "").replace("INNER", "")
    model = parser.parse_model(text)
    onnx.save(model, path := tmp_path / "decoder.onnx")
    session, compiled = session_of(path), compile_model(path)
    for count in (6,) if rows == "6" else (1, 6):
        draw = np.random.default_rng(count)
        inputs = {
            name: (draw.normal(size=size) * 2).astype(np.float32)
            for name, size in {
                "e": (count, 4),
                "table": (5, 4),
                "joint": (4, 5),
                "s": (batch, 4),
            }.items()
        }
        wanted: Any = session.run(None, inputs)
        for have, want in zip(compiled(inputs).values(), wanted, strict=True):
            np.testing.assert_allclose(have, want, rtol=1e-5, atol=1e-6)
