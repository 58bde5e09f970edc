"""Measures the operations of js-framework-benchmark as changes of a list in a page: `keyed.py [FOLDER]`.

FOLDER is a checkout of krausest/js-framework-benchmark, whose keyed `vanillajs` is measured in the same browser, with the
benchmark's style. Printed are milliseconds of script, and of script and layout, medians of runs that alternate: the time
that the page's thread has run, which does not depend on other programs. `list` is a `DOMList` of all rows, and `window`
what a `Scroller` shows of it.
"""

from __future__ import annotations

import functools
import http.server
import json
import random
import statistics
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, Dict, List, Optional

from browser import Browser, Tab

WEB = Path(__file__).resolve().parents[3] / "clients" / "web"
sys.path.insert(0, str(WEB))
sys.dont_write_bytecode = True

import bundle  # noqa: E402
from bridge import listd  # noqa: E402

RUNS = 15
WORDS = ["pretty", "red", "table", "large", "yellow", "chair", "long", "blue", "desk", "angry", "green", "pony"]
# By operation: the states before it, and after it.
OPERATIONS = ["create", "replace", "update", "select", "swap", "remove", "create many", "append", "clear"]
BUTTONS = {
    "create": "run", "replace": "run", "update": "update", "swap": "swaprows", "create many": "runlots", "append": "add",
    "clear": "clear",
}  # fmt: skip
PAGE = """<!doctype html><meta charset="utf-8">
<style>
  /* The layout of the benchmark's table. */
  body { font: 14px/20px "Helvetica Neue", Helvetica, Arial, sans-serif; }
  ul { display: table; width: 100%%; border-collapse: collapse; margin: 0; padding: 0 }
  li { display: table-row }
  li > * { display: table-cell; padding: 8px; border-top: 1px solid #ddd; vertical-align: top }
  li > :nth-child(odd) { width: 8.333%% }
  li > :nth-child(2) { width: 33.333%% }
  li > :nth-child(4) { width: 50%% }
  li[aria-selected=true] { background: #f5d6d6 }
</style>
<div id="list"></div>
<script type="module">%s
const row = document.createElement("template");
row.innerHTML = "<span> </span><a> </a><a><span aria-hidden='true'>x</span></a><span></span>";
const list = new RemoteList({ call() {} }, "l");
new DOMList(document.getElementById("list"), list, { label: "rows", animate: false, templates: { Cell(element, item, isNew) {
  if (isNew) element.append(row.content.cloneNode(true));
  element.children[0].firstChild.data = item.id;
  element.children[1].firstChild.data = item.label;
} } });
window.measure = (states, news) => {
  for (const one of states) list.take(JSON.parse(one));
  document.body.offsetHeight;
  performance.mark("begun");
  list.take(JSON.parse(news));
  performance.mark("run");
  document.body.offsetHeight;
  performance.mark("done");
};
</script>"""


def page(folder: Path) -> Path:
    """Writes the page that is measured."""
    code = bundle.modules(WEB, "listd") + "\nconst { DOMList } = module_dom, { RemoteList } = module_listd;"
    file = folder / "page.html"
    file.write_text(PAGE % code)
    return file


def rows(rng: random.Random, first: int, count: int) -> List[Dict[str, Any]]:
    return [{"id": first + k, "label": " ".join(rng.sample(WORDS, 3))} for k in range(count)]


def states(operation: str) -> List[Any]:
    """The items before an operation and after it; the latter is an identifier if it is selected."""
    rng = random.Random(1)
    before = rows(rng, 1, 1000)
    if operation == "create":
        return [[], before]
    if operation == "replace":
        return [before, rows(rng, 1001, 1000)]
    if operation == "update":
        return [before, [{**one, "label": f"{one['label']} !!!"} if k % 10 == 0 else one for k, one in enumerate(before)]]
    if operation == "select":
        return [before, 2]
    if operation == "swap":
        return [before, [before[0], before[998], *before[2:998], before[1], before[999]]]
    if operation == "remove":
        return [before, before[:3] + before[4:]]
    if operation == "create many":
        return [[], rows(rng, 1, 10_000)]
    if operation == "append":
        return [before, before + rows(rng, 1001, 1000)]
    return [before, []]


