"""
Builds the site: the pages of this folder, and what docstrings say of the library, dialects and passes.

    python docs/build.py [FOLDER]       # into FOLDER/site; without one, build/site
"""

from __future__ import annotations

import ast
import inspect
import logging
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NamedTuple

from xdsl.ir import Operation

import lowstream
from lowstream.dialects import DIALECTS
from lowstream.dialects.inferred import InferredOp
from lowstream.dialects.names import names_of, namesakes
from lowstream.interop.openvino.graph import HANDLERS, PORTS, reads
from lowstream.interop.openvino.nodes import operation_classes
from lowstream.interop.openvino.refused import OPSETS, refusal, types_of_opsets
from lowstream.passes.registry import PASSES

HERE = Path(__file__).parent
ROOT = HERE.parent

TITLES = {"openvino": "OpenVINO", "tensorflow": "TensorFlow", "litert": "LiteRT", "onnx": "ONNX"}


def dialect_pages() -> Iterator[tuple[str, str]]:
    """A page for each dialect: its operations with their law and a line of IR."""
    for name, load in DIALECTS.items():
        dialect = load()
        lines = [f"# `{name}`", "", _dialect_text(name), ""]
        for op in dialect.operations:
            lines += [
                f"## `{op.name}`",
                "",
                _markdown(inspect.getdoc(op) or ""),
                "",
                *_known_as(op),
            ]
        yield f"dialects/{name}.md", "\n".join(lines)


def _known_as(op: type[Operation]) -> list[str]:
    """What an operation is called elsewhere, as a table."""
    names = asdict(names_of(op))
    listed = [f"| {TITLES[key]} | {_versioned(value)} |" for key, value in names.items() if value]
    return ["| in | its name |", "|---|---|", *listed, ""] if listed else []


def openvino_page() -> str:
    """All operations of OpenVINO's opsets: what each is here, or why it is refused."""
    lines = [
        "# Operations of OpenVINO",
        "",
        f"Of opsets {OPSETS[0]} to {OPSETS[-1]}, what each type is here, or why it is refused.",
        "",
        "| OpenVINO | here |",
        "|---|---|",
    ]
    types = {*types_of_opsets(), *HANDLERS, *PORTS}
    known = {
        type.lower() for type in types
    }  # Python's functions make not all, and spell some otherwise
    types |= {name for name in namesakes("openvino", InferredOp) if name.lower() not in known}
    for type in sorted(types):
        kind = operation_classes().get(type.lower())
        if kind is not None:
            here = f"[`{kind.name}`](dialects/{kind.name.partition('.')[0]}.md)"
        else:
            here = "read" if reads(type) else f"refused: {refusal(type)}"
        lines.append(f"| `{type}` | {here} |")
    return "\n".join(lines) + "\n"


def _versioned(names: str) -> str:
    """`Exp-13` as the name and the opset that changed it last."""
    parts = (name.partition("-") for name in names.split())
    return ", ".join(f"`{name}`" + f" (opset {opset})" * bool(opset) for name, _, opset in parts)


def _dialect_text(name: str) -> str:
    package = f"lowstream.dialects.{name}"
    return _markdown(inspect.getdoc(sys.modules[package]) or "")


def pass_page() -> str:
    """All passes with their options and laws."""
    lines = [
        "# Passes",
        "",
        "Each pass is also a flag of `opt-tool`, in the order of the command line, and a name in",
        "`lowstream.run_passes(model, …)`. `opt-tool --help` prints this list.",
        "",
        "| pass | does |",
        "|---|---|",
    ]
    for info in PASSES:
        options = f"{{{info.options}}}" if info.options else ""
        lines.append(f"| [`{info.name}{options}`](#{info.name}) | {info.summary} |")
    for info in PASSES:
        lines += [
            "",
            f"## `{info.name}` {{#{info.name}}}",
            "",
            _markdown(inspect.getdoc(info.load()) or ""),
        ]
        if (HERE / "passes" / f"{info.name}.md").exists():
            lines += ["", f"More: [{info.name}]({info.name}.md)"]
    return "\n".join(lines)


def _markdown(text: str) -> str:
    """A docstring as Markdown: indented lines are IR, and `[a][b]` is no link."""
    out: list[str] = []
    inside = False
    for line in text.splitlines():
        is_code = line.startswith("    ")
        if is_code and not inside:
            out += ["", "```mlir"]
        if inside and line and not is_code:
            out += ["```", ""]
        inside = is_code or (inside and not line)
        unlinked = re.sub(r"(`[^`]*`)|\]\[", lambda found: found[1] or r"]\[", line)
        out.append(line[4:] if is_code else unlinked)
    if inside:
        out.append("```")
    return "\n".join(out)


def python_page() -> str:
    """What `import lowstream` gives, from its docstrings."""
    sections = (f"::: lowstream.{name}" for name in (*lowstream.__all__, "preprocess"))
    return "\n\n".join(["# Python", "What `import lowstream` gives.", *sections]) + "\n"


PARTS = {
    "runtime": "Running",
    "interop": "Reading and writing",
    "passes": "Passes",
    "lowering": "Compiling",
    "dialects": "Operations and attributes",
    "tools": "The command line",
}
"""The folders whose messages users meet, and what they are about."""

INTERNAL = ("AssertionError", "NotImplementedError", "SystemExit", "KeyError", "StopIteration")


class Message(NamedTuple):
    """What an error says: `…` stands for names and numbers of the model."""

    file: Path
    about: str
    """The first paragraph of the file."""
    text: str

    @property
    def what(self) -> str:
        """What is wrong."""
        return self.text.rpartition(";")[0] or self.text

    @property
    def advice(self) -> str:
        """What to do: by our rule what stands behind the last semicolon."""
        what, _, advice = self.text.rpartition(";")
        return advice.strip() if what else ""


