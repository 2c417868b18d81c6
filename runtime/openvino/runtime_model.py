"""What a compiled model runs, as nodes: OpenVINO's runtime model, of kernels."""

from __future__ import annotations

from dataclasses import dataclass

from ...passes.errors import DiagnosticError
from ..executable import Executable, Kernel
from ..profiling.profiling import executed


@dataclass(frozen=True)
class RuntimeNode:
    """A kernel, named and typed as the operation that it is named for."""

    kernel: Kernel
    isa: str

    @property
    def friendly_name(self) -> str:
        """The friendly name of that operation."""
        return executed(self.kernel)[0].name

    def get_friendly_name(self) -> str:
        """`friendly_name`."""
        return self.friendly_name

    def get_type_name(self) -> str:
        """The type of that operation."""
        return executed(self.kernel)[0].type

    @property
    def rt_info(self) -> dict[str, str]:
        """By OpenVINO's names: the operations that are computed, the type of the output, and what computes them."""
        return {
            "layerType": self.get_type_name(),
            "originalLayersNames": ",".join(origin.name for origin in self.kernel.origins),
            "outputPrecisions": self.kernel.type,
            "primitiveType": f"{self.kernel.name} {self.isa}",
        }

    def get_rt_info(self) -> dict[str, str]:
        """`rt_info`."""
        return self.rt_info


@dataclass(frozen=True)
class RuntimeModel:
    """The kernels of a compiled model, in the order in which they run."""

    friendly_name: str
    nodes: tuple[RuntimeNode, ...]

    def get_friendly_name(self) -> str:
        """The name of the model."""
        return self.friendly_name

    def get_ops(self) -> list[RuntimeNode]:
        """The nodes."""
        return list(self.nodes)

    def get_ordered_ops(self) -> list[RuntimeNode]:
        """The nodes."""
        return list(self.nodes)


def runtime_model_of(name: str, executable: Executable) -> RuntimeModel:
    """What an executable runs. Raises DiagnosticException where it does not know: it has to count."""
    if not executable.kernels:
        raise DiagnosticError(
            "the model does not know its kernels: compile_model(model, profiling=True), or see lowstream.explain"
        )
    return RuntimeModel(
        name, tuple(RuntimeNode(kernel, executable.isa) for kernel in executable.kernels)
    )
