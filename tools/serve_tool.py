"""`lowstream serve`: a model behind HTTP."""

from __future__ import annotations

import argparse
import signal
import socket
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import quote

from ..passes.digits import natural
from .options import Parser, add_compile_options, count, model_of, seconds

if TYPE_CHECKING:
    import uvicorn

DESCRIPTION = """\
Serves a model by KServe's inference protocol, version 2, over HTTP: JSON, or
bytes for tensors. A model with states serves sequences: each caller says its
sequence_id, and what is ready of all of them runs as one batch. While the model
compiles, health and metrics are answered; the line with the model's address
says that it is ready.
"""

EXAMPLES = """\
examples:
  lowstream serve model.xml
  lowstream serve pitch.mlir -p low-latency2,lpt --name pitch --port 9000
  curl localhost:8000/v2/models/model
"""


def port(text: str) -> int:
    """A port of TCP; 0 lets the system choose."""
    if (number := natural(text)) is None or number >= 1 << 16:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port, a number from 0 to 65535")
    return number


GRACE = 10
"""Seconds in which requests may end when the server does."""

STATISTICS = "stats"
"""No model's name: its place has the statistics of all models."""


def arguments(prog: str = "lowstream serve") -> Parser:
    """The command line."""
    parser = Parser(prog, DESCRIPTION, EXAMPLES)
    add_compile_options(parser)
    parser.add_argument(
        "--name", help="the name of the model in requests (default: the file's name)"
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="where to listen (default: this machine alone)"
    )
    parser.add_argument("--port", type=port, default=8000, help="(default: 8000)")
    parser.add_argument(
        "--capacity",
        type=count,
        metavar="N",
        default=1000,
        help="the largest number of sequences at a time (default: 1000)",
    )
    parser.add_argument(
        "--idle",
        type=seconds,
        default=60.0,
        metavar="SECONDS",
        help="the time after which an unused sequence may end, if there is no room for a new one (default: 60)",
    )
    parser.add_argument(
        "--most-bytes",
        type=count,
        metavar="BYTES",
        default=1 << 26,
        help="the largest size of a request (default: 64 MiB)",
    )
    parser.add_argument(
        "--concurrency",
        type=count,
        metavar="N",
        help="the largest number of connections at a time; others get 503",
    )
    return parser


def main(args: Sequence[str] | None = None, prog: str = "lowstream serve") -> None:
    """The command line."""
    arguments(prog).run(args, _serve)


def _serve(options: argparse.Namespace) -> None:
    from ..interop.model import run_passes

    with _needs_of_serving():
        import uvicorn

        from .server.app import Application
        from .server.connection import Connection
        from .server.server import Server
    from .progress import progress
    from .server.service import Service

    name = _name(options)
    app = Application(name, options.most_bytes)
    config = uvicorn.Config(
        app,
        http=Connection,
        log_level="error",
        access_log=False,
        proxy_headers=False,  # Application reads them, where they matter
        limit_concurrency=options.concurrency,
        timeout_graceful_shutdown=GRACE,
    )
    # Here, and not in the server's thread: an import that is interrupted may leave Python's lock taken.
    config.load()
    config.get_loop_factory()
    server = Server(config)
    with _listening(options.host, options.port) as listening:
        host = f"[{options.host}]" if ":" in options.host else options.host
        address = f"http://{host}:{listening.getsockname()[1]}/v2"
        with _unwound_by_sigterm(), _running(server, listening) as thread:
            compiling = f"compiling {options.model.name}; {address}/health/live answers"
            print(compiling, file=sys.stderr, flush=True)
            with progress(options.model.name):
                model = model_of(options)
                if options.passes != "auto":
                    run_passes(model, options.passes)
                app.serve(Service(model, options.capacity, options.idle, options.threads))
            # Now: who waits for it finds the model ready.
            print(f"{address}/models/{quote(name)}", flush=True)
            with server.capture_signals():
                thread.join()


@contextmanager
def _needs_of_serving() -> Generator[None]:
    """Inside, an import of a package that is not there raises DiagnosticException, which says what to install."""
    try:
        yield
    except ImportError as error:
        from xdsl.utils.exceptions import DiagnosticException

        from ..passes.needs import needs
        from .doctor_tool import optional, version_of

        listed = [name for name, extras in optional().items() if "serve" in extras]
        missing = [name for name in listed if not version_of(name)]
        raise DiagnosticException(needs("serving", *missing or [str(error.name)])) from None


class _Terminated(KeyboardInterrupt):
    """SIGTERM came."""


@contextmanager
def _unwound_by_sigterm() -> Generator[None]:
    """SIGTERM ends the process once what it interrupts is unwound, as Ctrl-C does: no draft of a file stays."""

    def terminate(*_: object) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    except _Terminated:
        signal.signal(signal.SIGTERM, before)
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _running(server: uvicorn.Server, listening: socket.socket) -> Generator[Thread]:
    """
    The server in a thread of its own, so that it answers while this one compiles: Python interrupts the main thread
    alone. At the end, requests end, too, unless what was interrupted holds a lock that they wait for.
    """
    thread = Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        server.should_exit = True
        thread.join(GRACE)


def _name(options: argparse.Namespace) -> str:
    """What requests call the model. Raises DiagnosticException for what paths cannot have."""
    name: str = options.model.stem if options.name is None else options.name
    if not name or "/" in name or name == STATISTICS:
        from xdsl.utils.exceptions import DiagnosticException

        raise DiagnosticException(
            f"requests cannot call a model '{name}'; give a --name without '/', other than '{STATISTICS}'"
        )
    return name


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is one that is free. Raises DiagnosticException where it cannot."""
    from xdsl.utils.exceptions import DiagnosticException

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (")[0]  # Python adds the address again
        said = f"cannot listen on {host}, port {port}: {why}; choose another --host or --port"
        raise DiagnosticException(said) from None
