"""`low-latency2` names what streams other values than the whole sequence has; what it advises gives those."""

import re

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from lowstream.dialects import context
from lowstream.dialects.module import entry_of, port_names
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor

PADDED = "pads_begin = array<i64: 1, 0>, pads_end = array<i64: 1, 0>, dilations = array<i64: 1, 1>"

REACHES = {
    "convolution": f"""
        %k = nn.constant dense<[[[[0.5], [-1.0], [2.0]]]]> : tensor<1x1x3x1xf32>
        %v = nn.convolution %x, %k {{strides = array<i64: 1, 1>, {PADDED}, nn.name = "op"}}
            : (tensor<1x1xTx4xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1xTx4xf32>""",
    "max_pool": f"""
        %v = nn.max_pool %x {{kernel = array<i64: 3, 1>, strides = array<i64: 1, 1>, {PADDED}, nn.name = "op"}}
            : tensor<1x1xTx4xf32> -> tensor<1x1xTx4xf32>""",
    "mvn": """
        %axis = nn.constant dense<2> : tensor<1xi64>
        %v = nn.mvn %x, %axis {eps = 1.0 : f64, eps_mode = "inside_sqrt", normalize_variance = true, nn.name = "op"}
            : tensor<1x1xTx4xf32>, tensor<1xi64>""",
    "softmax": '%v = nn.softmax %x {axis = -2 : i64, nn.name = "op"} : tensor<1x1xTx4xf32>',
    "log_softmax": """
        %l = nn.log_softmax %x {axis = 2 : i64, nn.name = "op"} : tensor<1x1xTx4xf32>
        %v = nn.negative %l : tensor<1x1xTx4xf32>""",
    "cum_sum": """
        %axis = nn.constant dense<-2> : tensor<i64>
        %v = nn.cum_sum %x, %axis {nn.name = "op"} : tensor<1x1xTx4xf32>, tensor<i64>""",
    "reverse": """
        %axes = nn.constant dense<[3, 2]> : tensor<2xi64>
        %v = nn.reverse %x, %axes {mode = "index", nn.name = "op"}
            : (tensor<1x1xTx4xf32>, tensor<2xi64>) -> tensor<1x1xTx4xf32>""",
    "roll": """
        %shift = nn.constant dense<1> : tensor<i64>
        %axes = nn.constant dense<[2]> : tensor<1xi64>
        %v = nn.roll %x, %shift, %axes {nn.name = "op"}
            : (tensor<1x1xTx4xf32>, tensor<i64>, tensor<1xi64>) -> tensor<1x1xTx4xf32>""",
    "group_normalization": """
        %one = nn.constant dense<1.0> : tensor<1xf32>
        %v = nn.group_normalization %x, %one, %one {num_groups = 1 : i64, epsilon = 1.0 : f64, nn.name = "op"}
            : (tensor<1x1xTx4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1xTx4xf32>""",
    "lrn": """
        %axes = nn.constant dense<-2> : tensor<1xi64>
        %v = nn.lrn %x, %axes {alpha = 2.0 : f64, beta = 1.0 : f64, bias = 1.0 : f64, size = 3 : i64, nn.name = "op"}
            : tensor<1x1xTx4xf32>, tensor<1xi64>""",
    "scaled_dot_product_attention": """
        %v = nn.scaled_dot_product_attention %x, %x, %x {causal = true, nn.name = "op"}
            : (tensor<1x1xTx4xf32>, tensor<1x1xTx4xf32>, tensor<1x1xTx4xf32>) -> tensor<1x1xTx4xf32>""",
    "mat_mul": """
        %a = nn.mat_mul %x, %x {transpose_b = true}
            : (tensor<1x1xTx4xf32>, tensor<1x1xTx4xf32>) -> tensor<1x1xTxTxf32>
        %v = nn.mat_mul %a, %x {nn.name = "op"} : (tensor<1x1xTxTxf32>, tensor<1x1xTx4xf32>) -> tensor<1x1xTx4xf32>""",
    "slice": """
        %m = nn.constant dense<-1> : tensor<1xi64>
        %n = nn.constant dense<-1000> : tensor<1xi64>
        %axis = nn.constant dense<2> : tensor<1xi64>
        %v = nn.slice %x, %m, %n, %m, %axis {nn.name = "op"} : (tensor<1x1xTx4xf32>, tensor<1xi64>, tensor<1xi64>,
            tensor<1xi64>, tensor<1xi64>) -> tensor<1x1xTx4xf32>""",
    "reverse_sequence": """
        %lengths = nn.constant dense<T> : tensor<1xi64>
        %v = nn.reverse_sequence %x, %lengths {batch_axis = 0 : i64, seq_axis = 2 : i64, nn.name = "op"}
            : (tensor<1x1xTx4xf32>, tensor<1xi64>) -> tensor<1x1xTx4xf32>""",
}
"""What makes the steps `%v` of `%x` of several of its steps."""

