"""
OpenVINO's properties that have a meaning here: what `compile_model` takes in a config, and what `get_property` returns.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from platform import machine
from typing import TYPE_CHECKING, Any, cast

from ...passes.errors import DiagnosticError, shown
from ..host import host_cpu, usable_cores

if TYPE_CHECKING:
    from ..executable import Executable

DEVICES = ("CPU", "AUTO")
"""The names of the one device, this CPU."""

OVER = ("AUTO", "HETERO", "MULTI", "BATCH")
"""
Virtual devices, which run models on the devices behind a colon, of which there is one here: `AUTO:CPU`. `AUTO:-GPU`
excludes another.
"""


@dataclass(frozen=True)
class Configuration:
    """What a config asks of `compile_model`. None leaves the decision to its other arguments."""

    all_threads: int | None = None
    profiling: bool | None = None
    accurate: bool = False
    flush_denormals: bool = False
    cache_dir: str | None = None
    performance_hint: str = "LATENCY"
    num_requests: int = 0
    num_streams: int | None = None
    """0 where the number of cores decides."""

    @property
    def num_threads(self) -> int | None:
        """Threads of one call: streams share all threads."""
        if self.num_streams:
            return max(1, (self.all_threads or usable_cores()) // self.num_streams)
        is_for_throughput = self.num_streams == 0 or self.performance_hint != "LATENCY"
        return 1 if is_for_throughput else self.all_threads

    def said(self) -> dict[str, Any]:
        """The properties that a model compiled so has, whatever became of it."""
        streams = {"NUM_STREAMS": self.num_streams} if self.num_streams else {}
        return {
            "PERFORMANCE_HINT": self.performance_hint,
            "PERFORMANCE_HINT_NUM_REQUESTS": self.num_requests,
            "EXECUTION_MODE_HINT": "ACCURACY" if self.accurate else "PERFORMANCE",
            "CPU_DENORMALS_OPTIMIZATION": self.flush_denormals,
            "CACHE_DIR": self.cache_dir or "",
            **streams,
        }


def check_device(given: object) -> None:
    """Raises DiagnosticException for a name of anything but this CPU."""
    if isinstance(given, int):
        raise DiagnosticError(
            f"the second argument names a device, as in OpenVINO, and is {shown(given)}; say num_threads={shown(given)}"
        )
    if given is None:
        return
    if isinstance(given, Mapping):
        config = shown(cast("object", given))
        raise DiagnosticError(
            f"the second argument names a device, as in OpenVINO, and is {config}; say config={config}"
        )
    plugin, colon, devices = (text := text_of(given)).partition(":")
    named = devices.split(",") if colon and plugin in OVER else [text]
    if plugin == "AUTO":
        named = [name for name in named if name[:1] != "-" or name[1:] in DEVICES]
    if not {*named} <= {*DEVICES}:
        raise DiagnosticError(f"there is no device {shown(given)}; models run on this CPU: 'CPU'")


@dataclass(frozen=True)
class ConfigProperty:
    """
    A property of a config: its values, in words, and the part of `Configuration` that a value sets (ValueError for
    others).
    """

    takes: str
    says: Callable[[Any], dict[str, Any]]


def configured(config: Mapping[str, Any]) -> Configuration:
    """
    The configuration that a config says. Raises DiagnosticException for a property or a value that has no meaning here.
    """
    if not isinstance(config, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise DiagnosticError(f"config is {shown(config)}; give a dictionary of properties")
    result: dict[str, Any] = {}
    for key, value in _of_this_device(config):
        name = text_of(key).upper()
        if (property := CONFIG.get(name)) is None:
            from difflib import get_close_matches  # models from the cache start without it

            near = get_close_matches(name, CONFIG, 1)
            advice = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(CONFIG)}"
            raise DiagnosticError(f"property {shown(key)} is not supported; {advice}")
        try:
            result |= property.says(value)
        except (ValueError, TypeError):
            raise DiagnosticError(
                f"property {shown(key)} is {shown(value)}; it takes {property.takes}"
            ) from None
    return Configuration(**result)


def _of_this_device(config: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The properties of a config, with what DEVICE_PROPERTIES has for this CPU in its place."""
    for key, value in config.items():
        if text_of(key).upper() != "DEVICE_PROPERTIES":
            yield key, value
            continue
        if not isinstance(value, Mapping):
            raise DiagnosticError(
                f"property {shown(key)} is {shown(value)}; it takes properties by device: {{'CPU': {{…}}}}"
            )
        for device, properties in cast("Mapping[str, Any]", value).items():
            check_device(device)
            if not isinstance(properties, Mapping):
                raise DiagnosticError(
                    f"DEVICE_PROPERTIES of {shown(device)} are {shown(properties)}; give a dictionary of properties"
                )
            yield from cast("Mapping[str, Any]", properties).items()


def _threads(value: Any) -> dict[str, Any]:
    if (count := int(_name(value))) < 0:
        raise ValueError
    return {"all_threads": count or None}


def _profiling(value: Any) -> dict[str, Any]:
    return {"profiling": _is_true(value)}


