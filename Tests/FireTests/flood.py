#!/usr/bin/python3
"""Callers that no library lets anybody be: flood.py KIND. Prints "done" when the worst is done, and stays until it is ended."""
import os
import sys
import threading

import rawbus

NAME = "org.baton.Device1"
PATH = "/org/baton/Device1"
REPLY, ERROR = 2, 3


def say(text):
    print(text, flush=True)


def answers(bus, count):
    """How many of the next answers are replies; the rest are errors."""
    kinds = []
    while len(kinds) < count:
        kind, _ = bus.message()
        if kind in (REPLY, ERROR):
            kinds.append(kind)
    return kinds.count(REPLY)


def tokens():
    """Four connections register with pipes that never end."""
    buses = [rawbus.RawBus() for _ in range(4)]
    for number, bus in enumerate(buses):
        for _ in range(64):
            reading, writing = os.pipe()
            keep.append(writing)
            body = rawbus.registration(f"org.example.Flood{number}")
            bus.call(
                NAME, PATH, NAME + ".Participants", "Register", signature="sta{sv}", body=body, descriptors=[reading])
            os.close(reading)
    say("all are sent")
    say(f"registered: {sum(answers(bus, 64) for bus in buses)}")


def descriptors():
    """Calls that bring what they do not ask for."""
    bus = rawbus.RawBus()
    mine = [os.open("/dev/null", os.O_RDONLY) for _ in range(15)]
    reader = threading.Thread(target=lambda: say(f"answered: {answers(bus, 300)}"))
    reader.start()
    for _ in range(300):
        bus.call(NAME, PATH, NAME, "GetDeviceMode", descriptors=mine)
    reader.join()


def deaf():
    """Five callers that never read an answer: more than a bus keeps of one sender, were all of them answered."""
    buses = [rawbus.RawBus() for _ in range(5)]
    keep.append(buses)
    probe = rawbus.RawBus()
    for _ in range(60):
        for bus in buses:
            for _ in range(50):
                bus.call(NAME, PATH, "org.freedesktop.DBus.Introspectable", "Introspect")
        # The bus refuses those that come faster than they are answered.
        probe.call(NAME, PATH, NAME, "GetDeviceMode")
        answers(probe, 1)


keep = []
{"tokens": tokens, "descriptors": descriptors, "deaf": deaf}[sys.argv[1]]()
say("done")
threading.Event().wait()
