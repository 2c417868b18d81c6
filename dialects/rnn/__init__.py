"""
`rnn`: recurrent layers, one step or a whole sequence, with OpenVINO's attributes, gate order and weights.

Cells: X [batch, input_size], H and C [batch, hidden_size], W [gates * hidden_size, input_size],
R [gates * hidden_size, hidden_size], B [gates * hidden_size] (linear_before_reset: one more part).
Sequences: X [batch, steps, input_size], H and C [batch, directions, hidden_size], sequence_lengths
[batch], W, R and B with a leading dimension for the directions, Y [batch, directions, steps, hidden_size].
"""

from xdsl.ir import Dialect

from ..tables import operations_of
from .cells import *
from .recurrent import *
from .sequences import *

Rnn = Dialect("rnn", operations_of("rnn", globals()))
