"""The page of a Chromium that has a debugging port, for tests.

page.py PORT value EXPRESSION    prints what it, or the promise that it is, comes to
page.py PORT press SELECTOR      moves the pointer there and presses, as a person does
page.py PORT appear [OTHER]      waits for a browser, another one than OTHER; prints its name, the time from which on it answered,
                                 in milliseconds since 1970, the time of its page's first paint, and how long that was after
                                 the page was gone to
page.py PORT empty               opens an empty page in the browser at PORT; prints when it asked for it, and those two

PORT is the first of three; the browser is at the first one that answers.
"""
import http.client
import json
import socket
import sys
import time

import websocket

FIRST_PAINT = """new Promise((done, fail) => {
  // What a browser opens its window with is no page yet.
  if (location.href === 'about:blank') return fail(new Error('no page'));
  const seen = () => performance.getEntriesByName('first-paint')[0];
  const look = () => seen() ? done([performance.timeOrigin + seen().startTime, seen().startTime]) : setTimeout(look, 20);
  look();
})"""


def connect(port, seconds):
    """A browser that finds its port taken has that of the other loopback address."""
    try:
        return socket.create_connection(("127.0.0.1", port), timeout=seconds)
    except OSError:
        return socket.create_connection(("::1", port), timeout=seconds)


class Page:
    """The commands of one page."""

    def __init__(self, port, path):
        # A browser takes no commands from pages, which have an origin.
        self.socket = websocket.create_connection(
            f"ws://localhost:{port}{path}", socket=connect(port, 30), suppress_origin=True
        )
        self.number = 0

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise ValueError(answer["error"]["message"])
                return answer["result"]

    def value(self, expression):
        found = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in found:
            raise ValueError(found["exceptionDetails"].get("exception", {}).get("description", "failed"))
        return found["result"].get("value")

    def press(self, selector):
        x, y = self.value(
            "(() => { const part = document.querySelector(%s); part.scrollIntoView({ block: 'center' });"
            " const box = part.getBoundingClientRect();"
            " return [box.x + box.width / 2, box.y + box.height / 2]; })()" % json.dumps(selector)
        )
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def answer(port, path, method="GET"):
    connection = http.client.HTTPConnection("localhost", port)
    connection.sock = connect(port, 5)
    connection.request(method, path)
    reply = connection.getresponse().read()
    connection.close()
    return json.loads(reply)


def answers(port):
    try:
        connect(port, 1).close()
        return True
    except OSError:
        return False


def name(port):
    """Of the browser that is there, the same for as long as it runs; None: it has gone meanwhile."""
    try:
        return answer(port, "/json/version")["webSocketDebuggerUrl"].rsplit("/", 1)[1]
    except (OSError, ValueError, http.client.HTTPException):
        return None


def target(port):
    """Where the page is at that port; None: there is none yet."""
    pages = [one for one in answer(port, "/json/list") if one["type"] == "page"]
    return pages[0]["webSocketDebuggerUrl"].split(str(port), 1)[1] if pages else None


def first_paint(page, end):
    """Asked again when the page is not there yet, or goes to another one meanwhile."""
    while True:
        try:
            return page.value(FIRST_PAINT)
        except (OSError, ValueError, websocket.WebSocketException):
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def main():
    first, what = int(sys.argv[1]), sys.argv[2]
    other = sys.argv[3] if what == "appear" and len(sys.argv) > 3 else None
    end = time.monotonic() + 30
    while True:
        ready = time.time() * 1000
        port = next((one for one in range(first, first + 3) if answers(one) and name(one) not in (None, other)), None)
        if port:
            break
        if time.monotonic() > end:
            sys.exit("no browser has the port")
        time.sleep(0.005)
    if what == "empty":
        asked = time.time() * 1000
        made = answer(port, "/json/new?data:text/html,<p>ready", "PUT")
        page = Page(port, made["webSocketDebuggerUrl"].split(str(port), 1)[1])
        print(asked, *first_paint(page, end))
        return
    while not (path := target(port)):
        if time.monotonic() > end:
            sys.exit("the browser has no page")
        time.sleep(0.01)
    page = Page(port, path)
    if what == "value":
        found = page.value(sys.argv[3])
        print(found if isinstance(found, str) else json.dumps(found))
    elif what == "press":
        page.press(sys.argv[3])
    else:
        print(name(port), ready, *first_paint(page, end))


main()
