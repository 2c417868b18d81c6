"""What tests of convolutions and of products of matrices have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod

import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.dialects import kernel
from lowstream.lowering.machine import AVX512_VNNI, PORTABLE, Isa
from lowstream.reference.arrays import Array
from lowstream.test.unit.lowering.codegen.judge import check
from lowstream.test.unit.lowering.codegen.native import Native


class ProductCase(ABC):
    """A kernel whose weights are packed for a machine."""

    @abstractmethod
    def program(self, isa: Isa) -> kernel.ProgramOp:
        """A program of this kernel alone."""

    @abstractmethod
    def inputs(self, program: kernel.ProgramOp, isa: Isa) -> list[Array]:
        """Random values; what packing fills up is zero, as it is in a real model."""

    def check(self, isa: Isa) -> Native:
        """The machine code, which agrees with the reference, in whichever direction it goes."""
        program = self.program(isa)
        return check(program, isa, self.inputs(program, isa))

    def check_refused_elsewhere(self) -> None:
        """Packed for the machine of the fewest lanes, it is not compiled for that of the most."""
        with pytest.raises(
            DiagnosticException, match=r"packed for 4 lanes, .* has 16; run pack-weights"
        ):
            Native(self.program(PORTABLE), AVX512_VNNI)
