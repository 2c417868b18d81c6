"""
Draws the graphs that pages show, `images/*.svg`, of models in `examples/`. Graphviz is needed (`visualization.md`).

    python docs/pictures.py
"""

from __future__ import annotations

from pathlib import Path

import lowstream

HERE = Path(__file__).parent

PICTURES = {
    "block": ("block", ""),
    "block-lpt": ("block", "lpt"),
    "loop": ("step", ""),
    "loop-stateful": ("step", "low-latency2"),
    "step": ("step", "low-latency2,lpt"),
}
"""By picture, the example and the passes before it."""


def graph_of(picture: str) -> lowstream.Graph:
    """What a picture shows."""
    example, passes = PICTURES[picture]
    model = lowstream.read_model(HERE / "examples" / f"{example}.mlir")
    if passes:
        lowstream.run_passes(model, passes)
    return model.graph()


if __name__ == "__main__":
    for picture in PICTURES:
        (HERE / "images" / f"{picture}.svg").write_text(graph_of(picture).to_svg())
