"""
What requests and responses of the protocol say: JSON, behind which the bytes of tensors may follow (the extension for
binary data, whose header `Inference-Header-Content-Length` says where these begin).
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from xdsl.utils.exceptions import DiagnosticException

from ...runtime.number_types import dtype_named

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...runtime.ports import Port

    Array = npt.NDArray[Any]

DATATYPES = {
    "BOOL": "bool",
    **{f"INT{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"UINT{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
    **{f"FP{bits}": f"float{bits}" for bits in (16, 32, 64)},
    "BF16": "bfloat16",
}
"""The protocol's element types, with NumPy's name of each."""

NAMES = {name: datatype for datatype, name in DATATYPES.items()}

MOST_DIMENSIONS = 64
"""Of a tensor, as NumPy has it."""

LONGEST_KNOWN, MOST_KNOWN = 1024, 4096
"""Bytes of JSON in front of a request's bytes, and how many such texts are known from requests before."""

VERSION = "1"
"""Of a model: a server has one."""

NOT_OFFERED = {
    "shared_memory_region": "send its bytes in the request",
    "classification": "ask for its values, and take the largest",
}
"""Parameters of tensors that are extensions of others, and what to do instead."""

IN_TURN = {
    "priority": "requests run in the order in which they come",
    "timeout": "a request that has begun is answered",
}
"""Parameters of requests that are extensions of others, where they are not 0, and what holds instead."""


@dataclass(frozen=True)
class InferenceRequest:
    """
    A request: its tensors by name, which outputs it wants (all where it names none), and which of them as bytes: where
    the output does not say, as `all_binary` has it.
    """

    id: str
    inputs: dict[str, Array]
    outputs: dict[str, bool]
    all_binary: bool
    parameters: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class _Tensor:
    """
    An input as the JSON of a request describes it: with so many bytes of their own behind that, or with its `data`.
    """

    name: str
    datatype: str
    dtype: np.dtype[Any]
    shape: list[int]
    size: int | None
    data: Any

    @classmethod
    def of(cls, tensor: Mapping[str, Any], name: str) -> _Tensor:
        """Raises DiagnosticException for what is no tensor."""
        datatype, shape = tensor.get("datatype"), tensor.get("shape")
        if datatype == "BYTES":
            raise DiagnosticException(
                f"input '{name}' has datatype BYTES; models here have numbers alone: turn text into numbers before"
            )
        if not isinstance(datatype, str) or datatype not in DATATYPES:
            raise DiagnosticException(
                f"input '{name}' has datatype {datatype!r}; known: {', '.join(DATATYPES)}"
            )
        sizes = cast(list[Any], shape)
        if not (isinstance(shape, list) and len(sizes) <= MOST_DIMENSIONS) or not all(
            type(size) is int and 0 <= size < 1 << 63 for size in sizes
        ):
            raise DiagnosticException(
                f"input '{name}' has shape {shape!r:.80}; it must be a list of at most {MOST_DIMENSIONS} sizes below "
                "2^63"
            )
        dtype = dtype_named(DATATYPES[datatype], f"input '{name}'")
        parameters = _parameters_of(tensor, f"input '{name}'")
        if (size := parameters.get("binary_data_size")) is not None:
            wanted = math.prod(sizes) * dtype.itemsize
            if type(size) is not int or size != wanted:
                raise DiagnosticException(
                    f"input '{name}' is said to have {size!r:.80} bytes; {datatype}{sizes} has {wanted}"
                )
        return cls(name, datatype, dtype, sizes, size, tensor.get("data"))

    def array(self, rest: memoryview) -> tuple[Array, memoryview]:
        """The array that it is, and the bytes that belong to others. Raises DiagnosticException where it is none."""
        size = self.size
        if size is not None and size > len(rest):
            raise DiagnosticException(
                f"the body ends before the {size} bytes of input '{self.name}'"
            )
        try:
            if size is not None:
                return np.frombuffer(rest[:size], self.dtype).reshape(self.shape), rest[size:]
            return _values(self.data, self.dtype).reshape(self.shape), rest
        except (TypeError, ValueError, OverflowError) as error:
            raise DiagnosticException(
                f"the data of input '{self.name}' are not {self.datatype}{self.shape}: {error}"
            ) from None


