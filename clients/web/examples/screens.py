"""What the examples share: a daemon, a bridge, and the address that is printed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Callable

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.dont_write_bytecode = True

from bridge import Bridge, listd  # noqa: E402


def show(name: str, about: str, prepare: Callable[..., None], *operands: str) -> None:
    """Serves NAME.html after `prepare` has made the lists and actions of its screen. Operands of the
    command are passed to `prepare`."""
    parser = argparse.ArgumentParser(prog=name, description=about)
    for operand in operands:
        parser.add_argument(operand)
    parser.add_argument("--port", type=int, default=0, metavar="N", help="any that is free")
    asked = parser.parse_args()
    try:
        with listd.spawn() as daemon:
            bridge = Bridge(daemon, HERE, port=asked.port, page=f"{name}.html")
            prepare(bridge, *(getattr(asked, operand) for operand in operands))
            print(f"{bridge.address} shows the screen; Ctrl-C ends", flush=True)
            try:
                bridge.serve()
            except KeyboardInterrupt:
                print()
    except (listd.ListdError, OSError) as why:
        sys.exit(f"{name}: {why}")
