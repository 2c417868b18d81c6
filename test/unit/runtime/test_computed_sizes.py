"""Outputs whose sizes only the run can tell: they have those that the reference gives, call by call."""

import itertools
import pickle

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

import lowstream
from lowstream.interop.model import Model
from lowstream.reference.executor import Executor
from lowstream.test.unit.runtime.runtime_models import module

CHOSEN = """
func.func @main(%x: tensor<2x4xf32> {nn.names = ["X"]}) -> (tensor<?x1xf32> {nn.names = ["Y"]}, tensor<2x?xi64>) {
  %n = nn.non_zero %x {output_type = i64} : tensor<2x4xf32> -> tensor<2x?xi64>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %t = nn.transpose %n, %order : (tensor<2x?xi64>, tensor<2xi64>) -> tensor<?x2xi64>
  %e = nn.gather_nd %x, %t {batch_dims = 0 : i64} : (tensor<2x4xf32>, tensor<?x2xi64>) -> tensor<?xf32>
  %axis = nn.constant dense<1> : tensor<1xi64>
  %u = nn.unsqueeze %e, %axis : (tensor<?xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %two = nn.constant dense<2.0> : tensor<f32>
  %y = nn.multiply %u, %two : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
  func.return %y, %n : tensor<?x1xf32>, tensor<2x?xi64>
}
"""
"""The elements of X that are not 0, doubled, and where they are."""


def test_results_have_the_size_that_the_call_gave_them():
    compiled = lowstream.compile_model(Model(module(CHOSEN)))
    assert [port.shape for port in compiled.outputs] == [(-1, 1), (2, -1)]
    reference, request = Executor(module(CHOSEN)), compiled.create_infer_request()
    kept = []
    for x in (np.eye(2, 4), np.zeros((2, 4)), np.arange(8).reshape(2, 4)):
        inputs = [x.astype(np.float32)]
        wanted, results = reference.run(inputs), request.infer(inputs)
        assert len(results) == 2
        assert_array_equal(request.get_tensor("Y"), wanted[0])
        kept.append((wanted, results))
    for wanted, results in kept:
        for have, want in zip(results, wanted, strict=True):
            assert_array_equal(have, want)
    again = pickle.loads(pickle.dumps(compiled))
    assert again.outputs == compiled.outputs
    assert_array_equal(again(inputs)["Y"], wanted[0])


def test_values_of_one_size_go_together():
    text = CHOSEN.replace("nn.multiply %u, %two", "nn.add %u, %u").replace(
        "(tensor<?x1xf32>, tensor<f32>)", "(tensor<?x1xf32>, tensor<?x1xf32>)"
    )
    lowstream.compile_model(Model(module(text)))


MOVED = """
func.func @main(%x: tensor<4x3xf32>, %n: tensor<1xi64>, %w: tensor<2x3xf32>)
    -> (tensor<3xf32>, tensor<f32>, tensor<1x1xf32>, tensor<2xi64>, tensor<?x1x3xf32>, tensor<2x?xf32>,
        tensor<?x2xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %all = nn.constant dense<[0, 1]> : tensor<2xi64>
  %three = nn.constant dense<[-1, 1, 3]> : tensor<3xi64>
  %s = nn.slice %x, %0, %n, %1, %0
      : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
  %soft = nn.softmax %s {axis = 0 : i64} : tensor<?x3xf32>
  %most = nn.reduce_max %s, %0 {keep_dims = false} : (tensor<?x3xf32>, tensor<1xi64>) -> tensor<3xf32>
  %mean = nn.reduce_mean %s, %all {keep_dims = false} : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<f32>
  %prod = nn.reduce_prod %s, %all {keep_dims = true} : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<1x1xf32>
  %shape = nn.shape_of %s : tensor<?x3xf32> -> tensor<2xi64>
  %wide = nn.reshape %s, %three : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x1x3xf32>
  %products = nn.mat_mul %w, %s {transpose_b = true} : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<2x?xf32>
  %two = nn.constant dense<3> : tensor<1xi64>
  %cut = nn.slice %s, %1, %two, %1, %1
      : (tensor<?x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %rest = nn.cum_sum %s, %0 {exclusive = true, reverse = true} : tensor<?x3xf32>, tensor<1xi64>
  func.return %most, %mean, %prod, %shape, %wide, %products, %cut, %soft, %rest
      : tensor<3xf32>, tensor<f32>, tensor<1x1xf32>, tensor<2xi64>, tensor<?x1x3xf32>, tensor<2x?xf32>,
        tensor<?x2xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}
"""
"""What has laws beyond elementwise ones, over the first n of 4 rows."""


