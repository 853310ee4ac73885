"""A pointer of a Wayland compositor's, by wlr-virtual-pointer-unstable-v1, which no tool of Debian's moves.

    pointer.py WIDTH HEIGHT PIPE     each line `X Y` in that named pipe is a click there, answered with `done`

The protocols: https://wayland.freedesktop.org/docs/html and
https://gitlab.freedesktop.org/wlroots/wlr-protocols/-/blob/master/unstable/wlr-virtual-pointer-unstable-v1.xml
"""
import os
import socket
import struct
import sys

connection = socket.socket(socket.AF_UNIX)
connection.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], os.environ["WAYLAND_DISPLAY"]))
received = b""


def send(target, request, *words):
    body = b"".join(word if isinstance(word, bytes) else struct.pack("<I", word) for word in words)
    connection.sendall(struct.pack("<II", target, (8 + len(body)) << 16 | request) + body)


def text(value):
    raw = value.encode() + b"\0"
    return struct.pack("<I", len(raw)) + raw + b"\0" * (-len(raw) % 4)


def message():
    global received
    while len(received) < 8 or len(received) < struct.unpack("<I", received[4:8])[0] >> 16:
        more = connection.recv(4096)
        if not more:
            sys.exit("the compositor is gone")
        received += more
    target, head = struct.unpack("<II", received[:8])
    body, received = received[8 : head >> 16], received[head >> 16 :]
    if target == 1 and head & 0xFFFF == 0:
        sys.exit("the compositor refuses: " + body[12:].decode(errors="replace"))
    return target, head & 0xFFFF, body


def wait(number):
    send(1, 0, number)
    found = {}
    while True:
        target, event, body = message()
        if target == number:
            return found
        if target == 2 and event == 0:
            name, length = struct.unpack("<II", body[:8])
            found[body[8 : 8 + length - 1].decode()] = name


send(1, 1, 2)
manager = wait(3)["zwlr_virtual_pointer_manager_v1"]
send(2, 0, manager, text("zwlr_virtual_pointer_manager_v1"), 1, 4)
# Of no seat in particular: the default one.
send(4, 0, 0, 5)
wait(6)
width, height = map(int, sys.argv[1:3])
number, time = 7, 1
# For both ways, so that the pipe does not end with who writes to it.
lines = open(os.open(sys.argv[3], os.O_RDWR))
print("ready", flush=True)
for line in lines:
    x, y = map(int, line.split())
    send(5, 1, time, x, y, width, height)
    send(5, 4)
    for state in (1, 0):
        time += 1
        send(5, 2, time, 0x110, state)
        send(5, 4)
    wait(number)
    number += 1
    print("done", flush=True)
