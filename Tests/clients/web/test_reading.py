"""The rows that `listd page` reads in a text, and their identities."""

from __future__ import annotations

from typing import Any, List

import pytest

from reading import Identity, Unreadable, items  # isort: skip


@pytest.mark.parametrize(
    "name, text, expected",
    [
        ("a.csv", "id,n\nx,1.50\ny,007\n", [{"id": "x", "n": "1.50"}, {"id": "y", "n": "007"}]),
        ("a.csv", 'k,n\n"a\nb",1\nb,\n', [{"k": "a\nb", "n": 1, "id": "a\nb"}, {"k": "b", "n": None, "id": "b"}]),
        ("a.tsv", "id\tid\n1\t2\n1\t3\n", [{"Id": 1, "id'": 2}, {"Id": 1, "id'": 3}]),
        ("a.csv", "a\n", []), ("a.csv", "", []),
        ("a.csv", "$a,,parts\n1\n", [{"a": 1, "column 2": "", "parts'": "", "id": "1"}]),
        ("a.json", '{"a":{"n":1},"b":2}', [{"n": 1, "id": "a"}, {"id": "b", "text": "2", "value": 2}]),
        ("a.json", '[{"id":1.5,"$x":1,"parts":2},null,[1],"s",3]', [{"id": "1.5"}, "null", "[1]", "s", 3]),
        ("a.json", '{"n":1}\n{"n":2}\n', [{"n": 1}, {"n": 2}]), ("a", '{"items":["x"]}', ["x"]),
        ("a.json", '{"sections":[{"id":1,"items":["x"]},{"id":2,"items":[3]}]}', ["x", 3]),
        ("a.ndjson", '{"n":1}\n\n{"n":"\\u0024"}\n', [{"n": 1}, {"n": "$"}]),
        ("log", "12:01 started\n12:02 stopped, again\n", ["12:01 started", "12:02 stopped, again"]), ("a", "", []),
        ("df", "Disk    Used Mounted on\n/dev/a     1 /\n/dev/b 20000 /b c\n", None),
        ("ps", "PID   RSS TTY CMD\n  1 12345 ?   a b\n222     7 ?   c\n 33 1234567 ?   d e f\n", None),
        ("pods", "NAME STATUS      AGE\na    Running     5d\nb    Not  Ready  5d\n", None),
    ],
)  # fmt: skip
def test_rows(name: str, text: str, expected: Any) -> None:
    found = items(text.encode(), name, "auto", Identity())
    tables = {
        "df": [["/dev/a", 1, "/"], ["/dev/b", 20000, "/b c"]],
        "ps": [[1, 12345, "?", "a b"], [222, 7, "?", "c"], [33, 1234567, "?", "d e f"]],
        "pods": [["a", "Running", "5d"], ["b", "Not  Ready", "5d"]],
    }
    if name in tables:
        assert [[value for key, value in row.items() if key != "id"] for row in found] == tables[name]
    else:
        assert found == expected and repr(found) == repr(expected)


def test_keys_of_rows() -> None:
    def ids(text: str, name: str, identity: Identity) -> List[Any]:
        return [one["id"] for one in items(text.encode(), name, "auto", identity)]

    assert ids("a b\nc\n", "x", Identity(fields=[1])) == ["a", "c"]
    assert ids("a b\nc\n", "x", Identity(fields=[1, 2])) == ['["a", "b"]', '["c", ""]']
    assert ids("x,y\n1,2\n", "x.csv", Identity(["y"])) == ["2"]
    assert ids('[{"a":{"b":[1]}},{"a.b":"c"}]', "x", Identity(["a.b"])) == ["[1]", "c"]
    assert ids('{"a":1,"b":2}', "x.ndjson", Identity(["a", "b"])) == ["[1, 2]"]
    for text, name in (('[{"b":1}]', "x.json"), ("b\n1\n", "x.csv"), ("{", "x.ndjson"), ("1", "x.json")):
        with pytest.raises(Unreadable):
            items(text.encode(), name, "auto", Identity(["a"]))