def _denormals(value: Any) -> dict[str, Any]:
    return {"flush_denormals": _is_true(value)}


def _is_true(value: Any) -> bool:
    return _one_of(value, "TRUE", "YES", "FALSE", "NO") in ("TRUE", "YES")


def _count(value: Any) -> dict[str, Any]:
    if (count := int(_name(value))) < 0:
        raise ValueError
    return {"num_requests": count}


def _any_count(value: Any) -> dict[str, Any]:
    _count(value)
    return {}


def _hint(value: Any) -> dict[str, Any]:
    return {"performance_hint": _one_of(value, "LATENCY", "THROUGHPUT", "CUMULATIVE_THROUGHPUT")}


def _mode(value: Any) -> dict[str, Any]:
    return {"accurate": _one_of(value, "ACCURACY", "PERFORMANCE") == "ACCURACY"}


def _cache_dir(value: Any) -> dict[str, Any]:
    return {"cache_dir": os.fspath(getattr(value, "value", value)) or None}


def _streams(value: Any) -> dict[str, Any]:
    name = _name(value)
    if name in ("AUTO", "NUMA", "-1", "-2"):
        return {"num_streams": 0}
    if (count := int(name)) < 1:
        raise ValueError
    return {"num_streams": count}


def _whole(value: Any) -> dict[str, Any]:
    if text_of(getattr(value, "value", value)) not in ("1", "1.0"):
        raise ValueError
    return {}


def _nothing(*values: str) -> Callable[[Any], dict[str, Any]]:
    def says(value: Any) -> dict[str, Any]:
        _one_of(value, *values)
        return {}

    return says


def _one_of(value: Any, *names: str) -> str:
    if (name := _name(value)) not in names:
        raise ValueError
    return name


def _name(value: Any) -> str:
    """OpenVINO's values are text, element types, numbers of streams, and enumerations, whose names come last."""
    if type(value).__name__ == "OVAny":
        value = value.value
    if hasattr(value, "to_integer"):
        value = value.to_integer()
    if hasattr(value, "get_type_name"):
        value = value.get_type_name()
    return text_of(getattr(value, "name", value)).rpartition(".")[-1].upper()


def text_of(value: Any) -> str:
    """What names a property or a value: its text, also where it is an integer of thousands of digits."""
    return shown(value) if isinstance(value, int) else str(value)


CONFIG = {
    "INFERENCE_NUM_THREADS": ConfigProperty("a number of threads, 0 for all cores", _threads),
    "PERF_COUNT": ConfigProperty("True or False", _profiling),
    "PERFORMANCE_HINT": ConfigProperty(
        "'LATENCY', or 'THROUGHPUT': one thread for a call, so that there are requests for all cores",
        _hint,
    ),
    "NUM_STREAMS": ConfigProperty(
        "the number of calls at a time, among which cores are divided, or 'AUTO'", _streams
    ),
    "INFERENCE_PRECISION_HINT": ConfigProperty(
        "'f32', which is what floating point is computed in",
        _nothing("F32", "FLOAT32", "DYNAMIC", "UNDEFINED"),
    ),
    "EXECUTION_MODE_HINT": ConfigProperty(
        "'PERFORMANCE', or 'ACCURACY': sums of f32 are those of the products themselves, not of transformed tiles",
        _mode,
    ),
    "ENABLE_CPU_PINNING": ConfigProperty(
        "False: threads are not bound to cores", _nothing("FALSE", "NO")
    ),
    "ENABLE_CPU_RESERVATION": ConfigProperty(
        "False: no core is kept from other programs", _nothing("FALSE", "NO")
    ),
    "ENABLE_HYPER_THREADING": ConfigProperty(
        "True: INFERENCE_NUM_THREADS says how many threads there are", _nothing("TRUE", "YES")
    ),
    "SCHEDULING_CORE_TYPE": ConfigProperty("'ANY_CORE'", _nothing("ANY_CORE")),
    "ENABLE_MMAP": ConfigProperty("True: weights are mapped, not read", _nothing("TRUE", "YES")),
    "PERFORMANCE_HINT_NUM_REQUESTS": ConfigProperty(
        "a number of requests, which may be any at any time", _count
    ),
    "CACHE_DIR": ConfigProperty("a folder; '' for that of lowstream.cache", _cache_dir),
    "CACHE_MODE": ConfigProperty("'OPTIMIZE_SPEED'", _nothing("OPTIMIZE_SPEED")),
    "MODEL_DISTRIBUTION_POLICY": ConfigProperty("[]: there is one device", _nothing("[]", "SET()")),
    "ALLOW_AUTO_BATCHING": ConfigProperty(
        "False: calls are not put together", _nothing("FALSE", "NO")
    ),
    "AUTO_BATCH_TIMEOUT": ConfigProperty(
        "milliseconds, which may be any: calls are not put together", _any_count
    ),
    "CPU_DENORMALS_OPTIMIZATION": ConfigProperty(
        "True, to flush denormal numbers to zero, or False", _denormals
    ),
    "DYNAMIC_QUANTIZATION_GROUP_SIZE": ConfigProperty(
        "0: activations of f32 are not quantized", _nothing("0")
    ),
    **{
        f"{which}_CACHE_PRECISION": ConfigProperty(
            "'f32', or 'dynamic': states have the types of the model", _nothing("F32", "DYNAMIC")
        )
        for which in ("KV", "KEY", "VALUE")
    },
    **{
        f"{which}_CACHE_GROUP_SIZE": ConfigProperty(
            "0: states have the types of the model", _nothing("0")
        )
        for which in ("KEY", "VALUE")
    },
    "CPU_SPARSE_WEIGHTS_DECOMPRESSION_RATE": ConfigProperty(
        "1: weights are stored with their zeros", _whole
    ),
    "ENABLE_TENSOR_PARALLEL": ConfigProperty("False: there is one device", _nothing("FALSE", "NO")),
    "ENABLE_WEIGHTLESS": ConfigProperty(
        "False: weights are in the cache, too", _nothing("FALSE", "NO")
    ),
    "FORCE_TBB_TERMINATE": ConfigProperty("False: TBB is not used", _nothing("FALSE", "NO")),
    "DEVICE_ID": ConfigProperty("'': there is one CPU", _nothing("")),
    "LOG_LEVEL": ConfigProperty("'LOG_NONE': nothing is logged", _nothing("LOG_NONE", "NO")),
    "WEIGHTS_PATH": ConfigProperty("'': weights lie where the model says", _nothing("")),
}


