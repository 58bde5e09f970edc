"""A session by the Python client, which must find the given program."""

import sys

import listd

assert listd.find() == sys.argv[1], f"found {listd.find()}, not {sys.argv[1]}"
with listd.spawn() as daemon:
    assert daemon.version == listd.__version__
    inbox, mirror = daemon.list("inbox"), listd.Mirror()
    with inbox.subscribe() as news:
        mirror.take(next(iter(news)))
        inbox.apply(["Anna", "Ben", "Cleo"])
        mirror.take(next(iter(news)))
    change = inbox.apply(["Cleo", "Anna", "Dan"])
    assert (change.rows.deletes, change.rows.inserts, change.rows.moves) == (1, 1, 1), change
    assert mirror.sections == [{"id": "main", "items": ["Anna", "Ben", "Cleo"]}]

# The scripts of pages are with it.
from listd.web import FOLDER, Bridge

with listd.spawn() as daemon:
    assert (FOLDER / "listd.js").is_file()
    bridge = Bridge(daemon, FOLDER)
    bridge.start()
    bridge.close()
