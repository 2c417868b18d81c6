"""
Random annotated functions of TensorFlow, some of whose types are no longer what the annotation asks for, through
`prepare-composite-functions`: `make composites`, or with SEEDS="0 10000".

Each is fused, or stays with a warning. A fused one has the types that it declared, but for ranks and sizes that were
unknown, and a second run changes nothing.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import ModuleOp, TensorType, UnrankedTensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.parser import Parser

from lowstream import run_passes
from lowstream.dialects import context
from lowstream.dialects.compatible import compatible
from lowstream.test.fuzz.try_seeds import try_seeds

PASS = "prepare-composite-functions"
RARELY = 0.05
"""How often one thing about a function is wrong."""

Size = int | str


@dataclass
class Draft:
    """A function to be: random choices, and the types made of them."""

    random: np.random.Generator

    def one(self, *choices: Size | bool) -> Size | bool:
        return choices[int(self.random.integers(len(choices)))]

    def size(self, *choices: Size) -> Size:
        """One of these sizes, or of any."""
        return self.one(*choices)  # pyright: ignore[reportReturnType]

    def chance(self, share: float = 0.5) -> bool:
        return self.random.random() < share

    def type(self, element: Size, *sizes: Size) -> str:
        """A tensor of this shape, at times of another one, of another element type, or of no rank."""
        if self.chance(RARELY / 2):
            return f"tensor<*x{element}>"
        kept = sizes[: -1 if self.chance(RARELY / 2) else None]
        shape = [self.size("?", 0, 1, 7) if self.chance(RARELY) else size for size in kept]
        if self.chance(RARELY):
            element = self.size("f16", "f32", "i32")
        return "tensor<" + "".join(f"{size}x" for size in shape) + f"{element}>"


def function(arguments: Sequence[str], results: Sequence[str], annotation: str, form: str) -> str:
    """The text of a function whose body computes its results in a way that nobody knows; a private one is called."""
    named = ", ".join(f"%a{number}: {type}" for number, type in enumerate(arguments))
    values = ", ".join(f"%r{number}" for number in range(len(results)))
    given = ", ".join(results)
    text = (
        f"func.func {form}@f({named}) -> ({given}) attributes {{{annotation}}} {{\n"
        f'  {values} = "tf.Body"(%a0) : ({arguments[0]}) -> ({given})\n'
        f"  func.return {values} : {given}\n}}\n"
    )
    if not form:
        return text
    passed = ", ".join(f"%a{number}" for number in range(len(arguments)))
    return text + (
        f"func.func @main({named}) -> ({given}) {{\n"
        f'  {values} = "tf.PartitionedCall"({passed}) {{f = @f}} : ({", ".join(arguments)}) -> ({given})\n'
        f"  func.return {values} : {given}\n}}\n"
    )


def layer(draft: Draft, element: Size) -> str:
    """An LSTM of Keras over a sequence, or IndyLSTM, whose recurrent weights are a vector."""
    name = draft.size("lstm_1", "indy_lstm_1")
    is_major, batch = draft.chance(), draft.size("?", 0, 1, 2)
    steps, inputs, cells = draft.size("?", 0, 1, 5), draft.size("?", 0, 1, 3), draft.size(0, 1, 2)
    gates, rows = 4 * int(cells), 1 if name == "indy_lstm_1" else cells
    order = (steps, batch) if is_major else (batch, steps)
    state = (batch, cells)
    shapes = [(*order, inputs), state, state, (inputs, gates), (rows, gates), (gates,)]
    if draft.chance(RARELY):
        shapes.append(order)
    arguments = [draft.type(element, *shape) for shape in shapes]
    results = [draft.type(element, *shape) for shape in (state, (*order, cells), state, state, ())]
    if draft.chance(RARELY):
        results.pop()
    annotation = f'tf.api_implements = "{name}", tf.time_major = {str(is_major).lower()}'
    if draft.chance():
        annotation += f", tf.go_backwards = {draft.size('true', 'false')}"
    return function(arguments, results, annotation, str(draft.size("", "private ")))


def cell(draft: Draft, element: Size) -> str:
    """A cell of Lingvo, some with a projection, a layer normalization, or one gate for input and forgetting."""
    is_normalized, is_coupled = draft.chance(), draft.chance()
    is_projected = not is_normalized and draft.chance()
    batch, inputs, cells = draft.size("?", 0, 1, 2), draft.size(0, 1, 3), draft.size(0, 1, 2)
    outputs = draft.size(2, 3) if is_projected else cells
    gates = (3 if is_coupled else 4) * int(cells)
    shapes = [(batch, inputs), (int(inputs) + int(outputs), gates), (gates,)]
    if is_projected:
        shapes.append((cells, outputs))
    if is_normalized and not draft.chance(RARELY):
        shapes.append((gates,))
    arguments = [draft.type(element, *shape) for shape in shapes]
    name = f"lingvo.{'LayerNormalizedLstmCellSimple' if is_normalized else 'LSTMCellSimple'}"
    annotation = f'tf._implements = #tf_type.func<@"{name}", {{CoupleInputForgetGates = {str(is_coupled).lower()}}}>'
    form = str(draft.size("", "private "))
    return function(arguments, [draft.type(element, batch, outputs)], annotation, form)


def text_of(seed: int) -> str:
    """The function of a seed."""
    draft = Draft(np.random.default_rng(seed))
    element = draft.size("f32", "f32", "f32", "f16", "bf16", "f64", "i8", "i32")
    return (layer if draft.chance() else cell)(draft, element)


def parsed(text: str) -> ModuleOp:
    known = context()
    known.allow_unregistered = True
    return Parser(known, text).parse_module()


def types_of(module: ModuleOp) -> dict[str, list[Attribute]]:
    """What functions take and give, by name."""
    return {
        op.sym_name.data: [*op.function_type.inputs, *op.function_type.outputs]
        for op in module.walk()
        if isinstance(op, FuncOp)
    }


def still(before: Attribute, after: Attribute) -> bool:
    """Whether a type says of itself what it said before, or more."""
    if isinstance(before, UnrankedTensorType) and isinstance(after, TensorType):
        return before.element_type == after.element_type
    return before == after or compatible(before, after)


def failure_of(seed: int) -> str | None:
    """What is wrong with a seed; an empty text where it stays as it was."""
    module = parsed(text_of(seed))
    declared = types_of(module)
    try:
        with warnings.catch_warnings(action="ignore"):
            run_passes(module, PASS)
            module.verify()
            once = str(module)
            run_passes(module, PASS)
    except Exception as error:  # noqa: BLE001 (of any kind: the seed says how to see it again)
        return f"{type(error).__name__}: {error}"
    found = types_of(module)
    for name, types in declared.items():
        for before, after in zip(types, found[name], strict=True):
            if not still(before, after):
                return f"@{name}: {before} became {after}"
    if str(module) != once:
        return "a second run changes it"
    return None if "tfl." in once else ""


if __name__ == "__main__":
    try_seeds(__doc__, 2000, lambda seed: [text_of(seed).splitlines()[0]], failure_of, "the pass")
