"""How a compiled model is made: read from the cache, or compiled."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache as cache_result
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..passes.errors import DiagnosticError, as_runtime_error, shown
from .cache.cache import cache, cached_in
from .cache.keys import Options, contents_of, key_of_contents, key_of_module
from .collector import collector_paused, count_as_old
from .compiled import CompiledModel, Shapes, StateShapes
from .environment import check_environment
from .executable import Executable
from .host import usable_cores
from .imports import formats_parsed_later, methods_compiled_later
from .openvino.properties import check_device, configured

if TYPE_CHECKING:
    import openvino
    from xdsl.dialects.builtin import ModuleOp

    from ..interop.model import Model
    from ..passes.pipeline import Pipeline
    from .buckets import Bucket
    from .native import NativeProgram

    AnyModel = str | os.PathLike[str] | Model | ModuleOp | openvino.Model


def compile_model(
    model: AnyModel,
    device_name: str | None = None,
    config: Mapping[str, Any] | None = None,
    *,
    num_threads: int | None = None,
    pipeline: Pipeline | None = "auto",
    profiling: bool = False,
) -> CompiledModel:
    """
    Compiles a model for this CPU: a `Model`, an xDSL module, an `openvino.Model` or the path of a file. It does not
    change the model.

    `pipeline` names the passes that run first: "auto" applies low precision transformations to a quantized model (the
    preset `cpu-x86-exact`), None applies nothing. `num_threads` is the largest number of threads that one inference may
    use (default: the cores of this process); results do not depend on it. With `profiling`, requests measure each
    operation.

    `device_name` and `config` are OpenVINO's: the device is "CPU"; properties such as `INFERENCE_NUM_THREADS`,
    `PERFORMANCE_HINT` and `PERF_COUNT` set what the other arguments set. `EXECUTION_MODE_HINT` "ACCURACY" excludes
    Winograd's algorithm and the approximate GELU. `CPU_DENORMALS_OPTIMIZATION` treats denormal numbers as zeros.

    Programs are cached on disk (`lowstream.cache`, or the folder that the property `CACHE_DIR` names).

    Raises DiagnosticException if the model cannot be compiled, and what `read_model` raises.
    """
    check_environment()
    check_device(device_name)
    asked = configured({} if config is None else config)
    num_threads = asked.num_threads if num_threads is None else num_threads
    _check_flag("profiling", profiling)
    profiling = profiling or bool(asked.profiling)
    _check_threads(num_threads)
    threads = num_threads or usable_cores()
    compiler = Compiler(
        pipeline, profiling, threads, asked.accurate, asked.flush_denormals, asked.cache_dir
    )
    with (
        collector_paused(),
        methods_compiled_later(),
        as_runtime_error(),
        cached_in(asked.cache_dir),
    ):
        compiled = compiler.compile_any(model)
    compiled.configuration = asked
    return compiled


def _check_flag(name: str, given: object) -> None:
    """Raises DiagnosticException unless this is a truth value: a text such as "NO" would count as true."""
    if not isinstance(given, bool):
        raise DiagnosticError(f"{name} is {shown(given)}; give True or False")


def _check_threads(given: object) -> None:
    """Raises DiagnosticException unless this is a number of threads."""
    if given is None:
        return
    if not isinstance(given, int) or isinstance(given, bool):
        raise DiagnosticError(
            f"num_threads is {shown(given)}; give a whole number, or None for all cores"
        )
    if given < 1:
        raise DiagnosticError(f"num_threads is {shown(given)}; give at least 1, or None")


@cache_result
def _import_compiler() -> None:
    """
    Imports most of what compiling needs, once, and keeps the garbage collector from visiting it right after compiling.
    """
    with formats_parsed_later():
        for name in ("..interop.model", ".build"):
            import_module(name, __package__)
    count_as_old()


@dataclass(frozen=True)
class Compiler:
    """The arguments of `compile_model`, beside the model."""

    pipeline: Pipeline | None
    profiling: bool
    threads: int
    accurate: bool
    flush_denormals: bool
    cache_dir: str | None = None
    is_current: Callable[[], bool] = lambda: True
    """
    Whether the file that is compiled is still the one that the key was made of: weights are read until they are stored.
    """

    @property
    def options(self) -> Options | None:
        """
        What decides an executable, beside the model. None where the cache is off, and where this cannot say all: for
        pass objects, and passes that read or write files.
        """
        if cache.folder is not None and (
            self.pipeline is None
            or (isinstance(self.pipeline, str) and "file=" not in self.pipeline)
        ):
            return Options(
                self.pipeline, self.profiling, self.threads, self.accurate, self.flush_denormals
            )
        return None

    def compile_any(self, model: AnyModel) -> CompiledModel:
        """Compiles what `compile_model` takes, and names the result after the model or its file."""
        if isinstance(model, str | os.PathLike):
            compiled = self.compile_file(Path(model))
            compiled.name = Path(model).stem
            return compiled
        from ..dialects.verification import verify
        from ..interop.model import readable_module_of

        module = readable_module_of(model)
        verify(module)
        compiled = self.compile(module.clone())
        compiled.name = "" if module.sym_name is None else module.sym_name.data
        return compiled

    def compile_file(self, path: Path) -> CompiledModel:
        """Compiles the model in a file. If the cache has it, only the bytes of the file are read, for the key."""
        if "\n" in str(path) or not os.path.exists(path):  # as require_path looks
            from ..interop.missing_file import require_path

            require_path(path)
        options = self.options
        contents = None if options is None else contents_of(path)
        key = None if options is None else key_of_contents(contents, options)
        if key is not None and (found := cache.load(key)) is not None:
            return CompiledModel.of(found)
        _import_compiler()
        from ..interop.model import read_model

        def is_current() -> bool:
            return contents is None or contents == contents_of(path)

        return replace(self, is_current=is_current).compile(read_model(path).module, key)

    def compile(self, module: ModuleOp, key: str | None = None) -> CompiledModel:
        """
        Compiles a module, and uses it up; at once if its inputs have known shapes. The cache finds it by `key`, or else
        by its text.
        """
        from ..lowering.control_flow.decided_branches import conditions_of
        from ..passes.legalize import legalized
        from .buckets import Buckets
        from .build import keeps_states, ports_of, prepare, split_at_inputs, states_of
        from .specialize import has_unknown_states, has_unlimited_loops

        module = legalized(module)
        first, rest = split_at_inputs(self.pipeline)
        if first:
            if key is None and (key := self.key_of(module)) and (found := cache.load(key)):
                return CompiledModel.of(found)
            prepare(module, first)
            return replace(self, pipeline=rest).compile(module, key)
        inputs, outputs = ports_of(module)
        has_static_inputs = all(-1 not in port.shape for port in inputs)
        is_unlimited = has_unlimited_loops(module)
        if has_static_inputs and not is_unlimited and not has_unknown_states(module):
            return CompiledModel.of(self.executable(module, key))
        states = states_of(module) if keeps_states(self.pipeline) else None
        conditions = tuple(conditions_of(module))
        buckets = None if is_unlimited else Buckets(partial(self._program_of, module), conditions)
        specialize = partial(self._specialized, module)
        compiled = CompiledModel(inputs, outputs, specialize, True, states, buckets)
        if has_static_inputs:
            compiled.executable()
        return compiled

    def _specialized(
        self, module: ModuleOp, shapes: Shapes, states: StateShapes, room: int | None
    ) -> Executable:
        """The executable for inputs and states of these shapes, and so many iterations of loops."""
        from .specialize import specialized

        return self._executable_for(shapes, specialized(module, shapes, dict(states), room))

    def _program_of(self, module: ModuleOp, bucket: Bucket) -> NativeProgram:
        """The program for all calls of a bucket."""
        from .build import ports_of
        from .native import NativeProgram
        from .specialize import with_bounded_inputs

        bounded = with_bounded_inputs(module, bucket)
        shapes = tuple(port.shape for port in ports_of(bounded)[0])
        return NativeProgram(self._executable_for(shapes, bounded))

    def _executable_for(self, shapes: Shapes, module: ModuleOp) -> Executable:
        """
        The executable of a module whose inputs have these shapes. It uses up the module. Raises DiagnosticException
        where the passes give them others.
        """
        with cached_in(self.cache_dir):
            executable = self.executable(module)
        if tuple(port.shape for port in executable.inputs) != shapes:
            raise DiagnosticError(
                "the passes change the model's inputs; run them first, with lowstream.run_passes"
            )
        return executable

    def key_of(self, module: ModuleOp) -> str | None:
        """The key of a module in the cache. None where there is no cache, or the key could not say all."""
        return None if self.options is None else key_of_module(module, self.options)

    def executable(self, module: ModuleOp, key: str | None = None) -> Executable:
        """The executable of a module whose inputs and states have known shapes. It uses up the module."""
        from ..dialects.mapped_constants import mapped_files, require_unchanged
        from .build import build, in_memory

        require_unchanged(module)
        if key is None and (key := self.key_of(module)) and (found := cache.load(key)):
            return found
        files = mapped_files(module)

        def is_current() -> bool:
            return self.is_current() and all(file.is_unchanged for file in files)

        place = in_memory if key is None else partial(cache.store, key, is_current=is_current)
        return build(
            module,
            self.pipeline,
            self.profiling,
            self.threads,
            self.accurate,
            self.flush_denormals,
            place,
        )
