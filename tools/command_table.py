"""The commands of `lowstream`."""

from __future__ import annotations

COMMANDS = {
    "opt": ("opt_tool", "run passes on a module, in the order of their flags"),
    "translate": ("translate_tool", "write a model in another format"),
    "quantize": ("quantize_tool", "give a model in f32 8-bit products, calibrated on samples"),
    "run": ("run_tool", "run a model on arrays in files, or on random numbers"),
    "benchmark": ("benchmark_tool", "measure a model, and other runtimes on it"),
    "explain": ("explain_tool", "say which layers are in low precision, and why others are not"),
    "serve": ("serve_tool", "serve a model over HTTP, with the states of many callers"),
    "doctor": ("doctor_tool", "show the machine, instruction set, packages and cache"),
}
"""By name, the module of a command, and what it does."""

ALSO_CALLED = {
    "convert": "translate",
    "export": "translate",
    "mo": "translate",
    "ovc": "translate",
    "infer": "run",
    "predict": "run",
    "calibrate": "quantize",
    "pot": "quantize",
    "completion": "--completion",
}
"""What other programs call a command."""
