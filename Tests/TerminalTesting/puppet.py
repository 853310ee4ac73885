#!/usr/bin/python3
"""A participant that does only what a test tells it: passes every call on to Baton, on a connection of its own.

What it registers is this process, so it can be stopped, killed and contained like any app. With `child` it first starts
a process of its own, whose pid it prints. With `heir` a process that nobody can tell for its own has its connection, too. On
SIGUSR1 it leaves the bus and lives on.
"""
import os
import signal
import subprocess
import sys

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
from gi.repository import GLib

BATON = "org.baton.Device1"


def forward(connection, message):
    if not isinstance(message, dbus.lowlevel.MethodCallMessage) or message.get_path() != "/org/baton/Device1":
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED

    def answer(reply):
        if isinstance(reply, dbus.lowlevel.ErrorMessage):
            text = reply.get_args_list() or [""]
            back = dbus.lowlevel.ErrorMessage(message, reply.get_error_name(), str(text[0]))
        else:
            back = dbus.lowlevel.MethodReturnMessage(message)
            back.append(*reply.get_args_list(), signature=reply.get_signature())
        connection.send_message(back)

    call = dbus.lowlevel.MethodCallMessage(BATON, message.get_path(), message.get_interface(), message.get_member())
    call.append(*message.get_args_list(), signature=message.get_signature())
    connection.send_message_with_reply(call, answer, 60, require_main_loop=True)
    return dbus.lowlevel.HANDLER_RESULT_HANDLED


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus(private=True)
bus.set_exit_on_disconnect(False)
bus.add_message_filter(forward)
GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, bus.close)
if "heir" in sys.argv:
    reading, writing = os.pipe()
    between = os.fork()
    if between == 0:
        os.setsid()
        heir = os.fork()
        if heir == 0:
            os.closerange(0, 3)
            while True:
                signal.pause()
        os.write(writing, str(heir).encode())
        os._exit(0)
    os.waitpid(between, 0)
    print(f"heir {os.read(reading, 32).decode()}", flush=True)
if "child" in sys.argv:
    print(f"child {subprocess.Popen(['sleep', '1000']).pid}", flush=True)
print(f"puppet {bus.get_unique_name()}", flush=True)
GLib.MainLoop().run()