def test_what_lies_beyond_a_size_counts_for_nothing():
    compiled, reference = lowstream.compile_model(Model(module(MOVED))), Executor(module(MOVED))
    random = np.random.default_rng(4)
    for n in (1, 3, 4):
        x, w = (random.uniform(-2, -1, size).astype(np.float32) for size in ((4, 3), (2, 3)))
        inputs = [x, np.array([n]), w]
        for have, want in zip(compiled(inputs).values(), reference.run(inputs), strict=True):
            assert_allclose(have, want, rtol=1e-5)


MEANS = """
func.func @main(%x: tensor<4x3xf32>, %n: tensor<1xi64>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %some = nn.slice %x, %0, %n, %1, %0
      : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
  %mean = nn.reduce_mean %some, %0 {keep_dims = false} : (tensor<?x3xf32>, tensor<1xi64>) -> tensor<3xf32>
  %none = nn.slice %x, %0, %0, %1, %0
      : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<0x3xf32>
  %zero = nn.reduce_mean %none, %0 {keep_dims = false} : (tensor<0x3xf32>, tensor<1xi64>) -> tensor<3xf32>
  func.return %mean, %zero : tensor<3xf32>, tensor<3xf32>
}
"""


def test_the_mean_of_none_is_zero():
    """As in OpenVINO and ONNX Runtime: so PyTorch exports the mean of a bag of embeddings, which may be empty."""
    compiled, reference = lowstream.compile_model(Model(module(MEANS))), Executor(module(MEANS))
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    for n, wanted in ((0, [0, 0, 0]), (2, [1.5, 2.5, 3.5])):
        for results in (
            list(compiled([x, np.array([n])]).values()),
            reference.run([x, np.array([n])]),
        ):
            assert_array_equal(results, [wanted, [0, 0, 0]])


STOPS = """
func.func @main(%x: tensor<4xf32>, %n: tensor<1xi64>) -> (tensor<?xf32>, tensor<f32>) {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %y = nn.slice %x, %0, %n, %1, %0
      : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %sum = nn.reduce_sum %y, %0 {keep_dims = false} : (tensor<?xf32>, tensor<1xi64>) -> tensor<f32>
  func.return %y, %sum : tensor<?xf32>, tensor<f32>
}
"""


def test_a_stop_counts_from_the_end_or_lies_beyond_it():
    compiled, x = lowstream.compile_model(Model(module(STOPS))), np.arange(4, dtype=np.float32)
    for stop in (-9, -4, -1, 0, 3, 4, 9):
        results = compiled([x, np.array([stop])])
        assert_array_equal(results[0], x[:stop])
        assert results[1] == x[:stop].sum()


