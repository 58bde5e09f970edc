"""Checks params, results, errors and notifications against the document."""

from __future__ import annotations

import copy
import functools
import json
from typing import Any, Dict, Iterable, List, Optional, Tuple

from jsonschema import Draft7Validator

from document import Json, closed, error_codes, methods, params_schema, rooted

EVERYWHERE = {-32600, -32601, -32602, -32603, -32800, -31008}


def lenient(document: Json) -> Json:
    """The document with what it says of all params: null is absent, an empty array is an empty object and
    the other way round, and names that begin with `_` or `$` are ignored."""

    def relax(value: Any) -> Any:
        if isinstance(value, list):
            return [relax(one) for one in value]
        if not isinstance(value, dict):
            return value
        value = {name: one if name in ("enum", "const") else relax(one) for name, one in value.items()}
        if "properties" in value:
            needed = value.get("required", [])
            value["properties"] = {
                name: one if name in needed else {"anyOf": [one, {"type": "null"}]}
                for name, one in value["properties"].items()
            }
            if value.get("additionalProperties") is False:
                value["patternProperties"] = {"^[_$]": True}
        if isinstance(value.get("additionalProperties"), dict):
            value["additionalProperties"] = {"anyOf": [value["additionalProperties"], {"type": "null"}]}
        if value.get("type") == "array" and not value.get("minItems"):
            return {"anyOf": [value, {"type": "object", "maxProperties": 0}]}
        if value.get("type") == "object" and not value.get("required"):
            return {"anyOf": [value, {"type": "array", "maxItems": 0}]}
        return value

    document = copy.deepcopy(document)
    components = document["components"]
    components["schemas"] = {
        name: relax(schema) if name != "MemberName" else schema
        for name, schema in components["schemas"].items()
    }
    for one in [*components["contentDescriptors"].values(), *(
        one for method in document["methods"] for one in method["params"] if "schema" in one
    )]:
        one["schema"] = relax(one["schema"])
    return document


class Checker:
    """Checks messages against the document; every answer is what is wrong, or an empty text."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self.methods = methods(document)
        self._lenient = lenient(document)
        self._closed = closed(document)

    @functools.lru_cache(maxsize=None)
    def _params(self, name: str) -> Draft7Validator:
        schema = params_schema(self._lenient, methods(self._lenient)[name])
        found = {
            name: {"anyOf": [one, {"type": "null"}]} if name not in schema["required"] else one
            for name, one in schema["properties"].items()
        }
        token = {"type": ["string", "integer", "null"]}
        found = {**found, "workDoneToken": token, "partialResultToken": True}
        schema = {**schema, "properties": found, "patternProperties": {"^[_$]": True}}
        return Draft7Validator(rooted(self._lenient, schema))

    @functools.lru_cache(maxsize=None)
    def _sent(self, name: str, part: str) -> Draft7Validator:
        method = methods(self._closed)[name]
        schema = method["result"]["schema"] if part == "result" else method["x-params"]
        return Draft7Validator(rooted(self._closed, schema))

    @functools.lru_cache(maxsize=None)
    def _data(self, code: int) -> Draft7Validator:
        [error] = [one for one in self._closed["components"]["errors"].values() if one["code"] == code]
        return Draft7Validator(rooted(self._closed, error["data"]))

    def params(self, name: str, params: Any) -> str:
        """The problem of the params of a client's request or notification, or an empty text."""
        given = {} if params is None or params == [] else params
        # A member that is null is absent, also for the rules on all of them together.
        if isinstance(given, dict):
            meant = {"compose": "view", "feed": "from"}.get(name)
            kept = [one for one in given if given[one] is not None or one == meant]
            given = {one: given[one] for one in kept}
        return first(self._params(name), given)

    def result(self, name: str, result: Any) -> str:
        """The problem of the result of a request."""
        return first(self._sent(name, "result"), result)

    def notification(self, name: str, params: Any) -> str:
        """The problem of a notification of the daemon."""
        if name not in self.methods or self.methods[name].get("x-direction") != "server":
            return f"no notification of the daemon is named {name}"
        return first(self._sent(name, "params"), params)

    def error(self, name: Optional[str], error: Json) -> str:
        """The problem of an error of a method, or of input that is not a request."""
        codes = EVERYWHERE | {-32700}
        if name in self.methods:
            codes |= set(error_codes(self.document, self.methods[name]))
        if error["code"] not in codes:
            return f"{error['code']} is not an error of {name}"
        if set(error) != {"code", "message", "data"}:
            return f"the members of an error are {sorted(error)}"
        return first(self._data(error["code"]), error["data"])

    def conversation(self, messages: Iterable[Tuple[str, Any]]) -> List[str]:
        """The problems of messages of a `client` and the `server`, in their order."""
        waiting: Dict[str, List[Json]] = {}
        found: List[str] = []
        for sender, message in messages:
            for one in message if isinstance(message, list) and message else [message]:
                if not isinstance(one, dict):
                    continue
                if sender == "client":
                    waiting.setdefault(json.dumps(one.get("id")), []).append(one)
                elif "method" in one:
                    found += note(one, self.notification(one["method"], one.get("params")))
                else:
                    asked = waiting.get(json.dumps(one["id"]), [])
                    found += self._reply(asked.pop(0) if asked else {}, one)
        return found

    def _reply(self, asked: Json, reply: Json) -> List[str]:
        name, params = asked.get("method"), asked.get("params")
        if "error" in reply:
            found = note(reply, self.error(name, reply["error"]))
            if name in self.methods and reply["error"]["code"] not in EVERYWHERE:
                found += note(asked, self.params(name, params))
            return found
        if name not in self.methods:
            return [f"an answer of {name}"]
        return note(asked, self.params(name, params)) + note(reply, self.result(name, reply["result"]))


def note(message: Any, problem: str) -> List[str]:
    return [f"{problem}\n    in {json.dumps(message)[:1000]}"] if problem else []


def first(validator: Draft7Validator, value: Any) -> str:
    """The most specific problem of a value."""
    errors = sorted(validator.iter_errors(value), key=lambda one: len(one.absolute_path))
    if not errors:
        return ""
    error = errors[0]
    while error.context:
        error = max(error.context, key=lambda one: len(one.absolute_path))
    return f"/{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"
