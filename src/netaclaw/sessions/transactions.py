"""Transactions on the database: whole even when the caller is cancelled, and the one place where its errors become ours."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any, ParamSpec, TypeVar

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from netaclaw.errors import NotFoundError, StoreError

IS_READING = "netaclaw_is_reading"
"""Execution option of a connection that only reads: it takes no write lock."""

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Store = TypeVar("_Store")


@asynccontextmanager
async def writing(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Give a connection in a transaction that holds the write lock; committed at the end, undone if anything is raised."""
    with _translated_errors():
        async with engine.begin() as connection:
            yield connection


@asynccontextmanager
async def reading(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """Give a connection whose reads all see one state of the database."""
    with _translated_errors():
        async with engine.execution_options(**{IS_READING: True}).connect() as connection:
            yield connection


def finishes_when_cancelled(store: type[_Store]) -> type[_Store]:
    """Let every public method of a store come to its end, then raise the cancellation of its caller.

    A statement that is cancelled in the driver's thread would leave its connection with the write lock, and every other
    writer waiting for seconds. So a cancelled append may have been written: whoever goes on must read the leaf again.
    """
    for name, method in list(vars(store).items()):
        if iscoroutinefunction(method) and not name.startswith("_"):
            setattr(store, name, _finishing(method))
    return store


def _finishing(method: Callable[_P, Coroutine[Any, Any, _T]]) -> Callable[_P, Coroutine[Any, Any, _T]]:
    @wraps(method)
    async def finish(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        task = asyncio.create_task(method(*args, **kwargs))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            while not task.done():
                with suppress(asyncio.CancelledError):  # the first one is raised below
                    await asyncio.wait([task])
            if not task.cancelled():
                task.exception()  # seen, or asyncio would report it
            raise

    return finish


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Raise StoreError for every error of the database, and for values that the driver cannot hand to it."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(f"The database refuses: {_first_line(error)}") from error
    except OverflowError as error:
        raise NotFoundError("There is nothing with an id of more than 64 bits") from error
    except UnicodeEncodeError as error:
        raise StoreError("A text with half a character (a lone surrogate) cannot be stored; remove it") from error


def _first_line(error: SQLAlchemyError) -> str:
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    return (str(cause).splitlines() or [type(cause).__name__])[0]