KEEPS = {
    "each step": "%v = nn.relu %x : tensor<1x1xTx4xf32>",
    "a window over features": """
        %k = nn.constant dense<[[[[0.5, -1.0, 2.0]]]]> : tensor<1x1x1x3xf32>
        %v = nn.convolution %x, %k {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 1>,
            pads_end = array<i64: 0, 1>, dilations = array<i64: 1, 1>}
            : (tensor<1x1xTx4xf32>, tensor<1x1x1x3xf32>) -> tensor<1x1xTx4xf32>""",
    "features in reverse order": """
        %flags = nn.constant dense<[0, 0, 0, 1]> : tensor<4xi64>
        %v = nn.reverse %x, %flags {mode = "mask"} : (tensor<1x1xTx4xf32>, tensor<4xi64>) -> tensor<1x1xTx4xf32>""",
    "a sum over features": "%v = nn.softmax %x {axis = 3 : i64} : tensor<1x1xTx4xf32>",
    "the largest feature": """
        %k = nn.constant dense<1> : tensor<i64>
        %most, %where = nn.top_k %x, %k {axis = 3 : i64, mode = "max", sort = "value", index_element_type = i32}
            : (tensor<1x1xTx4xf32>, tensor<i64>) -> (tensor<1x1xTx1xf32>, tensor<1x1xTx1xi32>)
        %v = nn.subtract %x, %most : (tensor<1x1xTx4xf32>, tensor<1x1xTx1xf32>) -> tensor<1x1xTx4xf32>""",
    "a normalization over channels": """
        %v = nn.grn %x {bias = 1.0 : f64} : tensor<1x1xTx4xf32>""",
    "a normalization of neighbouring features": """
        %axes = nn.constant dense<3> : tensor<1xi64>
        %v = nn.lrn %x, %axes {alpha = 2.0 : f64, beta = 1.0 : f64, bias = 1.0 : f64, size = 3 : i64}
            : tensor<1x1xTx4xf32>, tensor<1xi64>""",
    "an even window of one step": """
        %axes = nn.constant dense<2> : tensor<1xi64>
        %v = nn.lrn %x, %axes {alpha = 2.0 : f64, beta = 1.0 : f64, bias = 1.0 : f64, size = 2 : i64}
            : tensor<1x1xTx4xf32>, tensor<1xi64>""",
    "attention to what is the same in all calls": """
        %k = nn.constant dense<[[[[1.0, 2.0, 3.0, 4.0], [0.5, 0.0, 1.0, -1.0]]]]> : tensor<1x1x2x4xf32>
        %v = nn.scaled_dot_product_attention %x, %k, %k {causal = false}
            : (tensor<1x1xTx4xf32>, tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x1xTx4xf32>""",
    "steps that a state keeps": """
        %zero = nn.constant dense<0.0> : tensor<1x1x2x4xf32>
        %old = infra.read_value @before, %zero : tensor<1x1x2x4xf32> -> tensor<1x1x2x4xf32>
        %all = nn.concat %old, %x {axis = 2 : i64}
            : (tensor<1x1x2x4xf32>, tensor<1x1xTx4xf32>) -> tensor<1x1x?x4xf32>
        %from = nn.constant dense<-2> : tensor<1xi64>
        %to = nn.constant dense<9223372036854775807> : tensor<1xi64>
        %one = nn.constant dense<1> : tensor<1xi64>
        %axis = nn.constant dense<2> : tensor<1xi64>
        %last = nn.slice %all, %from, %to, %one, %axis : (tensor<1x1x?x4xf32>, tensor<1xi64>, tensor<1xi64>,
            tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x2x4xf32>
        infra.assign @before, %last : tensor<1x1x2x4xf32>
        %k = nn.constant dense<[[[[0.5], [-1.0], [2.0]]]]> : tensor<1x1x3x1xf32>
        %v = nn.convolution %all, %k {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>,
            pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>}
            : (tensor<1x1x?x4xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1xTx4xf32>""",
}
"""What makes each step `%v` of `%x` of those that a call has seen."""

