#!/usr/bin/python3
"""A participant that means ill, in a process of its own: hostile.py KIND. `hostile.py kinds` lists what works everywhere.

Prints "ready" when it has begun, "done" when it has done its worst, and then stays until it is ended.
"""
import fcntl
import os
import signal
import socket
import sys
import time

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
from gi.repository import GLib

NAME = "org.baton.Device1"
PATH = "/org/baton/Device1"
PARTICIPANTS = NAME + ".Participants"
APP = "org.example.Hostile"

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)


def connect():
    bus = dbus.SessionBus(private=True)
    bus.set_exit_on_disconnect(False)
    return bus


bus = None if sys.argv[1] == "kinds" else connect()


def message(member, signature="", *arguments, interface=NAME):
    call = dbus.lowlevel.MethodCallMessage(NAME, PATH, interface, member)
    if signature:
        call.append(*arguments, signature=signature)
    return call


def call(member, signature="", *arguments, interface=NAME, on=None):
    """The answer's values, or the name of the error."""
    try:
        reply = (on or bus).send_message_with_reply_and_block(message(member, signature, *arguments, interface=interface), 30)
        return reply.get_args_list()
    except dbus.DBusException as error:
        return error.get_dbus_name()


def register(app=APP, on=None):
    answer = call("Register", "sta{sv}", app, 0, {}, interface=PARTICIPANTS, on=on)
    if isinstance(answer, list) and answer[3]:
        acknowledge(answer[3], answer[0], on=on)
    return answer


def acknowledge(epoch, instance, outcome="cleared", details=None, on=None):
    return call("Acknowledge", "ttsa{sv}", epoch, instance, outcome, details or {}, interface=PARTICIPANTS, on=on)


def at_sign_out(handler):
    """Calls it with epoch and deadline."""
    bus.add_signal_receiver(
        lambda epoch, account, reason, deadline: handler(int(epoch), int(deadline)),
        "SigningOut", NAME, path=PATH)


def say(text):
    print(text, flush=True)


def silent(mine):
    pass


def stopped(mine):
    say("done")
    os.kill(os.getpid(), signal.SIGSTOP)


def slow(mine):
    def answer(epoch, deadline):
        # The last milliseconds of its time.
        left = deadline / 1e6 - time.clock_gettime(time.CLOCK_MONOTONIC)
        GLib.timeout_add(max(0, int(left * 1000) - 30), lambda: (acknowledge(epoch, mine), False)[1])
    at_sign_out(answer)


def dies_before(mine):
    say("done")
    os._exit(0)


def dies_during(mine):
    at_sign_out(lambda epoch, deadline: os._exit(0))


def dies_after(mine):
    def answer(epoch, deadline):
        acknowledge(epoch, mine)
        os._exit(0)
    at_sign_out(answer)


def forges(mine):
    def answer(epoch, deadline):
        for instance in range(1, 200):
            if instance != mine:
                acknowledge(epoch, instance)
        acknowledge(epoch, mine)
    at_sign_out(answer)


def early(mine):
    epoch = int(call("Get", "ss", NAME, "Epoch", interface="org.freedesktop.DBus.Properties")[0])
    for ahead in range(0, 200):
        acknowledge(epoch + ahead, mine)
    at_sign_out(lambda epoch, deadline: None)


def replays(mine):
    def answer(epoch, deadline):
        for back in range(0, 100):
            acknowledge(epoch - back, mine)
        for _ in range(100):
            acknowledge(epoch, mine)
    at_sign_out(answer)


def extends(mine):
    def answer(epoch, deadline):
        for _ in range(200):
            call("Extend", "ttu", epoch, mine, 4294967295, interface=PARTICIPANTS)
    at_sign_out(answer)


def forks(mine):
    def answer(epoch, deadline):
        for _ in range(20):
            if os.fork() == 0:
                if os.fork() == 0:
                    # Nobody waits for what these would still print, and what nothing finds any more ends by itself.
                    silence = os.open("/dev/null", os.O_RDWR)
                    for ours in (0, 1, 2):
                        os.dup2(silence, ours)
                    os.execvp("sleep", ["sleep", "20"])
                os._exit(0)
    at_sign_out(answer)


def steals(mine):
    for flags in range(8):
        bus.request_name(NAME, flags)
    for name in ["org.baton.Agent1", "org.example.Ward"]:
        bus.request_name(name, dbus.bus.NAME_FLAG_REPLACE_EXISTING)

    def lie():
        for member, signature, arguments in [
            ("SignedIn", "ta{sv}", (1, {"username": "mallory"})),
            ("SigningOut", "ta{sv}st", (1, {}, "user", 1)),
            ("SignedOut", "ta{sv}s", (1, {}, "cleared")),
        ]:
            forged = dbus.lowlevel.SignalMessage(PATH, NAME, member)
            forged.append(*arguments, signature=signature)
            bus.send_message(forged)
        call("Register", "a{sv}", {}, interface=NAME + ".Agent")
        call("ProcessExited", "t", 1, interface=NAME + ".Agent")
        return True
    GLib.timeout_add(5, lie)
    at_sign_out(lambda epoch, deadline: acknowledge(epoch, mine))


