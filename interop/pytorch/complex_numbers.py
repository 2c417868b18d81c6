"""Complex numbers in exported programs of PyTorch, as pairs of real ones, which OpenVINO's front end can read."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from typing import Any, cast

from xdsl.utils.exceptions import DiagnosticException

from .ports import example_of, free_sizes
from .transforms import inverse_real_transform, real_transform, transform


@dataclass(frozen=True)
class Pair:
    """The parts of a complex tensor."""

    real: Any
    imag: Any

    @classmethod
    def of(cls, value: Any) -> Pair:
        """A value that is complex, or real: a tensor or a number."""
        if isinstance(value, Pair):
            return value
        if isinstance(value, complex):
            return cls(value.real, value.imag)
        return cls(value, value * 0)

    @classmethod
    def last(cls, value: Any) -> Pair:
        """Of parts along the last dimension."""
        return cls(value.select(-1, 0), value.select(-1, 1))

    def stacked(self) -> Any:
        return import_module("torch").stack([self.real, self.imag], -1)

    def scaled(self, factor: Any) -> Pair:
        return Pair(self.real * factor, self.imag * factor)


Rule = Callable[..., Any]


def without_complex_numbers(program: Any) -> Any:
    """
    A `torch.export.ExportedProgram` that computes the same with real numbers, where it has complex ones in between.
    Raises DiagnosticException where inputs or results are complex, shapes are free, or an operator has no rule.
    """
    if not any(_is_complex(node) for node in program.graph.nodes):
        return program
    for node in program.graph.nodes:
        if (
            node.op == "placeholder"
            and _is_complex(node)
            and node.name in program.graph_signature.user_inputs
        ):
            raise DiagnosticException(
                f"input {node.name} of the exported program is complex; export it with torch.view_as_real of it, and "
                "torch.view_as_complex inside"
            )
    torch = import_module("torch")
    given, free = example_of(program), free_sizes(program)
    module = program.run_decompositions(_decompositions()).module()
    return torch.export.export(_with_pairs(module), given, dynamic_shapes=free)


def _decompositions() -> Any:
    """PyTorch's own, which leave attention whole."""
    torch = import_module("torch")
    table = torch.export.default_decompositions()
    table.pop(torch.ops.aten.scaled_dot_product_attention.default, None)
    return table


def _is_complex(node: Any) -> bool:
    """Whether a value is complex, or has been before its parts were taken."""
    if str(node.target) == "aten.stft.default":
        return True
    value = node.meta.get("val")
    values = cast("Sequence[Any]", value) if isinstance(value, list | tuple) else [value]
    return any(hasattr(each, "is_complex") and each.is_complex() for each in values)


@cache
def _interpreter() -> Any:
    from torch.fx import Interpreter

    tree: Any = import_module("torch.utils._pytree")

    class ByPairs(Interpreter):
        """Calls rules in place of operators of complex numbers."""

        def __init__(self, module: Any, constants: Mapping[str, Pair]):
            super().__init__(module)
            self.constants = constants

        def run_node(self, n: Any) -> Any:
            if n.op == "get_attr" and n.target in self.constants:
                return self.constants[n.target]
            args, named = self.fetch_args_kwargs_from_env(n)
            leaves = tree.tree_leaves((args, named), is_leaf=_is_pair)
            has_pairs = any(isinstance(each, Pair | complex) for each in leaves)
            if n.op == "output" and has_pairs:
                raise DiagnosticException(
                    "a result of the exported program is complex; return torch.view_as_real of it"
                )
            if n.op != "call_function" or not (has_pairs or _is_complex(n)) or _takes_items(n):
                return super().run_node(n)
            return rule_of(n.target)(*args, **named)

    return ByPairs


def _is_pair(value: Any) -> bool:
    return isinstance(value, Pair)


def _takes_items(node: Any) -> bool:
    return getattr(node.target, "__name__", "") == "getitem"


