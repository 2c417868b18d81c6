"""`Core`: OpenVINO's entry to reading and compiling, for who has it in their fingers."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..passes.errors import DiagnosticError
from .compiled import CompiledModel, compile_model, import_model
from .openvino_properties import check_device, configured, of_device

if TYPE_CHECKING:
    from ..interop.model import Model
    from .compiled import AnyModel
    from .trust import Bytes


@contextmanager
def _files_are_there() -> Generator[None]:
    """Makes an error of the system about a file one of ours."""
    try:
        yield
    except OSError as error:
        raise DiagnosticError(f"{error.filename}: error: {error.strerror}") from error


class Core:
    """What OpenVINO's `Core` is called for: there is one device, this CPU."""

    def __init__(self) -> None:
        self._config: dict[str, Any] = {}

    @property
    def available_devices(self) -> list[str]:
        """The one there is."""
        return ["CPU"]

    def get_available_devices(self) -> list[str]:
        """`available_devices`."""
        return self.available_devices

    def get_versions(self, device_name: str = "CPU") -> dict[str, str]:
        """The version of lowstream, by the device."""
        from importlib.metadata import version

        check_device(device_name)
        return {device_name: version("lowstream")}

    def set_property(
        self, device_name: str | Mapping[str, Any], properties: Mapping[str, Any] | None = None
    ) -> None:
        """
        Properties for all that this core compiles from here on; `compile_model` may say others. Raises
        DiagnosticException for one that has no meaning here.
        """
        if isinstance(device_name, str):
            check_device(device_name)
        else:
            properties = device_name
        configured(properties or {})
        self._config.update(properties or {})

    def read_model(self, model: str | os.PathLike[str], weights: None = None) -> Model:
        """`lowstream.read_model`, with a DiagnosticException for a missing file, too; weights lie where it says."""
        from ..interop.model import read_model

        with _files_are_there():
            return read_model(model)

    def compile_model(
        self,
        model: AnyModel,
        device_name: str | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> CompiledModel:
        """`lowstream.compile_model`, with a DiagnosticException for a missing file, too."""
        with _files_are_there():
            return compile_model(model, device_name, {**self._config, **(config or {})})

    def import_model(self, model_stream: Bytes, device_name: str = "CPU") -> CompiledModel:
        """`lowstream.import_model`."""
        check_device(device_name)
        return import_model(model_stream)

    def get_property(self, device_name: str, property: str) -> Any:
        """A property of the device."""
        check_device(device_name)
        return of_device(property)

    def query_model(self, model: AnyModel, device_name: str = "CPU") -> dict[str, str]:
        """
        "CPU" for each layer, by its friendly name. Raises DiagnosticException, which names the layer, where one cannot
        be compiled.
        """
        from ..dialects.inferred import friendly_name
        from ..interop.model import read_model, readable_module_of

        check_device(device_name)
        read = read_model(model) if isinstance(model, str | os.PathLike) else model
        module = readable_module_of(read)
        compile_model(module)
        names = (friendly_name(op) for op in module.walk())
        return dict.fromkeys((name for name in names if name is not None), "CPU")
