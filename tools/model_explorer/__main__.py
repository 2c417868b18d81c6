"""Writes what Model Explorer opens: graphs of a model, and what each layer takes and loses, as JSON files."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from ..options import Parser, file

DESCRIPTION = """\
Writes what Google's Model Explorer opens: the graphs of a model, as it is and in low precision, and
for the nodes what each layer takes and how far quantization moves its values, on random inputs.
"""

EXAMPLES = """\
examples:
  python -m lowstream.tools.model_explorer model.xml -o out
  model-explorer out/model.json            then 'add per-node data': out/time.json, out/error.json
  model-explorer model.xml --extensions=lowstream.tools.model_explorer
"""


def arguments() -> Parser:
    """The command line."""
    parser = Parser("model_explorer", DESCRIPTION, EXAMPLES)
    parser.add_argument("model", type=file, help="the model: a file of any format that is read")
    parser.add_argument(
        "-o", dest="output", metavar="DIR", type=file, required=True, help="where to write"
    )
    return parser


def main(args: Sequence[str] | None = None) -> None:
    """The command line."""
    arguments().run(args, _write)


def _write(options: argparse.Namespace) -> None:
    from ...passes.whole_file import replacing
    from .graphs import graphs_of
    from .node_data import NAMES, node_data

    texts = {"model": json.dumps({"label": options.model.name, "graphs": graphs_of(options.model)})}
    texts |= {what: json.dumps(node_data(options.model, what)) for what in NAMES}
    options.output.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        with replacing(options.output / f"{name}.json") as draft:
            draft.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