LOOKED_UP = """
func.func @main(%x: tensor<4x6xf32>, %n: tensor<1xi64>, %w: tensor<2x6xf32>)
    -> (tensor<?x6xf32>, tensor<2x?xf32>, tensor<?xf32>, tensor<?x6xf32>, tensor<2x6xf32>, tensor<6x6xf32>,
        tensor<?x?xf32>, tensor<?x6xf32>) {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %end = nn.constant dense<-1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0
      : (tensor<4x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x6xf32>
  %joined = nn.concat %s, %w, %s {axis = 0 : i64}
      : (tensor<?x6xf32>, tensor<2x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  %halves = nn.constant dense<[2, -1]> : tensor<2xi64>
  %split = nn.reshape %s, %halves : (tensor<?x6xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %t = nn.transpose %s, %order : (tensor<?x6xf32>, tensor<2xi64>) -> tensor<6x?xf32>
  %flat = nn.constant dense<[-1]> : tensor<1xi64>
  %merged = nn.reshape %t, %flat : (tensor<6x?xf32>, tensor<1xi64>) -> tensor<?xf32>
  %inner = nn.slice %s, %1, %end, %1, %0
      : (tensor<?x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x6xf32>
  %places = nn.constant dense<[-1, 0]> : tensor<2xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %picked = nn.gather %s, %places, %axis {batch_dims = 0 : i64}
      : (tensor<?x6xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x6xf32>
  %gram = nn.mat_mul %s, %s {transpose_a = true} : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<6x6xf32>
  %pairs = nn.mat_mul %joined, %s {transpose_b = true} : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x?xf32>
  %back = nn.constant dense<-2> : tensor<1xi64>
  %last = nn.slice %x, %back, %n, %1, %0
      : (tensor<4x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x6xf32>
  func.return %joined, %split, %merged, %inner, %picked, %gram, %pairs, %last
      : tensor<?x6xf32>, tensor<2x?xf32>, tensor<?xf32>, tensor<?x6xf32>, tensor<2x6xf32>, tensor<6x6xf32>,
        tensor<?x?xf32>, tensor<?x6xf32>
}
"""
"""Where the first n of 4 rows are not the first elements of a result, and where rows are summed up."""


def test_elements_are_found_where_they_lie_among_all():
    compiled = lowstream.compile_model(Model(module(LOOKED_UP)))
    reference, random = Executor(module(LOOKED_UP)), np.random.default_rng(5)
    for n in (1, 3, 4):
        x, w = (random.uniform(-2, -1, size).astype(np.float32) for size in ((4, 6), (2, 6)))
        inputs = [x, np.array([n]), w]
        for have, want in zip(compiled(inputs).values(), reference.run(inputs), strict=True):
            assert_allclose(have, want, rtol=1e-5)


PADDED = """
func.func @main(%x: tensor<4x3xf32>, %n: tensor<1xi64>, %w: tensor<2x3xf32>)
    -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x6xf32>) {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %2 = nn.constant dense<2> : tensor<1xi64>
  %none = nn.constant dense<0> : tensor<2xi64>
  %value = nn.constant dense<7.0> : tensor<f32>
  %s = nn.slice %x, %0, %n, %1, %0
      : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
  %shape = nn.shape_of %s : tensor<?x3xf32> -> tensor<2xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %rows = nn.gather %shape, %0, %axis {batch_dims = 0 : i64}
      : (tensor<2xi64>, tensor<1xi64>, tensor<i64>) -> tensor<1xi64>
  %begin = nn.concat %rows, %0 {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %one = nn.constant dense<[1, 0]> : tensor<2xi64>
  %one_each = nn.constant dense<1> : tensor<2xi64>
  %minus = nn.subtract %0, %rows : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %less = nn.concat %minus, %0 {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %in_front = nn.pad %s, %begin, %one, %value {pad_mode = "constant"}
      : (tensor<?x3xf32>, tensor<2xi64>, tensor<2xi64>, tensor<f32>) -> tensor<?x3xf32>
  %behind = nn.pad %w, %none, %begin {pad_mode = "constant"}
      : (tensor<2x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x3xf32>
  %cropped = nn.pad %x, %less, %one {pad_mode = "constant"}
      : (tensor<4x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x3xf32>
  %aside = nn.constant dense<[0, 2]> : tensor<2xi64>
  %wider = nn.pad %s, %aside, %one_each {pad_mode = "constant"}
      : (tensor<?x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x6xf32>
  func.return %in_front, %behind, %cropped, %wider
      : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x6xf32>
}
"""
"""As many rows in front of, behind, or taken from others as there are in the first n of 4 rows."""


