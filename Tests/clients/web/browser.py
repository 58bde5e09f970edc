"""Controls headless Chromium through pipes."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from collections import deque
from pathlib import Path
from typing import Any, Callable, Deque, List, Optional


# Collects what the Content-Security-Policy of a page forbids.
VIOLATIONS = """window.violations = [];
document.addEventListener("securitypolicyviolation", (one) => violations.push(one.effectiveDirective));"""


class Browser:
    """Headless Chromium, controlled through pipes. Messages end with a zero byte."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        assert program, "needs chromium"
        (own_in, its_out), (its_in, own_out) = os.pipe(), os.pipe()

        def set_descriptors() -> None:
            # Chromium reads from descriptor 3 and writes to 4. Copies prevent one from replacing
            # the other.
            first, second = os.dup(its_in), os.dup(its_out)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={folder}"],
            preexec_fn=set_descriptors, close_fds=False, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(its_out)
        os.close(its_in)
        self.replies, self.questions = open(own_in, "rb"), open(own_out, "wb", buffering=0)
        self.number, self.rest = 0, b""
        self.events: Deque[Any] = deque(maxlen=10_000)

    def tab(self, before: str = "", beside: Optional["Tab"] = None) -> "Tab":
        """Opens a tab, in the window of another one or in a window of its own. `before` runs in its pages before
        their own scripts."""
        # A separate context does not share cookies.
        context = beside.context if beside else self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)
        attached = self.call("Target.attachToTarget", flatten=True, **target)
        tab = Tab(self, attached["sessionId"], context)
        tab.call("Page.enable")
        for source in filter(None, (VIOLATIONS, before)):
            tab.call("Page.addScriptToEvaluateOnNewDocument", source=source)
        return tab

    def call(self, method: str, session: Optional[str] = None, **params: Any) -> Any:
        self.number += 1
        asked = {"id": self.number, "method": method, "params": params}
        if session:
            asked["sessionId"] = session
        self.questions.write(json.dumps(asked).encode() + b"\0")
        while (reply := self.receive()).get("id") != self.number:
            self.events.append(reply)
        assert "error" not in reply, reply
        return reply["result"]

    def receive(self) -> Any:
        """The next reply or event."""
        while b"\0" not in self.rest:
            more = self.replies.read1(1 << 16)
            assert more, "the browser has ended"
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def traced(self, categories: List[str], work: Callable[[], Any]) -> List[Any]:
        """What the browser records of some categories while something runs."""
        self.events.clear()
        self.call("Tracing.start", transferMode="ReportEvents", traceConfig={"includedCategories": categories})
        work()
        self.call("Tracing.end")
        while (self.events or [{}])[-1].get("method") != "Tracing.tracingComplete":
            self.events.append(self.receive())
        found = [one["params"]["value"] for one in self.events if one["method"] == "Tracing.dataCollected"]
        return [event for events in found for event in events]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.replies.close()
        self.questions.close()


class Tab:
    """An open page."""

    def __init__(self, browser: Browser, session: str, context: str) -> None:
        self.browser, self.session, self.context = browser, session, context

    def call(self, method: str, **params: Any) -> Any:
        return self.browser.call(method, self.session, **params)

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)

    def run(self, code: str) -> Any:
        """The value of an expression, or of its promise."""
        reply = self.call(
            "Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True,
            userGesture=True,
        )  # fmt: skip
        assert "exceptionDetails" not in reply, reply
        return reply["result"].get("value")

    def wait(self, code: str, value: Any = True) -> None:
        end = time.monotonic() + 30
        while (found := self.run(code)) != value:
            assert time.monotonic() < end, f"{code} is {found}, not {value}"
            time.sleep(0.05)

    def press(self, key: str, modifiers: int = 0, text: str = "") -> None:
        """Presses a key. Modifiers are 1 Alt, 2 Control and 8 Shift."""
        params = {"key": key, "modifiers": modifiers, **({"text": text} if text else {})}
        self.call("Input.dispatchKeyEvent", type="keyDown", **params)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, modifiers=modifiers)

    def click(self, selector: str) -> None:
        """Clicks the middle of an element with the mouse, after all animations have ended."""
        self.wait("document.getAnimations().length", 0)
        x, y = self.run(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
            " one.scrollIntoView({ block: 'nearest', behavior: 'instant' });"
            " const r = one.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, width: int, height: int) -> bytes:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, mobile=False,
            deviceScaleFactor=1,
        )  # fmt: skip
        self.run("document.documentElement.style.scrollbarWidth = 'none'")
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        """Closes the tab, in which the page's policy must have forbidden nothing."""
        violations = self.run("window.violations ?? []")
        self.browser.call("Target.disposeBrowserContext", browserContextId=self.context)
        assert violations == []
