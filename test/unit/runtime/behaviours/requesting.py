"""Behaviours of requests: inputs, outputs, tensors, results."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any

import numpy as np

from .side import FLAGS, ONES, ROWS, A, B, Behaviour, Side, after


def given(*inputs: Any, model: str = "two", **options: Any) -> Behaviour:
    """What a call of these inputs gives first."""
    return lambda s: s.request(model).infer(*inputs, **options)[0]


def set_twice(s: Side) -> Any:
    request, mine = s.request("two"), A.copy()
    request.set_tensor("a", s.tensor(mine))
    request.set_tensor("b", s.tensor(B.copy()))
    first = np.array(request.infer()["sum"])
    mine[...] = 7
    return first, request.infer()["sum"]


def set_output(s: Side) -> Any:
    request, mine = s.request("two", A, B), np.zeros((1, 3), np.float32)
    request.set_tensor("product", s.tensor(mine))
    request.infer()
    return mine


def numbered_outputs(s: Side) -> Any:
    request, mine = s.request("two", A, B), np.zeros((1, 3), np.float32)
    request.set_output_tensors({1: s.tensor(mine)})
    request.infer()
    return mine


def one_output(s: Side) -> Any:
    request, mine = s.request("two", A, B), np.zeros((1, 3), np.float32)
    request.set_output_tensor(0, s.tensor(mine))
    request.infer()
    return mine


def named(s: Side) -> Any:
    request = s.request("two")
    request.set_tensors({"a": s.tensor(A.copy()), "b": s.tensor(B.copy())})
    return request.infer()[1]


def numbered_inputs(s: Side) -> Any:
    request = s.request("two")
    request.set_input_tensors({0: s.tensor(A.copy()), 1: s.tensor(B.copy())})
    return request.infer()[1]


def by_port(s: Side) -> Any:
    request = s.request("two")
    request.set_tensor(s.two.input(0), s.tensor(A.copy()))
    request.set_tensor(s.two.input(1), s.tensor(B.copy()))
    request.infer()
    return request.get_tensor(s.two.output(1))


def filled(s: Side) -> Any:
    request = s.request("two")
    for name, array in (("a", A), ("b", B)):
        tensor = request.get_tensor(name)
        (tensor.data if s.is_openvino else tensor)[...] = array
    request.infer()
    return request.get_output_tensor(0)


def roi_in(s: Side) -> Any:
    """A part of a larger image, by OpenVINO's ROI tensor, or as a view."""
    big = np.arange(30, dtype=np.float32).reshape(5, 6)
    part = s.module.Tensor(s.module.Tensor(big), [1, 2], [2, 5]) if s.is_openvino else big[1:2, 2:5]
    request = s.request("two")
    request.set_tensor("a", part)
    request.set_tensor("b", s.tensor(B.copy()))
    return request.infer()["sum"]


def roi_out(s: Side) -> Any:
    big = np.zeros((5, 6), np.float32)
    part = (
        s.module.Tensor(s.module.Tensor(big, shared_memory=True), [1, 2], [2, 5])
        if s.is_openvino
        else big[1:2, 2:5]
    )
    request = s.request("two", A, B)
    request.set_tensor("sum", part)
    request.infer()
    return big


def wrong_tensor(array: Any, name: str = "a") -> Behaviour:
    return lambda s: s.request("two").set_tensor(name, s.tensor(np.array(array)))


def results_stay(s: Side) -> Any:
    request = s.request("two")
    first = request.infer([A, B])
    request.infer([B, B])
    return first[0]


def outputs_shared(s: Side) -> Any:
    request = s.request("two", A, B)
    held = request.infer(share_outputs=True)[0]
    request.infer([B, B])
    return held


def inputs_shared(s: Side) -> Any:
    request, mine = s.request("two"), A.copy()
    request.infer([mine, B], share_inputs=True)
    mine[...] = 10
    return request.infer()[0]


def inputs_copied(s: Side) -> Any:
    request, mine = s.request("two"), A.copy()
    request.infer([mine, B])
    mine[...] = 10
    return request.infer()[0]


def grown(s: Side) -> Any:
    request = s.request("unknown")
    return [request.infer([ROWS[:rows]])[0] for rows in (1, 3, 2)]