def test_as_many_elements_are_padded_as_a_call_says():
    compiled, reference = lowstream.compile_model(Model(module(PADDED))), Executor(module(PADDED))
    random = np.random.default_rng(5)
    for n in range(5):
        inputs = [
            random.random((4, 3), np.float32),
            np.array([n]),
            random.random((2, 3), np.float32),
        ]
        for have, want in zip(compiled(inputs).values(), reference.run(inputs), strict=True):
            assert_array_equal(have, want)


SUMMED = """
func.func @main(%x: tensor<6xf32> {nn.names = ["X"]}) -> (tensor<1x?xi64>) {
  %n = nn.non_zero %x {output_type = i64} : tensor<6xf32> -> tensor<1x?xi64>
  %axis = nn.constant dense<1> : tensor<i64>
  %y = nn.cum_sum %n, %axis : tensor<1x?xi64>, tensor<i64>
  func.return %y : tensor<1x?xi64>
}
"""


def test_sums_of_elements_of_unknown_number():
    request = lowstream.compile_model(Model(module(SUMMED))).create_infer_request()
    for x in ([1, 0, 2, 0, 3, 4], [0] * 6, [0, 0, 0, 0, 0, 1], [1] * 6):
        places = np.flatnonzero(x)[None]
        assert_array_equal(request.infer([np.array(x, np.float32)])[0], np.cumsum(places, axis=1))


ELEMENTS = """
func.func @main(%x: tensor<6xf32> {nn.names = ["X"]}) -> (tensor<1x?xf32>, tensor<1x5xi64>) {
  %n = nn.non_zero %x {output_type = i64} : tensor<6xf32> -> tensor<1x?xi64>
  %row = nn.constant dense<[[0.0, 10.0, 20.0, 30.0, 40.0, 50.0]]> : tensor<1x6xf32>
  %y = nn.gather_elements %row, %n {axis = 1 : i64} : (tensor<1x6xf32>, tensor<1x?xi64>) -> tensor<1x?xf32>
  %places = nn.constant dense<[[0, -1, 2, -3, 5]]> : tensor<1x5xi64>
  %z = nn.gather_elements %n, %places {axis = 1 : i64} : (tensor<1x?xi64>, tensor<1x5xi64>) -> tensor<1x5xi64>
  func.return %y, %z : tensor<1x?xf32>, tensor<1x5xi64>
}
"""


def test_elements_are_found_by_an_index_for_each():
    """Those of unknown number, and among those: indices count from the end of what is there, and lie beyond it."""
    request = lowstream.compile_model(Model(module(ELEMENTS))).create_infer_request()
    reference = Executor(module(ELEMENTS))
    for x in ([1, 0, 2, 0, 3, 4], [0] * 6, [0, 1, 0, 0, 0, 1], [1] * 6):
        inputs = [np.array(x, np.float32)]
        for have, want in zip(request.infer(inputs), reference.run(inputs), strict=True):
            assert_array_equal(have, want)


TOGETHER = """
func.func @main(%x: tensor<6xf32>, %y: tensor<4xf32>, %w: tensor<1x3xi64>) -> (tensor<1x?xi64>, tensor<1x?xi64>) {
  %a = nn.non_zero %x {output_type = i64} : tensor<6xf32> -> tensor<1x?xi64>
  %b = nn.non_zero %y {output_type = i64} : tensor<4xf32> -> tensor<1x?xi64>
  %z = nn.concat %a, %b, %w, %b, %a {axis = 1 : i64}
      : (tensor<1x?xi64>, tensor<1x?xi64>, tensor<1x3xi64>, tensor<1x?xi64>, tensor<1x?xi64>) -> tensor<1x?xi64>
  %sums = nn.add %z, %z : (tensor<1x?xi64>, tensor<1x?xi64>) -> tensor<1x?xi64>
  func.return %z, %sums : tensor<1x?xi64>, tensor<1x?xi64>
}
"""


