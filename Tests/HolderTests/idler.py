"""A Wayland compositor that has seats and ext-idle-notify-v1, and says of their idleness what it is told to.

    idler.py SOCKET VERSION PIPE

Prints `ready`, then what is asked for: `idle SEAT MILLISECONDS`, `input-idle SEAT MILLISECONDS` or `left SEAT`. Lines in the named
pipe: `idled SEAT`, `resumed SEAT`, `add SEAT`, `remove SEAT`. Seats are numbers; the first is 1.

The protocols: https://wayland.freedesktop.org/docs/html and
https://gitlab.freedesktop.org/wayland/wayland-protocols/-/blob/main/staging/ext-idle-notify/ext-idle-notify-v1.xml
"""
import os
import select
import socket
import struct
import sys

NOTIFIER = 1000


def text(value):
    raw = value.encode() + b"\0"
    return struct.pack("<I", len(raw)) + raw + b"\0" * (-len(raw) % 4)


class Client:
    def __init__(self, connection, idler):
        self.connection, self.idler, self.received = connection, idler, b""
        self.objects, self.registries, self.watches = {1: "display"}, [], {}

    def send(self, target, event, body=b""):
        try:
            self.connection.sendall(struct.pack("<II", target, (8 + len(body)) << 16 | event) + body)
        except OSError:
            pass  # It is gone, which reading tells.

    def offer(self, registry, name, interface, version):
        self.send(registry, 0, struct.pack("<I", name) + text(interface) + struct.pack("<I", version))

    def forget(self, target):
        self.objects.pop(target, None)
        self.send(1, 1, struct.pack("<I", target))

    def read(self):
        try:
            more = self.connection.recv(4096)
        except OSError:
            more = b""
        self.received += more
        while len(self.received) >= 8:
            target, head = struct.unpack("<II", self.received[:8])
            if len(self.received) < head >> 16:
                break
            body, self.received = self.received[8 : head >> 16], self.received[head >> 16 :]
            self.answer(target, head & 0xFFFF, body)
        return bool(more)

    def answer(self, target, request, body):
        kind = self.objects.get(target)
        if kind == "display" and request == 0:
            number = struct.unpack("<I", body)[0]
            self.send(number, 0, struct.pack("<I", 0))
            self.forget(number)
        elif kind == "display":
            registry = struct.unpack("<I", body)[0]
            self.objects[registry] = "registry"
            self.registries.append(registry)
            self.offer(registry, NOTIFIER, "ext_idle_notifier_v1", self.idler.version)
            for seat in self.idler.seats:
                self.offer(registry, seat, "wl_seat", 1)
        elif kind == "registry":
            name, (version, number) = struct.unpack("<I", body[:4])[0], struct.unpack("<II", body[-8:])
            if name == NOTIFIER and not 1 <= version <= min(2, self.idler.version):
                sys.exit(f"version {version} was bound")
            self.objects[number] = "notifier" if name == NOTIFIER else name
        elif kind == "notifier" and request in (1, 2):
            number, span, seat = struct.unpack("<III", body)
            name = self.objects[seat]
            self.objects[number] = "notification"
            self.watches[number] = name
            print("input-idle" if request == 2 else "idle", name, span, flush=True)
        elif kind in ("notification", "notifier"):
            if kind == "notification":
                print("left", self.watches.pop(target), flush=True)
            self.forget(target)
        else:
            sys.exit(f"request {request} of {kind}")


class Idler:
    def __init__(self, path, version, pipe):
        self.version, self.seats, self.clients = version, [1], []
        # For writing too, so that it does not end with the first who writes.
        self.orders = os.open(pipe, os.O_RDWR)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()

    def obey(self, order, seat):
        seat = int(seat)
        if order == "add":
            self.seats.append(seat)
        elif order == "remove" and seat in self.seats:
            self.seats.remove(seat)
        for client in self.clients:
            if order in ("idled", "resumed"):
                for number in [number for number, name in client.watches.items() if name == seat]:
                    client.send(number, 0 if order == "idled" else 1)
            for registry in client.registries:
                if order == "add":
                    client.offer(registry, seat, "wl_seat", 1)
                elif order == "remove":
                    client.send(registry, 1, struct.pack("<I", seat))

    def run(self):
        print("ready", flush=True)
        while True:
            waiting = {self.listener: None, self.orders: None} | {client.connection: client for client in self.clients}
            for source in select.select(list(waiting), [], [])[0]:
                if source is self.listener:
                    self.clients.append(Client(self.listener.accept()[0], self))
                elif source is self.orders:
                    for line in os.read(self.orders, 4096).decode().splitlines():
                        self.obey(*line.split())
                elif not waiting[source].read():
                    self.clients.remove(waiting[source])
                    for seat in waiting[source].watches.values():
                        print("left", seat, flush=True)


Idler(sys.argv[1], int(sys.argv[2]), sys.argv[3]).run()