BODY = """
      %y = infra.tensor_iterator %v, %h
          inputs [#infra.sliced<axis = 2, start = 0, end = -1, stride = 1, part_size = 1>, #infra.merged<result = 0>]
          outputs [#infra.concatenated<result = 0, axis = 2, start = 0, end = -1, stride = 1, part_size = 1>]
          body_names ["V", "H"] {nn.name = "TI"} : (tensor<1x1xTx4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1xTx4xf32> {
      ^bb0(%p: tensor<1x1x1x4xf32>, %s: tensor<1x1x1x4xf32>):
        %half = nn.constant dense<0.5> : tensor<f32>
        %kept = nn.multiply %s, %half : (tensor<1x1x1x4xf32>, tensor<f32>) -> tensor<1x1x1x4xf32>
        %sum = nn.add %p, %kept : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
        %next = nn.tanh %sum : tensor<1x1x1x4xf32>
        infra.yield %next : tensor<1x1x1x4xf32>
      }"""

X = np.random.default_rng(0).standard_normal((1, 1, 5, 4)).astype(np.float32)


def model(before: str, steps: int | str, after: str = "%z = nn.relu %y : tensor<1x1xTx4xf32>"):
    """`before` makes `%v` of `%x`; step by step, `h = tanh(v + h / 2)` is `%y`; `after` makes `%z` of it."""
    result = "1x1x1x4" if "keep_dims" in after else "1x1xTx4"
    state = "infra.variable @before : tensor<1x1x2x4xf32>" if "@before" in before else ""
    text = f"""{state}
    func.func @main(%x: tensor<1x1xTx4xf32> {{nn.names = ["X"]}}, %h: tensor<1x1x1x4xf32> {{nn.names = ["H"]}})
        -> tensor<{result}xf32> {{
      {before} {BODY}
      {after}
      func.return %z : tensor<{result}xf32>
    }}"""
    module = Parser(context(), re.sub(r"(?<=[x<])T(?=[x>])", str(steps), text)).parse_module()
    module.verify()
    return module


def run(module: ModuleOp, name: str, *calls: np.ndarray) -> np.ndarray:
    """The results of these calls, one behind the other."""
    executor, zeros = Executor(module), np.zeros((1, 1, 1, 4), np.float32)
    entry = entry_of(module)
    names = [port[0] for port in port_names(entry.arg_attrs, len(entry.body.block.args))]
    found = [executor.run([zeros if each == "H" else x for each in names])[0] for x in calls]
    assert names.count(name) == 1
    return np.concatenate(found, axis=2)


def stream(module: ModuleOp, name: str, x: np.ndarray) -> np.ndarray:
    run_passes(module, "low-latency2")
    return run(module, name, *np.split(x, x.shape[2], axis=2))


@pytest.mark.parametrize("kind", REACHES)
def test_what_reaches_over_steps_is_named_and_computed_outside_the_stream_is_right(
    kind: str, caplog: pytest.LogCaptureFixture
):
    whole = run(model(REACHES[kind], 5), "X", X)
    assert not np.allclose(stream(model(REACHES[kind], 1), "X", X), whole)
    (message,) = caplog.messages
    assert message.startswith(f"low-latency2: nn.{kind} 'op' "), message
    caplog.clear()

    advice = re.findall(r"trim{.*?}", message)[0]
    front, rest = model(REACHES[kind], 5), model(REACHES[kind], 1)
    run_passes(front, 'trim{outputs="op"}')
    run_passes(rest, advice)
    np.testing.assert_allclose(stream(rest, "op", run(front, "X", X)), whole, rtol=1e-6)
    assert not caplog.messages


