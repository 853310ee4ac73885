#!/usr/bin/python3
"""A participant that means ill, in a process of its own: hostile.py KIND. `hostile.py kinds` lists what works everywhere.

Prints "ready" when it has begun, "done" when it has done its worst, and then stays until it is ended. A line with WRONG says
what it got that nobody like it may get.
"""
import ctypes
import itertools
import os
import signal
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
from gi.repository import GLib

NAME = "org.baton.Device1"
PATH = "/org/baton/Device1"
PARTICIPANTS = NAME + ".Participants"
# The name of another that is in it too.
APP = os.environ.get("HOSTILE_APP", "org.example.Hostile")
XML = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../dbus")

dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)


def connect():
    bus = dbus.SessionBus(private=True)
    bus.set_exit_on_disconnect(False)
    return bus


bus = None if sys.argv[1] == "kinds" else connect()


def message(member, signature="", *arguments, interface=NAME, path=PATH):
    call = dbus.lowlevel.MethodCallMessage(NAME, path, interface, member)
    if signature:
        call.append(*arguments, signature=signature)
    return call


def call(member, signature="", *arguments, interface=NAME, path=PATH, on=None):
    """The answer's values, or the name of the error."""
    try:
        request = message(member, signature, *arguments, interface=interface, path=path)
        reply = (on or bus).send_message_with_reply_and_block(request, 30)
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


def refused(answer, what):
    """Says so when that was not refused."""
    if isinstance(answer, list):
        say(f"WRONG: {what} was answered with {answer}")


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


def at(deadline, milliseconds, answer):
    """So long after the deadline, or before it."""
    left = deadline / 1e6 - time.clock_gettime(time.CLOCK_MONOTONIC)
    GLib.timeout_add(max(0, int(left * 1000) + milliseconds), lambda: (answer(), False)[1])


def slow(mine):
    """In time, and not much before, as far as a busy machine allows."""
    def answer(epoch, deadline):
        left = deadline / 1e6 - time.clock_gettime(time.CLOCK_MONOTONIC)
        at(deadline, -2000 if left > 3 else -500, lambda: acknowledge(epoch, mine))
    at_sign_out(answer)


def late(mine):
    """By a millisecond, and ten times that at each sign-out at which batond was so late itself that it did not notice."""
    lateness = 1

    def answer(epoch, deadline):
        nonlocal lateness
        at(deadline, lateness, lambda: acknowledge(epoch, mine))
        lateness = min(1000, lateness * 10)
    at_sign_out(answer)


def last(mine):
    """In time by a hair. What is answered with success before the deadline must count."""
    def answer(epoch, deadline):
        answer = acknowledge(epoch, mine)
        if isinstance(answer, list) and time.clock_gettime(time.CLOCK_MONOTONIC) * 1e6 < deadline:
            say("in time")
        say("said")
    at_sign_out(lambda epoch, deadline: at(deadline, -5, lambda: answer(epoch, deadline)))


def dies_before(mine):
    say("done")
    os._exit(0)


def dies_during(mine):
    at_sign_out(lambda epoch, deadline: os._exit(0))


def dies_speaking(mine):
    """Nobody can answer it any more."""
    def answer(epoch, deadline):
        bus.send_message(
            message("Acknowledge", "ttsa{sv}", epoch, mine, "cleared", dbus.Dictionary({}, signature="sv"), interface=PARTICIPANTS))
        bus.flush()
        os._exit(0)
    at_sign_out(answer)


def dies_after(mine):
    def answer(epoch, deadline):
        acknowledge(epoch, mine)
        os._exit(0)
    at_sign_out(answer)


