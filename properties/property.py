"""What a property is: its name, which makes a pair with a value."""

from __future__ import annotations

from typing import Any


class Property(str):
    """
    The name of a property. With a value it is a pair, as `dict` takes them.

        {performance_mode: "LATENCY"}; dict([performance_mode("LATENCY")])
    """

    __slots__ = ()

    def __call__(self, *value: Any) -> Any:
        """The name, or a pair of it and a value."""
        if len(value) > 1:
            raise TypeError(f"{self} takes one value, not {len(value)}")
        return (str(self), value[0]) if value else str(self)
