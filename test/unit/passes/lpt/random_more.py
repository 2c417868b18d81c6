"""What random models are made of beside plain layers, since the second edition."""

from lowstream.test.unit.passes.lpt.random_bodies import branch, iterator, state
from lowstream.test.unit.passes.lpt.random_forms import again, coarse, floating, linear, padded
from lowstream.test.unit.passes.lpt.random_layers import Rule
from lowstream.test.unit.passes.lpt.random_recurrent import cell, sequence

MORE: list[Rule] = [
    linear, padded, coarse, again, floating, cell, sequence, iterator, branch, state,
]  # fmt: skip