@pytest.mark.parametrize("steps", [1, 5, "?"])
def test_it_is_named_whatever_the_number_of_steps(
    steps: int | str, caplog: pytest.LogCaptureFixture
):
    run_passes(model(REACHES["convolution"], steps), "low-latency2")
    (message,) = [each for each in caplog.messages if "still runs" not in each]
    assert "nn.convolution 'op' reaches over 3 steps" in message


def test_it_is_named_though_a_constant_holds_the_number_of_steps(caplog: pytest.LogCaptureFixture):
    shape = "%shape = nn.constant dense<[1, 1, 5, 4]> : tensor<4xi64>\n"
    held = (
        REACHES["convolution"].replace("%v", "%u")
        + shape
        + (
            "%v = nn.reshape %u, %shape : (tensor<1x1x5x4xf32>, tensor<4xi64>) -> tensor<1x1x5x4xf32>"
        )
    )
    run_passes(model(held, 5), "low-latency2")
    assert any("nn.convolution 'op' reaches over 3 steps" in each for each in caplog.messages)


@pytest.mark.parametrize("kind", KEEPS)
def test_what_takes_each_step_by_itself_is_not_named(kind: str, caplog: pytest.LogCaptureFixture):
    streamed = stream(model(KEEPS[kind], 1), "X", X)
    np.testing.assert_allclose(streamed, run(model(KEEPS[kind], 5), "X", X), rtol=1e-6)
    assert not caplog.messages


def test_what_sums_over_the_steps_of_a_result_is_named(caplog: pytest.LogCaptureFixture):
    mean = """
        %axis = nn.constant dense<2> : tensor<1xi64>
        %z = nn.reduce_mean %y, %axis {keep_dims = true, nn.name = "op"}
            : (tensor<1x1xTx4xf32>, tensor<1xi64>) -> tensor<1x1x1x4xf32>"""
    run_passes(model(KEEPS["each step"], 1, mean), "low-latency2")
    (message,) = caplog.messages
    assert "nn.reduce_mean 'op' computes one number from all steps" in message
    caplog.clear()
    rest = model(KEEPS["each step"], 1, mean)
    run_passes(rest, re.findall(r"trim{.*?}", message)[0])
    whole = run(model(KEEPS["each step"], 5, mean), "X", X)
    streamed = stream(rest, "X", X).mean(axis=2, keepdims=True)
    np.testing.assert_allclose(streamed, whole, rtol=1e-5)
    assert not caplog.messages


def test_a_sum_over_channels_that_are_steps_is_named(caplog: pytest.LogCaptureFixture):
    """`grn` has no axis to give: it is always that of channels."""
    channels = """
        %order = nn.constant dense<[0, 2, 1, 3]> : tensor<4xi64>
        %c = nn.transpose %x, %order : (tensor<1x1xTx4xf32>, tensor<4xi64>) -> tensor<1xTx1x4xf32>
        %n = nn.grn %c {bias = 1.0 : f64, nn.name = "op"} : tensor<1xTx1x4xf32>
        %v = nn.transpose %n, %order : (tensor<1xTx1x4xf32>, tensor<4xi64>) -> tensor<1x1xTx4xf32>"""
    run_passes(model(channels, 1), "low-latency2")
    (message,) = caplog.messages
    assert "nn.grn 'op' sums over all steps" in message