def forges(mine):
    """For an app that says nothing itself, among others."""
    # In a session of its own, so that whoever stops it does not stop this one.
    victim = subprocess.Popen(
        [sys.argv[0], "silent"], env=dict(os.environ, HOSTILE_APP="org.example.Victim"), stdout=subprocess.PIPE, text=True,
        start_new_session=True)
    keep.append(victim)
    while "ready" not in victim.stdout.readline():
        pass
    say("the victim is there")

    def answer(epoch, deadline):
        for instance in range(1, 100):
            if instance == mine:
                continue
            for outcome in ["cleared", "nothing-to-clear", "failed"]:
                refused(acknowledge(epoch, instance, outcome), f"an acknowledgement for {instance}")
            refused(call("Leave", "t", instance, interface=PARTICIPANTS), f"leaving for {instance}")
            refused(call("Extend", "ttu", epoch, instance, 1000, interface=PARTICIPANTS), f"time for {instance}")
        acknowledge(epoch, mine)
    at_sign_out(answer)


def early(mine):
    def speak(epoch, least):
        for ahead in range(least, 200):
            refused(acknowledge(epoch + ahead, mine), f"an acknowledgement of {ahead} turns from now")
    speak(int(call("Get", "ss", NAME, "Epoch", interface="org.freedesktop.DBus.Properties")[0]), 1)

    def early_in_turn(epoch, account):
        # Of the turn that has just begun, too.
        speak(int(epoch), 0)
        say("too early in the turn")
    bus.add_signal_receiver(early_in_turn, "SignedIn", NAME, path=PATH)
    at_sign_out(lambda epoch, deadline: None)


def replays(mine):
    def answer(epoch, deadline):
        # What it had to clear when it registered it may say again.
        for old in range(epoch - 101, epoch - 1):
            refused(acknowledge(old, mine), f"an acknowledgement of turn {old}")
        for _ in range(100):
            acknowledge(epoch, mine)
        for outcome in ["nothing-to-clear", "failed"]:
            refused(acknowledge(epoch, mine, outcome), "a second word")
    at_sign_out(answer)


def extends(mine):
    def answer(epoch, deadline):
        for count in range(200):
            answer = call("Extend", "ttu", epoch, mine, 4294967295, interface=PARTICIPANTS)
            if count >= 2:
                refused(answer, "a third extension")
    at_sign_out(answer)


def forks(mine):
    """As an app that a desktop starts: in a session of its own."""
    os.setsid()

    def answer(epoch, deadline):
        for number in range(40):
            if os.fork() == 0:
                # Half of them go as far away as a process can.
                if number % 2:
                    os.setsid()
                if os.fork() == 0:
                    say(f"{'far' if number % 2 else 'near'} {os.getpid()}")
                    # Nobody waits for what these would still print, and what nothing finds any more ends by itself.
                    silence = os.open("/dev/null", os.O_RDWR)
                    for ours in (0, 1, 2):
                        os.dup2(silence, ours)
                    os.execvp("sleep", ["sleep", "20"])
                os._exit(0)
        say("forked")
    at_sign_out(answer)


def steals(mine):
    for flags in range(8):
        if bus.request_name(NAME, flags) in (1, 4):
            say(f"WRONG: it owns {NAME}")
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
        refused(call("Register", "a{sv}", {}, interface=NAME + ".Agent"), "being the agent")
        refused(call("ProcessExited", "t", 1, interface=NAME + ".Agent"), "the agent's word")
        return True
    GLib.timeout_add(5, lie)
    # What it says itself is heard here too.
    at_sign_out(lambda epoch, deadline: acknowledge(epoch, mine) if epoch > 1 else None)


def leaves(mine):
    """Calls, and is gone before anybody can ask who that was."""
    names = []
    for number in range(300):
        other = connect()
        names.append(other.get_unique_name())
        for member, signature, arguments, interface in [
            ("Register", "sta{sv}", (f"{APP}.Gone{number}", 0, {}), PARTICIPANTS),
            ("SignOut", "a{sv}", ({"reason": "administrator"},), NAME),
            ("EndQuarantine", "a{sv}", ({},), NAME + ".Administration"),
            ("SetDeviceMode", "s", ("default",), NAME + ".Administration"),
        ]:
            other.send_message(message(member, signature, *arguments, interface=interface))
        other.flush()
        other.close()
    # When the bus has forgotten them all, batond has been handed all that they sent.
    while any(bus.name_has_owner(name) for name in names):
        pass
    call("GetDeviceMode")