def news(operation: str, window: Optional[int]) -> List[str]:
    """What the daemon sends of the state before an operation, as a snapshot, and of the operation."""
    before, after = states(operation)
    with listd.spawn() as daemon:
        source, shown = daemon.list("l"), daemon.list("shown" if window else "l")
        source.apply(sections=[{"id": "main", "items": before}])
        if window:
            shown.compose(["l"], view={"window": {"count": window}})
        with shown.subscribe(content=True) as subscription:
            sent = [{"kind": "snapshot", **subscription.next(30).wire}]
            if isinstance(after, int):
                shown.select(after)
                sent.append({"kind": "select", **subscription.next(30).wire})
            else:
                source.apply(sections=[{"id": "main", "items": after}])
                sent.append({"kind": "change", **subscription.next(30).wire})
    return [json.dumps({"list": "l", **one}) for one in sent]


def vanilla(operation: str) -> str:
    """The code that performs an operation in the page of `vanillajs`."""
    before, _ = states(operation)
    click = "document.getElementById('{}').click()".format
    setup = [click("clear")] + ([click("run")] if before else [])
    act = click(BUTTONS[operation]) if operation in BUTTONS else {
        "select": "document.querySelector('tbody tr:nth-child(2) a').click()",
        "remove": "document.querySelector('tbody tr:nth-child(4) .glyphicon-remove').click()",
    }[operation]  # fmt: skip
    layout, mark = "document.body.offsetHeight", "performance.mark('{}')".format
    return "; ".join([*setup, layout, mark("begun"), act, mark("run"), layout, mark("done")])


def measured(tab: Tab, code: str) -> List[float]:
    """Runs code that sets the marks `begun`, `run` and `done`. Returns the times of script, and of script and layout."""
    at: Dict[str, float] = {}
    while len(at) < 3:  # The page may be done before the browser records what it does.
        events = tab.browser.traced(["blink.user_timing"], lambda: tab.run(code))
        at = {event["name"]: event["tts"] / 1000 for event in events if event["name"] in ("begun", "run", "done")}
    return [at[name] - at["begun"] for name in ("run", "done")]


def served(folder: Path) -> str:
    """The address of a folder, so that its pages find their styles."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def main(folder: Optional[str]) -> None:
    with tempfile.TemporaryDirectory() as place:
        browser = Browser(Path(place) / "profile")
        shown = page(Path(place)).as_uri()
        tabs = {"list": browser.tab(), "window": browser.tab()}
        for tab in tabs.values():
            tab.open(shown)
            tab.wait("window.measure !== undefined")
        if folder:
            tabs["vanillajs"] = browser.tab()
            tabs["vanillajs"].open(f"{served(Path(folder))}/frameworks/keyed/vanillajs/index.html")
            tabs["vanillajs"].wait("document.styleSheets[0]?.cssRules.length > 0 && document.readyState === 'complete'")
        print(f"{'':12}  " + "  ".join(f"{name:>14}" for name in tabs) + ("       ratio" if folder else ""))
        empty = json.dumps({"kind": "remove", "list": "l"})
        for operation in OPERATIONS:
            code = {"vanillajs": vanilla(operation)}
            for name, window in (("list", None), ("window", 40)):
                before, after = news(operation, window)
                code[name] = f"measure({json.dumps([empty, before])}, {json.dumps(after)})"
            times: Dict[str, List[List[float]]] = {name: [] for name in tabs}
            for _ in range(RUNS):
                for name, tab in tabs.items():
                    times[name].append(measured(tab, code[name]))
            found = {
                name: [statistics.median(column) for column in zip(*values[3:])] for name, values in times.items()
            }  # fmt: skip
            ratio = f"{found['list'][1] / found['vanillajs'][1]:12.2f}" if folder else ""
            cells = (f"{script:6.1f} /{whole:6.1f}" for script, whole in found.values())
            print(f"{operation:12}  " + "  ".join(cells) + ratio, flush=True)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
