"""Makes one file of a page and the modules that it imports, which needs no server.

Each module becomes a function that returns what the module exports. It understands the forms of `import` and
`export` that the modules of this folder use.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Dict

from policy import page_policy

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";\n', re.M)
EXPORT_FROM = re.compile(r'^export \{([^}]*)\} from "\./([\w-]+)\.js";\n', re.M)
EXPORT = re.compile(r"^export ((?:async )?(?:class|function|const) )(\w+)", re.M)
SCRIPT = re.compile(r'<script type="module" src="([\w-]+)\.js"></script>')
CONNECT = {False: "'self'", True: "'none'"}
COMMENT = re.compile(r"^ *(//.*|/\*\*[^*]*(\*(?!/)[^*]*)*\*/)\n", re.M)
DATA = '<script id="shown" type="application/json"></script>'


def page(file: Path, shown: Any) -> str:
    """The page with its modules, and with `shown` as the data that it reads."""
    html = file.read_text("utf-8")
    # Nothing in the data can end the element.
    data = json.dumps(shown, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
    code = SCRIPT.search(html)
    assert code and DATA in html, f"{file} has no script or no place for data"
    script = f'<script type="module">\n{modules(file.parent, code[1])}</script>'
    made = html.replace(code[0], script)
    # A policy in a page cannot forbid that it is framed.
    directives = {**page_policy(made), "connect-src": CONNECT[bool(shown.get("recording"))]}
    policy = "; ".join(f"{name} {value}" for name, value in directives.items() if name != "frame-ancestors")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    return made.replace("<title>", meta + "<title>", 1).replace(DATA, DATA.replace("><", f">{data}<"), 1)


def modules(folder: Path, entry: str) -> str:
    """The code of a module and of all that it imports."""
    made: Dict[str, str] = {}
    add(folder, entry, made)
    # The first module is not a function, so that errors have its lines.
    own = made.pop(entry)
    return "".join(made.values()) + own


def add(folder: Path, name: str, made: Dict[str, str]) -> None:
    source = COMMENT.sub("", (folder / f"{name}.js").read_text("utf-8"))
    again = EXPORT_FROM.findall(source)
    for _, other in [*IMPORT.findall(source), *again]:
        if other not in made:
            made[other] = ""  # Modules may not import each other in a circle.
            add(folder, other, made)
            made[other] = made.pop(other)
    given = [name for _, name in EXPORT.findall(source)]
    given += [f"{one}: module_{other}.{one}" for names, other in again for one in names.replace(",", " ").split()]
    code = EXPORT.sub(r"\1\2", EXPORT_FROM.sub("", IMPORT.sub(r"const {\1} = module_\2;\n", source)))
    assert not re.search(r"^(import|export)\b", code, re.M), f"{name}.js has another form of import or export"
    if given:
        code = f"const module_{name} = (() => {{\n{code}return {{ {', '.join(given)} }};\n}})();\n"
    made[name] = f"// {name}.js\n{code}"
