"""Lists in web pages: the bridge from pages to a daemon, the scripts of pages, and an ASGI app for teams.

    from listd.web import App, Bridge

`Bridge` serves pages of this machine, and `App` those of a web server, behind any proxy. Their pages import scripts
from `listd/`, such as `listd/listd.js`. `FOLDER` has these files; `python -m listd page` runs the program there.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Optional, Sequence

HERE: Path = Path(__file__).resolve().parent
FOLDER: Path = HERE if (HERE / "bridge.py").is_file() else HERE.parents[2] / "web"
"""The programs and scripts: beside this file if the package was installed by pip, or beside the package."""


class Scripts(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the programs of the folder as modules of this package. As programs, they import each other by name, and
    find this package by `sys.path`."""

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        """The module of a program."""
        package, _, name = fullname.rpartition(".")
        file = FOLDER / f"{name}.py"
        if package != __name__ or (HERE / file.name).is_file() and FOLDER != HERE or not file.is_file():
            return None
        if name in ("__init__", "asgi"):
            return None
        return importlib.util.spec_from_file_location(fullname, file, loader=self)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> None:
        """Leaves it to Python to make an empty module."""

    def exec_module(self, module: ModuleType) -> None:
        """Runs the program's definitions."""
        file: Any = module.__file__
        code = compile(packaged(Path(file).read_text("utf-8")), file, "exec", dont_inherit=True)
        exec(code, module.__dict__)


def packaged(source: str) -> str:
    """The source of a program as that of a module of this package."""
    names = "|".join(sorted(file.stem for file in FOLDER.glob("*.py") if file.stem not in ("__init__", "asgi")))
    source = re.sub(rf"^from ({names}) import", r"from .\1 import", source, flags=re.M)
    source = re.sub(rf"^import ({names})\b", r"from . import \1", source, flags=re.M)
    return re.sub(r"^sys\.(path\.insert\(.*\)|dont_write_bytecode = True)$", "pass", source, flags=re.M)


sys.meta_path.insert(0, Scripts())

from .asgi import App, Request  # noqa: E402

Bridge: Any = importlib.import_module(f"{__name__}.bridge").Bridge
"""Serves pages of this machine, and the lists of a daemon to them; see `bridge.py`."""

__all__ = ["FOLDER", "App", "Bridge", "Request"]
