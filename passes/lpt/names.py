"""Names of operations in a configuration: those of our dialects must exist."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, OptOperandDef, VarOperandDef

from ...dialects import DIALECTS


def similar_transformations(name: str, known: Collection[str]) -> Sequence[str]:
    """The transformations that a name may mean, also one of OpenVINO's classes (`MatMulTransformation`); else all."""
    from difflib import get_close_matches  # few names are wrong

    plain = name.casefold().removesuffix("transformation").replace("_", "")
    names = {each.replace("_", ""): each for each in sorted(known)}
    near = [plain] if plain in names else get_close_matches(plain, names)
    if plain and plain not in names:
        near += [each for each in names if each.startswith(plain) and each not in near]
    return [names[each] for each in near] or sorted(known)


def why_no_operation(name: str) -> str | None:
    """What is wrong with the name of an operation, and what there is. Those of foreign dialects are not known."""
    dialect = name.split(".")[0]
    if _kind_of(name) is not None:
        return None
    if dialect in DIALECTS:
        from difflib import get_close_matches  # few names are wrong

        known = sorted(op.name for op in DIALECTS[dialect]().operations)
        near = get_close_matches(name, known, n=3) or known
        return f"no operation '{name}'; there is {', '.join(near)}"
    if "." in name:
        return None
    known = sorted(op.name for one in ("nn", "rnn") for op in DIALECTS[one]().operations)
    plain = name.lower().replace("_", "")
    same = [one for one in known if one.split(".")[1].replace("_", "") == plain]
    near = ", ".join(same) or "nn.convolution, nn.mat_mul, …"
    return f"no operation '{name}'; names are as printed, there is {near}"


def why_no_input(name: str, port: int) -> str | None:
    """What is wrong with the number of an operation's input. Foreign operations may have any number of them."""
    kind = _kind_of(name)
    if kind is None or not issubclass(kind, IRDLOperation):
        return None
    inputs = [one for _, one in kind.get_irdl_definition().operands]
    if any(isinstance(one, VarOperandDef) and not isinstance(one, OptOperandDef) for one in inputs):
        return None if port >= 0 else f"no input {port}; they count from 0"
    if 0 <= port < len(inputs):
        return None
    known = ", ".join(map(str, range(len(inputs)))) or "none"
    return f"{name} has no input {port}; there is {known}"


def why_no_effect(name: str, port: int, about: Collection[str]) -> str | None:
    """What is wrong with a restriction of an input, where the transformations are about these operations."""
    if why := why_no_operation(name) or why_no_input(name, port):
        return why
    if name in about:
        return None
    if _kind_of(name) is not None:
        return f"{name} takes values only: no transformation is about it"
    from difflib import get_close_matches

    near = ", ".join(get_close_matches(name, sorted(about)) or sorted(about))
    return f"no transformation is about '{name}'; there are some about {near}"


def _kind_of(name: str) -> type[Operation] | None:
    dialect = name.split(".")[0]
    operations = DIALECTS[dialect]().operations if dialect in DIALECTS else ()
    return next((op for op in operations if op.name == name), None)
