"""
OpenVINO's names for methods of requests and compiled models, where ours are called otherwise. Tensors are arrays of
NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, cast

from ...passes.errors import DiagnosticError, shown
from ..requests.results import Key, Results, position_of
from .by_name import by_name
from .properties import Configuration, of_device, of_model, text_of

if TYPE_CHECKING:
    from ..compiled import CompiledModel
    from ..executable import Executable
    from ..ports import Port
    from ..profiling.profiling import ProfilingInfo
    from ..requests.request import InferRequest, Inputs
    from .runtime_model import RuntimeModel
    from .tensor import Tensor


class RequestNames:
    """Methods that build on `set_tensor` and `get_tensor`."""

    if TYPE_CHECKING:
        _compiled: CompiledModel

        def set_tensor(self, key: Key, array: Any) -> None: ...
        def set_batch(self, key: Key, arrays: Sequence[Any]) -> None: ...
        def get_tensor(self, key: Key) -> Tensor: ...
        @property
        def profiling_info(self) -> list[ProfilingInfo]: ...

    @property
    def model_inputs(self) -> list[Port]:
        """The inputs of the model."""
        return list(self._compiled.inputs)

    @property
    def model_outputs(self) -> list[Port]:
        """The outputs of the model."""
        return list(self._compiled.outputs)

    def get_compiled_model(self) -> CompiledModel:
        """What the request runs."""
        return self._compiled

    def get_profiling_info(self) -> list[ProfilingInfo]:
        """`profiling_info`."""
        return self.profiling_info

    def get_input_tensor(self, index: int | None = None) -> Tensor:
        """The array of the input of this number; of the only input without one."""
        return self.get_tensor(self._input(index))

    def get_output_tensor(self, index: int | None = None) -> Tensor:
        """The array of the output of this number; of the only output without one."""
        return self.get_tensor(self._output(index))

    @by_name(("index", "tensor"), ("tensor",))
    def set_input_tensor(self, *index_and_array: Any) -> None:
        """`(array)` for the only input, `(index, array)` for one of several."""
        index, array = _split("set_input_tensor", index_and_array)
        self.set_tensor(self._input(index), array)

    @by_name(("index", "tensor"), ("tensor",))
    def set_output_tensor(self, *index_and_array: Any) -> None:
        """`(array)` for the only output, `(index, array)` for one of several."""
        index, array = _split("set_output_tensor", index_and_array)
        self.set_tensor(self._output(index), array)

    @by_name(("tensor_name", "tensors"), ("inputs",))
    def set_tensors(self, *given: Any) -> None:
        """`set_tensor` of each of a mapping; or `(name, arrays)`, a batch for the input of this name."""
        match given:
            case (str() as name, arrays):
                self._set_batch(name, arrays)
            case (arrays,) if isinstance(arrays, Mapping):
                for key, array in _items(cast(Mapping[Any, Any], arrays)):
                    self.set_tensor(key, array)
            case _:
                raise DiagnosticError("set_tensors takes a mapping, or a name and a list of arrays")

    @by_name(("idx", "tensors"), ("inputs",), ("tensors",))
    def set_input_tensors(self, *given: Any) -> None:
        """
        Arrays for inputs, by number in a mapping. Or a list of arrays of shape `[1, …]` for the only input, and
        `(number, list)` for one of several: the parts of a batch, of which each call reads what they hold then.
        """
        match given:
            case (int() as number, arrays):
                self._set_batch(self._input(number), arrays)
            case (arrays,) if isinstance(arrays, Mapping):
                for key, array in _items(cast(Mapping[Any, Any], arrays)):
                    self.set_tensor(self._input(key), array)
            case (arrays,):
                self._set_batch(self._input(None), arrays)
            case _:
                raise DiagnosticError(
                    "set_input_tensors takes a mapping, a list of arrays, or a number and a list"
                )

    def _set_batch(self, key: Key, arrays: Any) -> None:
        """Sets a batch; one array alone is the input itself."""
        if not isinstance(arrays, list | tuple):
            raise DiagnosticError(f"a batch is a list of arrays, not a {type(arrays).__name__}")
        parts = cast(Sequence[Any], arrays)
        if len(parts) == 1:
            self.set_tensor(key, parts[0])
        else:
            self.set_batch(key, parts)

    def set_output_tensors(self, arrays: Mapping[int, Any] | Sequence[Any]) -> None:
        """Arrays for outputs, by number, or in order."""
        for index, array in _numbered(arrays):
            self.set_tensor(self._output(index), array)

    @property
    def input_tensors(self) -> list[Tensor]:
        """The arrays of the inputs."""
        return [self.get_tensor(port) for port in self.model_inputs]

    @property
    def output_tensors(self) -> list[Tensor]:
        """The arrays of the outputs."""
        return [self.get_tensor(port) for port in self.model_outputs]

    def _input(self, index: int | None) -> Port:
        return port_of(self._compiled.inputs, index, "input")

    def _output(self, index: int | None) -> Port:
        return port_of(self._compiled.outputs, index, "output")


class CompiledModelNames:
    """Methods that build on requests and ports."""

    if TYPE_CHECKING:
        inputs: tuple[Port, ...]
        outputs: tuple[Port, ...]
        is_dynamic: bool
        name: str
        configuration: Configuration

        def executable(self) -> Executable: ...
        def create_infer_request(self) -> InferRequest: ...

    def input(self, key: Key | None = None) -> Port:
        """The input of this number or name; the only input without one."""
        return port_of(self.inputs, key, "input")

    def output(self, key: Key | None = None) -> Port:
        """The output of this number or name; the only output without one."""
        return port_of(self.outputs, key, "output")

    def infer_new_request(self, inputs: Inputs | None = None) -> Results:
        """One inference in a new request, whose states nobody sees."""
        return self.create_infer_request().infer(inputs)

    def get_runtime_model(self) -> RuntimeModel:
        """
        OpenVINO's runtime model: a node for each kernel, with the operations that it computes. Raises
        DiagnosticException unless the model was compiled with `profiling=True`, and where shapes are not known before a
        call.
        """
        from .runtime_model import runtime_model_of

        if self.is_dynamic:
            raise DiagnosticError(
                "which kernels run depends on shapes that calls bring: reshape the model"
            )
        return runtime_model_of(self.name, self.executable())

    def set_property(self, properties: Mapping[str, Any]) -> NoReturn:
        """Raises DiagnosticException: a compiled model stays as it is."""
        if not isinstance(properties, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DiagnosticError(f"properties are {shown(properties)}; give a dictionary")
        listed = ", ".join(map(text_of, properties))
        raise DiagnosticError(f"{listed}: a compiled model stays as it is; say it to compile_model")

    def get_property(self, name: str) -> Any:
        """A property of the model, or of the device that it is compiled for."""
        name = text_of(name)
        if name.upper() == "NETWORK_NAME":
            return self.name
        executable = None if self.is_dynamic else self.executable()
        found = of_model(name, self.configuration, executable)
        return of_device(name) if found is None else found


def port_of(ports: Sequence[Port], key: Key | None, role: str) -> Port:
    """
    The port of this number or name, or the only one without. Raises DiagnosticException where there is none, or
    several.
    """
    if key is None:
        if len(ports) != 1:
            raise DiagnosticError(f"the model has {len(ports)} {role}s; say which, by number")
        key = 0
    return ports[position_of(key, ports, role)]


def _split(method: str, given: tuple[Any, ...]) -> tuple[int | None, Any]:
    match given:
        case (array,):
            return None, array
        case (int() as index, array):
            return index, array
        case _:
            raise DiagnosticError(f"{method} takes an array, or an index and an array")


def _numbered(arrays: Mapping[int, Any] | Sequence[Any]) -> Iterable[tuple[int, Any]]:
    return arrays.items() if isinstance(arrays, Mapping) else enumerate(arrays)


def _items(arrays: Mapping[Any, Any]) -> Iterable[tuple[Any, Any]]:
    return arrays.items()
