"""Reports whether clients of an older document work with a newer one.

Within a version of the protocol methods, optional params, members of results, words and forms may be
added. Nothing that is there is removed, required where it was not, or of another type.
"""

from __future__ import annotations

from typing import Any, List

from document import Json, members, methods, parameters, params_schema, resolved


class Comparison:
    """Compares two documents; `problems` describes what would break clients of the older one."""

    def __init__(self, old: Json, new: Json) -> None:
        self.old = old
        self.new = new
        self.problems: List[str] = []
        self._known: List[Any] = []

    def compare(self) -> List[str]:
        """Descriptions of everything that would break."""
        known = methods(self.new)
        for name, method in methods(self.old).items():
            if name not in known:
                self.problems.append(f"{name} is missing")
                continue
            other = known[name]
            if method.get("x-direction") != other.get("x-direction"):
                self.problems.append(f"{name} is sent by somebody else")
            if method["params"] or other["params"]:
                self.object(name, params_schema(self.old, method), params_schema(self.new, other), True)
            elif "x-params" in method:
                self.schema(name, method["x-params"], other.get("x-params", {}), False)
            if "result" in method:
                result = other.get("result", {"schema": {"type": "nothing"}})
                self.schema(name, method["result"]["schema"], result["schema"], False)
        errors = self.new["components"]["errors"]
        for reason, error in self.old["components"]["errors"].items():
            if error["code"] != errors.get(reason, {}).get("code"):
                self.problems.append(f"the code of {reason} is another")
            else:
                self.schema(reason, error["data"], errors[reason]["data"], False)
        return self.problems

    def schema(self, place: str, old: Any, new: Any, is_sent: bool) -> None:
        """Compares the schemas of a value that clients send, or that they receive."""
        if (old, new, is_sent) in self._known:
            return
        self._known.append((old, new, is_sent))
        old, new = resolved(self.old, old), resolved(self.new, new)
        if new is True or new == {} or old is False:
            return
        if new is False or old is True or old == {}:
            self.problems.append(f"{place} may not be anything any more")
            return
        if "anyOf" in old or "anyOf" in new:
            options = new.get("anyOf", [new])
            for index, option in enumerate(old.get("anyOf", [old])):
                if not any(self.fits(place, option, one, is_sent) for one in options):
                    self.problems.append(f"{place}: a form is missing, number {index}")
            return
        if not self.words(old) <= self.words(new):
            self.problems.append(f"{place}: {sorted(self.words(old) - self.words(new))} is missing")
        elif "properties" in old or "allOf" in old:
            self.object(place, old, new, is_sent)
        elif old.get("type") == "array":
            of_tuples = isinstance(old["items"], list) and isinstance(new["items"], list)
            pairs = zip(old["items"], new["items"]) if of_tuples else [(old["items"], new["items"])]
            for one, other in pairs:
                self.schema(place + "/0", one, other, is_sent)
        tighter = [
            name for name, sign in (("minimum", 1), ("minItems", 1), ("maximum", -1), ("maxItems", -1))
            if name in new and (name not in old or sign * new[name] > sign * old[name])
        ]  # fmt: skip
        self.problems += [f"{place}: another {name}" for name in tighter if is_sent]

    def fits(self, place: str, old: Any, new: Any, is_sent: bool) -> bool:
        """Reports whether one alternative accepts all that another does."""
        trial = Comparison(self.old, self.new)
        trial._known = [*self._known]
        trial.schema(place, old, new, is_sent)
        return not trial.problems

    def object(self, place: str, old: Json, new: Json, is_sent: bool) -> None:
        before, required, was_open = members(self.old, old)
        after, needed, is_open = members(self.new, new)
        if is_sent and was_open and not is_open:
            self.problems.append(f"{place} may not have members of its own any more")
        for name, one in before.items():
            if name not in after:
                if not is_open:
                    self.problems.append(f"{place}/{name} is missing")
            else:
                self.schema(f"{place}/{name}", one, after[name], is_sent)
        changed = set(needed) - set(required) if is_sent else set(required) - set(needed)
        for name in sorted(changed & set(before) if not is_sent else changed):
            self.problems.append(f"{place}/{name} is required where it was not, or the other way round")

    @staticmethod
    def words(schema: Json) -> "set[str]":
        """The types or the constants that a schema allows."""
        if "const" in schema or "enum" in schema:
            return {repr(one) for one in schema.get("enum", [schema.get("const")])}
        types = schema.get("type", "object" if "allOf" in schema else [])
        found = {types} if isinstance(types, str) else set(types)
        return found | ({"integer"} if "number" in found else set())
