"""Random params that the document allows."""

from __future__ import annotations

from typing import Any, Dict, Sequence

from hypothesis import strategies as st

from checking import Checker
from document import Json, members, methods, name_of, params_schema

# Few names, so that requests refer to the same lists.
NAMES = ["l", "m", "both", "view", "new", ""]
WORDS = ["a", "b", "s", "t", "main", "l/main", "text", "id", "a.b", "", "é", "\U0001f600", "a b"]
NUMBERS = [0, 1, 2, 3, -1, 2**31, 2**53, 2**63 - 1]
STRINGS = st.sampled_from(WORDS) | st.text(max_size=4)
INTEGERS = st.sampled_from(NUMBERS[:4]) | st.sampled_from(NUMBERS) | st.integers()
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | STRINGS | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(STRINGS, inner, max_size=2),
    max_leaves=4,
)


class Strategies:
    """Makes strategies from the schemas of a document."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self.named: Dict[str, st.SearchStrategy[Any]] = {}
        self.forbidden = document["components"]["schemas"]["MemberName"]["not"]["enum"]

    def of(self, schema: Any) -> st.SearchStrategy[Any]:
        """The values that a schema allows."""
        if schema is True or schema == {}:
            return VALUES
        if name := name_of(schema):
            if name not in self.named:
                self.named[name] = st.deferred(lambda: self.of(self.document["components"]["schemas"][name]))
            return self.named[name]
        if "const" in schema or "enum" in schema:
            return st.sampled_from(schema.get("enum", [schema.get("const")]))
        if "anyOf" in schema:
            return st.one_of([self.of(one) for one in schema["anyOf"]])
        kind = schema.get("type")
        if isinstance(kind, list):
            return st.one_of([self.of({"type": one}) for one in kind])
        if kind == "object" or "allOf" in schema:
            return self.object(schema)
        if kind == "array":
            return self.array(schema)
        if kind == "string":
            return STRINGS if "pattern" not in schema else STRINGS.filter(lambda one: "/" not in one)
        if kind == "integer":
            least, most = schema.get("minimum"), schema.get("maximum")
            some = [n for n in NUMBERS if (least is None or n >= least) and (most is None or n <= most)]
            return st.sampled_from(some[:4]) | st.sampled_from(some) | st.integers(least, most)
        return {
            "boolean": st.booleans(), "null": st.none(),
            "number": INTEGERS | st.floats(allow_nan=False, allow_infinity=False),
        }[kind]  # fmt: skip

    def array(self, schema: Json) -> st.SearchStrategy[Any]:
        if isinstance(schema["items"], list):
            return st.tuples(*map(self.of, schema["items"])).map(list)
        least, most = schema.get("minItems", 0), schema.get("maxItems", 3)
        unique = str if schema.get("uniqueItems") else None
        return st.lists(self.of(schema["items"]), min_size=least, max_size=most, unique_by=unique)

    def object(self, schema: Json) -> st.SearchStrategy[Any]:
        found, required, is_open = members(self.document, schema)
        allowed = {name: one for name, one in found.items() if one is not False}
        least = schema.get("minProperties", 0)
        strategy = st.fixed_dictionaries(
            {name: self.of(allowed[name]) for name in required},
            optional={name: self.of(one) for name, one in allowed.items() if name not in required},
        ).filter(lambda one: len(one) >= least)
        more = schema.get("additionalProperties")
        if is_open or not found and more is not False:
            taken = {*found, *self.forbidden}
            names = STRINGS.filter(lambda name: name not in taken)
            own = st.dictionaries(names, self.of(more) if isinstance(more, dict) else VALUES, max_size=2)
            return st.tuples(own, strategy).map(lambda both: {**both[0], **both[1]})
        return strategy


def calls(document: Json, besides: Sequence[str]) -> st.SearchStrategy[Any]:
    """A sequence of requests: names of methods and their params."""
    checker, made = Checker(document), Strategies(document)
    found = []
    for name, method in methods(document).items():
        if "result" not in method or name in besides:
            continue
        schema = params_schema(document, method)
        if "list" in schema["properties"]:
            schema["properties"]["list"] = {"enum": NAMES}
        params = made.object(schema).filter(lambda one, name=name: not checker.params(name, one))
        found.append(st.tuples(st.just(name), params))
    return st.lists(st.one_of(found), min_size=6, max_size=14)
