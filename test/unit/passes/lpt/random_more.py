"""What random models are made of beside plain layers, since the second edition."""

from random_bodies import branch, iterator, state
from random_forms import again, coarse, floating, linear, padded
from random_layers import Rule
from random_recurrent import cell, sequence

MORE: list[Rule] = [
    linear, padded, coarse, again, floating, cell, sequence, iterator, branch, state,
]  # fmt: skip
