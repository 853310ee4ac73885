#!/usr/bin/python3
"""Honest participants, each on a connection of its own: crowd.py COUNT. Each clears at once when a worker leaves."""
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
    bus.add_signal_receiver(
        lambda epoch, account, reason, deadline: acknowledge(epoch), "SigningOut", NAME, path=PATH)
    return bus


crowd = [join(number) for number in range(int(sys.argv[1]))]
print("all are there", flush=True)
GLib.MainLoop().run()
