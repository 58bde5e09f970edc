"""Language-server clients of other authors in a session with the daemon."""

# Promise: Clients of other authors, with their own kinds of ids, work. Also `messages.test.js`,
#   `listd-client-tests.el`.

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Dict, List

import listd
import pytest
from pygls.client import JsonRPCClient
from pylsp_jsonrpc.endpoint import Endpoint  # type: ignore[import-untyped]
from pylsp_jsonrpc.streams import (  # type: ignore[import-untyped]
    JsonRpcStreamReader, JsonRpcStreamWriter,
)  # fmt: skip

ROOT = Path(__file__).resolve().parents[3]
FIRST = {"list": "fruit", "items": ["apple", "banana", "cherry"], "content": True}
SECOND = {"list": "fruit", "items": ["cherry", "apple", "elder"], "content": True}


def after(stages: Any) -> Any:
    """The fruit after changes in the form of stages."""
    read = [listd.ops.read_stages(received) for received in stages]
    sections: List[Dict[str, Any]] = []
    for received in read:
        sections = listd.apply_stages(sections, received)
    return [section["items"] for section in sections]


def test_python_lsp_jsonrpc(probe: listd.Daemon) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([listd.find()], stdin=pipe, stdout=pipe) as process:
        received: "Future[Any]" = Future()
        ids: List[Any] = []
        reader = JsonRpcStreamReader(process.stdout)
        writer = JsonRpcStreamWriter(process.stdin)

        def write(message: Any) -> None:
            ids.append(message.get("id"))
            writer.write(message)

        endpoint = Endpoint({"did_change": received.set_result, "didChange": received.set_result}, write)

        async def converse() -> None:
            loop = asyncio.get_running_loop()
            listening = loop.run_in_executor(None, reader.listen, endpoint.consume)

            async def ask(method: str, params: Any = None) -> Any:
                return await asyncio.wrap_future(endpoint.request(method, params))

            assert (await ask("initialize", {"capabilities": {}}))["protocolVersion"] == 1
            endpoint.notify("initialized", {})
            changes = [await ask("applySnapshot", params) for params in (FIRST, SECOND)]
            stages = [change["stages"] for change in changes]
            assert after(stages) == [["cherry", "apple", "elder"]]
            with pytest.raises(Exception, match="nope"):
                await ask("getSnapshot", {"list": "nope"})
            if probe.supports("subscribe"):
                await ask("subscribe", {"list": "fruit"})
                await ask("applySnapshot", {"list": "fruit", "items": []})
                assert received.result(10)["revision"] == changes[1]["revision"] + 1
            assert await ask("shutdown") is None
            endpoint.notify("exit")
            await listening

        asyncio.run(asyncio.wait_for(converse(), 30))
        assert process.wait(10) == 0
    asked = [id for id in ids if id is not None]
    assert all(isinstance(id, str) and len(id) == 36 for id in asked)  # UUIDs


def test_pygls(probe: listd.Daemon) -> None:
    async def converse() -> None:
        client = JsonRPCClient()
        received: "asyncio.Future[Any]" = asyncio.get_running_loop().create_future()
        client.feature("didChange")(lambda change: received.set_result(change))
        await client.start_io(listd.find())

        async def ask(method: str, params: Any = None) -> Any:
            return plain(await client.protocol.send_request_async(method, params))

        assert (await ask("initialize", {"capabilities": {}}))["serverInfo"]["name"] == "listd"
        client.protocol.notify("initialized", {})
        changes = [await ask("applySnapshot", params) for params in (FIRST, SECOND)]
        assert after([change["stages"] for change in changes]) == [["cherry", "apple", "elder"]]
        with pytest.raises(Exception, match="nope"):
            await ask("getSnapshot", {"list": "nope"})
        if probe.supports("subscribe"):
            await ask("subscribe", {"list": "fruit"})
            await ask("applySnapshot", {"list": "fruit", "items": []})
            assert plain(await received)["revision"] == changes[1]["revision"] + 1
        assert await ask("shutdown") is None
        client.protocol.notify("exit", None)
        await client.stop()  # type: ignore[no-untyped-call]

    asyncio.run(asyncio.wait_for(converse(), 30))


LIBRARY = Path("/usr/share/gocode/src/github.com/sourcegraph/jsonrpc2")


@pytest.mark.skipif(
    not (shutil.which("go") and LIBRARY.is_dir()),
    reason="needs golang-go and golang-github-sourcegraph-jsonrpc2-dev of Debian",
)
def test_sourcegraph_jsonrpc2() -> None:
    program = ROOT / "Tests" / "clients" / "go" / "stranger.go"
    found = {**os.environ, "GO111MODULE": "off", "GOPATH": "/usr/share/gocode"}
    found["GOCACHE"] = str(ROOT / ".tmp" / "go")
    ran = subprocess.run(
        ["go", "run", str(program), listd.find()], env=found, stdout=subprocess.PIPE, timeout=300
    )
    assert ran.returncode == 0 and ran.stdout.decode().splitlines() == [
        '{"deletes":0,"inserts":2,"moves":0,"updates":0}',
        '{"deletes":1,"inserts":1,"moves":0,"updates":0}',
        'true -31001 no list "nope"',
    ]


def plain(value: Any) -> Any:
    """Converts pygls objects back to JSON. pygls renames `from`, a keyword of Python, to
    `_1`."""
    if hasattr(value, "_asdict"):
        value = {"from" if name == "_1" else name: m for name, m in value._asdict().items()}
    if isinstance(value, dict):
        return {name: plain(member) for name, member in value.items()}
    return [plain(element) for element in value] if isinstance(value, (list, tuple)) else value


def test_ids_are_returned_unchanged() -> None:
    ids = ['"550e8400-e29b-41d4-a716-446655440000"', '"\\u0061"', "12345678901234567890", '"1"']
    lines = ['{"jsonrpc":"2.0","id":%s,"method":"getLists"}\n' % id for id in ids]
    ran = subprocess.run([listd.find()], input="".join(lines).encode(), stdout=subprocess.PIPE)
    received = ran.stdout.decode().splitlines()
    assert all(f'"id":{id},' in line for id, line in zip(ids, received)) and len(received) == len(ids)
    assert [json.loads(line)["result"] for line in received] == [{"lists": []}] * len(ids)
