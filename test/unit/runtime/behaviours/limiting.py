"""Behaviours of dimensions with limits: alone, in shapes, of inputs, in files, and in calls."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from .side import ROWS, Behaviour, Side, after

LIMITS: tuple[tuple[Any, ...], ...] = (
    (1, 8),
    (2, 3),
    (2, -1),
    (0, 8),
    (0, -1),
    (9, 12),
    (4,),
    (),
    (0,),
)

SIZES = ("1..8", "2..", "..8", " 2 .. 3 ", "3..3", "?", "0..", "8..1", "..", "a..3", "1..2..3")

SHAPES: tuple[Any, ...] = (
    [(1, 8), 2],
    [[1, 8], 2],
    "[1..8,2]",
    "1..8,2",
    "[1..,..4]",
    ["1..8", "?"],
    [(3, 3), 2],
)


def dimension(look: Callable[[Any], Any]) -> Behaviour:
    """Of a dimension with each of the limits."""
    return lambda s: [look(s.module.Dimension(*limits)) for limits in LIMITS]


def dimensions(look: Callable[[Any, Any], Any]) -> Behaviour:
    """Of each two."""
    return lambda s: [
        look(s.module.Dimension(*a), s.module.Dimension(*b)) for a, b in product(LIMITS, LIMITS)
    ]


def shape(look: Callable[[Any], Any], sizes: Any = SHAPES[0]) -> Behaviour:
    return lambda s: look(s.module.PartialShape(sizes))


def shapes(look: Callable[[Any, Any], Any]) -> Behaviour:
    return lambda s: [
        look(s.module.PartialShape(a), s.module.PartialShape(b)) for a, b in product(SHAPES, SHAPES)
    ]


def limited(
    look: Callable[[Any, Side], Any], shape: Any = SHAPES[0], name: str = "unknown"
) -> Behaviour:
    """Of a model whose first input has limits."""

    def run(s: Side) -> Any:
        read = s.read(name)
        read.reshape({0: shape})
        return look(read, s)

    return run


def text(model: Any) -> str:
    return str(model.input(0).partial_shape)


def called(rows: int, shape: Any = SHAPES[0]) -> Behaviour:
    """What a call with so many rows gives."""
    return limited(
        lambda m, s: s.core.compile_model(m, "CPU")([np.ones((rows, 2), np.float32)])[0], shape
    )


def saved(m: Any, s: Side) -> Any:
    path = s.folder / f"limits_{s.name}.xml"
    s.module.save_model(m, path)
    return text(s.core.read_model(path))


def prepared(m: Any, s: Side) -> Any:
    """A step behind the model, and none before it."""
    from importlib import import_module

    steps = import_module(f"{s.name}.preprocess").PrePostProcessor(m)
    steps.output(0).tensor().set_element_type(s.module.Type.f16)
    return text(steps.build())


def batched(s: Side) -> Any:
    model = s.read("unknown")
    model.get_parameters()[0].set_layout(s.module.Layout("NC"))
    s.module.set_batch(model, s.module.Dimension(1, 4))
    return text(model), str(s.module.get_batch(model))


def parameter(s: Side) -> Any:
    model = s.read("unknown")
    model.get_parameters()[0].set_partial_shape(s.module.PartialShape(SHAPES[0]))
    model.validate_nodes_and_infer_types()
    return text(model), str(model.get_parameters()[0].get_partial_shape())


LIMITING: dict[str, Behaviour] = {
    "Dimension with limits: text": dimension(lambda d: [str(d), d.to_string()]),
    "Dimension with limits: least, most": dimension(
        lambda d: [d.min_length, d.max_length, d.get_min_length(), d.get_max_length()]
    ),
    "Dimension with limits: is_dynamic": dimension(lambda d: [d.is_dynamic, d.is_static]),
    "Dimension with limits: get_length": lambda s: s.module.Dimension(1, 8).get_length(),
    "Dimensions with limits: ==": dimensions(lambda a, b: [a == b, a != b]),
    "Dimensions with limits: compatible": dimensions(lambda a, b: a.compatible(b)),
    "Dimensions with limits: refines": dimensions(lambda a, b: a.refines(b)),
    "Dimensions with limits: relaxes": dimensions(lambda a, b: a.relaxes(b)),
    "Dimensions with limits: same_scheme": dimensions(lambda a, b: a.same_scheme(b)),
    **{
        f"Dimension({size!r})": lambda s, size=size: str(s.module.Dimension(size)) for size in SIZES
    },
    "Dimension(8, 1)": lambda s: str(s.module.Dimension(8, 1)),
    "Dimension(-3)": lambda s: str(s.module.Dimension(-3)),
    **{f"PartialShape({sizes!r})": shape(str, sizes) for sizes in SHAPES},
    "PartialShape with limits: least, most": shape(
        lambda p: [list(p.get_min_shape()), list(p.get_max_shape())]
    ),
    "PartialShape with limits: no most": shape(lambda p: list(p.get_max_shape()), "2..,3"),
    "PartialShape with limits: is_dynamic": shape(lambda p: [p.is_dynamic, p.is_static]),
    "PartialShape with limits: to_shape": shape(lambda p: p.to_shape()),
    "PartialShape with limits: dimensions": shape(
        lambda p: [(d.min_length, d.max_length) for d in p]
    ),
    "PartialShape with limits: copied": shape(lambda p: str(copy.deepcopy(p))),
    "PartialShape[0] = Dimension(1, 8)": lambda s: after(
        p := s.module.PartialShape([1, 2]), p.__setitem__(0, s.module.Dimension(1, 8)), str(p)
    ),
    "PartialShapes with limits: ==": shapes(lambda a, b: a == b),
    "PartialShapes with limits: compatible": shapes(lambda a, b: a.compatible(b)),
    "PartialShapes with limits: refines": shapes(lambda a, b: a.refines(b)),
    "PartialShapes with limits: same_scheme": shapes(lambda a, b: a.same_scheme(b)),
    **{
        f"Model.reshape({sizes!r}): its input": limited(lambda m, s: text(m), sizes)
        for sizes in SHAPES
    },
    "Model.reshape: limits, a Dimension": lambda s: after(
        m := s.read("unknown"), m.reshape([s.module.Dimension(1, 8), 2]), text(m)
    ),
    "Model.reshape: limits, a PartialShape": lambda s: after(
        m := s.read("unknown"), m.reshape(s.module.PartialShape(SHAPES[0])), text(m)
    ),
    "Model.reshape: limits, outputs": limited(lambda m, s: str(m.output(0).partial_shape)),
    "Model.reshape: limits, is_dynamic": limited(lambda m, s: m.is_dynamic()),
    "Model.reshape: limits, the Parameter": limited(
        lambda m, s: str(m.get_parameters()[0].partial_shape)
    ),
    "Model.reshape: limits, cloned": limited(lambda m, s: text(m.clone())),
    "Model.reshape: limits, saved": limited(saved),
    "Model.reshape: limits, preprocessed": limited(prepared),
    "Model.reshape: limits, then none": limited(lambda m, s: after(m.reshape([-1, 2]), text(m))),
    "Model.reshape: limits, then a size": limited(lambda m, s: after(m.reshape([3, 2]), text(m))),
    "Model.reshape: limits, then others": limited(
        lambda m, s: after(m.reshape([(2, 4), 2]), text(m))
    ),
    "Model.reshape: limits, of a second input": limited(
        lambda m, s: after(m.reshape({1: [(2, 4), 3]}), text(m)), [(1, 4), 3], "two"
    ),
    "compiled: limits": limited(lambda m, s: text(s.core.compile_model(m, "CPU"))),
    "set_batch: limits": batched,
    "Parameter.set_partial_shape: limits": parameter,
    **{f"infer: {rows} rows of 1 to 8": called(rows) for rows in (1, 8, 9)},
    **{f"infer: {rows} rows of 2 or more": called(rows, "[2..,2]") for rows in (1, 2, 9)},
    "infer: limits, rows after rows": limited(
        lambda m, s: [
            s.core.compile_model(m, "CPU")([rows])[0].shape for rows in (ROWS, ROWS[:1], ROWS)
        ]
    ),
    "set_tensor: beyond limits": limited(
        lambda m, s: (
            s.core.compile_model(m, "CPU")
            .create_infer_request()
            .set_tensor("X", s.tensor(np.ones((9, 2), np.float32)))
        )
    ),
}
