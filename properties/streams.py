"""The number of calls at a time: OpenVINO's `openvino.properties.streams`."""

from __future__ import annotations

from typing import ClassVar

from .property import Property


class Num(int):
    """A number of streams, or `AUTO`: one for each core."""

    AUTO: ClassVar[Num]
    NUMA: ClassVar[Num]

    def to_integer(self) -> int:
        """The number; -1 and -2 for `AUTO` and `NUMA`."""
        return int(self)


Num.AUTO, Num.NUMA = Num(-1), Num(-2)

num = Property("NUM_STREAMS")
