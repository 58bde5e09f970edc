"""The methods of daemons and lists with and without asyncio: each one sends a request of `calls`.

`client` and `aio` only define how to send it. The decorated functions only define names: their parameters,
results and documentation are those of the functions in `calls`.
"""

from __future__ import annotations

import functools
import inspect
import re
from types import MethodType
from typing import (
    TYPE_CHECKING, Any, Callable, Coroutine, Dict, Generic, Optional, TypeVar, Union, overload,
)  # fmt: skip

from . import calls
from .calls import Call

T = TypeVar("T")

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    from . import aio, client

    P = ParamSpec("P")

    class Method(Generic[P, T]):
        """A method that sends a request, and returns its result or an awaitable for it."""

        def __init__(self, make: Callable[..., Call[T]], of_list: bool) -> None: ...

        @overload
        def __get__(self, owner: None, kind: Any) -> Callable[..., Any]: ...
        @overload
        def __get__(
            self, owner: Union[client.Daemon, client.NamedList], kind: Any
        ) -> Callable[P, T]: ...
        @overload
        def __get__(
            self, owner: Union[aio.Daemon, aio.NamedList], kind: Any
        ) -> Callable[P, Coroutine[Any, Any, T]]: ...
        def __get__(self, owner: Any, kind: Any) -> Any: ...

else:

    class Method:
        """A method that sends a request, and returns its result or an awaitable for it."""

        def __init__(self, make: Callable[..., Any], of_list: bool) -> None:
            self._make, self._of_list = make, of_list
            self._functions: Dict[type, Any] = {}

        def __get__(self, owner: Optional[Any], kind: type) -> Any:
            if kind not in self._functions:
                self._functions[kind] = self._function(kind)
            function = self._functions[kind]
            return function if owner is None else MethodType(function, owner)

        def _function(self, kind: type) -> Any:
            make, of_list = self._make, self._of_list
            has_key = of_list and "key" in inspect.signature(make).parameters

            def call(self: Any, args: Any, kwargs: Any) -> Any:
                if has_key:
                    kwargs.setdefault("key", self.key)
                return self.ask(make(self.name, *args, **kwargs) if of_list else make(*args, **kwargs))

            if inspect.iscoroutinefunction(getattr(kind, "ask", None)):

                async def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
                    return await call(self, args, kwargs)

            else:

                def method(self: Any, /, *args: Any, **kwargs: Any) -> Any:
                    return call(self, args, kwargs)

            return described(functools.wraps(make)(method), make, of_list)


def described(method: Any, make: Callable[..., Any], of_list: bool) -> Any:
    """Gives a method the signature of `make`, with the result of its call."""
    signature = inspect.signature(make)
    parameters = list(signature.parameters.values())[of_list:]
    self = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    result = re.sub(r"^Call\[(.*)\]$", r"\1", str(signature.return_annotation))
    method.__signature__ = inspect.Signature([self, *parameters], return_annotation=result)
    method.__annotations__ = {}
    del method.__wrapped__
    return method


def _of_daemon(
    make: Callable[P, Call[T]],
) -> Callable[[Callable[..., None]], Method[P, T]]:
    return lambda name: Method(make, of_list=False)


def _of_list(
    make: Callable[Concatenate[str, P], Call[T]],
) -> Callable[[Callable[..., None]], Method[P, T]]:
    return lambda name: Method(make, of_list=True)


class DaemonMethods:
    """The requests of a daemon. Subclasses have `ask`."""

    @_of_daemon(calls.lists)
    def lists(self) -> None: ...

    @_of_daemon(calls.diff)
    def diff(self) -> None: ...

    @_of_daemon(calls.register_templates)
    def register_templates(self) -> None: ...


class ListMethods:
    """The requests of a list. Subclasses have `name` and `ask`."""

    @_of_list(calls.apply)
    def apply(self) -> None: ...

    @_of_list(calls.edit)
    def edit(self) -> None: ...

    @_of_list(calls.compose)
    def compose(self) -> None: ...

    @_of_list(calls.expand)
    def expand(self) -> None: ...

    @_of_list(calls.collapse)
    def collapse(self) -> None: ...

    @_of_list(calls.reveal)
    def reveal(self) -> None: ...

    @_of_list(calls.expand_all)
    def expand_all(self) -> None: ...

    @_of_list(calls.collapse_all)
    def collapse_all(self) -> None: ...

    @_of_list(calls.select)
    def select(self) -> None: ...

    @_of_list(calls.selection)
    def selection(self) -> None: ...

    @_of_list(calls.snapshot)
    def snapshot(self) -> None: ...

    @_of_list(calls.window)
    def window(self) -> None: ...

    @_of_list(calls.locate)
    def locate(self) -> None: ...

    @_of_list(calls.feed)
    def feed(self) -> None: ...

    @_of_list(calls.text)
    def text(self) -> None: ...

    @_of_list(calls.remove)
    def remove(self) -> None: ...