def _with_pairs(module: Any) -> Any:
    """The module, called as `forward(inputs, named)`, whose complex tensors are buffers of their parts."""
    from torch.nn import Module

    torch, tree = (import_module(name) for name in ("torch", "torch.utils._pytree"))
    interpreter = _interpreter()

    class Real(Module):
        def __init__(self):
            super().__init__()
            self.module = module
            self.names = list[str]()
            held = cast("Mapping[str, Any]", module.__dict__)
            tensors: Sequence[tuple[str, Any]] = (
                *module.named_parameters(),
                *module.named_buffers(),
            )
            for name, value in (*tensors, *held.items()):
                if hasattr(value, "is_complex") and value.is_complex():
                    parts: Any = torch.view_as_real(value.detach().resolve_conj()).clone()
                    self.register_buffer(f"pair_{len(self.names)}", parts)
                    self.names.append(name)

        def forward(self, inputs: Any, named: Any) -> Any:
            pairs = {
                name: Pair.last(getattr(self, f"pair_{i}")) for i, name in enumerate(self.names)
            }
            flat = tree.tree_leaves((inputs, named))
            return interpreter(module, pairs).run(*flat, enable_io_processing=False)

    return Real()


RULES: dict[str, Rule] = {}
"""By the name of an operator, without its overload."""


def rule_of(target: Any) -> Rule:
    name = target.name().removeprefix("aten::").partition(".")[0]
    if (rule := RULES.get(name)) is not None:
        return rule
    if name in _BY_PART:
        return partial(_by_part, target)
    raise DiagnosticException(
        f"aten.{name} of complex numbers has no rule here; compute it of torch.view_as_real, whose parts are real"
    )


_BY_PART = frozenset(
    [
        "view",
        "reshape",
        "permute",
        "transpose",
        "t",
        "unsqueeze",
        "squeeze",
        "slice",
        "select",
        "cat",
        "stack",
        "expand",
        "index_select",
        "index",
        "gather",
        "clone",
        "flip",
        "roll",
        "repeat",
        "split",
        "split_with_sizes",
        "unbind",
        "alias",
        "detach",
        "slice_scatter",
        "select_scatter",
        "scatter",
        "index_put",
        "_unsafe_view",
        "sum",
        "mean",
        "cumsum",
        "unfold",
        "copy",
        "lift_fresh_copy",
        "neg",
        "diagonal",
        "as_strided",
        "add",
        "sub",
        "scatter_add",
        "index_add",
        "where",
        "squeeze_copy",
        "constant_pad_nd",
        "tril",
        "triu",
        "movedim",
    ]
)
"""Operators whose parts are those of their operands' parts."""


def _by_part(target: Any, *args: Any, **named: Any) -> Any:
    tree = import_module("torch.utils._pytree")

    def part(value: Any, name: str) -> Any:
        if isinstance(value, Pair | complex):
            return getattr(value, name)
        is_added = name == "imag" and getattr(value, "is_floating_point", lambda: False)()
        if is_added or (name == "imag" and isinstance(value, float)):
            return value * 0
        return value

    named = {key: value for key, value in named.items() if key != "dtype"}
    if target.name().startswith(("aten::add", "aten::sub", "aten::where")):
        args = tuple(each if _is_condition(each) else Pair.of(each) for each in args)
    parts = [
        target(*tree.tree_map(partial(part, name=name), args, is_leaf=_is_pair), **named)
        for name in ("real", "imag")
    ]
    if isinstance(parts[0], list | tuple):
        return [Pair(*each) for each in zip(*parts, strict=True)]
    return Pair(*parts)


def _is_condition(value: Any) -> bool:
    return getattr(value, "dtype", None) == import_module("torch").bool


def _rule(*names: str) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, rule))
        return rule

    return register


@_rule("real")
def _real(x: Pair) -> Any:
    return x.real


@_rule("imag")
def _imag(x: Pair) -> Any:
    return x.imag


@_rule("view_as_real", "view_as_real_copy")
def _view_as_real(x: Pair) -> Any:
    return x.stacked()


@_rule("view_as_complex", "view_as_complex_copy")
def _view_as_complex(x: Any) -> Pair:
    return Pair.last(x)


@_rule("complex")
def _complex(real: Any, imag: Any) -> Pair:
    return Pair(*import_module("torch").broadcast_tensors(real, imag))


@_rule("polar")
def _polar(size: Any, angle: Any) -> Pair:
    return Pair(size * angle.cos(), size * angle.sin())


@_rule("abs")
def _abs(x: Pair) -> Any:
    return (x.real * x.real + x.imag * x.imag).sqrt()


@_rule("angle")
def _angle(x: Pair) -> Any:
    return import_module("torch").atan2(x.imag, x.real)


@_rule("_conj", "_conj_physical", "conj_physical", "conj")
def _conj(x: Pair) -> Pair:
    return Pair(x.real, -x.imag)


