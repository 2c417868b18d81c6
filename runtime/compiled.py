"""A compiled model: native code, the programs that it keeps for shapes, and the requests that run it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from ..passes.errors import DiagnosticError, as_runtime_error, shown
from .cache.packed import pack, unpack
from .executable import Executable, State
from .openvino.names import CompiledModelNames
from .openvino.properties import Configuration

if TYPE_CHECKING:
    from .buckets import Bucket, Buckets, Conditions
    from .cache.trust import Bytes
    from .native import NativeProgram
    from .ports import Port
    from .requests.request import InferRequest, Inputs
    from .requests.results import Results
    from .requests.state import VariableState


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


def import_model(exported: Bytes) -> CompiledModel:
    """
    Loads what `export_model` returned, on a CPU of the same kind. It is native code: load it only from a source that
    you trust, or set LOWSTREAM_KEY.

    Raises DiagnosticException if the bytes are damaged, or come from another version or another CPU.
    """
    return CompiledModel.of_packed(_bytes_of(exported))


def _bytes_of(exported: object) -> bytes:
    if isinstance(exported, bytes | bytearray | memoryview):
        return bytes(cast("Bytes", exported))
    raise DiagnosticError(
        f"import_model takes the bytes that export_model gave, not {type(exported).__name__}; read a file first "
        "(path.read_bytes()), and compile a model that was never compiled: compile_model(path)"
    )


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
        self.is_dynamic = is_dynamic
        """Whether an input or a state has an unknown dimension, or nothing limits a loop that puts parts together."""
        self.states = states
        """The states as the model declares them, where shapes are not known; None if only its programs say them."""
        self._specialize, self._buckets = specialize, buckets
        self._programs: OrderedDict[tuple[Shapes, StateShapes], NativeProgram] = OrderedDict()
        self._lock, self._own_lock = Lock(), Lock()
        self._own: InferRequest | None = None
        self._room: int | None = None
        self.name = ""
        """The name of the model that this was compiled from, its own or its file's; imported: none."""
        self.configuration = Configuration()
        """How it was compiled; imported: as without a config."""

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
        self, shapes: Shapes, states: StateShapes = (), conditions: Conditions = ()
    ) -> tuple[NativeProgram, Bucket | None, int]:
        """
        As `program`, or one for inputs and states of more sizes, with their bucket and the size of the call. It may be
        for these values of `conditions` alone.
        """
        if self._buckets is not None and (shapes, states) not in self._programs:
            with self._lock, as_runtime_error():
                if found := self._buckets.program_of_call(shapes, states, conditions):
                    return found
        return self.program(shapes, states), None, 0

    @property
    def conditions(self) -> tuple[int, ...]:
        """The numbers of inputs that decide branches, for which programs may be made."""
        return () if self._buckets is None else self._buckets.conditions

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
        from .requests.request import InferRequest

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
        The model as bytes, for `lowstream.import_model`; writes them to `model_stream`, too, if one is given. Raises
        DiagnosticException where dimensions are unknown, and for what is no stream.
        """
        if model_stream is not None and not hasattr(model_stream, "write"):
            raise DiagnosticError(
                f"export_model was given {shown(model_stream)}; give a stream, such as open(path, 'wb')"
            )
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
