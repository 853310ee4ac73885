#!/usr/bin/python3
"""Participants, each on a connection of its own: crowd.py COUNT [apart] [silent].

Each clears at once when a worker leaves, or never answers. Apart: each is a process of its own, and all register at once.
"""
import ctypes
import os
import signal
import sys

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

NAME, PATH = "org.baton.Device1", "/org/baton/Device1"
PARTICIPANTS = NAME + ".Participants"
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)


def join(number):
    bus = dbus.SessionBus(private=True)
    device = bus.get_object(NAME, PATH, introspect=False)

    def call(member, signature, *arguments):
        return device.get_dbus_method(member, PARTICIPANTS)(*arguments, signature=signature)

    instance, _, _, through, _ = call("Register", "sta{sv}", f"org.example.App{number}", 0, {})

    def acknowledge(epoch):
        device.get_dbus_method("Acknowledge", PARTICIPANTS)(
            epoch, instance, "cleared", {}, signature="ttsa{sv}",
            reply_handler=lambda: None, error_handler=lambda error: print(f"refused {error}", flush=True))

    if through:
        acknowledge(through)
    if "silent" not in sys.argv:
        bus.add_signal_receiver(
            lambda epoch, account, reason, deadline: acknowledge(epoch), "SigningOut", NAME, path=PATH)
    return bus


def end_with_parent(parent):
    ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)


count = int(sys.argv[1])
if "apart" in sys.argv:
    there, tell = os.pipe()
    parent = os.getpid()
    for number in range(count):
        if os.fork() == 0:
            end_with_parent(parent)
            bus = join(number)
            os.write(tell, b".")
            GLib.MainLoop().run()
    for _ in range(count):
        os.read(there, 1)
else:
    crowd = [join(number) for number in range(count)]
print("all are there", flush=True)
GLib.MainLoop().run()