def test_many_parts_of_unknown_number_are_put_together():
    request = lowstream.compile_model(Model(module(TOGETHER))).create_infer_request()
    reference = Executor(module(TOGETHER))
    w = np.array([[7, 8, 9]])
    for x in ([1, 0, 2, 0, 3, 4], [0] * 6, [0, 1, 0, 0, 0, 1], [1] * 6):
        for y in ([0, 1, 1, 0], [0] * 4, [1] * 4):
            inputs = [np.array(x, np.float32), np.array(y, np.float32), w]
            for have, want in zip(request.infer(inputs), reference.run(inputs), strict=True):
                assert_array_equal(have, want)


COLUMNS = """
func.func @main(%x: tensor<4x3xf32>, %n: tensor<1xi64>, %m: tensor<1xi64>) -> tensor<?x?xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %r = nn.slice %x, %0, %n, %1, %0
      : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
  %c = nn.slice %r, %0, %m, %1, %1
      : (tensor<?x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  %z = nn.concat %c, %r, %c, %c, %r {axis = 1 : i64}
      : (tensor<?x?xf32>, tensor<?x3xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x3xf32>) -> tensor<?x?xf32>
  func.return %z : tensor<?x?xf32>
}
"""


def test_many_parts_have_rows_of_unknown_number():
    request = lowstream.compile_model(Model(module(COLUMNS))).create_infer_request()
    reference, x = Executor(module(COLUMNS)), np.random.default_rng(4).random((4, 3), np.float32)
    for n, m in itertools.product(range(5), range(4)):
        inputs = [x, np.array([n]), np.array([m])]
        assert_array_equal(request.infer(inputs)[0], reference.run(inputs)[0])


ROWS = """
func.func @main(%x: tensor<6x3xf32>, %chosen: tensor<4xf32>, %u: tensor<4x3xf32>) -> tensor<6x3xf32> {
  %axis = nn.constant dense<0> : tensor<i64>
  %column = nn.constant dense<[-1, 1]> : tensor<2xi64>
  %three = nn.constant dense<[1, 3]> : tensor<2xi64>
  %shift = nn.constant dense<-2> : tensor<i64>
  %n = nn.non_zero %chosen {output_type = i64} : tensor<4xf32> -> tensor<1x?xi64>
  %i = nn.reshape %n, %column : (tensor<1x?xi64>, tensor<2xi64>) -> tensor<?x1xi64>
  %places = nn.add %i, %shift : (tensor<?x1xi64>, tensor<i64>) -> tensor<?x1xi64>
  %all = nn.squeeze %n, %axis : (tensor<1x?xi64>, tensor<i64>) -> tensor<?xi64>
  %v = nn.gather %u, %all, %axis {batch_dims = 0 : i64}
      : (tensor<4x3xf32>, tensor<?xi64>, tensor<i64>) -> tensor<?x3xf32>
  %each = nn.broadcast %places, %three {mode = "bidirectional"}
      : (tensor<?x1xi64>, tensor<2xi64>) -> tensor<?x3xi64>
  %y = nn.scatter_elements_update %x, %each, %v, %axis {reduction = "none", use_init_val = true}
      : (tensor<6x3xf32>, tensor<?x3xi64>, tensor<?x3xf32>, tensor<i64>) -> tensor<6x3xf32>
  func.return %y : tensor<6x3xf32>
}
"""


def test_rows_of_unknown_number_are_updated():
    """Their indices, two less than where they come from, also count from the end."""
    request = lowstream.compile_model(Model(module(ROWS))).create_infer_request()
    reference, random = Executor(module(ROWS)), np.random.default_rng(3)
    x, u = random.random((6, 3), np.float32), random.random((4, 3), np.float32)
    for chosen in ([1, 0, 2, 0], [0] * 4, [0, 1, 0, 1], [1] * 4):
        inputs = [x, np.array(chosen, np.float32), u]
        assert_array_equal(request.infer(inputs)[0], reference.run(inputs)[0])
