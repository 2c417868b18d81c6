"""Elementwise maps: a body at every point of a domain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from xdsl.ir import Region, SSAValue

from ..operation import op_definition
from .access import Access
from .base import INS_OUTS_ACCESS, Epilogue, KernelOp, Written


@op_definition
class MapOp(KernelOp):
    """
    `out[access(p)] = body(in[access(p)], …)` at every point p of the domain.

        %y = kernel.map [2, 8] ins(%a, %b : tensor<2x8xf32>, tensor<8xf32>) outs()
            access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>,
                    affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x8xf32> {
        ^bb0(%x: f32, %z: f32):
          %s = arith.addf %x, %z : f32
          kernel.yield %s : f32
        }
    """

    name = "kernel.map"

    assembly_format = f"$domain {INS_OUTS_ACCESS} $body"

    def __init__(
        self,
        domain: Sequence[int],
        ins: Sequence[SSAValue],
        access: Sequence[Access],
        body: Region,
        **written: Unpack[Written],
    ):
        super().__init__([], domain, Epilogue(ins, access, body), **written)

    def verify_(self) -> None:
        self.check_body()
