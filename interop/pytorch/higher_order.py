"""Operators of exported programs that take functions, as others that OpenVINO's front end reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

from .ports import example_of, free_sizes


def without_higher_order(program: Any) -> Any:
    """
    A `torch.export.ExportedProgram` that computes the same, whose scans and maps are `while_loop`, and whose flexible
    attention is written out. Raises DiagnosticException where it was exported without an example.
    """
    if not any(_rule(node) for node in program.graph.nodes):
        return program
    given, free = example_of(program), free_sizes(program)
    exported = import_module("torch.export").export
    return exported(_rewritten(program.module()), given, dynamic_shapes=free)


Rule = Callable[..., Any]


def _rule(node: Any) -> Rule | None:
    return _RULES.get(str(node.target)) if node.op == "call_function" else None


@cache
def _interpreter() -> Any:
    from torch.fx import Interpreter

    class ByRules(Interpreter):
        """Calls rules in place of operators that take functions."""

        def run_node(self, n: Any) -> Any:
            if (rule := _rule(n)) is None:
                return super().run_node(n)
            args, named = self.fetch_args_kwargs_from_env(n)
            return rule(*args, **named)

    return ByRules


def _rewritten(module: Any) -> Any:
    """The module of a program, called as `forward(inputs, named)`."""
    from torch.nn import Module

    tree = import_module("torch.utils._pytree")

    class Rewritten(Module):
        def __init__(self):
            super().__init__()
            self.module = module

        def forward(self, inputs: Any, named: Any) -> Any:
            leaves = tree.tree_leaves((inputs, named))
            results = _interpreter()(module).run(*leaves, enable_io_processing=False)
            return [each for each in tree.tree_leaves(results) if hasattr(each, "shape")]

    return Rewritten()


def _scan(step: Any, init: Sequence[Any], xs: Sequence[Any], others: Sequence[Any]) -> Any:
    """`carry, ys[i] = step(carry, xs[i])`, a result each for the last carry and for all of the ys."""
    torch, carried = import_module("torch"), len(init)
    first = step(*init, *(x.select(0, 0) for x in xs), *others)[carried:]
    length = xs[0].shape[0]
    results = [y.new_zeros((length, *y.shape)) for y in first]

    def goes_on(number: Any, *_: Any) -> Any:
        return number < length

    def body(number: Any, *values: Any) -> Any:
        groups = iter(values)
        carry, ys, whole, rest = (list(islice(groups, len(each))) for each in held)
        place = number.reshape(1)
        following = step(*carry, *(x.index_select(0, place).squeeze(0) for x in whole), *rest)
        written = (
            y.index_put((place,), new.unsqueeze(0))
            for y, new in zip(ys, following[carried:], strict=True)
        )
        # The front end knows no inputs but those that are carried, and none that a body gives back as it is.
        kept = [each.clone() for each in (*following[:carried], *whole, *rest)]
        return number + 1, *kept[:carried], *written, *kept[carried:]

    held = (init, results, xs, others)
    begin = (torch.zeros((), dtype=torch.int64), *(each.clone() for part in held for each in part))
    loop = import_module("torch._higher_order_ops.while_loop").while_loop_op
    return loop(goes_on, body, begin, ())[1 : 1 + carried + len(results)]


def _map(step: Any, xs: Sequence[Any], others: Sequence[Any]) -> Any:
    return _scan(step, (), xs, others)


def _attention(*args: Any) -> Any:
    return import_module("torch._higher_order_ops.flex_attention").math_attention(*args)


_RULES: dict[str, Rule] = {"scan": _scan, "map_impl": _map, "flex_attention": _attention}
