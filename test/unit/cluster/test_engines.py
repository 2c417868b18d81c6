"""Engines that are not installed are named, with what installs them."""

import sys
from importlib import import_module

import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.cluster.ray import keyed_streams
from lowstream.cluster.worker import ModelSpec


@pytest.mark.parametrize(
    ("module", "package", "imported"),
    [
        ("lowstream.cluster.beam", "apache-beam", "apache_beam"),
        ("lowstream.cluster.dask_workers", "distributed", "distributed"),
    ],
)
def test_an_engine_is_missing(
    monkeypatch: pytest.MonkeyPatch, module: str, package: str, imported: str
):
    monkeypatch.setitem(sys.modules, imported, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(DiagnosticException, match=f"needs the {package} package: pip install"):
        import_module(module)


def test_ray_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(DiagnosticException, match="needs the ray package: pip install"):
        keyed_streams(ModelSpec("a.mlir"), 1)
