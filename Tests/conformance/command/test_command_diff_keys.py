"""`listd diff --key`: rows by identity, compared with a plain implementation."""

from __future__ import annotations

import csv
import io
import json
import random
from collections import Counter
from typing import Any, Dict, List

import pytest

from command import Files, run_diff

pytestmark = pytest.mark.needs("listd diff")


def table(rows: List[Dict[str, Any]], delimiter: str = ",") -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, ["id", "name", "city"], delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def fewest_moves(old: List[str], new: List[str]) -> int:
    """The number of common keys outside of a longest increasing subsequence."""
    place = {key: n for n, key in enumerate(old)}
    kept = [place[key] for key in new if key in place]
    best: List[int] = []
    for n, value in enumerate(kept):
        best.append(1 + max((best[m] for m in range(n) if kept[m] < value), default=0))
    return len(kept) - max(best, default=0)


def summary(old: List[Dict[str, Any]], new: List[Dict[str, Any]]) -> str:
    before, after = ({row["id"]: row for row in rows} for rows in (old, new))
    counts = [
        (len(before.keys() - after.keys()), "deleted"),
        (len(after.keys() - before.keys()), "inserted"),
        (fewest_moves(list(before), list(after)), "moved"),
        (sum(before[key] != after[key] for key in before.keys() & after.keys()), "changed"),
    ]
    return ", ".join(f"{count} {word}" for count, word in counts if count)


