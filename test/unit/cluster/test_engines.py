"""Engines that are not installed are named, with what installs them."""

import sys
from importlib import import_module

import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream.cluster.ray import keyed_streams
from lowstream.cluster.worker import ModelSpec


def test_beam_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "apache_beam", None)
    monkeypatch.delitem(sys.modules, "lowstream.cluster.beam", raising=False)
    with pytest.raises(DiagnosticException, match="needs the apache-beam package: pip install"):
        import_module("lowstream.cluster.beam")


def test_ray_is_missing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(DiagnosticException, match="needs the ray package: pip install"):
        keyed_streams(ModelSpec("a.mlir"), 1)