@dataclass(frozen=True)
class _Header:
    """What the JSON of a request says: an `InferenceRequest` but for the bytes behind it. Nobody changes it."""

    id: str
    inputs: tuple[_Tensor, ...]
    outputs: dict[str, bool]
    all_binary: bool
    parameters: Mapping[str, Any]


def metadata_of(port: Port) -> dict[str, Any]:
    """How a port is described: name, datatype and shape, in which -1 is any size."""
    if port.type not in NAMES:
        raise DiagnosticException(f"{port} is of {port.type}, which the protocol has no name for")
    return {"name": port.any_name, "datatype": NAMES[port.type], "shape": list(port.shape)}


def parse_request(body: bytes, header_length: int | None) -> InferenceRequest:
    """The request in a body. Raises DiagnosticException, saying what is wrong with it, where there is none."""
    if header_length is not None and not 0 < header_length <= len(body):
        raise DiagnosticException(
            f"Inference-Header-Content-Length is {header_length}, of a body of {len(body)} bytes"
        )
    if header_length is None:
        header, rest = _header_of(body), memoryview(b"")
    else:
        is_short = header_length <= LONGEST_KNOWN
        read = _header_known_before if is_short else _header_of
        header, rest = read(body[:header_length]), memoryview(body)[header_length:]
    inputs: dict[str, Array] = {}
    for tensor in header.inputs:
        inputs[tensor.name], rest = tensor.array(rest)
    if len(rest):
        raise DiagnosticException(f"{len(rest)} bytes follow that no input has")
    return InferenceRequest(header.id, inputs, header.outputs, header.all_binary, header.parameters)


def _header_of(text: bytes) -> _Header:
    """What the JSON of a request says. Raises DiagnosticException, saying what is wrong with it."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise DiagnosticException(f"the request is no JSON: {error}") from None
    except RecursionError:
        raise DiagnosticException("the request is nested too deep") from None
    request = _mapping(found, "the request")
    inputs: dict[str, _Tensor] = {}
    for tensor in _tensors(request, "inputs"):
        name = _text(tensor.get("name"), "the name of an input")
        if name in inputs:
            raise DiagnosticException(f"input '{name}' is given twice")
        inputs[name] = _Tensor.of(tensor, name)
    parameters = _mapping(_given(request, "parameters", {}), "parameters")
    for name, instead in IN_TURN.items():
        if parameters.get(name, 0) != 0:
            raise DiagnosticException(f"{name} is not offered here, {instead}; leave it away")
    all_binary = flag(parameters, "binary_data_output")
    wanted: dict[str, bool] = {}
    for tensor in _tensors(request, "outputs"):
        name = _text(tensor.get("name"), "the name of an output")
        described = _parameters_of(tensor, f"output '{name}'")
        wanted[name] = flag(described, "binary_data", all_binary)
    identity = _text(_given(request, "id", ""), "id")
    return _Header(identity, tuple(inputs.values()), wanted, all_binary, parameters)


_header_known_before = lru_cache(MOST_KNOWN)(_header_of)
"""A sequence's frames have the same JSON, and bytes behind it."""


