"""Drives chromium without a window, over the DevTools protocol on a pipe: one page at a time."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """The program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Chromium:
    """with Chromium() as browser: page = browser.open(path)"""

    def __enter__(self):
        self.profile = tempfile.mkdtemp()
        to_browser, self.write_fd = os.pipe()
        self.read_fd, from_browser = os.pipe()
        os.set_inheritable(to_browser, True)
        os.set_inheritable(from_browser, True)
        words = [find(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
                 "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars", "--force-color-profile=srgb",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--user-data-dir=" + self.profile, "about:blank"]
        # chromium wants the pipes at 3 and 4
        shell = 'exec "$@" 3<&%d 4>&%d' % (to_browser, from_browser)
        self.process = subprocess.Popen(["bash", "-c", shell, "bash", *words], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self.number, self.buffer, self.events = 0, b"", []
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close", timeout=5)
            self.process.wait(10)
        except (OSError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_fd)
        os.close(self.read_fd)
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_fd], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("chromium does not answer")
            piece = os.read(self.read_fd, 1 << 20)
            if not piece:
                raise OSError("chromium has ended")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, session=None, timeout=60, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if session:
            request["sessionId"] = session
        os.write(self.write_fd, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + timeout
        while True:
            answer = self.message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError("%s: %s" % (method, answer["error"]))
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def open(self, path, width=1200, height=900, dark=False, phone=False):
        return Page(self, path, width, height, dark, phone)


class Page:
    """A page, loaded to its end. `problems`: what the console, the network and dialogs reported."""

    def __init__(self, browser, path, width, height, dark, phone):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme",
                                                           "value": "dark" if dark else "light"}])
        self.address = "file://" + os.path.abspath(path)
        failure = self.call("Page.navigate", url=self.address).get("errorText")
        if failure:
            raise OSError("%s: %s" % (path, failure))
        deadline = time.monotonic() + 60
        while self.run("document.readyState") != "complete":
            if time.monotonic() > deadline:
                raise TimeoutError(path + " does not load")
            time.sleep(0.02)
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    def run(self, script):
        """The value of a JavaScript expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError("%s: %s" % (script, answer["exceptionDetails"]))
        return answer["result"].get("value")

    def problems(self):
        self.run("1")  # what was reported so far has arrived
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            kind, what = event["method"], event["params"]
            if kind == "Runtime.exceptionThrown":
                details = what["exceptionDetails"]
                found.append("error: %s" % details.get("exception", details).get("description", details))
            elif kind == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning", "assert"):
                found.append("console: %s" % what["args"])
            elif kind == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
                found.append("log: %s" % what["entry"]["text"])
            elif kind == "Network.requestWillBeSent" and what["request"]["url"] != self.address:
                found.append("request: %s" % what["request"]["url"][:200])
            elif kind == "Page.javascriptDialogOpening":
                found.append("dialog: %s" % what["message"])
        return found

    def screenshot(self, path):
        """Of the whole page."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True,
                         clip={"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1})
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