def edited(rng: random.Random, rows: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
    new = [dict(row) for row in rows if rng.random() > 0.1]
    for _ in range(rng.randrange(4)):
        if new:
            new.insert(rng.randrange(len(new)), new.pop(rng.randrange(len(new))))
    for row in new:
        if rng.random() < 0.1:
            row[rng.choice(["name", "city"])] = rng.choice(["", "é", 'a "b", c', "x\ny", "1"])
    for n in range(rng.randrange(3)):
        row = {"id": f"new{n}", "name": "n", "city": ""}
        new.insert(rng.randint(0, len(new)), row)
    return new


FORMS = {
    "csv": lambda rows: table(rows),
    "tsv": lambda rows: table(rows, "\t"),
    "array": lambda rows: json.dumps(rows).encode(),
    "list": lambda rows: json.dumps({"kind": "List", "items": rows}).encode(),
    "rows": lambda rows: json.dumps({"total": 3, "found": rows or [{"id": "x"}]}, indent=1).encode(),
    "ndjson": lambda rows: b"".join(json.dumps(row).encode() + b"\n" for row in rows),
}


# Promise: With a key, rows are paired as by a dictionary, with the fewest moves.
@pytest.mark.parametrize("form", FORMS)
def test_rows_by_key_as_a_dictionary_has_them(files: Files, rng: random.Random, form: str) -> None:
    for _ in range(25):
        old = [
            {"id": f"k{n}", "name": rng.choice("ab"), "city": rng.choice("xy")}
            for n in range(rng.randint(1, 12))
        ]
        rng.shuffle(old)
        new = edited(rng, old)
        if form in ("array", "rows", "ndjson") and not new:
            continue
        answer = files.ask(FORMS[form](old), FORMS[form](new), "--key", "id")
        wanted = summary(old, new)
        assert answer.err == "" and answer.code == int(bool(wanted)), (answer, old, new)
        assert (answer.out.decode().splitlines() or [""])[-1] == wanted, (answer.out.decode(), old, new)


PODS = {
    "kind": "List",
    "items": [
        {
            "metadata": {"name": name, "resourceVersion": version},
            "spec": {"containers": [{"image": image}]},
            "status": {"phase": phase},
        }
        for name, version, image, phase in [
            ("web-1", "1", "nginx:1.25", "Running"),
            ("web-2", "2", "nginx:1.25", "Running"),
            ("db-0", "3", "postgres:15", "Running"),
            ("job-x", "4", "job:1", "Succeeded"),
        ]
    ],
}


def pods() -> Dict[str, Any]:
    new: Dict[str, Any] = json.loads(json.dumps(PODS))
    items = new["items"]
    items[0]["spec"]["containers"][0]["image"] = "nginx:1.26"
    items[1]["status"]["phase"] = "CrashLoopBackOff"
    items[2]["metadata"]["resourceVersion"] = "99"
    new["items"] = [items[2], items[0], items[1]]
    return new


def test_kubernetes_documents(files: Files) -> None:
    args = ["--key", "metadata.name", "--ignore", "metadata.resourceVersion"]
    answer = files.ask(PODS, pods(), *args).out.decode().splitlines()
    shapes = [line.split("  {")[0] for line in answer[2:]]
    assert shapes == [
        "@@ -1,4 +1,3 @@",
        " 3 →  1  > db-0",
        " 1    2  ~ web-1  spec.containers[0].image: nginx:1.25 → nginx:1.26",
        " 2    3  ~ web-2  status.phase: Running → CrashLoopBackOff",
        " 3 →  1  < db-0",
        " 4       - job-x",
        "1 deleted, 1 moved, 2 changed",
    ]
    assert "db-0  metadata.resourceVersion: 3 → 99" in files.ask(
        PODS, pods(), "--key", "metadata.name"
    ).out.decode()
    assert files.ask(PODS, pods(), "--key=metadata.name", "--ignore=status.*,spec,meta*").out.decode(
    ).endswith("1 deleted, 1 moved\n")


def test_the_document_around_the_rows_is_compared(files: Files) -> None:
    answer = files.ask(PODS, {**PODS, "kind": "PodList"}, "--key", "metadata.name")
    assert answer.code == 1 and "~ (document)  kind: List → PodList" in answer.out.decode()


def test_objects_of_objects(files: Files) -> None:
    old = {"left": {"v": 1}, "right": {"v": 2}, "gone": {"v": 3}}
    new = {"right": {"v": 2}, "left": {"v": "1"}}
    answer = files.ask(old, new, "--input", "json").out.decode()
    assert '> left  v: 1 → "1"' in answer or '~ left  v: 1 → "1"' in answer
    assert answer.endswith("1 deleted, 1 moved, 1 changed\n")


def test_several_keys_and_numbers_of_columns(files: Files) -> None:
    old = b"a,1,x\na,2,y\nb,1,z\n"
    new = b"a,2,y\nb,1,q\na,1,x\n"
    answer = files.ask(old, new, "--key", "1,2", "--input", "csv").out.decode()
    assert "~ b, 1  3: z → q" in answer and answer.endswith("1 moved, 1 changed\n")


def test_columns_of_text(files: Files) -> None:
    old = b"  PID STAT CMD\n  1 S init\n 20 R top\n 21 S sh\n"
    new = b"  PID STAT CMD\n 21 S sh\n  1 R init\n 30 S vi\n"
    answer = files.ask(old, new, "--key-field", "1").out.decode()
    assert "~ 1  STAT: S → R" in answer and answer.endswith("1 deleted, 1 inserted, 1 moved, 1 changed\n")
    trouble = files.ask(old, new, "--key-field", "4")
    assert trouble.code == 2 and "no column 4" in trouble.err and trouble.out == b""


def test_keys_that_repeat_are_paired_and_noted_once(files: Files) -> None:
    old = b"id,v\n1,a\n2,b\n2,c\n2,c\n3,d\n"
    new = b"id,v\n1,a\n2,c\n2,b\n2,x\n3,d\n"
    answer = files.ask(old, new, "--key", "id", "--input", "csv")
    assert answer.code == 1 and answer.err.count("repeats") == 2
    assert answer.out.decode().endswith("1 moved, 1 changed\n")


@pytest.mark.parametrize("name", ["columns", "order"])
def test_other_columns_are_other_files(files: Files, name: str) -> None:
    old = b"id,v\n1,a\n2,b\n"
    new = b"id,v,w\n1,a,\n2,b,\n" if name == "columns" else b"v,id\na,1\nb,2\n"
    answer = files.ask(old, new, "--key", "id", "--input", "csv")
    assert answer.code == 1 and "(columns)" in answer.out.decode()


BROKEN = [
    (b'id,v\n1,"a\n', "line 2"),
    (b"name,v\n1,a\n", 'no column "id"'),
    (b'[{"id": 1}, {"id": 2]', "line 1"),
    (b'[{"id": 1},\n{"name": 2}]', 'item 2, in line 2, has no member "id"'),
    (b'[{"id": null}]', 'has no member "id"'),
    (b'{"id":1}\n{"id":', "line 2"),
    (b"word\n", "--input"),
]


@pytest.mark.parametrize("broken, words", BROKEN)
def test_invalid_files_are_reported_and_nothing_is_drawn(
    files: Files, broken: bytes, words: str
) -> None:
    good = b"id,v\n1,a\n" if broken[:1] not in b"[{" else b'[{"id":1}]'
    for old, new in ((broken, broken + b"\n"), (good, broken), (broken, good)):
        answer = files.ask(old, new, "--key", "id")
        if old is good and broken == b"word\n":
            continue
        assert answer.code == 2 and answer.out == b"" and words in answer.err, answer


@pytest.mark.parametrize("rows", [2, 400_000])
def test_equal_files_are_equal_whatever_they_are(files: Files, rows: int) -> None:
    """Also if rows cannot be read, or have no key or the same one."""
    text = b"id,v\n" + b"".join(b"%d,row\n" % n for n in range(rows))
    for more in (b"", b"1,x\n", b'1,"x\n', b"[", b"\xff\n", b"\0\n"):
        for key in (["--key=id"], ["--key=name"], ["--key-field=9"], ["--input=json"], [], ["--input=csv", "--ignore=x"]):
            for form in ([], ["--stat"], ["--format=unified"], ["--format=ndjson"]):
                answer = files.ask(text + more, text + more, *key, *form)
                assert (answer.code, answer.out, answer.err) == (0, b"", ""), (more, key, form)
            if rows > 2:
                break
        document = json.loads(files.ask(text + more, text + more, "--key=id", "--format=json").out)
        assert document["changes"] == [] and set(document["counts"].values()) == {0}
    # The operations of lists are about valid lists.
    broken = b'{"items":[{"id":1},{"id":1}],"items":1}'
    assert files.ask(broken, broken, "--format=ops").code == 2
    assert files.ask(text, text, "--format=ops").out == b"[]\n"


def test_options_that_make_no_sense(files: Files) -> None:
    for args in (
        ["--key", ""], ["--key", "a,"], ["--key-field", "0"], ["--key-field", "x"],
        ["--input", "xml"], ["--context", "-1"], ["--key", "id", "--input", "text"],
        ["--key", "id", "--input", "snapshot"], ["--key", "id", "--format", "ops"],
    ):  # fmt: skip
        answer = files.ask([{"id": 1}], [{"id": 2}], *args)
        assert answer.code == 2 and answer.out == b"" and answer.err.startswith("listd: "), args


def test_counts_alone_and_nothing(files: Files) -> None:
    args = ["--key", "id"]
    answer = files.ask([{"id": 1}], [{"id": 2}], *args, "--stat")
    assert answer.out == b"1 deleted, 1 inserted\n" and answer.code == 1
    assert files.ask([{"id": 1}], [{"id": 2}], *args, "--quiet").out == b""
    moved = files.ask([{"id": 1}, {"id": 2}], [{"id": 2}, {"id": 1}], *args, "--moves=no", "--stat")
    assert moved.out == b"1 deleted, 1 inserted\n"
    assert run_diff("--key", "id", "-", "-", sent=b'[{"id": 1}]').code == 0


# Promise: With `--unordered` nothing but the content of rows counts. Also `test_lines_and_snapshots_without_order`.
@pytest.mark.parametrize("form", FORMS)
def test_without_order_only_content_counts(files: Files, rng: random.Random, form: str) -> None:
    for _ in range(15):
        old = [{"id": f"k{n}", "name": rng.choice("ab"), "city": ""} for n in range(rng.randint(1, 12))]
        new = edited(rng, old) or [{"id": "x", "name": "", "city": ""}]
        rng.shuffle(new)
        args = ["--key", "id", "--unordered"]
        answer = files.ask(FORMS[form](old), FORMS[form](new), *args)
        wanted = ", ".join(part for part in summary(old, new).split(", ") if not part.endswith("moved"))
        assert answer.err == "" and answer.code == int(bool(wanted)), (answer, old, new)
        lines = answer.out.decode().splitlines()
        assert (lines or [""])[-1] == wanted
        assert not any(line.startswith("@@") or " → " in line[:8] for line in lines)
        counts = {"-": "deleted", "+": "inserted", "~": "changed"}
        drawn = [counts.get(line[9:10], "") for line in lines[2:-1]]
        for part in filter(None, wanted.split(", ")):
            count, word = part.split()
            assert drawn.count(word) == int(count), lines


def test_lines_and_snapshots_without_order(files: Files, rng: random.Random) -> None:
    for _ in range(30):
        old, new = ([rng.choice("abcd") for _ in range(rng.randrange(8))] for _ in range(2))
        deleted = sum((Counter(old) - Counter(new)).values())
        inserted = sum((Counter(new) - Counter(old)).values())
        counts = [(deleted, "deleted"), (inserted, "inserted")]
        wanted = ", ".join(f"{count} {word}" for count, word in counts if count)
        text = ["".join(f"{line}\n" for line in side).encode() for side in (old, new)]
        answer = files.ask(*text, "--unordered")
        assert (answer.out.decode().splitlines() or [""])[-1] == wanted, (old, new)
        assert answer.code == int(bool(wanted))
    old = {"sections": [{"id": 1, "items": [{"id": "a"}, "b"]}, {"id": 2, "items": ["c"]}]}
    new = {"sections": [{"id": 2, "items": ["c"]}, {"id": 1, "items": ["b", {"id": "a"}]}]}
    assert files.ask(old, new).code == 1 and files.ask(old, new, "--unordered").code == 0
    new["sections"][0]["items"].append(new["sections"][1]["items"].pop())
    answer = files.ask(old, new, "--unordered")
    assert answer.code == 1 and answer.out.decode().endswith("1 moved\n")
    for name in ("unified", "ops"):
        assert files.ask(old, new, "--unordered", "--format", name).code == 2
