"""What is worked out once per process and kept; threads that ask for it meanwhile wait instead of doing it again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import RLock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def kept(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A decorator: the last `maxsize` answers are kept, and one thread at a time works one out."""

    def decorate(work_out: Callable[P, T]) -> Callable[P, T]:
        answers: Callable[..., T] = lru_cache(maxsize=maxsize)(work_out)
        lock = RLock()

        @wraps(work_out)
        def answer(*args: P.args, **kwargs: P.kwargs) -> T:
            with lock:
                return answers(*args, **kwargs)

        return answer

    return decorate