def _tensors(request: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    listed = _given(request, key, [])
    if not isinstance(listed, list):
        raise DiagnosticException(f"{key} is no list")
    return [_mapping(each, f"one of {key}") for each in cast(list[Any], listed)]


def _parameters_of(tensor: Mapping[str, Any], what: str) -> Mapping[str, Any]:
    parameters = _mapping(_given(tensor, "parameters", {}), "parameters")
    for name in parameters.keys() & NOT_OFFERED:
        raise DiagnosticException(
            f"{what} has the parameter {name}, which is not offered here; {NOT_OFFERED[name]}"
        )
    return parameters


def _given(described: Mapping[str, Any], key: str, default: Any) -> Any:
    """What may be left away; clients whose requests are data classes write null instead (pydantic)."""
    return default if (found := described.get(key)) is None else found


def _mapping(given: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        raise DiagnosticException(f"{what} is no JSON object")
    return cast(dict[str, Any], given)


def flag(parameters: Mapping[str, Any], name: str, default: bool = False) -> bool:
    """A parameter that is true or false. Raises DiagnosticException for what is neither."""
    given = _given(parameters, name, default)
    if given not in (True, False):
        raise DiagnosticException(f"{name} is {given!r}; it must be true or false")
    return bool(given)


def _text(given: Any, what: str) -> str:
    if not isinstance(given, str):
        raise DiagnosticException(f"{what} is {given!r}; it must be text")
    return given


def _values(data: Any, dtype: np.dtype[Any]) -> Array:
    """Numbers or booleans of JSON as an array. Raises what NumPy raises, and ValueError for what is neither."""
    plain: Array = np.array(data)
    kind = plain.dtype.kind
    numbers = kind in "biuf" or all(type(each) in (int, float) for each in plain.flat)
    if not numbers:
        raise ValueError("there is more in it than numbers")
    if dtype.kind == "b" and not np.isin(plain, (0, 1)).all():
        raise ValueError("there are others than 0 and 1 in it")
    # NumPy makes floats of whole numbers, too, where some are beyond int64 and others are not.
    if (
        dtype.kind in "iu"
        and kind == "f"
        and any(type(each) is float for each in np.array(data, object).flat)
    ):
        raise ValueError("there are fractions in it")
    if dtype.kind in "iub":
        return np.array(data, dtype)
    with np.errstate(over="ignore"):
        values = plain.astype(dtype)
    if (np.isinf(values.astype(float)) & np.isfinite(plain.astype(float))).any():
        raise ValueError("there are numbers in it that are too large")
    return values


def response(
    model: str, request: InferenceRequest, outputs: Iterable[tuple[Port, Array]]
) -> tuple[bytes, int | None]:
    """The body that answers a request, and the length of its JSON where bytes follow."""
    found = [
        (port.any_name, port.type, array, request.outputs.get(port.any_name, request.all_binary))
        for port, array in outputs
    ]
    binary = [array.tobytes() for _, _, array, is_binary in found if is_binary]
    if len(binary) == len(found) and not request.id:
        header = _header_of_bytes(model, tuple((name, type, a.shape) for name, type, a, _ in found))
    else:
        tensors = [
            _described(name, type, array.shape, None if is_binary else array)
            for name, type, array, is_binary in found
        ]
        header = _answer(model, request.id, tensors)
    return b"".join([header, *binary]), len(header) if binary else None


@lru_cache(MOST_KNOWN)
def _header_of_bytes(model: str, outputs: tuple[tuple[str, str, tuple[int, ...]], ...]) -> bytes:
    """The JSON in front of the bytes of outputs with these names, types and shapes."""
    return _answer(model, "", [_described(*each, None) for each in outputs])


def _answer(model: str, identity: str, tensors: list[dict[str, Any]]) -> bytes:
    answer: dict[str, Any] = {"model_name": model, "model_version": VERSION, "outputs": tensors}
    if identity:
        answer["id"] = identity
    return json.dumps(answer, separators=(",", ":")).encode()


def _described(name: str, type: str, shape: tuple[int, ...], array: Array | None) -> dict[str, Any]:
    """An output: its data, or, without an array, how many bytes it has behind the JSON."""
    datatype = NAMES[type]
    tensor: dict[str, Any] = {"name": name, "datatype": datatype, "shape": list(shape)}
    if array is None:
        size = math.prod(shape) * dtype_named(DATATYPES[datatype], name).itemsize
        return {**tensor, "parameters": {"binary_data_size": size}}
    return {**tensor, "data": _numbers(array)}


def _numbers(array: Array) -> Sequence[Any]:
    plain = array.ravel()
    return (plain.astype(np.float32) if plain.dtype.kind == "V" else plain).tolist()
