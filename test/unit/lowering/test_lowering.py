"""
Every pass of the lowering keeps what a model computes; the planned program computes what its kernels do.

Random models of all operations (`graphs.py`), run through the reference after each pass. What is exact stays
exact; values that order of computing or tanh may round differently stay within what rounding allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from xdsl.dialects.builtin import ModuleOp

from lowstream.dialects import context, kernel
from lowstream.lowering.lower_to_kernels import lowering_passes
from lowstream.lowering.plan import PlanMemory
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor
from lowstream.test.unit.lowering.graphs import Model, models

Step = tuple[list[Any], dict[str, Any]]


def run(executor: Executor | ProgramExecutor, feeds: Sequence[Any]) -> list[Step]:
    """Outputs and states after each of some calls."""
    steps: list[Step] = []
    for feed in feeds:
        outputs = [np.array(array) for array in executor.run(feed)]
        steps.append((outputs, {name: np.array(a) for name, a in executor.states.items()}))
    return steps


def program_of(module: ModuleOp) -> kernel.ProgramOp:
    (program,) = (op for op in module.ops if isinstance(op, kernel.ProgramOp))
    return program


@settings(
    max_examples=100, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(models())
def test_every_pass_keeps_the_model(model: Model):
    model.module.verify()
    feeds = [model.feeds(seed) for seed in range(3)]
    wanted = run(Executor(model.module), feeds)
    module, *before = model.module.clone(), *lowering_passes("portable")
    plan = before.pop()
    assert isinstance(plan, PlanMemory)
    given_, ctx, kept = wanted, context(), module.clone()
    for item in before:
        item.apply(ctx, module)
        if module.is_structurally_equivalent(kept):
            continue
        kept = module.clone()
        module.verify()
        given_ = run(Executor(module), feeds)
        for (outputs, states), (have, have_states) in zip(wanted, given_, strict=True):
            for known, a, b in zip(model.outputs, outputs, have, strict=True):
                assert (a.dtype, a.shape) == (b.dtype, b.shape), item.name
                if known.unit is not None:
                    np.testing.assert_array_equal(b, a, err_msg=item.name)
                else:
                    difference = np.abs(a.astype(np.float64) - b.astype(np.float64))
                    assert difference.max(initial=0) <= 2 * known.error + 1e-7, item.name
            assert states.keys() == have_states.keys()
            for name, state in states.items():
                np.testing.assert_array_equal(have_states[name], state, err_msg=item.name)
    plan.apply(ctx, module)
    module.verify()
    for (outputs, states), (have, have_states) in zip(
        given_, run(ProgramExecutor(program_of(module)), feeds), strict=True
    ):
        for a, b in zip(outputs, have, strict=True):
            np.testing.assert_array_equal(b, a)
        assert states.keys() == have_states.keys()
        for name, state in states.items():
            np.testing.assert_array_equal(have_states[name], state)
