"""A compiled model, and how one comes to be: from the cache, or by compiling."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from xdsl.utils.exceptions import DiagnosticException

from .cache import cache
from .executable import Executable, usable_cores
from .keys import Options, key_of_file, key_of_module

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from ..interop.model import Model
    from ..passes.pipeline import Pipeline
    from .native import NativeProgram
    from .ports import Port
    from .request import InferRequest, Inputs
    from .results import Results

    AnyModel = str | os.PathLike[str] | Model | ModuleOp

Shapes = tuple[tuple[int, ...], ...]
"""The shape of each input."""

MOST_PROGRAMS = 16
"""How many programs a model of unknown dimensions keeps; the one not used for longest goes first."""


def compile_model(
    model: AnyModel,
    num_threads: int | None = None,
    pipeline: Pipeline | None = "auto",
    profiling: bool = False,
) -> CompiledModel:
    """
    Compiles a model, a module or a file of one for this CPU; the model stays as it is.

    `pipeline` says which passes run first: "auto" applies low precision transformations to a quantized
    model, None applies nothing. `num_threads` is the most that one inference may use (default: the cores
    of this process); today it uses one. With `profiling`, requests know what each operation takes.

    What was compiled before comes from a cache on disk (`lowstream.cache`). Raises DiagnosticException where
    the model cannot be compiled, and what `read_model` raises.
    """
    if num_threads is not None and num_threads < 1:
        raise DiagnosticException(f"num_threads is {num_threads}; give at least 1, or None")
    compiler = _Compiler(pipeline, profiling, num_threads or usable_cores())
    if isinstance(model, str | os.PathLike):
        return compiler.compile_file(Path(model))
    from ..interop.model import module_of

    return compiler.compile(module_of(model))


class CompiledModel:
    """
    Native code of a model. It serves any number of requests in any number of threads, and can be pickled:
    on a CPU of the same kind it runs again.

    Where inputs have unknown dimensions there is a program for each combination of shapes, compiled when a
    request first needs it.
    """

    def __init__(
        self,
        inputs: Sequence[Port],
        outputs: Sequence[Port],
        specialize: Callable[[Shapes], Executable],
    ):
        self.inputs, self.outputs = tuple(inputs), tuple(outputs)
        self._specialize = specialize
        self._programs: OrderedDict[Shapes, NativeProgram] = OrderedDict()
        self._lock = Lock()

    @classmethod
    def of(cls, executable: Executable) -> CompiledModel:
        """The model of one executable, loaded."""
        compiled = cls(executable.inputs, executable.outputs, lambda _: executable)
        compiled.program(compiled._static_shapes)
        return compiled

    @property
    def _static_shapes(self) -> Shapes:
        return tuple(port.shape for port in self.inputs)

    @property
    def is_dynamic(self) -> bool:
        """Whether an input has an unknown dimension."""
        return any(-1 in port.shape for port in self.inputs)

    def program(self, shapes: Shapes) -> NativeProgram:
        """The program for inputs of these shapes. Raises DiagnosticException where the model does not fit them."""
        from .native import NativeProgram

        with self._lock:
            if (program := self._programs.get(shapes)) is None:
                program = NativeProgram(self._specialize(shapes))
                self._programs[shapes] = program
                if len(self._programs) > MOST_PROGRAMS:
                    self._programs.popitem(last=False)
            self._programs.move_to_end(shapes)
            return program

    def create_infer_request(self) -> InferRequest:
        """A request with inputs, outputs and states of its own."""
        from .request import InferRequest

        return InferRequest(self)

    def __call__(self, inputs: Inputs | None = None) -> Results:
        """One inference in a new request."""
        return self.create_infer_request().infer(inputs)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_dynamic:
            raise TypeError("a compiled model with unknown dimensions cannot be pickled")
        return CompiledModel.of, (self.program(self._static_shapes).executable,)

    def __repr__(self) -> str:
        ports = [", ".join(map(repr, each)) for each in (self.inputs, self.outputs)]
        return f"<CompiledModel ({ports[0]}) -> ({ports[1]})>"


@dataclass(frozen=True)
class _Compiler:
    """What `compile_model` was asked for, beside the model."""

    pipeline: Pipeline | None
    profiling: bool
    threads: int

    @property
    def options(self) -> Options | None:
        """What the key of an executable is made of; None where it cannot say all, as of pass objects."""
        if self.pipeline is None or isinstance(self.pipeline, str):
            return Options(self.pipeline, self.profiling, self.threads)
        return None

    def compile_file(self, path: Path) -> CompiledModel:
        """Compiles what a file holds; reads only its bytes if the cache knows them."""
        alias = None if self.options is None else key_of_file(path, self.options)
        if (
            alias is not None
            and (key := cache.key_of(alias)) is not None
            and (found := cache.load(key)) is not None
        ):
            return CompiledModel.of(found)
        from ..interop.model import read_model

        module = read_model(path).module
        compiled = self.compile(module)
        if alias is not None and self.options is not None and not compiled.is_dynamic:
            cache.store_alias(alias, key_of_module(module, self.options))
        return compiled

    def compile(self, module: ModuleOp) -> CompiledModel:
        """Compiles a module, at once if its inputs have known shapes."""
        from .build import ports_of, specialized

        inputs, outputs = ports_of(module)
        if all(-1 not in port.shape for port in inputs):
            return CompiledModel.of(self.executable(module))
        source = module.clone()
        return CompiledModel(
            inputs, outputs, lambda shapes: self.executable(specialized(source, shapes))
        )

    def executable(self, module: ModuleOp) -> Executable:
        """The executable of a module whose inputs have known shapes."""
        from .build import build

        if self.options is None:
            return build(module, self.pipeline, self.profiling, self.threads)
        key = key_of_module(module, self.options)
        if (found := cache.load(key)) is not None:
            return found
        executable = build(module, self.pipeline, self.profiling, self.threads)
        cache.store(key, executable)
        return executable
