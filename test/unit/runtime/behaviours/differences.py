"""
Behaviours that are not OpenVINO's: the table in docs/openvino.md.

    python -m lowstream.test.unit.runtime.behaviours.differences
"""

from __future__ import annotations

from dataclasses import dataclass

BETTER, MISSING = "better", "other"


@dataclass(frozen=True)
class Difference:
    """What a behaviour comes to in OpenVINO 2026.4 and here, in words."""

    theirs: str
    ours: str
    kind: str = BETTER


DIFFERENCES = {
    "infer: too few arrays": Difference("computes with what memory holds", "refused"),
    "infer before inputs were given": Difference(
        "computes with what memory holds", "refused, and the inputs are named"
    ),
    "infer of one input of two": Difference(
        "computes with what memory holds", "refused, and the input is named"
    ),
    "infer: f32 for i32": Difference("fractions are cut off", "refused"),
    "infer: i64 beyond i32": Difference("bits are cut off", "refused, and the value is named"),
    "infer: complex": Difference("imaginary parts are dropped", "refused"),
    "infer({name: list})": Difference("refused", "an array"),
    "infer: DLPack": Difference("refused", "an array"),
    "infer: a buffer": Difference("refused", "an array"),
    "set_tensor: another type": Difference("refused", "converted in each call"),
    "set_tensor of an output: a wider type": Difference("refused", "converted after each call"),
    "set_tensor of an output: part of an image": Difference("damages its heap", "written"),
    "set_input_tensors: a batch": Difference("needs a layout with N", "the first dimension"),
    "state is set: another type": Difference("refused", "converted"),
    "Port.shape, unknown": Difference("refused", "-1 where a dimension is unknown"),
    "Port.names": Difference("a set", "a tuple, in the model's order"),
    "start_async: userdata": Difference("dropped without a callback", "kept"),
    "set_callback that raises": Difference(
        "a RuntimeError with its text", "the callback's own error"
    ),
    "AsyncInferQueue[beyond]": Difference("crashes", "IndexError"),
    "profiling: types of nodes": Difference("those of its plugin", "those of the model"),
    "profiling without counters": Difference("zeros", "refused: compile with counters"),
    "iter(results)": Difference("gives ports", "gives arrays: `y, z = results`"),
    "config: {'LOG_LEVEL': 'LOG_ERROR'}": Difference("logs", "refused: nothing is logged"),
    "config: {'INFERENCE_PRECISION_HINT': 'bf16'}": Difference(
        "bf16 where the CPU has it", "refused: f32 stays f32"
    ),
    "config: {'ENABLE_CPU_PINNING': True}": Difference(
        "binds threads to cores", "refused: the system places threads"
    ),
    "infer by ports of the model": Difference("refused", "as by those of the compiled model"),
    "results by ports of the model": Difference("refused", "as by those of the compiled model"),
    "infer: an empty list": Difference("as no list", "refused: there is an array for each input"),
    "infer: {-1: array}": Difference("refused", "the last input"),
    "Model.input(-1)": Difference("refused", "the last input"),
    "Model.input(port)": Difference("refused", "that input"),
    "Model: pickled": Difference("refused", "a model"),
    "PartialShape.dynamic()": Difference("any rank", "refused: shapes have a rank"),
    "PartialShape[beyond]": Difference("a RuntimeError", "IndexError"),
    "Core.set_property: unknown": Difference("ignored", "refused"),
    "CompiledModel: copied": Difference("refused", "the same native code"),
    "results: pickled": Difference("refused", "results"),
    "wait_for after infer": Difference("True", "False: nothing was started"),
    "AsyncInferQueue: set_callback(None)": Difference("refused", "there is none any more"),
    "latency without counters": Difference(
        "measured always", "of `start_async`; of `infer` refused: compile with counters"
    ),
    "rt_info[unknown]": Difference("an empty note", "refused: there is no such note"),
    "Node.get_rt_info()[unknown]": Difference("an empty note", "refused: there is no such note"),
    "set_rt_info of no text": Difference("any object", "refused: what files can hold"),
    "Tensor of text": Difference("a tensor of text", "refused: numbers"),
    "Tensor.copy_from of another shape": Difference(
        "other memory", "refused: an array keeps its size"
    ),
    "Tensor.set_shape": Difference("another shape", "refused: `reshape` gives another tensor"),
    "Type.is_signed()": Difference("also of booleans", "of what may be negative"),
    "Type(text)": Difference("refused", "that type"),
    "convert_model of ONNX in memory": Difference("refused", "a model"),
    "Core.set_property counts for compile_model": Difference("'YES'", "True"),
    "compile_model's config wins": Difference("'NO'", "False"),
    "CACHE_MODE": Difference("without weights", "refused: weights are in the cache"),
    "CompiledModel.get_property: CACHE_DIR": Difference("refused", "the folder"),
    "Model.add_outputs of an operation by name": Difference("refused", "its output"),
    "Model.friendly_name = text": Difference("is not seen by get_friendly_name", "is"),
    "Core.register_plugin of nothing": Difference(
        "fails when it is used", "refused: there are no plugins"
    ),
    "config: a mode in small letters": Difference("refused", "that mode"),
    "said: PERF_COUNT": Difference("'YES'", "True"),
    "reshape: an array": Difference("refused", "those sizes"),
    "steps: memory type": Difference("means nothing to its CPU plugin", "refused"),
    "Tensor(array, shape, a larger type)": Difference("reads beyond its memory", "refused"),
    "Tensor of i4 in bytes": Difference("two in a byte", "one in a byte"),
    "Tensor of bf16: its array": Difference("f16, which it is not", "f32"),
    "Tensor of f8: its array": Difference("bits", "f32"),
    "Tensor of f8 in bytes": Difference("one for an element", "four: its array is of f32"),
    "Tensor of nf4": Difference("bits", "refused: no array has such elements"),
    "Tensor(array, shape, u4)": Difference("two in a byte", "refused: one in a byte"),
    "Tensor of the other byte order": Difference("its bytes, as other numbers", "its numbers"),
    "Tensor of a tuple": Difference("refused", "a tensor"),
    "Tensor of a range": Difference("refused", "a tensor"),
    "Tensor of a list, in its memory": Difference("refused", "a tensor"),
    "Tensor(text of a type, shape)": Difference("refused", "a tensor"),
    "part: set_shape": Difference("other memory", "refused: `reshape` gives another tensor"),
    "Model.reshape: an input twice": Difference("one of the shapes", "refused"),
    "infer: {True: array}": Difference("one array for both inputs", "an array for each"),
    "save_model: constants of f32": Difference("become f16", "stay f32: compress_to_fp16=True"),
    "infer that is refused: the next one": Difference(
        "refused: the wrong array was set",
        "arrays in front of the wrong one were set, the others are as before",
    ),
    "CompiledModel.get_runtime_model": Difference(
        "a graph of its plugin", "refused: compile with counters", MISSING
    ),
    "Dimension('8..1')": Difference("any size", "refused: no size is within"),
    "Dimension(8, 1)": Difference("any size", "refused: no size is within"),
    "Dimension(-3)": Difference("0", "refused"),
    "Model.reshape: limits, outputs": Difference("have limits", "are unknown", MISSING),
}


def table() -> str:
    """The rows of the page."""
    lines = ["| | OpenVINO | here |", "|---|---|---|"]
    lines += [f"| `{name}` | {each.theirs} | {each.ours} |" for name, each in DIFFERENCES.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
