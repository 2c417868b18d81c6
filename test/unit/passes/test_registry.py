"""The table of passes, which tools list without importing any, says what the pass classes say."""

import dataclasses
from importlib import import_module
from pkgutil import walk_packages

import pytest
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from lowstream import lowering, passes
from lowstream.passes.pipeline import parse_pipeline, quoted
from lowstream.passes.registry import PASSES, PassInfo, factories

by_name = pytest.mark.parametrize("info", PASSES, ids=lambda info: info.name)
renamed = pytest.mark.parametrize(
    "info", [info for info in PASSES if info.old_name], ids=lambda info: info.old_name
)


RENAMED = {("replace-constant", "constants"): "name"}
"""Options whose field has another name: `name` is the pass's own."""


def listed_options(info: PassInfo) -> dict[str, str]:
    """Option names and their defaults; `…` where there is none."""
    return dict(option.split("=", 1) for option in info.options.split())


@by_name
def test_class_and_name(info: PassInfo):
    loaded = info.load()
    assert issubclass(loaded, ModulePass)
    assert loaded.name == info.name
    assert loaded.__name__ == info.cls


@by_name
def test_options_are_the_fields_with_their_defaults(info: PassInfo):
    options = listed_options(info)
    fields = {
        RENAMED.get((info.name, field.name), field.name.replace("_", "-")): field
        for field in dataclasses.fields(info.load())
        if field.init and field.name != "name"
    }
    assert options.keys() == fields.keys()
    for name, field in fields.items():
        if not options[name].startswith("…"):
            default = field.default
            assert options[name] == (str(default).lower() if default is not None else "")


@by_name
def test_defaults_can_be_written_out(info: PassInfo):
    options = {
        name: text for name, text in listed_options(info).items() if not text.startswith("…")
    }
    if len(options) < len(listed_options(info)):
        return  # an option without a default may be needed
    text = " ".join(f"{name}={value}" for name, value in options.items())
    assert parse_pipeline(f"{info.name}{{{text}}}") == parse_pipeline(info.name)


@by_name
def test_summary_is_one_short_line(info: PassInfo):
    assert "\n" not in info.summary
    assert 0 < len(info.summary) < 90
    assert not info.summary.endswith(".")


@renamed
def test_an_old_name_is_a_hidden_alias(info: PassInfo):
    assert parse_pipeline(info.old_name) == parse_pipeline(info.name)
    assert info.old_name not in factories()
    with pytest.raises(DiagnosticException, match="there is no pass") as raised:
        parse_pipeline(f"{info.old_name}s")
    assert info.old_name not in str(raised.value).split(";")[1]


def concrete(base: type[ModulePass]) -> set[type[ModulePass]]:
    """The passes below a class that have a name of their own."""
    below = set[type[ModulePass]]().union(*map(concrete, base.__subclasses__()))
    return below | {base} if "name" in vars(base) else below


def test_every_pass_is_listed():
    for package in (passes, lowering):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    ours = {p.name for p in concrete(ModulePass) if p.__module__.startswith("lowstream.")}
    assert ours == factories().keys()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a{f=my.csv}", 'a{f="my.csv"}'),
        ("a{f=x/y.csv,z.csv g=true},b", 'a{f="x/y.csv","z.csv" g=true},b'),
        ("a{n=1,-2.5,1.5e-3 s=cpu-x86}", "a{n=1,-2.5,1.5e-3 s=cpu-x86}"),
        ('a{s="already, quoted/x"}', 'a{s="already, quoted/x"}'),
        ('a{s="X=1x?x16,Y=?" t=?}', 'a{s="X=1x?x16,Y=?" t="?"}'),
    ],
)
def test_paths_are_quoted(text: str, expected: str):
    assert quoted(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no-such-pass", "there is no pass 'no-such-pass'; opt-tool --help lists passes$"),
        ("lpt,low_latency2", "there is no pass 'low_latency2'; did you mean low-latency2.*[?]$"),
        ("lpt{levels=16}", "pipeline 'lpt{levels=16}': lpt has no option 'levels'"),
        ("lpt{", "pipeline 'lpt{': "),
        (
            "low-latency2{use-const-initializer=3}",
            "use-const-initializer takes true or false, not 3$",
        ),
        ("low-latency2{use_const=true}", "no option 'use_const'; did you mean use-const-init"),
    ],
)
def test_a_wrong_pipeline_is_one_line(text: str, message: str):
    with pytest.raises(DiagnosticException, match=message) as raised:
        parse_pipeline(text)
    assert "\n" not in str(raised.value)


def test_a_list_takes_names_and_passes():
    assert parse_pipeline(["lpt", "unroll-loops,fold-constants"]) == parse_pipeline(
        "lpt,unroll-loops,fold-constants"
    )
    one = parse_pipeline("lpt")[0]
    assert parse_pipeline([one, ["fold-constants"]]) == parse_pipeline("lpt,fold-constants")


@pytest.mark.parametrize("wrong", [None, 3, ModulePass, [None]], ids=str)
def test_what_is_no_pass_is_said(wrong):
    with pytest.raises(DiagnosticException, match="text, a pass object or a list of these, not "):
        parse_pipeline(wrong)
