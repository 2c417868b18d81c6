"""
Composite functions of our models: a peephole LSTM, a minimal gated unit, and a gated linear unit, which is no RNN.

The models annotate them, `tf.function(experimental_implements="recurrent_cells.PeepholeLSTM")`; installing this
package is all it takes for lowstream's `prepare-composite-functions` to fuse them (see pyproject.toml).
"""

from .gated_linear_unit import GATED_LINEAR_UNIT
from .minimal_gated_unit import MINIMAL_GATED_UNIT
from .peephole import PEEPHOLE_LSTM

COMPOSITES = (PEEPHOLE_LSTM, MINIMAL_GATED_UNIT, GATED_LINEAR_UNIT)