def test_sorted_steps_are_named(caplog: pytest.LogCaptureFixture):
    """`top_k` has two results, so that it is known by its name, and each of them by a port's."""
    most = """
        %k = nn.constant dense<1> : tensor<i64>
        %most, %where = nn.top_k %x, %k {axis = -2 : i64, mode = "max", sort = "value", index_element_type = i32,
            nn.name = "op"} : (tensor<1x1xTx4xf32>, tensor<i64>) -> (tensor<1x1x1x4xf32>, tensor<1x1x1x4xi32>)
        %v = nn.add %x, %most : (tensor<1x1xTx4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1xTx4xf32>"""
    whole = run(model(most, 5), "X", X)
    assert not np.allclose(stream(model(most, 1), "X", X), whole)
    (message,) = caplog.messages
    assert message.startswith("low-latency2: nn.top_k 'op' sorts all steps; ")
    assert message.endswith('trim{inputs="op.0"})')

    front, rest = model(most, 5), model(most, 1)
    run_passes(front, 'trim{outputs="op.0"}')
    run_passes(rest, 'trim{inputs="op.0"},low-latency2')
    executor, largest = Executor(rest), run(front, "X", X)
    assert [port[0] for port in port_names(entry_of(rest).arg_attrs, 3)] == ["X", "H", "op.0"]
    initial = np.zeros((1, 1, 1, 4), np.float32)
    found = [executor.run([x, initial, largest])[0] for x in np.split(X, 5, axis=2)]
    np.testing.assert_allclose(np.concatenate(found, axis=2), whole, rtol=1e-6)


def test_an_output_of_several_is_named(caplog: pytest.LogCaptureFixture):
    """`top_k` has two results, of which the sum reads one."""
    mean = """
        %k = nn.constant dense<4> : tensor<i64>
        %s, %where = nn.top_k %y, %k {axis = 3 : i64, mode = "max", sort = "value", index_element_type = i32,
            nn.name = "sorted"} : (tensor<1x1xTx4xf32>, tensor<i64>) -> (tensor<1x1xTx4xf32>, tensor<1x1xTx4xi32>)
        %axis = nn.constant dense<2> : tensor<1xi64>
        %z = nn.reduce_mean %s, %axis {keep_dims = true, nn.name = "op"}
            : (tensor<1x1xTx4xf32>, tensor<1xi64>) -> tensor<1x1x1x4xf32>"""
    rest = model(KEEPS["each step"], 1, mean)
    run_passes(rest.clone(), "low-latency2")
    (message,) = caplog.messages
    assert message.endswith('trim{outputs="sorted.0"})')
    run_passes(rest, 'trim{outputs="sorted.0"}')
    assert len(Executor(rest).run([X[:, :, :1], np.zeros((1, 1, 1, 4), np.float32)])) == 1


def test_a_loop_that_goes_backward_is_named(caplog: pytest.LogCaptureFixture):
    forward, backward = "start = 0, end = -1, stride = 1", "start = -1, end = 0, stride = -1"
    text = str(model(KEEPS["each step"], 1)).replace(forward, backward)
    run_passes(Parser(context(), text).parse_module(), "low-latency2")
    (message,) = caplog.messages
    assert "infra.tensor_iterator 'TI' runs from the last step to the first" in message


def test_a_model_that_has_its_states_is_warned_of_when_its_loop_becomes_one_step(
    caplog: pytest.LogCaptureFixture,
):
    module = model(REACHES["softmax"], 5)
    run_passes(module, "low-latency2")
    caplog.clear()
    run_passes(module, 'reshape{inputs="X=1x1x1x4"},low-latency2')
    (message,) = caplog.messages
    assert "nn.softmax 'op' sums over all steps" in message


def test_steps_of_a_loop_that_carries_nothing_are_no_stream(caplog: pytest.LogCaptureFixture):
    """A mean behind it is no reason for a warning: nothing goes on in the next call."""
    text = """
    func.func @main(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
      %y = infra.tensor_iterator %x
          inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
          outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
          body_names ["X"] : (tensor<1x4xf32>) -> tensor<1x4xf32> {
      ^bb0(%p: tensor<1x4xf32>):
        %next = nn.tanh %p : tensor<1x4xf32>
        infra.yield %next : tensor<1x4xf32>
      }
      %axis = nn.constant dense<0> : tensor<1xi64>
      %z = nn.reduce_mean %y, %axis {keep_dims = true} : (tensor<1x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
      func.return %z : tensor<1x4xf32>
    }"""
    run_passes(Parser(context(), text).parse_module(), "low-latency2")
    assert not caplog.messages
