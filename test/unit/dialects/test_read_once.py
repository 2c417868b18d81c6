"""What is read of an attribute is read once, and never taken for what another attribute says."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import StringAttr

from lowstream.dialects import read_once
from lowstream.dialects.read_once import ReadOnce


def test_each_attribute_is_read_once_by_identity(monkeypatch: pytest.MonkeyPatch):
    seen: list[StringAttr] = []

    def length(attribute: StringAttr) -> int:
        seen.append(attribute)
        return len(attribute.data)

    monkeypatch.setattr(read_once, "MANY", 2)
    read, words = ReadOnce(length), [StringAttr(word) for word in ("a", "bb", "a")]
    assert [read(word) for word in (*words[:2], *words[:2])] == [1, 2, 1, 2]
    assert len(seen) == 2
    assert read(words[2]) == 1  # an equal one, for which there is no room beside the two
    assert [read(word) for word in words] == [1, 2, 1]
    assert len(seen) == 6
