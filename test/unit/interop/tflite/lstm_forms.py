"""What LiteRT's LSTMs may have beside gates, and their weights, for tests of files and of operations alike."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

BATCH, STEPS, INPUTS, CELLS, PROJECTED = 2, 5, 3, 4, 2


@dataclass(frozen=True)
class Options:
    """What an LSTM has beside its gates."""

    peephole: bool = False
    projected: bool = False
    normalized: bool = False
    coupled: bool = False
    diagonal: bool = False
    time_major: bool = False
    cell_clip: float = 0.0
    proj_clip: float = 0.0
    activation: str = "TANH"

    @property
    def outputs(self) -> int:
        return PROJECTED if self.projected else CELLS


OPTIONS = {
    "plain": Options(),
    "peephole": Options(peephole=True),
    "projected": Options(projected=True),
    "normalized": Options(normalized=True),
    "coupled": Options(coupled=True),
    "relu": Options(activation="RELU"),
    "cell_clip": Options(cell_clip=0.5),
    "proj_clip": Options(projected=True, proj_clip=0.2),
    "coupled, peephole, normalized": Options(coupled=True, peephole=True, normalized=True),
    "all": Options(True, True, True, cell_clip=0.5, proj_clip=0.2),
}
SEQUENCES = OPTIONS | {
    "diagonal": Options(diagonal=True),
    "time_major": Options(time_major=True),
}


class Weights(ABC):
    """The operands of an LSTM; tests say what they are."""

    @abstractmethod
    def add(self, *shape: int, present: bool = True, scale: float = 1.0) -> None:
        """An operand of noise."""

    def add_weights(self, o: Options) -> None:
        gates = (not o.coupled, True, True, True)
        for present in gates:
            self.add(CELLS, INPUTS, present=present)
        for present in gates:
            self.add(*((CELLS,) if o.diagonal else (CELLS, o.outputs)), present=present)
        for present in gates[:3]:
            self.add(CELLS, present=o.peephole and present)
        for present in gates:
            self.add(CELLS, present=present)
        self.add(PROJECTED, CELLS, present=o.projected, scale=0.3)
        self.add(PROJECTED, present=o.projected, scale=0.1)

    def add_norms(self, o: Options) -> None:
        for present in (not o.coupled, True, True, True):
            self.add(CELLS, present=o.normalized and present)
