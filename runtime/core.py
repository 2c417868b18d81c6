"""`Core`: OpenVINO's entry to reading and compiling, for who has it in their fingers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .compiled import CompiledModel, compile_model, import_model
from .openvino_properties import check_device, of_device

if TYPE_CHECKING:
    from ..interop.model import Model
    from .compiled import AnyModel
    from .trust import Bytes


class Core:
    """What OpenVINO's `Core` is called for: there is one device, this CPU."""

    @property
    def available_devices(self) -> list[str]:
        """The one there is."""
        return ["CPU"]

    def read_model(self, model: str | os.PathLike[str], weights: None = None) -> Model:
        """`lowstream.read_model`; weights lie where the file says."""
        from ..interop.model import read_model

        return read_model(model)

    def compile_model(
        self,
        model: AnyModel,
        device_name: str | None = None,
        config: Mapping[str, Any] | None = None,
    ) -> CompiledModel:
        """`lowstream.compile_model`."""
        return compile_model(model, device_name, config)

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
