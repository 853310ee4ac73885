"""A D-Bus connection as bytes on a socket: it sends what no library would, and reads only when it is told to."""
import array
import os
import socket
import struct


def pad(data, size):
    return data + b"\0" * (-len(data) % size)


def string(text):
    data = text.encode()
    return struct.pack("<I", len(data)) + data + b"\0"


def registration(app):
    """The body of Register: with the first descriptor as token."""
    body = pad(string(app), 8) + struct.pack("<Q", 0)
    entry = pad(string("token") + b"\1h\0", 4) + struct.pack("<I", 0)
    return pad(body + struct.pack("<I", len(entry)), 8) + entry


class RawBus:
    def __init__(self, address=None):
        address = address or os.environ["DBUS_SESSION_BUS_ADDRESS"]
        path = dict(item.split("=", 1) for item in address.split(":", 1)[1].split(","))["path"]
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.sendall(
            b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\nNEGOTIATE_UNIX_FD\r\nBEGIN\r\n")
        seen = b""
        while seen.count(b"\r\n") < 2:
            seen += self.socket.recv(1)
        self.serial = 0
        self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")
        self.message()

    def encode(self, destination, path, interface, member, signature="", body=b"", descriptors=0):
        self.serial += 1
        fields = b""
        for code, kind, value in [
                (1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", destination), (8, "g", signature),
                (9, "u", descriptors)]:
            if not value:
                continue
            fields = pad(fields, 8) + bytes([code, 1]) + kind.encode() + b"\0"
            if kind == "g":
                fields += bytes([len(value)]) + value.encode() + b"\0"
            elif kind == "u":
                fields = pad(fields, 4) + struct.pack("<I", value)
            else:
                fields = pad(fields, 4) + string(value)
        head = b"l\1\0\1" + struct.pack("<III", len(body), self.serial, len(fields)) + fields
        return pad(head, 8) + body

    def call(self, *parts, descriptors=(), **more):
        data = self.encode(*parts, descriptors=len(descriptors), **more)
        if descriptors:
            sent = self.socket.sendmsg([data], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))])
            data = data[sent:]
        self.socket.sendall(data)

    def exactly(self, size):
        data = b""
        while len(data) < size:
            more = self.socket.recv(size - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def message(self):
        """The next message: its kind (1 call, 2 reply, 3 error, 4 signal) and the rest of its bytes."""
        head = self.exactly(16)
        body, serial, fields = struct.unpack("<III", head[4:16])
        rest = self.exactly(fields + (-fields % 8) + body)
        return head[1], rest
