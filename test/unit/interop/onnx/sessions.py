"""Sessions of ONNX Runtime that compute in the thread that calls them."""

from pathlib import Path

import onnxruntime


def one_thread() -> onnxruntime.SessionOptions:
    """What a session is made with here: other threads would spin for milliseconds after each call."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return options


def session_of(
    model: Path | bytes, options: onnxruntime.SessionOptions | None = None
) -> onnxruntime.InferenceSession:
    """A session of the CPU's kernels for a model in a file or in memory."""
    return onnxruntime.InferenceSession(
        model, options or one_thread(), providers=["CPUExecutionProvider"]
    )


def saved_as_ort(model: bytes, path: Path) -> Path:
    """A file in ONNX Runtime's own format, at `path`, which ends with .ort."""
    options = one_thread()
    options.optimized_model_filepath = str(path)
    options.add_session_config_entry("session.save_model_format", "ORT")
    options.log_severity_level = 4  # it says that kernels may be missing elsewhere
    session_of(model, options)
    return path
