"""A client in this process, and the address of a server that listens."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from lowstream.test.unit.runtime import runtime_models
from lowstream.test.unit.tools.server.callers import app_of, service, serving


@pytest.fixture
def new_client() -> Iterator[TestClient]:
    """The only client of a server."""
    with TestClient(app_of(service(runtime_models.SUMS), "sums", 10_000)) as client:
        yield client


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """A client whose server stays for all tests of a file: nothing of a request is to be left in it."""
    with TestClient(app_of(service(runtime_models.SUMS), "sums", 10_000)) as client:
        yield client


@pytest.fixture
def address() -> Iterator[str]:
    with serving(service(runtime_models.SUMS)) as address:
        yield address