def members():
    """Of everything that the contract names, and of what every object has: path, interface, member, right signature."""
    for file in ["org.baton.Device1.xml", "org.baton.Agent1.xml"]:
        for interface in xml.etree.ElementTree.parse(os.path.join(XML, file)).iter("interface"):
            name = interface.get("name")
            path = "/org/freedesktop/LogControl1" if "LogControl1" in name else PATH
            for method in interface.iter("method"):
                yield path, name, method.get("name"), "".join(
                    argument.get("type") for argument in method.iter("arg") if argument.get("direction") == "in")
            for member in ["NoSuchMethod", *(member.get("name") for kind in ["signal", "property"] for member in interface.iter(kind))]:
                # A signal or a property is no method.
                yield path, name, member, None
    for path in [PATH, "/org/freedesktop/LogControl1"]:
        for member, signature in [("Get", "ss"), ("Set", "ssv"), ("GetAll", "s")]:
            yield path, "org.freedesktop.DBus.Properties", member, signature
        yield path, "org.freedesktop.DBus.Introspectable", "Introspect", ""
        yield path, "org.freedesktop.DBus.Peer", "NoSuchMethod", None
        yield path, "org.freedesktop.LogControl1", "LogLevel", None


def wrong_signatures(mine):
    values = [
        ("i", (-1,)), ("as", ([],)), ("s", ("x" * 100000,)), ("t", (2**64 - 1,)), ("d", (float("nan"),)),
        ("a{sv}", ({str(number): number for number in range(3000)},)), ("v", (dbus.Int32(1, variant_level=60),)),
        ("(si)", (("a", 1),)), ("aaaas", ([[[["a"]]]],)), ("ssssssss", tuple("abcdefgh")), ("ttsa{sv}", (0, 0, "", {})),
        ("ay", (b"\0" * 70000,)), ("o", ("/",)), ("g", ("a{sv}",)), ("b", (True,)), ("", ()),
    ]
    seen = set()
    for path, interface, member, right in members():
        seen.add((interface, member))
        for signature, arguments in values:
            if signature != right:
                answer = call(member, signature, *arguments, interface=interface, path=path)
                refused(answer, f"{interface}.{member} with '{signature}' for '{right}'")
    say(f"{len(seen)} members")


def large(mine):
    def answer(epoch, deadline):
        for size in [66000, 1 << 20, 8 << 20]:
            refused(acknowledge(epoch, mine, details={"files": "x" * size}), f"{size} bytes of details")
        refused(acknowledge(epoch, mine, details={str(number): number for number in range(20000)}), "20,000 details")
        answer = acknowledge(epoch, mine, details={"files": "x" * 65000})
        if not isinstance(answer, list):
            say(f"WRONG: 65,000 bytes of details were refused: {answer}")
        acknowledge(epoch, mine, details={"deep": dbus.String("x", variant_level=50)})
    at_sign_out(answer)


def registers(mine):
    """Again and again on one connection: a new instance each time, and a write."""
    for _ in range(400):
        # More than 64 at a time from one connection are refused.
        for _ in range(24):
            bus.send_message(message("Register", "sta{sv}", APP, 0, {}, interface=PARTICIPANTS))
        register()
    answer = register()
    if not isinstance(answer, list) or answer[0] - mine < 10000:
        say(f"WRONG: not each of them was taken: {answer}")


