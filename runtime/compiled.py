"""A compiled model, and how it is made: read from the cache, or compiled."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache as cache_result
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, BinaryIO

from ..passes.errors import DiagnosticError, as_runtime_error
from .cache import cache, cached_in
from .collector import collector_paused, count_as_old
from .environment import check_environment
from .executable import Executable, State
from .host import usable_cores
from .imports import formats_parsed_later, methods_compiled_later
from .keys import Options, key_of_file, key_of_module
from .openvino_names import CompiledModelNames
from .openvino_properties import check_device, configured
from .packed import pack, unpack

if TYPE_CHECKING:
    import openvino
    from xdsl.dialects.builtin import ModuleOp

    from ..interop.model import Model
    from ..passes.pipeline import Pipeline
    from .buckets import Bucket, Buckets
    from .native import NativeProgram
    from .ports import Port
    from .request import InferRequest, Inputs
    from .results import Results
    from .state import VariableState
    from .trust import Bytes

    AnyModel = str | os.PathLike[str] | Model | ModuleOp | openvino.Model

Shapes = tuple[tuple[int, ...], ...]
"""The shape of each input."""

StateShapes = tuple[tuple[str, tuple[int, ...]], ...]
"""Name and shape of each state that is set and whose variable has an unknown dimension."""

Specialize = Callable[[Shapes, StateShapes, int | None], Executable]
"""Makes the executable for inputs and states of these shapes, with room for so many iterations in loops."""

MORE_ROOM = 4
"""The factor by which a loop gets more room when it wants more iterations than there is room for."""

MOST_ROOM = 1 << 24
"""A loop that wants more iterations is taken to be endless."""

MOST_PROGRAMS = 16
"""The number of programs that a model of unknown dimensions keeps; the one that was not used for longest goes first."""


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

    `pipeline` names the passes that run first: "auto" applies low precision transformations to a quantized model,
    None applies nothing. `num_threads` is the largest number of threads that one inference may use (default: the
    cores of this process); results do not depend on it. With `profiling`, requests measure each operation.

    `device_name` and `config` are OpenVINO's: the device is "CPU"; properties such as `INFERENCE_NUM_THREADS`,
    `PERFORMANCE_HINT` and `PERF_COUNT` set what the other arguments set. `EXECUTION_MODE_HINT` "ACCURACY" excludes
    Winograd's algorithm and the approximate GELU.

    Programs are cached on disk (`lowstream.cache`, or the folder that the property `CACHE_DIR` names).

    Raises DiagnosticException if the model cannot be compiled, and what `read_model` raises.
    """
    check_environment()
    check_device(device_name)
    asked = configured(config or {})
    num_threads = asked.num_threads if num_threads is None else num_threads
    profiling = profiling or bool(asked.profiling)
    _check_threads(num_threads)
    threads = num_threads or usable_cores()
    compiler = _Compiler(pipeline, profiling, threads, asked.accurate, asked.cache_dir)
    with (
        collector_paused(),
        methods_compiled_later(),
        as_runtime_error(),
        cached_in(asked.cache_dir),
    ):
        compiled = compiler.compile_any(model)
    compiled.execution_mode = "ACCURACY" if asked.accurate else "PERFORMANCE"
    compiled.cache_dir = asked.cache_dir or ""
    return compiled


def import_model(exported: Bytes) -> CompiledModel:
    """
    Loads what `export_model` returned, on a CPU of the same kind. It is native code: load it only from a source that
    you trust, or set LOWSTREAM_KEY.

    Raises DiagnosticException if the bytes are damaged, or come from another version or another CPU.
    """
    return CompiledModel.of_packed(_bytes_of(exported))


def _bytes_of(exported: object) -> bytes:
    if isinstance(exported, bytes | bytearray | memoryview):
        return bytes(exported)
    raise DiagnosticError(
        f"import_model takes the bytes that export_model gave, not {type(exported).__name__}; read a file first "
        "(path.read_bytes()), and compile a model that was never compiled: compile_model(path)"
    )


def _check_threads(given: object) -> None:
    """Raises DiagnosticException unless this is a number of threads."""
    if given is None:
        return
    if not isinstance(given, int) or isinstance(given, bool):
        raise DiagnosticError(
            f"num_threads is {given!r}; give a whole number, or None for all cores"
        )
    if given < 1:
        raise DiagnosticError(f"num_threads is {given}; give at least 1, or None")