@cache
def messages(folder: str) -> tuple[Message, ...]:
    """The messages of a folder, each once, in the order of its files."""
    found: list[Message] = []
    for file in sorted((ROOT / folder).rglob("*.py")):
        text = file.read_text()
        if "raise " in text:
            tree = ast.parse(text)
            about = (ast.get_docstring(tree) or "").partition("\n\n")[0]
            texts = dict.fromkeys(_messages_of(tree))
            found += [Message(file.relative_to(ROOT), about, said) for said in texts]
    return tuple(found)


def _messages_of(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)):
            continue
        if node.exc.args and ast.unparse(node.exc.func) not in INTERNAL:
            texts = map(template, node.exc.args)
            yield from (text for text in texts if re.search(r"[a-z]{2,} ", text))


def template(node: ast.expr) -> str:
    """A text with `…` for what is put into it; nothing where it is no text."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            return re.sub("…(…)+", "…", "".join(template(value) or "…" for value in values))
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return (template(left) or "…") + (template(right) or "…")
        case _:
            return ""


def messages_page() -> str:
    """All messages by what they are about."""
    lines = [
        "# All messages",
        "",
        "Made from the code: what errors say, with `…` for what they name.",
        "[What people meet first](errors.md) is shown with examples.",
    ]
    for folder, title in PARTS.items():
        lines += ["", f"## {title}"]
        file = None
        for message in messages(folder):
            if message.file != file:
                file = message.file
                lines += [
                    "",
                    f"`{file}`: {_cell(message.about)}",
                    "",
                    "| it says | what to do |",
                    "|---|---|",
                ]
            lines.append(f"| {_cell(message.what)} | {_cell(message.advice)} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Text for a table, in which nothing is markup."""
    text = " ".join(text.split())
    return re.sub(r"([\\`*_{}\[\]<>|#])", lambda found: f"&#{ord(found[1])};", text)


def page_of_root(name: str) -> str:
    """A page that lies or leads outside of this folder, its links turned to where pages are."""
    text = (ROOT / name).read_text()
    for here, there in LINKS.items():
        text = text.replace(f"]({here}", f"]({there}")
    return text


LINKS = {
    "../README.md)": "overview.md)",
    "../": "",
    "docs/": "",
    "LICENSE)": "https://www.apache.org/licenses/LICENSE-2.0)",
}


def write_pages(pages: Path) -> None:
    """Puts all pages, those that are written and those that docstrings make, in one folder."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(
        HERE, pages, ignore=shutil.ignore_patterns("*.py", "*.mlir", "*.safetensors", "*.yml")
    )
    made = {
        "overview.md": page_of_root("README.md"),
        **{
            name: page_of_root(name)
            for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")
        },
        **{name: page_of_root(f"docs/{name}") for name in ("index.md", "subjects.md")},
        "passes/index.md": pass_page(),
        "python.md": python_page(),
        "messages.md": messages_page(),
        "openvino_operations.md": openvino_page(),
        **dict(dialect_pages()),
    }
    for name, text in made.items():
        target = pages / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)


def documented_modules(pages: Path) -> set[str]:
    """What defines the names after `:::` in pages, and their bases; what they are imported from; their packages."""
    text = "\n".join(page.read_text() for page in pages.rglob("*.md"))
    modules = {"lowstream", "lowstream.preprocess"}
    for root in (lowstream, lowstream.preprocess):
        for node in ast.walk(ast.parse(inspect.getsource(root))):
            if isinstance(node, ast.ImportFrom) and node.level:
                modules.add(f"lowstream.{node.module}")
    for name in re.findall(r"^::: (\S+)$", text, re.MULTILINE):
        value = resolve_name(name)
        modules |= {each.__module__ for each in getattr(value, "__mro__", ())}
        modules.add(name if name in sys.modules else name.rpartition(".")[0])
    inside = [name.split(".") for name in modules if name.startswith(("lowstream", "xdsl"))]
    return {".".join(parts[:n]) for parts in inside for n in range(1, len(parts) + 1)}


def link_library(pages: Path) -> None:
    """Puts documented modules alone into build/library: mkdocstrings reads all that lies in a package's folder."""
    library = ROOT / "build" / "library"
    shutil.rmtree(library, ignore_errors=True)
    for name in documented_modules(pages):
        spec = find_spec(name)
        assert spec is not None and spec.origin is not None
        place = library.joinpath(*name.split("."))
        is_package = spec.submodule_search_locations is not None
        link = place / "__init__.py" if is_package else place.with_suffix(".py")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(spec.origin)


def listed(entry: Any, pages: Path) -> Any:
    """An entry of the navigation in which a folder stands for its pages, `index.md` first."""
    match entry:
        case dict():
            return {title: listed(below, pages) for title, below in entry.items()}
        case list():
            found = (listed(below, pages) for below in entry)
            return [page for each in found for page in (each if isinstance(each, list) else [each])]
        case str() if (folder := pages / entry).is_dir():
            ordered = sorted(folder.glob("*.md"), key=lambda page: (page.name != "index.md", page))
            return [str(page.relative_to(pages)) for page in ordered]
        case _:
            return entry


def main(folder: Path) -> None:
    """Writes all pages, then lets mkdocs build the site. A warning is an error."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    logging.basicConfig(format="%(levelname)s: %(message)s", level=logging.WARNING)
    pages, site = folder / "pages", folder / "site"
    write_pages(pages)
    link_library(pages)
    config = load_config(str(HERE / "mkdocs.yml"), docs_dir=str(pages), site_dir=str(site))
    config.nav = listed(config.nav, pages)
    build(config)
    print(f"The site is in {site}; open index.html there.")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build")
