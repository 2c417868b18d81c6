"""What plain `xdsl-opt` knows of us by the `xdsl.universe` entry point: names, nothing loaded."""

from xdsl.universe import Universe

from ..dialects import DIALECTS
from ..passes.registry import factories

UNIVERSE = Universe(all_dialects=dict(DIALECTS), all_passes=factories())
