"""Behaviours of what is noted of models and nodes, of layouts, and of files that have them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .inspecting import node
from .modelling import changed, model
from .side import Behaviour, Side, after

NOTES: dict[str, tuple[Any, Any]] = {
    "text": ("8", "framework"),
    "a number": (3, "epoch"),
    "a fraction": (1.5, ["conversion", "threshold"]),
    "a truth value": (True, ["flag"]),
    "a list": (["cat", "dog"], ["model_info", "labels"]),
    "a mapping": ({"p": 1, "q": "z"}, "options"),
    "a deep path": ("deep", ["a", "b", "c"]),
    "a name with a space": ("there", "two words"),
}


def value(given: Any) -> Any:
    """What a note holds."""
    return getattr(given, "value", given)


def noted(read: Callable[[Any, Any], Any], name: str, other: Any = None) -> Behaviour:
    """Of a model after `set_rt_info`."""
    note, path = NOTES[name]
    return changed(lambda m: m.set_rt_info(note, path), lambda m: read(m, other or path), "two")


def saved(s: Side, change: Callable[[Any], Any]) -> Any:
    """A model that was changed, written, and read again."""
    read = s.read()
    change(read)
    path = Path(s.folder) / f"noted_{s.name}.xml"
    s.module.save_model(read, path, compress_to_fp16=False)
    return s.core.read_model(path)


def kept(name: str) -> Behaviour:
    note, path = NOTES[name]
    return lambda s: value(saved(s, lambda m: m.set_rt_info(note, path)).get_rt_info(path))


NOTING: dict[str, Behaviour] = {
    **{
        f"set_rt_info, get_rt_info: {name}": noted(lambda m, path: value(m.get_rt_info(path)), name)
        for name in NOTES
    },
    **{f"rt_info in a file: {name}": kept(name) for name in NOTES},
    "has_rt_info": noted(lambda m, path: m.has_rt_info(path), "a fraction"),
    "has_rt_info: a part of a path": noted(
        lambda m, path: m.has_rt_info(path), "a fraction", ["conversion"]
    ),
    "has_rt_info: unknown": model(lambda m: m.has_rt_info("nothing")),
    "get_rt_info: unknown": model(lambda m: m.get_rt_info("nothing")),
    "get_rt_info: an unknown path": noted(
        lambda m, path: m.get_rt_info(path), "a fraction", ["conversion", "other"]
    ),
    "get_rt_info: a part of a path": noted(
        lambda m, path: value(m.get_rt_info(path)), "a fraction", "conversion"
    ),
    "get_rt_info(…).astype(str)": noted(lambda m, path: m.get_rt_info(path).astype(str), "text"),
    "get_rt_info(…).astype(int) of text": noted(
        lambda m, path: m.get_rt_info(path).astype(int), "text"
    ),
    "get_rt_info(…).astype(float)": noted(
        lambda m, path: m.get_rt_info(path).astype(float), "a number"
    ),
    "get_rt_info(…).astype(bool)": noted(
        lambda m, path: m.get_rt_info(path).astype(bool), "a truth value"
    ),
    "get_rt_info(…).astype(dict)": noted(
        lambda m, path: m.get_rt_info(path).astype(dict), "a mapping"
    ),
    "get_rt_info(…).aslist()": noted(lambda m, path: m.get_rt_info(path).aslist(str), "a list"),
    "get_rt_info(…) == text": noted(lambda m, path: m.get_rt_info(path) == "8", "text"),
    "get_rt_info(…) == number": noted(lambda m, path: m.get_rt_info(path) == 3, "a number"),
    "get_rt_info(…) != text": noted(lambda m, path: m.get_rt_info(path) == "9", "text"),
    "get_rt_info(…).get()": noted(lambda m, path: m.get_rt_info(path).get(), "text"),
    "get_rt_info(…) of a list: a member": noted(lambda m, path: m.get_rt_info(path)[1], "a list"),
    "get_rt_info(…) of a mapping: a member": noted(
        lambda m, path: value(m.get_rt_info(path)["q"]), "a mapping"
    ),
    "get_rt_info(…): len of a list": noted(lambda m, path: len(m.get_rt_info(path)), "a list"),
    "rt_info[name]": noted(lambda m, path: value(m.rt_info[path]), "text"),
    "rt_info[unknown]": model(lambda m: m.rt_info["nothing"]),
    "rt_info[name][name]": noted(
        lambda m, path: value(m.rt_info["conversion"]["threshold"]), "a fraction"
    ),
    "rt_info[name] = text": changed(
        lambda m: m.rt_info.__setitem__("mine", "text"),
        lambda m: value(m.get_rt_info("mine")),
        "two",
    ),
    "name in rt_info": noted(lambda m, path: path in m.rt_info, "text"),
    "unknown in rt_info": model(lambda m: "nothing" in m.rt_info),
    "rt_info.keys": noted(lambda m, path: path in list(m.rt_info), "text"),
    "rt_info.items": noted(
        lambda m, path: [value(each) for key, each in m.rt_info.items() if key == path], "text"
    ),
    "len(rt_info)": changed(
        lambda m: (m.set_rt_info("1", "one"), m.set_rt_info("2", "two")),
        lambda m: len(m.get_rt_info()) >= 2,
        "two",
    ),
    "del rt_info[name]": noted(
        lambda m, path: after(m.rt_info.__delitem__(path), m.has_rt_info(path)), "text"
    ),
    "get_rt_info() goes on": noted(
        lambda m, path: after(
            held := m.get_rt_info(), m.set_rt_info("9", "later"), "later" in held
        ),
        "text",
    ),
    "set_rt_info twice": changed(
        lambda m: (m.set_rt_info("1", "one"), m.set_rt_info("2", "one")),
        lambda m: value(m.get_rt_info("one")),
        "two",
    ),
    "set_rt_info of no text": model(lambda m: m.set_rt_info(object(), "one")),
    "clone: rt_info": noted(lambda m, path: value(m.clone().get_rt_info(path)), "text"),
    "clone: rt_info is its own": changed(
        lambda m: m.clone().set_rt_info("1", "one"), lambda m: m.has_rt_info("one"), "two"
    ),
    "reshape keeps rt_info": changed(
        lambda m: (m.set_rt_info("1", "one"), m.reshape([4, 2])),
        lambda m: value(m.get_rt_info("one")),
        "unknown",
    ),
    "compile_model of a model with rt_info": lambda s: after(
        m := s.read(), m.set_rt_info("1", "one"), len(s.core.compile_model(m, "CPU").outputs)
    ),
    "Node.rt_info[name] = text": node(
        lambda n: after(n.rt_info.__setitem__("mine", "text"), value(n.rt_info["mine"]))
    ),
    "Node.set_rt_info": node(
        lambda n: after(n.set_rt_info("text", "mine"), value(n.get_rt_info()["mine"]))
    ),
    "Node.get_rt_info()[unknown]": node(lambda n: n.get_rt_info()["nothing"]),
    "Node: name in get_rt_info()": node(lambda n: "nothing" in n.get_rt_info()),
    "Node.set_rt_info, asked of the model": changed(
        lambda m: m.get_ordered_ops()[-3].set_rt_info("text", "mine"),
        lambda m: value(m.get_ordered_ops()[-3].get_rt_info()["mine"]),
        "two",
    ),
    "Node.set_rt_info of a Parameter": changed(
        lambda m: m.parameters[0].set_rt_info("text", "mine"),
        lambda m: value(m.parameters[0].rt_info["mine"]),
        "two",
    ),
    "Node.set_rt_info: a clone": changed(
        lambda m: m.get_ordered_ops()[-3].set_rt_info("text", "mine"),
        lambda m: value(m.clone().get_ordered_ops()[-3].get_rt_info()["mine"]),
        "two",
    ),
    "Output.set_rt_info": changed(
        lambda m: m.input(0).set_rt_info("text", "mine"),
        lambda m: value(m.input(0).get_rt_info()["mine"]),
        "two",
    ),
    "Output.rt_info": model(lambda m: "mine" in m.input(0).rt_info),
}
