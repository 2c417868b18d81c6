"""The requests on the page about serving get the answers that stand below them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import lowstream
from lowstream.test.unit.tools.server.callers import app_of
from lowstream.tools.server.service import Service

DOCS = Path(__file__).parents[4] / "docs"


def data_of(answer: Any) -> list[float]:
    (output,) = answer["outputs"]
    return output["data"]


def test_the_first_requests_are_answered_as_the_page_says():
    text = (DOCS / "serving.md").read_text()
    (route, body) = re.findall(r"^curl localhost:8000(\S+) -d '(.*?)'$", text, re.M | re.S)[0]
    first, second = (
        json.loads(each) for each in re.findall(r'^\{"model_name".*?\}\]\}$', text, re.M | re.S)
    )
    model = lowstream.read_model(DOCS / "examples" / "step.mlir")
    lowstream.run_passes(model, "low-latency2,lpt")
    request = json.loads(body)
    with TestClient(app_of(Service(model, 4, 60), "step", 10_000)) as client:
        assert data_of(client.post(route, json=request).json()) == pytest.approx(
            data_of(first), rel=1e-6
        )
        del request["parameters"]["sequence_start"]
        assert data_of(client.post(route, json=request).json()) == pytest.approx(
            data_of(second), rel=1e-6
        )
