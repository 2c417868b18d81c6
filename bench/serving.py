"""
What a request costs `lowstream serve` with the pitch tracker, and when its answer comes, in an open loop: requests are
due at random times of their own, however long the server takes.

    .venv/bin/python bench/serving.py
    .venv/bin/python bench/serving.py --rate 4000 --seconds 30

The server has the first CPU of this process, the callers have the last. Its CPU time is that of all its threads. Where
other processes take its CPU, answers wait for them: the table says how long its threads waited, for each request.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import selectors
import socket
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.progress import track

from lowstream.tools.table import print_table

MODEL = Path(__file__).resolve().parents[1] / "docs" / "examples" / "pitch" / "pitch.mlir"
FRAME = (1, 1, 64)
WARM_SECONDS = 1.0
SLICE = 0.25
"""Seconds between two looks at the progress."""

LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n")


@dataclass
class Caller:
    """A connection, the sequence whose frames it sends, and when those were due that are not answered."""

    connection: socket.socket
    first: bytes
    later: bytes
    due: deque[float] = field(default_factory=deque[float])
    is_busy: bool = False
    has_begun: bool = False
    received: bytes = b""

    def send_next(self) -> None:
        """Sends the frame that has waited for longest, once the one before it is answered."""
        if self.due and not self.is_busy:
            self.connection.sendall(self.later if self.has_begun else self.first)
            self.is_busy = self.has_begun = True

    def receive(self) -> float | None:
        """When the frame was due whose answer is whole by now. Raises ConnectionError for any other answer than 200."""
        self.received += self.connection.recv(1 << 16)
        end = self.received.find(b"\r\n\r\n")
        if end >= 0 and not self.received.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(f"the server answered {self.received[:300]!r}")
        length = LENGTH.search(self.received[: end + 2])
        if length is None or len(self.received) < end + 4 + int(length[1]):
            return None
        self.received, self.is_busy = b"", False
        return self.due.popleft()


class OpenLoop:
    """Callers of a server, whose requests are due at random, at so many a second in all."""

    def __init__(self, port: int, callers: int, rate: float):
        self._random, self._rate = np.random.default_rng(0), rate
        self._ready = selectors.DefaultSelector()
        self._callers = [caller(port, number + 1) for number in range(callers)]
        for each in self._callers:
            self._ready.register(each.connection, selectors.EVENT_READ, each)

    def run(self, seconds: float) -> list[float]:
        """Seconds from when each request was due to its answer; all that are due within this time."""
        count = max(1, round(self._rate * seconds))
        waits = self._random.exponential(1 / self._rate, count)
        due = deque((time.perf_counter() + np.cumsum(waits)).tolist())
        whose = deque(self._random.integers(0, len(self._callers), count).tolist())
        took: list[float] = []
        while len(took) < count:
            while due and due[0] <= time.perf_counter():
                caller = self._callers[whose.popleft()]
                caller.due.append(due.popleft())
                caller.send_next()
            for key, _ in self._ready.select(0):
                if (was_due := key.data.receive()) is not None:
                    took.append(time.perf_counter() - was_due)
                    key.data.send_next()
        return took


def caller(port: int, number: int) -> Caller:
    """A caller of the sequence with this number."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    frame = np.random.default_rng(number).normal(size=FRAME).astype(np.float32)
    return Caller(connection, request(frame, number, True), request(frame, number, False))


def request(frame: np.ndarray, number: int, is_first: bool) -> bytes:
    """As Triton's client sends a frame: JSON, and the bytes of the tensor behind it."""
    described = {"name": "frame", "shape": list(frame.shape), "datatype": "FP32"}
    header = json.dumps(
        {
            "inputs": [described | {"parameters": {"binary_data_size": frame.nbytes}}],
            "parameters": {
                "sequence_id": number,
                "sequence_start": is_first,
                "sequence_end": False,
                "binary_data_output": True,
            },
        },
        separators=(",", ":"),
    ).encode()
    lines = (
        "POST /v2/models/pitch/infer HTTP/1.1",
        "Host: localhost",
        f"Inference-Header-Content-Length: {len(header)}",
        f"Content-Length: {len(header) + frame.nbytes}",
    )
    return "\r\n".join([*lines, "", ""]).encode() + header + frame.tobytes()


def used(pid: int) -> tuple[float, float]:
    """Seconds that the threads of a process have run, and that they have waited for a CPU."""
    found = [
        [int(word) for word in (task / "schedstat").read_text().split()[:2]]
        for task in Path(f"/proc/{pid}/task").iterdir()
    ]
    ran, waited = np.sum(found, axis=0) / 1e9
    return float(ran), float(waited)


def serve(callers: int) -> tuple[subprocess.Popen[str], int]:
    """The server, once it is ready, and its port."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "lowstream",
        "serve",
        str(MODEL),
        "-p",
        "low-latency2,lpt",
    ]
    command += ["--name", "pitch", "--port", "0", "--capacity", f"{callers}", "--threads", "1"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    found = re.search(r":(\d+)/", server.stdout.readline())
    if found is None:
        raise SystemExit("serving: the server did not start")
    return server, int(found[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=2000, help="requests a second (2000)")
    parser.add_argument("--seconds", type=float, default=10, help="how long (10)")
    parser.add_argument("--callers", type=int, default=64, help="sequences, each a connection (64)")
    options = parser.parse_args()
    cpus = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cpus[:1])  # which the server inherits
    server, port = serve(options.callers)
    try:
        os.sched_setaffinity(0, cpus[-1:])
        loop = OpenLoop(port, options.callers, options.rate)
        loop.run(WARM_SECONDS)
        before, began, took = used(server.pid), time.perf_counter(), list[float]()
        for _ in track(range(round(options.seconds / SLICE)), "requests", transient=True):
            took += loop.run(SLICE)
        lasted, after = time.perf_counter() - began, used(server.pid)
    finally:
        server.terminate()
        server.wait()
    ran, waited = (1e6 * (b - a) / len(took) for a, b in zip(before, after, strict=True))
    latencies = [f"{1e3 * each:.2f}" for each in np.percentile(took, (50, 90, 99, 99.9))]
    print_table(
        f"the pitch tracker behind HTTP, {options.callers} sequences, {options.rate:g} requests/s due",
        ("requests/s", "server's CPU, µs", "waited for it, µs", "p50, ms", "p90", "p99", "p99.9"),
        [[f"{len(took) / lasted:.0f}", f"{ran:.0f}", f"{waited:.0f}", *latencies]],
    )


if __name__ == "__main__":
    main()
