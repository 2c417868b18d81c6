"""Writes the OpenVINO models of the tests into a folder, each with its weights beside it."""

from __future__ import annotations

import argparse
from pathlib import Path

from lowstream.test.unit.interop.openvino_models import parameter, save
from lowstream.test.unit.interop.test_openvino_bodies import (
    remember,
    test_if,
    test_loop,
    test_tensor_iterator_with_every_port,
)
from lowstream.test.unit.interop.test_openvino_operations import OPERATIONS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write; it holds no such files yet")
    folder: Path = parser.parse_args().folder
    for i, build in enumerate(OPERATIONS.values()):
        (folder / str(i)).mkdir(parents=True)
        x = parameter(2, 4)
        node = build(x)
        save(folder / str(i), node if isinstance(node, list) else node.outputs(), [x])
    for name in ("iterator", "loop", "counted", "if", "states"):
        (folder / name).mkdir()
    test_tensor_iterator_with_every_port(folder / "iterator")
    test_loop(folder / "loop", False)
    test_loop(folder / "counted", True)
    test_if(folder / "if")
    x = parameter(1, 4)
    result, assign = remember(x, [], 6)
    save(folder / "states", [result], [x], [assign])


if __name__ == "__main__":
    main()
