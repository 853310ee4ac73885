#!/usr/bin/python3
"""A participating app in Python: keeps the worker's notes in a file, and clears them when they leave.

Usage: ward-list.py FOLDER            (needs python3-dbus and python3-gi)

Three rules make it a participant: listen before registering, answer every sign-out that it is told of, and clear what
`Register` says was missed.
"""
import os
import sys

import dbus
import dbus.mainloop.glib
from gi.repository import GLib

NAME, PATH = "org.baton.Device1", "/org/baton/Device1"
APP = "org.example.WardList"
os.makedirs(sys.argv[1], exist_ok=True)
notes = os.path.join(sys.argv[1], "ward-list.txt")
instance = None
said = {}


def clear():
    if os.path.exists(notes):
        os.remove(notes)
        return "cleared"
    return "nothing-to-clear"


def greet(account):
    with open(notes, "a") as file:
        file.write(f"notes of {account['username']}\n")
    print(f"ward-list: {account.get('name', account['username'])} is here", flush=True)


def acknowledge(epoch):
    outcome = said.setdefault(int(epoch), None) or clear()
    said[int(epoch)] = outcome  # a repeated signal gets the same answer
    apps.Acknowledge(dbus.UInt64(epoch), dbus.UInt64(instance), outcome, dbus.Dictionary(signature="sv"))
    print(f"ward-list: {outcome}", flush=True)


def current_account():
    try:
        return device.GetCurrentAccount()[1]
    except dbus.DBusException:
        return {}  # the worker is leaving already; SigningOut comes next


def register(*_):
    """Called when batond is there, also when it comes back: each may have missed something of the other."""
    global instance
    instance, epoch, phase, clear_through, account = apps.Register(APP, dbus.UInt64(0), dbus.Dictionary(signature="sv"))
    if clear_through:
        acknowledge(clear_through)
        account = current_account() if phase == "in-use" else {}
    if account:
        greet(account)
    print("ward-list: ready", flush=True)


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
# On a terminal only the system bus: of a session bus any program may have batond's name.
bus = dbus.SessionBus() if os.environ.get("BATON_BUS") == "session" else dbus.SystemBus()
target = bus.get_object(NAME, PATH, follow_name_owner_changes=True)
device = dbus.Interface(target, NAME)
apps = dbus.Interface(target, NAME + ".Participants")

device.connect_to_signal("SignedIn", lambda epoch, account: greet(account))
device.connect_to_signal("SigningOut", lambda epoch, account, reason, deadline: acknowledge(epoch))
bus.watch_name_owner(NAME, lambda owner: owner and register())
GLib.MainLoop().run()
