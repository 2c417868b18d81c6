"""Names of operations in a configuration: those of our dialects must exist."""

from __future__ import annotations

from difflib import get_close_matches

from ...dialects import DIALECTS


def why_no_operation(name: str) -> str | None:
    """What is wrong with the name of an operation, and what there is. Those of foreign dialects are not known."""
    dialect = name.split(".")[0]
    if dialect in DIALECTS:
        known = sorted(op.name for op in DIALECTS[dialect]().operations)
        if name in known:
            return None
        near = get_close_matches(name, known, n=3) or known
        return f"no operation '{name}'; there is {', '.join(near)}"
    if "." in name:
        return None
    known = sorted(op.name for one in ("nn", "rnn") for op in DIALECTS[one]().operations)
    plain = name.lower().replace("_", "")
    same = [one for one in known if one.split(".")[1].replace("_", "") == plain]
    near = ", ".join(same) or "nn.convolution, nn.mat_mul, …"
    return f"no operation '{name}'; names are as printed, there is {near}"
