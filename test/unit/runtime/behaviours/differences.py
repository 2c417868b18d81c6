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
    "latency without counters": Difference(
        "measured always", "refused: compile with counters", MISSING
    ),
    "iter(results)": Difference("gives ports", "gives arrays: `y, z = results`", MISSING),
    "Port.get_index()": Difference(
        "number among the results of its node", "there is none", MISSING
    ),
    "CompiledModel.get_property: NETWORK_NAME": Difference("a name", "there is none", MISSING),
    "CompiledModel.get_runtime_model": Difference(
        "a graph of its plugin", "there is none: `lowstream.explain` shows kernels", MISSING
    ),
}


def table() -> str:
    """The rows of the page."""
    lines = ["| | OpenVINO | here |", "|---|---|---|"]
    lines += [f"| `{name}` | {each.theirs} | {each.ours} |" for name, each in DIFFERENCES.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
