"""Shared by the examples: starts a daemon and a bridge, and prints the address."""

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
    """Serves NAME.html after `prepare` has created the lists and actions of its screen. The operands of the
    command line are passed to `prepare`."""
    parser = argparse.ArgumentParser(prog=name, description=about)
    for operand in operands:
        parser.add_argument(operand)
    parser.add_argument("--port", type=int, default=0, metavar="N", help="any free port by default")
    options = parser.parse_args()
    try:
        with listd.spawn() as daemon:
            bridge = Bridge(daemon, HERE, port=options.port, page=f"{name}.html")
            prepare(bridge, *(getattr(options, operand) for operand in operands))
            print(f"{bridge.address} shows the screen; Ctrl-C ends", flush=True)
            try:
                bridge.serve()
            except KeyboardInterrupt:
                print()
    except (listd.ListdError, OSError) as why:
        sys.exit(f"{name}: {why}")
