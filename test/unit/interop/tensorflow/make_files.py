"""
Makes files/: models of Keras as TensorFlow prints them, with what they give, for tests without TensorFlow.

    python test/unit/interop/tensorflow/make_files.py [NAME …]
"""

import sys
from pathlib import Path

import numpy as np
from xdsl.printer import Printer

from lowstream.interop.tensorflow.importer import imported
from lowstream.interop.tensorflow.keras import KerasCall
from lowstream.test.unit.interop.tensorflow.keras_models import calls, cases, model_of

FILES = Path(__file__).parent / "files"


def main() -> None:
    FILES.mkdir(exist_ok=True)
    for kind, name in cases():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        model = model_of(kind, name)
        arrays = {}
        for call, (x, outputs) in enumerate(calls(model, name)):
            arrays[f"{call}/x"] = x
            arrays |= {f"{call}/y{i}": y for i, y in enumerate(outputs)}
        np.savez_compressed(FILES / f"{kind}_{name}.npz", **arrays)
        with (FILES / f"{kind}_{name}.mlir").open("w") as file:
            Printer(file).print_op(imported(KerasCall.of(model).function()))
            file.write("\n")
        sys.stdout.write(f"{kind}_{name}\n")


if __name__ == "__main__":
    main()