class CompiledModel(CompiledModelNames):
    """
    Native code of a model. It serves any number of requests in any number of threads, and can be pickled:
    on a CPU of the same kind it runs again.

    Where inputs or states have unknown dimensions there is a program for each combination of shapes, compiled
    when a request first needs it.
    """

    def __init__(
        self,
        inputs: Sequence[Port],
        outputs: Sequence[Port],
        specialize: Specialize,
        is_dynamic: bool,
        states: Sequence[State] | None = None,
        buckets: Buckets | None = None,
    ):
        self.inputs, self.outputs = tuple(inputs), tuple(outputs)
        self.input_places: dict[object, int] = {}
        """Where each input is, by its names and its number; names that come first win."""
        for place, port in enumerate(self.inputs):
            self.input_places[place] = place
            for name in port.names:
                self.input_places.setdefault(name, place)
        self.is_dynamic = is_dynamic
        """Whether an input or a state has an unknown dimension, or nothing limits a loop that puts parts together."""
        self.states = states
        """The states as the model declares them, where shapes are not known; None if only its programs say them."""
        self._specialize, self._buckets = specialize, buckets
        self._programs: OrderedDict[tuple[Shapes, StateShapes], NativeProgram] = OrderedDict()
        self._lock, self._own_lock = Lock(), Lock()
        self._own: InferRequest | None = None
        self._room: int | None = None
        self.name = self.execution_mode = self.cache_dir = ""
        """The name of the model that this was compiled from, its own or its file's, and how; imported: none."""

    @classmethod
    def of(cls, executable: Executable) -> CompiledModel:
        """The model of one executable, loaded."""

        def same(shapes: Shapes, states: StateShapes, room: int | None) -> Executable:
            return executable

        compiled = cls(executable.inputs, executable.results, same, is_dynamic=False)
        compiled.executable()
        return compiled

    @classmethod
    def of_packed(cls, packed: bytes) -> CompiledModel:
        """The model of one executable as `pack` gave it, which is what pickle carries."""
        return cls.of(unpack(packed))

    @property
    def static_shapes(self) -> Shapes | None:
        """The shape of each input; None where a dimension is unknown."""
        shapes = tuple(port.shape for port in self.inputs)
        return None if any(-1 in shape for shape in shapes) else shapes

    def executable(self) -> Executable:
        """The first executable that requests run, if the shapes of inputs are known."""
        shapes = self.static_shapes
        assert shapes is not None, "the inputs have known shapes"
        return self.program(shapes).executable

    def program(self, shapes: Shapes, states: StateShapes = ()) -> NativeProgram:
        """
        The program for inputs and states of these shapes. Raises DiagnosticException where the model does not
        fit them.
        """
        from .native import NativeProgram

        key = shapes, states
        with self._lock:
            if (program := self._programs.get(key)) is None:
                with as_runtime_error():
                    program = NativeProgram(self._specialize(shapes, states, self._room))
                self._programs[key] = program
                self._programs.setdefault(
                    (shapes, _afterwards(program.executable, states)), program
                )
                while len(self._programs) > MOST_PROGRAMS:
                    self._programs.popitem(last=False)
            self._programs.move_to_end(key)
            return program

    def program_of_call(
        self, shapes: Shapes, states: StateShapes = ()
    ) -> tuple[NativeProgram, Bucket | None, int]:
        """As `program`, or one for inputs and states of more sizes, with their bucket and the size of the call."""
        if self._buckets is not None and (shapes, states) not in self._programs:
            with self._lock, as_runtime_error():
                if found := self._buckets.program_of_call(shapes, states):
                    return found
        return self.program(shapes, states), None, 0

    def make_room(self, program: NativeProgram) -> None:
        """
        Gives loops more room than in a program that had too little; gives up the program of a bucket. Raises
        DiagnosticException where they already have the most.
        """
        from ..dialects.infra import FIRST_ROOM

        with self._lock:
            if self._buckets is not None:
                self._buckets.give_up(program)
            if program not in self._programs.values():
                return  # another request has asked for it
            room = self._room or FIRST_ROOM
            if room >= MOST_ROOM:
                raise DiagnosticError(
                    f"a loop has run {room} iterations and wants more; does its condition end it? If it does, give it "
                    "a constant trip count"
                )
            self._room = MORE_ROOM * room
            self._programs.clear()

    def create_infer_request(self) -> InferRequest:
        """A request with inputs, outputs and states of its own."""
        from .request import InferRequest

        return InferRequest(self)

    def __call__(
        self,
        inputs: Inputs | None = None,
        share_inputs: bool = False,
        share_outputs: bool = False,
    ) -> Results:
        """
        One inference in a request of the model's own, whose states and inputs stay from call to call. Calls from
        several threads take turns; for streams of their own, or to run at once, they need requests.
        """
        if not isinstance(share_inputs, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DiagnosticError(
                "give all inputs in one argument, a list or a dict: compiled([x, y])"
            )
        with self._own_lock:
            results = self._own_request.infer(inputs, share_inputs, share_outputs)
            results.keep()
            return results

    def release_memory(self) -> None:
        """Frees the memory that calls have computed in; later calls allocate it again."""
        with self._lock:
            for program in self._programs.values():
                program.spare_arenas.clear()

    def export_model(self, model_stream: BinaryIO | None = None) -> bytes:
        """
        The model as bytes, for `lowstream.import_model`, which go to a stream, too, where one is given. Raises
        DiagnosticException where dimensions are unknown.
        """
        if self.is_dynamic:
            raise DiagnosticError(
                "a compiled model with unknown dimensions, or loops that nothing limits, is compiled as calls come: "
                "export one that was reshaped"
            )
        packed = pack(self.executable())
        if model_stream is not None:
            model_stream.write(packed)
        return packed

    def query_state(self) -> list[VariableState]:
        """The states that `compiled_model(inputs)` uses, in the model's order."""
        with self._own_lock:
            return self._own_request.query_state()

    def reset_state(self) -> None:
        """Resets all states that `compiled_model(inputs)` uses."""
        with self._own_lock:
            self._own_request.reset_state()

    @property
    def _own_request(self) -> InferRequest:
        if self._own is None:
            self._own = self.create_infer_request()
        return self._own

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_dynamic:
            raise TypeError(
                "a compiled model with unknown dimensions cannot be pickled, nor one whose loops nothing limits"
            )
        return CompiledModel.of_packed, (self.export_model(),)

    def __repr__(self) -> str:
        ports = [
            ", ".join(f"{port.any_name}: {port.kind}" for port in each)
            for each in (self.inputs, self.outputs)
        ]
        return f"<CompiledModel ({ports[0]}) -> ({ports[1]})>"

    def _repr_html_(self) -> str:
        """What a notebook shows: inputs, outputs, states, and the native code with its sizes."""
        from ..passes.html_table import html_table

        programs = {id(each): each.executable for each in self._programs.values()}
        states = self.states or next((each.states for each in programs.values()), ())
        ports = (*self.inputs, *self.outputs, *(state.port for state in states))
        table = html_table(
            ("", "name", "type"), [(p.role, ", ".join(p.names), p.kind) for p in ports]
        )
        code = [
            f"<p>{each.isa}, {each.threads} thread{'s' * (each.threads > 1)}, {len(each.weights):,} bytes of weights, "
            f"{each.arena_bytes:,} of arena</p>\n"
            for each in programs.values()
        ]
        return table + "".join(code)


def _afterwards(executable: Executable, states: StateShapes) -> StateShapes:
    """
    Which states the next call finds, and in which shapes, if this program fits that, too: a state that was unset is set
    then.
    """
    if executable.changes_shapes:
        return states
    known = dict(states)
    return tuple(
        (state.port.any_name, state.current)
        for state in executable.states
        if state.is_dynamic and (state.assigned or state.port.any_name in known)
    )


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
class _Compiler:
    """The arguments of `compile_model`, beside the model."""

    pipeline: Pipeline | None
    profiling: bool
    threads: int
    accurate: bool
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
            return Options(self.pipeline, self.profiling, self.threads, self.accurate)
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
        if not path.exists():
            from ..interop.missing_file import MissingFileError

            raise MissingFileError(path)
        key = None if self.options is None else key_of_file(path, self.options)
        if key is not None and (found := cache.load(key)) is not None:
            return CompiledModel.of(found)
        _import_compiler()
        from ..interop.model import read_model

        def is_current() -> bool:
            return self.options is None or key == key_of_file(path, self.options)

        return replace(self, is_current=is_current).compile(read_model(path).module, key)

    def compile(self, module: ModuleOp, key: str | None = None) -> CompiledModel:
        """
        Compiles a module, and uses it up; at once if its inputs have known shapes. The cache finds it by `key`, or else
        by its text.
        """
        from ..passes.legalize import legalized
        from .buckets import Buckets
        from .build import keeps_states, ports_of, prepare, split_at_inputs, states_of
        from .native import NativeProgram
        from .specialize import (
            has_unknown_states,
            has_unlimited_loops,
            specialized,
            with_bounded_inputs,
        )

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

        def specialize(shapes: Shapes, states: StateShapes, room: int | None) -> Executable:
            with cached_in(self.cache_dir):
                executable = self.executable(specialized(module, shapes, dict(states), room))
            if tuple(port.shape for port in executable.inputs) != shapes:
                raise DiagnosticError(
                    "the passes change the model's inputs; run them first, with lowstream.run_passes"
                )
            return executable

        def compile_bucket(bucket: Bucket) -> NativeProgram:
            with cached_in(self.cache_dir):
                executable = self.executable(with_bounded_inputs(module, bucket))
            wanted = (*bucket.at(bucket.most)[: len(inputs)], (1,))
            if tuple(port.shape for port in executable.inputs) != wanted:
                raise DiagnosticError("the passes change the model's inputs")
            return NativeProgram(executable)

        states = states_of(module) if keeps_states(self.pipeline) else None
        buckets = None if is_unlimited else Buckets(compile_bucket)
        compiled = CompiledModel(inputs, outputs, specialize, True, states, buckets)
        if has_static_inputs:
            compiled.executable()
        return compiled

    def key_of(self, module: ModuleOp) -> str | None:
        """The key of a module in the cache. None where there is no cache, or the key could not say all."""
        return None if self.options is None else key_of_module(module, self.options)

    def executable(self, module: ModuleOp, key: str | None = None) -> Executable:
        """The executable of a module whose inputs and states have known shapes. It uses up the module."""
        from .build import build, in_memory

        if key is None and (key := self.key_of(module)) and (found := cache.load(key)):
            return found
        place = in_memory if key is None else partial(cache.store, key, is_current=self.is_current)
        return build(module, self.pipeline, self.profiling, self.threads, self.accurate, place)