@_rule("resolve_conj", "resolve_neg")
def _same(x: Any) -> Any:
    return x


@_rule("_to_copy")
def _to_copy(x: Any, *, dtype: Any = None, **named: Any) -> Any:
    """Widths of parts stay, which are single precision; of a real type, the imaginary part is left out."""
    if dtype is None or dtype.is_complex:
        return Pair.of(x)
    return x.real.to(dtype)


@_rule("mul")
def _mul(x: Any, y: Any) -> Pair:
    if isinstance(x, Pair) and isinstance(y, Pair | complex):
        y = Pair.of(y)
        return Pair(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)
    if isinstance(x, Pair):
        return x.scaled(y)
    return _mul(Pair.of(y), x) if isinstance(y, complex) else y.scaled(x)


@_rule("reciprocal")
def _reciprocal(x: Pair) -> Pair:
    square = x.real * x.real + x.imag * x.imag
    return Pair(x.real / square, -x.imag / square)


@_rule("div")
def _div(x: Any, y: Any) -> Pair:
    if isinstance(y, Pair | complex):
        y = Pair.of(y)
        square = y.real * y.real + y.imag * y.imag
        return _mul(Pair.of(x), Pair(y.real / square, -y.imag / square))
    return Pair(x.real / y, x.imag / y)


@_rule("exp")
def _exp(x: Pair) -> Pair:
    return _polar(x.real.exp(), x.imag)


@_rule("sgn")
def _sgn(x: Pair) -> Pair:
    size = _abs(x)
    return x.scaled(import_module("torch").where(size == 0, 0, 1 / size))


@_rule("pow")
def _pow(x: Any, exponent: Any) -> Pair:
    """By whole numbers by products, by others in polar form."""
    if isinstance(exponent, int) and 0 < exponent < 8:
        result = x
        for _ in range(exponent - 1):
            result = _mul(result, x)
        return result
    return _polar(_abs(x) ** exponent, _angle(x) * exponent)


def _product(name: str, x: Any, y: Any) -> Pair:
    product = getattr(import_module("torch"), name)
    x, y = Pair.of(x), Pair.of(y)
    return Pair(
        product(x.real, y.real) - product(x.imag, y.imag),
        product(x.real, y.imag) + product(x.imag, y.real),
    )


for _name in ("mm", "bmm", "mv", "dot"):
    RULES[_name] = partial(_product, _name)


@_rule("full")
def _full(size: Sequence[int], value: Any, **named: Any) -> Pair:
    torch, value = import_module("torch"), complex(value)
    return Pair(torch.full(size, value.real), torch.full(size, value.imag))


@_rule("scalar_tensor")
def _scalar(value: Any, **named: Any) -> Pair:
    return _full([], value)


@_rule("eq")
def _equal(x: Any, y: Any) -> Any:
    x, y = Pair.of(x), Pair.of(y)
    return (x.real == y.real) & (x.imag == y.imag)


@_rule("_fft_r2c")
def _fft_r2c(x: Any, dims: Sequence[int], normalization: int, onesided: bool) -> Pair:
    factor = _factor(x, dims, normalization)
    if onesided:
        return Pair.last(real_transform(x, dims)).scaled(factor)
    return Pair.last(transform(Pair.of(x).stacked(), dims, False)).scaled(factor)


@_rule("_fft_c2c")
def _fft_c2c(x: Pair, dims: Sequence[int], normalization: int, forward: bool) -> Pair:
    factor = _factor(x.real, dims, normalization)
    if not forward:  # the inverse of OpenVINO divides by the number of elements
        factor = factor * math.prod(x.real.shape[d] for d in dims)
    return Pair.last(transform(x.stacked(), dims, not forward)).scaled(factor)


@_rule("_fft_c2r")
def _fft_c2r(x: Pair, dims: Sequence[int], normalization: int, size: int) -> Any:
    result = inverse_real_transform(x.stacked(), dims, size)
    return result * (
        _factor(result, dims, normalization) * math.prod(result.shape[d] for d in dims)
    )


def _factor(x: Any, dims: Sequence[int], normalization: int) -> float:
    """ATen's 0 is none, 1 the root of the number of elements, 2 the number."""
    count = math.prod(x.shape[d] for d in dims)
    return (1, count**-0.5, 1 / count)[normalization]