def batch(s: Side) -> Any:
    request = s.request("unknown")
    request.set_input_tensors([s.tensor(ROWS[:1].copy()), s.tensor(ROWS[1:2].copy())])
    return request.infer()[0]


def batch_of_one(s: Side) -> Any:
    request = s.request("unknown")
    request.set_input_tensors([s.tensor(ROWS.copy())])
    return request.infer()[0]


def profile(read: Any) -> Behaviour:
    def run(s: Side) -> Any:
        request = s.compiled("two", PERF_COUNT=True).create_infer_request()
        request.infer([A, B])
        return read(request.get_profiling_info())

    return run


def dlpack(s: Side) -> Any:
    class Foreign:
        """What has memory, and shows it by DLPack only."""

        def __init__(self, array: Any):
            self.array = array

        def __dlpack__(self, **options: Any) -> Any:
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self.array.__dlpack_device__()

    return s.request("two").infer([Foreign(A.copy()), B])[0]


def openvinos_tensor(s: Side) -> Any:
    import openvino

    return s.request("two").infer({"a": openvino.Tensor(A.copy()), "b": B})[0]


def looked_up(look: Any) -> Behaviour:
    """What is looked up in the results of a call."""
    return lambda s: look(s.request("two").infer([A, B]))


REQUESTING: dict[str, Behaviour] = {
    "infer({name: array})": given({"a": A, "b": B}),
    "infer({number: array})": given({0: A, 1: B}),
    "infer([array, array])": given([A, B]),
    "infer((array, array))": given((A, B)),
    "infer({port: array})": lambda s: s.request("two").infer(
        {s.two.input(0): A, s.two.input(1): B}
    )[0],
    "infer(array) of one input": given(ONES, model="sums"),
    "infer({name: list})": given({"a": A.tolist(), "b": B}),
    "infer: another name of an input": given({"alias": ONES}, model="sums"),
    "infer: an unknown name": given({"z": A, "b": B}),
    "infer: an unknown number": given({5: A}),
    "infer: too few arrays": given([A]),
    "infer: too many arrays": given([A, A, B]),
    "infer: another shape": given([A[:, :2], B]),
    "infer: another rank": given([A[0], B]),
    "infer: None": given([None, B]),
    "infer: text": given(["a", "b"]),
    "infer: a key that is no name": given({None: A}),
    "infer: f64": given([A.astype(np.float64), B]),
    "infer: f16": given([A.astype(np.float16), B]),
    "infer: i32 for f32": given([A.astype(np.int32), B]),
    "infer: booleans for f32": given([A > 1, B]),
    "infer: f32 for i32": given([FLAGS[:3].astype(np.float32), FLAGS[:3]], model="whole"),
    "infer: i64 for i32": given([FLAGS[:3].astype(np.int64), FLAGS[:3]], model="whole"),
    "infer: i64 beyond i32": given([np.full(3, 1 << 40), FLAGS[:3]], model="whole"),
    "infer: complex": given([A.astype(np.complex64), B]),
    "infer: a strided view": given([np.repeat(A, 2, 1)[:, ::2], B]),
    "infer: transposed": given([A.T.copy().T, B]),
    "infer: backwards": given([A[:, ::-1], B]),
    "infer: broadcast": given([np.broadcast_to(np.float32(2), (1, 3)), B]),
    "infer: the other byte order": given([A.astype(">f4"), B]),
    "infer: read-only": lambda s: given([np.frombuffer(A.tobytes(), np.float32).reshape(1, 3), B])(
        s
    ),
    "infer: DLPack": dlpack,
    "infer: a tensor of OpenVINO's": openvinos_tensor,
    "infer: a buffer": given([memoryview(A.tobytes()).cast("f", (1, 3)), B]),
    "infer: NaN and infinity": given([np.array([[np.nan, np.inf, -np.inf]], np.float32), B]),
    "infer: no rows": lambda s: s.request("unknown").infer([ROWS[:0]])[0].shape,
    "infer() keeps what was given": lambda s: s.request("two", A, B).infer()[0],
    "infer({one}) keeps the other": lambda s: s.request("two", A, B).infer({"a": B})[0],
    "infer copies inputs": inputs_copied,
    "infer: share_inputs": inputs_shared,
    "infer: share_outputs": outputs_shared,
    "infer: other sizes": grown,
    "infer: sizes that the run tells": lambda s: s.request("places").infer([FLAGS])[0],
    "infer: none of a size that the run tells": lambda s: (
        s.request("places").infer([FLAGS * 0])[0].shape
    ),
    "infer: keyword inputs": lambda s: s.request("two").infer(inputs=[A, B])[0],
    "infer before inputs were given": lambda s: s.request("two").infer()[0].shape,
    "infer of one input of two": lambda s: s.request("two").infer({"a": A})[0].shape,
    "set_tensor: later writes count": set_twice,
    "set_tensor of an output": set_output,
    "set_tensor by port": by_port,
    "set_tensor: an unknown name": wrong_tensor(A, "z"),
    "set_tensor: another shape": wrong_tensor(A[:, :2]),
    "set_tensor: another type": wrong_tensor([[1, 2, 3]]),
    "set_tensor of an output: another shape": wrong_tensor(A[:, :2], "sum"),
    "set_tensor of an output: another type": wrong_tensor(A.astype(np.int32), "sum"),
    "set_tensor of an output: a wider type": wrong_tensor(A.astype(np.float64), "sum"),
    "set_tensor of a list": lambda s: s.request("two").set_tensor("a", A.tolist()),
    "set_tensor of None": lambda s: s.request("two").set_tensor("a", None),
    "set_tensor: part of an image": roi_in,
    "set_tensor of an output: part of an image": roi_out,
    "set_input_tensor(number, tensor)": lambda s: after(
        r := s.request("two", A, B), r.set_input_tensor(0, s.tensor(B.copy())), r.infer()[0]
    ),
    "set_input_tensor(tensor)": lambda s: after(
        r := s.request("sums"), r.set_input_tensor(s.tensor(ONES.copy())), r.infer()[0]
    ),
    "set_input_tensor(tensor) of two": lambda s: s.request("two").set_input_tensor(
        s.tensor(A.copy())
    ),
    "set_tensor(name=, tensor=)": lambda s: after(
        r := s.request("two", A, B), r.set_tensor(name="a", tensor=s.tensor(B.copy())), r.infer()[0]
    ),
    "set_tensor(port=, tensor=)": lambda s: after(
        r := s.request("two", A, B),
        r.set_tensor(port=r.model_inputs[1], tensor=s.tensor(A.copy())),
        r.infer()[0],
    ),
    "set_tensor(name=, port=)": lambda s: s.request("two").set_tensor(name="a", port=A),
    "get_tensor(name=)": lambda s: after(
        r := s.request("two"), r.infer([A, B]), r.get_tensor(name="product").data
    ),
    "set_input_tensor(index=, tensor=)": lambda s: after(
        r := s.request("two", A, B),
        r.set_input_tensor(index=1, tensor=s.tensor(A.copy())),
        r.infer()[0],
    ),
    "set_input_tensor(tensor=)": lambda s: after(
        r := s.request("sums"), r.set_input_tensor(tensor=s.tensor(ONES.copy())), r.infer()[0]
    ),
    "set_output_tensor(index, tensor=)": lambda s: after(
        r := s.request("two", A, B),
        r.set_output_tensor(1, tensor=s.tensor(out := np.zeros_like(A))),
        r.infer(),
        out,
    ),
    "set_input_tensors(inputs=)": lambda s: after(
        r := s.request("two", A, B),
        r.set_input_tensors(inputs={0: s.tensor(B.copy())}),
        r.infer()[0],
    ),
    "set_input_tensor(beyond)": lambda s: s.request("two").set_input_tensor(5, s.tensor(A.copy())),
    "set_output_tensor(number, tensor)": one_output,
    "set_output_tensor(tensor) of two": lambda s: s.request("two").set_output_tensor(
        s.tensor(A.copy())
    ),
    "set_tensors": named,
    "set_input_tensors": numbered_inputs,
    "set_output_tensors": numbered_outputs,
    "set_input_tensors: a batch": batch,
    "set_input_tensors: a batch of one": batch_of_one,
    "set_tensors: unknown name": lambda s: s.request("two").set_tensors({"z": s.tensor(A.copy())}),
    "get_tensor(name of an output)": lambda s: s.request("two", A, B).get_tensor("sum"),
    "get_tensor(name of an input)": lambda s: s.request("two", A, B).get_tensor("a"),
    "get_tensor(port)": lambda s: s.request("two", A, B).get_tensor(s.two.output(1)),
    "get_tensor(unknown)": lambda s: s.request("two", A, B).get_tensor("z"),
    "get_tensor: filled in place": filled,
    "get_input_tensor(number)": lambda s: s.request("two", A, B).get_input_tensor(1),
    "get_input_tensor() of one": lambda s: s.request("sums", ONES).get_input_tensor(),
    "get_input_tensor() of two": lambda s: s.request("two", A, B).get_input_tensor(),
    "get_input_tensor(beyond)": lambda s: s.request("two", A, B).get_input_tensor(4),
    "get_output_tensor(number)": lambda s: s.request("two", A, B).get_output_tensor(1),
    "get_output_tensor() of two": lambda s: s.request("two", A, B).get_output_tensor(),
    "get_output_tensor(beyond)": lambda s: s.request("two", A, B).get_output_tensor(4),
    "input_tensors": lambda s: s.request("two", A, B).input_tensors,
    "output_tensors": lambda s: s.request("two", A, B).output_tensors,
    "model_inputs": lambda s: s.request("two").model_inputs,
    "model_outputs": lambda s: s.request("two").model_outputs,
    "get_compiled_model()": lambda s: s.request("two").get_compiled_model().inputs,
    "latency": lambda s: after(
        r := s.compiled("two", PERF_COUNT=True).create_infer_request(),
        r.infer([A, B]),
        r.latency > 0,
    ),
    "latency without counters": lambda s: s.request("two", A, B).latency > 0,
    "request: copied": lambda s: copy.deepcopy(s.request("two")),
    "request: pickled": lambda s: pickle.dumps(s.request("two")),
    "results[number]": looked_up(lambda r: r[1]),
    "results[name]": looked_up(lambda r: r["product"]),
    "results[port]": lambda s: s.request("two").infer([A, B])[s.two.output(1)],
    "results[beyond]": looked_up(lambda r: r[2]),
    "results[unknown]": looked_up(lambda r: r["z"]),
    "len(results)": looked_up(len),
    "results.keys()": looked_up(lambda r: list(r.keys())),
    "results.values()": looked_up(lambda r: list(r.values())),
    "results.items()": looked_up(lambda r: [list(pair) for pair in r.items()]),
    "results.to_dict()": looked_up(lambda r: r.to_dict()),
    "results.to_tuple()": looked_up(lambda r: r.to_tuple()),
    "results.names()": looked_up(lambda r: r.names()),
    "results.get(name)": looked_up(lambda r: r.get("sum")),
    "results.get(unknown)": looked_up(lambda r: r.get("z")),
    "results.get(unknown, default)": looked_up(lambda r: r.get("z", 5)),
    "port in results": lambda s: s.two.output(0) in s.request("two").infer([A, B]),
    "iter(results)": looked_up(list),
    "results stay": results_stay,
    "request.results": lambda s: s.request("two", A, B).results[1],
    "two requests are apart": lambda s: after(
        one := s.request("two", A, B), s.request("two", B, B), one.infer()[0]
    ),
    "profiling: names of nodes": profile(
        lambda p: {"add", "times"} <= {each.node_name for each in p}
    ),
    "profiling: types of nodes": profile(
        lambda p: {"Add", "Multiply"} <= {each.node_type for each in p}
    ),
    "profiling: real_time": profile(lambda p: p[0].real_time),
    "profiling: cpu_time": profile(lambda p: p[0].cpu_time),
    "profiling: exec_type": profile(lambda p: isinstance(p[0].exec_type, str)),
    "profiling without counters": lambda s: s.request("two", A, B).get_profiling_info(),
    "inspect.getmembers(request)": lambda s: (
        "infer" in dict(inspect.getmembers(s.request("two", A, B)))
    ),
    "rt_info of compiled ports": lambda s: [
        list(s.two.input(0).rt_info),
        list(s.two.output(0).get_rt_info()),
    ],
    "target_inputs of compiled ports": lambda s: [
        s.two.input(0).target_inputs,
        s.two.output(0).get_target_inputs(),
    ],
}