def leaves(mine):
    """Calls, and is gone before anybody can ask who that was."""
    for number in range(300):
        other = connect()
        for member, signature, arguments, interface in [
            ("Register", "sta{sv}", (f"{APP}.Gone{number}", 0, {}), PARTICIPANTS),
            ("SignOut", "a{sv}", ({"reason": "administrator"},), NAME),
            ("EndQuarantine", "a{sv}", ({},), NAME + ".Administration"),
            ("SetDeviceMode", "s", ("default",), NAME + ".Administration"),
        ]:
            other.send_message(message(member, signature, *arguments, interface=interface))
        other.flush()
        other.close()


def wrong_signatures(mine):
    members = {
        NAME: ["GetDeviceMode", "GetDeviceInformation", "GetCurrentAccount", "SignIn", "CancelSignIn", "SignOut",
               "KeepSignedIn", "GetReceipt", "ListReceipts", "NoSuchMethod"],
        PARTICIPANTS: ["Register", "Acknowledge", "Extend", "Leave", "List"],
        NAME + ".Tokens": ["AcquireToken", "AcquireTokenSilently"],
        NAME + ".Administration": ["EndQuarantine", "ForgetApp", "SetDeviceMode", "Reload"],
        NAME + ".Agent": ["Register", "ProcessExited", "Launched"],
        "org.freedesktop.DBus.Properties": ["Get", "Set", "GetAll"],
    }
    values = [
        ("i", (-1,)), ("as", ([],)), ("s", ("x" * 100000,)), ("t", (2**64 - 1,)), ("d", (float("nan"),)),
        ("a{sv}", ({str(number): number for number in range(3000)},)), ("v", (dbus.Int32(1, variant_level=60),)),
        ("(si)", (("a", 1),)), ("aaaas", ([[[["a"]]]],)), ("ssssssss", tuple("abcdefgh")), ("ttsa{sv}", (0, 0, "", {})),
        ("ay", (b"\0" * 70000,)), ("o", ("/",)), ("g", ("a{sv}",)), ("b", (True,)), ("", ()),
    ]
    for interface, names in members.items():
        for member in names:
            for signature, arguments in values:
                # Those are right, or would end this process's own turn.
                if (member, signature) in [("SignOut", "a{sv}"), ("EndQuarantine", "a{sv}"), ("Reload", "")]:
                    continue
                if (member, signature) == ("SetDeviceMode", "s"):
                    continue
                call(member, signature, *arguments, interface=interface)


def large(mine):
    def answer(epoch, deadline):
        for size in [65000, 66000, 1 << 20, 8 << 20]:
            acknowledge(epoch, mine, details={"files": "x" * size})
        deep = dbus.String("x", variant_level=50)
        acknowledge(epoch, mine, details={"deep": deep})
        acknowledge(epoch, mine, details={str(number): number for number in range(20000)})
        acknowledge(epoch, mine)
    at_sign_out(answer)


def registers(mine):
    for number in range(10000):
        bus.send_message(message("Register", "sta{sv}", f"{APP}{number}", 0, {}, interface=PARTICIPANTS))
    bus.flush()
    call("GetDeviceMode")


def calls(mine):
    for number in range(100000):
        bus.send_message(message("GetDeviceMode"))
        if number % 1000 == 999:
            call("GetDeviceMode")


def descriptors(mine):
    for number in range(600):
        ours, theirs = socket.socketpair()
        options = {"username": "nobody", "pin": dbus.types.UnixFd(theirs)}
        theirs.close()
        bus.send_message(message("SignIn", "a{sv}", dbus.Dictionary(options, signature="sv")))
        # Nothing is ever written, and it is never closed.
        keep.append(ours)
        if number % 100 == 99:
            call("GetDeviceMode")


def takes_over_pid(mine):
    """Dies, and leaves its pid to a process that has nothing to do with it; only root can choose a pid."""
    pid = os.fork()
    if pid == 0:
        other = connect()
        register(APP + ".Reused", on=other)
        other.flush()
        os._exit(0)
    os.waitpid(pid, 0)
    for _ in range(50):
        with open("/proc/sys/kernel/ns_last_pid", "w") as last:
            fcntl.flock(last, fcntl.LOCK_EX)
            last.write(str(pid - 1))
        innocent = os.posix_spawn("/bin/sleep", ["sleep", "1000"], os.environ, setsid=True)
        if innocent == pid:
            say(f"innocent {innocent}")
            break
        os.kill(innocent, signal.SIGKILL)
        os.waitpid(innocent, 0)
    else:
        say("innocent none")
    at_sign_out(lambda epoch, deadline: acknowledge(epoch, mine))


keep = []
kinds = {function.__name__.replace("_", "-"): function for function in [
    silent, stopped, slow, dies_before, dies_during, dies_after, forges, early, replays, extends, forks, steals, leaves,
    wrong_signatures, large, registers, calls, descriptors, takes_over_pid]}
if sys.argv[1] == "kinds":
    print(*(kind for kind in kinds if kind != "takes-over-pid"))
    sys.exit()
answer = register()
if not isinstance(answer, list):
    sys.exit(f"not registered: {answer}")
say("ready")
kinds[sys.argv[1]](int(answer[0]))
say("done")
GLib.MainLoop().run()
