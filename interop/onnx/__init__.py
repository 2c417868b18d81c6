"""ONNX models (.onnx, messages and bytes), read by the `onnx` package's protobuf messages and by rules of our own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.mapped import mapped
from ...dialects.verification import what_is_wrong
from ...passes.whole_file import drafts_of
from ..formats import other_format
from ..mlir import SourceError
from .package import import_onnx

if TYPE_CHECKING:
    from .initializers import Data


def read_onnx(path: Path) -> ModuleOp:
    """
    The module of an .onnx; constants in files beside it are mapped into memory.

    Raises SourceError where it is not a whole model or cannot be said here, and OSError where it cannot be read.
    """
    data = path.read_bytes()
    try:
        return _module_of(_parsed(data), _data_in(path.parent))
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None


def read_ort(path: Path) -> ModuleOp:
    """
    The module of a model in ONNX Runtime's own format (.ort); constants are mapped into memory.

    Raises SourceError where it is not a whole model or cannot be said here, and OSError where it cannot be read.
    """
    from .initializers import Data
    from .runtime_file import RuntimeFile

    own = path.resolve()
    data = mapped(own)
    try:
        return _module_of(RuntimeFile(own, data).proto(), Data(own.parent, {own.name: data}))
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None


def module_of_bytes(data: bytes | bytearray | memoryview) -> ModuleOp:
    """The module of the bytes of an .onnx. Raises DiagnosticException where they are no whole model."""
    data = bytes(data)
    if (other := other_format(data, ".onnx")) is not None:
        raise DiagnosticException(
            f"bytes are read as those of an .onnx, and these are {other[0]}; give the path of their file"
        )
    return _module_of(_parsed(data), _data_in(None))


def module_of_stream(stream: BytesIO) -> ModuleOp:
    """The module of an .onnx in memory, read from its beginning. Raises what `module_of_bytes` does."""
    return module_of_bytes(stream.getbuffer())


def module_of_proto(proto: Any) -> ModuleOp:
    """The module of a ModelProto. Raises DiagnosticException where it cannot be said here."""
    return _module_of(proto, _data_in(None))


def module_of_program(program: Any) -> ModuleOp:
    """The module of what `torch.onnx.export` returns. Raises DiagnosticException where it cannot be said here."""
    return _module_of(program.model_proto, _data_in(None))


def module_of_ir(model: Any) -> ModuleOp:
    """The module of an `onnx_ir.Model`. Raises DiagnosticException where it cannot be said here."""
    return _module_of(import_module("onnx_ir").to_proto(model), _data_in(None))


def write_onnx(module: ModuleOp, path: Path) -> None:
    """
    Writes a module as an ONNX model; where its constants are more than one message holds, into `<name>.onnx.data`
    beside it. Each file appears whole or not at all, constants first.

    Raises SourceError where ONNX cannot say something of it, and OSError where a file cannot be written.
    """
    try:
        import_onnx("writing ONNX models")
        from .exporter.model import exported

        proto, tensors = exported(module)
    except DiagnosticException as error:
        raise SourceError(f"{path}: error: {what_is_wrong(error)}") from None
    with drafts_of(path) as draft:
        data = draft.with_name(f"{path.name}.data")
        tensors.settle(proto, data)
        draft.write_bytes(proto.SerializeToString())
        if data.exists():
            data.replace(path.with_name(data.name))
        draft.replace(path)


def _parsed(data: bytes) -> Any:
    """The message in the bytes of a file."""
    onnx = import_onnx()
    from google.protobuf.message import DecodeError

    proto = onnx.ModelProto()
    try:
        proto.ParseFromString(data)
    except DecodeError:
        raise DiagnosticException(
            "not a whole ONNX model; it is truncated, or of another format"
        ) from None
    return proto


def _data_in(folder: Path | None) -> Data:
    from .initializers import Data

    return Data(folder)


def _module_of(proto: Any, data: Data) -> ModuleOp:
    from .graph import module_of

    if not proto.HasField("graph"):
        raise DiagnosticException("not an ONNX model: it has no graph")
    try:
        return module_of(proto, data)
    except (TypeError, AttributeError):
        # Names are looked at only now: that takes longer than to read many a model.
        damaged = next((name for name in _names(proto) if isinstance(name, bytes)), None)
        if damaged is None:
            raise
        raise DiagnosticException(
            f"the name {damaged!r} is not text; the file is damaged"
        ) from None


def _names(message: Any) -> Iterator[str | bytes]:
    """The strings of a message, and of those in it; protobuf gives bytes where one is not UTF-8."""
    for field, value in message.ListFields():
        is_one = isinstance(value, str | bytes) or hasattr(value, "ListFields")
        values = cast(Iterable[Any], [value] if is_one else value)
        if field.type == field.TYPE_STRING:
            yield from values
        elif field.type == field.TYPE_MESSAGE:
            for each in values:
                yield from _names(each)