def calls_at_once(executable: Executable | None) -> int:
    """How many calls keep all cores busy; of several executables, which there are as calls come, one for each core."""
    return max(1, usable_cores() // (1 if executable is None else executable.threads))


def of_model(name: str, configuration: Configuration, executable: Executable | None) -> Any:
    """A property of a compiled model, which has one executable or many. None where it may be one of the device."""
    known: dict[str, Any] = {
        "OPTIMAL_NUMBER_OF_INFER_REQUESTS": calls_at_once(executable),
        "EXECUTION_DEVICES": ["CPU"],
        "NUM_STREAMS": calls_at_once(executable),
        "LOADED_FROM_CACHE": executable is not None and executable.is_from_cache,
        **ALWAYS,
        **configuration.said(),
    }
    if executable is not None:
        known["PERF_COUNT"] = bool(executable.kernels)
        known["INFERENCE_NUM_THREADS"] = executable.threads
    if name.upper() == "SUPPORTED_PROPERTIES":
        return ["NETWORK_NAME", *known, *DEVICE]
    return known.get(name.upper())


def of_device(name: str) -> Any:
    """A property of this CPU. Raises DiagnosticException where there is none of this name."""
    if (found := DEVICE.get(name.upper())) is None:
        raise DiagnosticError(
            f"the device has no property {shown(name)}; it has {', '.join(DEVICE)}"
        )
    return found()


ALWAYS: dict[str, Any] = {
    "INFERENCE_PRECISION_HINT": "f32",
    "ENABLE_CPU_PINNING": False,
    "ENABLE_CPU_RESERVATION": False,
    "ENABLE_HYPER_THREADING": True,
    "SCHEDULING_CORE_TYPE": "ANY_CORE",
    "ENABLE_MMAP": True,
    "DYNAMIC_QUANTIZATION_GROUP_SIZE": 0,
    "KV_CACHE_PRECISION": "f32",
    "KEY_CACHE_PRECISION": "f32",
    "VALUE_CACHE_PRECISION": "f32",
    "KEY_CACHE_GROUP_SIZE": 0,
    "VALUE_CACHE_GROUP_SIZE": 0,
    "CPU_SPARSE_WEIGHTS_DECOMPRESSION_RATE": 1.0,
    "DEVICE_ID": "",
    "ENABLE_TENSOR_PARALLEL": False,
    "ENABLE_WEIGHTLESS": False,
    "LOG_LEVEL": "LOG_NONE",
    "MODEL_DISTRIBUTION_POLICY": [],
}
"""Properties of every compiled model, which no config changes."""


DEVICE: dict[str, Callable[[], Any]] = {
    "FULL_DEVICE_NAME": lambda: host_cpu().rpartition(" ")[0],
    "DEVICE_ARCHITECTURE": machine,
    "DEVICE_TYPE": lambda: "INTEGRATED",
    "EXECUTION_DEVICES": lambda: ["CPU"],
    "OPTIMIZATION_CAPABILITIES": lambda: ["FP32", "INT8", "EXPORT_IMPORT"],
    "RANGE_FOR_STREAMS": lambda: (1, usable_cores()),
    "PERF_COUNT": lambda: False,
    "INFERENCE_NUM_THREADS": usable_cores,
    "NUM_STREAMS": lambda: 1,
    **{name: partial(deepcopy, value) for name, value in Configuration().said().items()},
    **{name: partial(deepcopy, value) for name, value in ALWAYS.items()},
    "AVAILABLE_DEVICES": lambda: [""],
    "RANGE_FOR_ASYNC_INFER_REQUESTS": lambda: (1, usable_cores(), 1),
    "SUPPORTED_PROPERTIES": lambda: [*DEVICE, *CONFIG],
}
"""Properties of the device, as `Core.get_property` returns them."""