def crowds(mine):
    """An app of its own on each of as many connections as it gets; they all clear."""
    theirs = {}
    for number in range(300):
        other = connect()
        answer = register(f"{APP}.One{number}", on=other)
        if not isinstance(answer, list):
            say(f"{number} of them: {answer}")
            other.close()
            break
        theirs[other] = answer[0]
    keep.append(theirs)

    def all_clear(epoch, deadline):
        # At once: on a busy machine each answer that is waited for takes its time, and the last of so many words would be late.
        for other, instance in theirs.items():
            other.send_message(message("Acknowledge", "ttsa{sv}", epoch, instance, "cleared", {}, interface=PARTICIPANTS))
        for other in theirs:
            other.flush()

    at_sign_out(all_clear)


def comes_and_goes(mine):
    """While a worker is in: an app that never was before, with a good-bye, again and again."""
    def attack():
        for number in range(300):
            other = connect()
            answer = register(f"{APP}.Passing{number}", on=other)
            if isinstance(answer, list):
                call("Leave", "t", answer[0], interface=PARTICIPANTS, on=other)
            other.close()
        say("gone again")
    bus.add_signal_receiver(lambda epoch, account: attack(), "SignedIn", NAME, path=PATH)


def calls(mine):
    for thousands in itertools.count(1):
        for _ in range(999):
            bus.send_message(message("GetDeviceMode"))
        # All before it have been answered when it is.
        call("GetDeviceMode")
        if thousands == 100:
            say("a hundred thousand calls")


def floods(mine):
    """From a hundred connections at once, as fast as they can."""
    others = [connect() for _ in range(100)]
    keep.append(others)
    for number, other in enumerate(others):
        answer = register(f"{APP}.{number // 4}", on=other)
        call("Leave", "t", answer[0], interface=PARTICIPANTS, on=other)
        for _ in range(50):
            other.send_message(message("GetDeviceMode"))
    say("all are registered")
    for round in itertools.count():
        if round == 200:
            say("a hundred thousand calls")
        for other in others:
            for _ in range(5):
                other.send_message(message("GetDeviceMode"))
        # Two thousand calls at a time.
        if round % 4 == 3:
            for other in others:
                call("GetDeviceMode", on=other)


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
    say("six hundred descriptors")


def takes_over_pid(mine):
    """Dies, and leaves its pid to a process that has nothing to do with it; only root can choose a pid."""
    pid = os.fork()
    if pid == 0:
        other = connect()
        register(APP + ".Reused", on=other)
        other.flush()
        os._exit(0)
    os.waitpid(pid, 0)
    # clone3(2) takes the pid or fails. To set the next one instead would race with everything else that forks here.
    wanted = ctypes.c_int(pid)
    arguments = (ctypes.c_uint64 * 11)()
    arguments[4] = signal.SIGCHLD
    arguments[8], arguments[9] = ctypes.addressof(wanted), 1
    innocent = ctypes.CDLL(None, use_errno=True).syscall(435, arguments, ctypes.sizeof(arguments))
    if innocent == 0:
        os.setsid()
        os.execv("/bin/sleep", ["sleep", "1000"])
    say(f"innocent {innocent if innocent == pid else os.strerror(ctypes.get_errno())}")
    at_sign_out(lambda epoch, deadline: acknowledge(epoch, mine))


keep = []
kinds = {function.__name__.replace("_", "-"): function for function in [
    silent, stopped, slow, last, late, dies_before, dies_during, dies_speaking, dies_after, forges, early, replays, extends, forks, steals, leaves,
    wrong_signatures, large, registers, crowds, comes_and_goes, calls, floods, descriptors, takes_over_pid]}
if sys.argv[1] == "kinds":
    print(*(kind for kind in kinds if kind != "takes-over-pid"))
    sys.exit()
if "HOSTILE_APP" in os.environ:
    # It ends with whoever started it.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
answer = register()
if not isinstance(answer, list):
    sys.exit(f"not registered: {answer}")
say("ready")
kinds[sys.argv[1]](int(answer[0]))
say("done")
GLib.MainLoop().run()
