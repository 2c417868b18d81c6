"""`Core`: OpenVINO's entry point to reading and compiling models."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn, cast

from ...passes.errors import DiagnosticError, as_runtime_error, shown
from ..compiled import CompiledModel, import_model
from ..compiler import compile_model
from .properties import check_device, configured, of_device, text_of

if TYPE_CHECKING:
    from ...interop.model import Model
    from ..cache.trust import Bytes
    from ..compiler import AnyModel


@contextmanager
def files_are_there() -> Generator[None]:
    """Turns an error of the system about a file into a DiagnosticException."""
    try:
        yield
    except DiagnosticError:  # of a missing file
        raise
    except OSError as error:
        raise DiagnosticError(f"{error.filename}: error: {error.strerror}") from error


def _read_text(model: bytes, weights: Any) -> Model:
    """The model of an .xml in memory, with its weights: bytes, an array, or a tensor of OpenVINO's."""
    from ...interop.model import read_model

    with TemporaryDirectory() as folder:
        path = Path(folder, "model.xml")
        path.write_bytes(model)
        held = b"" if weights is None else getattr(weights, "data", weights)
        path.with_suffix(".bin").write_bytes(bytes(held))
        return read_model(path)


def _read_file(model: Any, weights: Any) -> Model:
    """The model of an .xml whose weights lie in this file. Raises DiagnosticException for what has no such file."""
    from ...interop.model import Model
    from ...interop.openvino import read_xml

    if (
        not isinstance(model, str | os.PathLike)
        or Path(cast("str", model)).suffix.lower() != ".xml"
    ):
        raise DiagnosticError(
            f"weights {shown(str(weights))} belong to an .xml; other models have theirs with them: leave them away"
        )
    with as_runtime_error():
        return Model(read_xml(Path(cast("str", model)), Path(weights)))


class Version(str):
    """A version as text, whose parts have OpenVINO's names."""

    __slots__ = ()

    description = "lowstream"

    @property
    def build_number(self) -> str:
        """The text."""
        return str(self)

    @property
    def major(self) -> int:
        """The first number."""
        return self._number(0)

    @property
    def minor(self) -> int:
        """The second number."""
        return self._number(1)

    @property
    def patch(self) -> int:
        """The third number."""
        return self._number(2)

    def _number(self, place: int) -> int:
        return int(re.findall(r"\d+", self)[place])


class Core:
    """The methods of OpenVINO's `Core`. There is one device, this CPU."""

    def __init__(self) -> None:
        self._config: dict[str, Any] = {}

    def __repr__(self) -> str:
        return "<Core CPU>"

    @property
    def available_devices(self) -> list[str]:
        """The one device."""
        return ["CPU"]

    def get_available_devices(self) -> list[str]:
        """`available_devices`."""
        return self.available_devices

    def get_versions(self, device_name: str = "CPU") -> dict[str, Version]:
        """The version of lowstream, by the device."""
        from importlib.metadata import version

        check_device(device_name)
        return {device_name: Version(version("lowstream"))}

    def set_property(
        self,
        device_name: str | Mapping[str, Any] = "CPU",
        properties: Mapping[str, Any] | None = None,
    ) -> None:
        """
        Properties for all that this core compiles from here on; `compile_model` may say others. Raises
        DiagnosticException for one that has no meaning here.
        """
        if isinstance(device_name, str):
            check_device(device_name)
        else:
            properties = device_name
        configured({} if properties is None else properties)
        self._config.update({text_of(name): value for name, value in (properties or {}).items()})

    def read_model(
        self, model: Any, weights: Any = None, config: Mapping[str, Any] | None = None
    ) -> Model:
        """
        `lowstream.read_model`, with a DiagnosticException for a missing file, too. The text of an .xml comes with what
        its .bin holds, if it has constants; the .bin of a file lies beside it, or is a file of its own.
        """
        from ...interop.model import read_model

        configured({} if config is None else config)
        if isinstance(model, BytesIO):
            model = model.getvalue()
        if isinstance(model, str) and model.lstrip()[:1] == "<":
            model = model.encode()
        with files_are_there():
            if isinstance(model, bytes) and model.lstrip()[:1] == b"<":
                return _read_text(model, weights)
            if weights is None or (weights.__class__ is str and not weights):
                return read_model(model)
            if not isinstance(weights, str | os.PathLike):
                raise DiagnosticError(
                    "weights in memory belong to the text of an .xml; leave them away"
                )
            return _read_file(model, weights)

    def compile_model(
        self,
        model: AnyModel,
        device_name: str | None = None,
        config: Mapping[str, Any] | None = None,
        *,
        weights: Any = None,
    ) -> CompiledModel:
        """
        `lowstream.compile_model`, with a DiagnosticException for a missing file, too. The text of an .xml comes with
        what its .bin holds.
        """
        configured({} if config is None else config)
        if weights is not None:
            model = self.read_model(model, weights)
        with files_are_there():
            return compile_model(model, device_name, {**self._config, **(config or {})})

    def import_model(
        self,
        model_stream: Bytes | BinaryIO,
        device_name: str = "CPU",
        config: Mapping[str, Any] | None = None,
    ) -> CompiledModel:
        """
        `lowstream.import_model`, from a stream, too. What a config says is compiled into the model; one that is not
        empty is refused.
        """
        check_device(device_name)
        if config:
            raise DiagnosticError(
                f"{', '.join(config)}: say it to compile_model; a compiled model stays as it is"
            )
        given: Any = model_stream
        return import_model(given.read() if hasattr(given, "read") else given)

    def get_property(self, device_name: str, property: str | None = None) -> Any:
        """A property of the device, or what was set; of one argument, that is the property's name."""
        if property is None:
            device_name, property = "CPU", device_name
        check_device(device_name)
        name = text_of(property)
        return self._config[name] if name in self._config else of_device(name)

    def create_context(self, device_name: str, properties: Any = None) -> NoReturn:
        """Raises DiagnosticException: memory of other devices has contexts, and there is no other device."""
        raise DiagnosticError(
            f"{device_name} has no remote context: tensors are arrays in memory; give these to set_tensor"
        )

    def get_default_context(self, device_name: str) -> NoReturn:
        """As `create_context`."""
        self.create_context(device_name)

    def add_extension(self, *extensions: Any) -> NoReturn:
        """Raises DiagnosticException: OpenVINO's extensions are made for its own graphs."""
        raise DiagnosticError(
            "extensions of OpenVINO do not fit here: an operation of your own is a dialect in a package "
            "(docs/examples/dialect)"
        )

    def register_plugin(self, *arguments: Any, **options: Any) -> NoReturn:
        """Raises DiagnosticException: there are no plugins, models run on this CPU."""
        raise DiagnosticError("there are no plugins here: models run on this CPU")

    register_plugins = unload_plugin = register_plugin

    def query_model(
        self,
        model: AnyModel,
        device_name: str = "CPU",
        config: Mapping[str, Any] | None = None,
    ) -> dict[str, str]:
        """
        "CPU" for each of the model's nodes, by its friendly name. Raises DiagnosticException, which names the layer,
        where one cannot be compiled.
        """
        from ...interop.model import Model, read_model, readable_module_of

        check_device(device_name)
        read = read_model(model) if isinstance(model, str | os.PathLike) else model
        module = readable_module_of(read)
        compile_model(module, device_name, config)
        return dict.fromkeys((node.friendly_name for node in Model(module).get_ops()), "CPU")
