"""Exclusive use of a request: one thread at a time; another one gets an error at once."""

from __future__ import annotations

from ...passes.errors import DiagnosticError


class Exclusive:
    """
    `with exclusive:` uses what it guards. Raises DiagnosticException while another thread, or an asynchronous
    call, does.

    There is one token in a list, and taking it out is atomic: as safe as a lock, and faster. `hold` deletes it in a
    statement, not by a call: behind a call, Ctrl-C might come before anybody knows that the token is taken.
    """

    __slots__ = ("_tokens", "give_back", "take")

    def __init__(self):
        self._tokens: list[None] = [None]
        self.take, self.give_back = self._tokens.pop, self._tokens.append

    @property
    def is_free(self) -> bool:
        """Whether nobody has the token."""
        return bool(self._tokens)

    def hold(self) -> None:
        """Takes the token. Whoever holds it must call `give_back(None)`."""
        try:
            del self._tokens[0]
        except IndexError:
            raise busy() from None

    def __enter__(self) -> None:
        self.hold()

    def __exit__(self, *_: object) -> None:
        self.give_back(None)


def busy() -> DiagnosticError:
    """The error that a second user gets."""
    return DiagnosticError(
        "Infer Request is busy: another call of it is under way; wait for it, or make a request for each "
        "thread"
    )
