#!/usr/bin/env python3
"""Keeps a service's descriptors over its restarts, as systemd does with FileDescriptorStoreMax=: sd_notify(3).

Usage: manager.py SOCKET COMMAND...

Starts the command, starts it again whenever it is killed, and hands it what it had stored. Says on its output what
it does, so that a test can wait for it. Ends with the command, or when it is told to.

With WATCHDOG_USEC in its environment it kills a command that is ready and did not say for so long that it lives, as systemd does
with WatchdogSec=.
"""
import os
import signal
import socket
import subprocess
import sys
import threading

path, command = sys.argv[1], sys.argv[2:]
patience = int(os.environ.get("WATCHDOG_USEC", 0)) / 1e6 or None
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind(path)
stored = []  # of (name, descriptor)
lock = threading.Lock()


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def listen():
    watched = None
    while True:
        try:
            data, descriptors, _, _ = socket.recv_fds(listener, 4096, 4)
        except TimeoutError:
            say(f"manager: no sign of life from {watched}")
            os.kill(watched, signal.SIGKILL)
            watched = None
            listener.settimeout(None)
            continue
        words = dict(line.split("=", 1) for line in data.decode().splitlines() if "=" in line)
        name = words.get("FDNAME", "stored")
        with lock:
            if words.get("FDSTORE") == "1":
                for descriptor in descriptors:
                    stored.append((name, descriptor))
                    say(f"manager: stored {name}")
            if words.get("FDSTOREREMOVE") == "1":
                for entry in [entry for entry in stored if entry[0] == name]:
                    stored.remove(entry)
                    os.close(entry[1])
                    say(f"manager: removed {name}")
        if patience and ("READY" in words or "WATCHDOG" in words):
            watched = child.pid
            listener.settimeout(patience)
        if "WATCHDOG" in words:
            say("manager: alive")
        if "READY" in words:
            say("manager: ready")


def start():
    with lock:
        # Duplicates far above the numbers at which the service wants to find them.
        spare = [(name, os.dup2(descriptor, 100 + index)) for index, (name, descriptor) in enumerate(stored)]

    environment = dict(os.environ, NOTIFY_SOCKET=path)
    script = 'WATCHDOG_PID=$$ exec "$@"'
    if spare:
        environment["LISTEN_FDS"] = str(len(spare))
        environment["LISTEN_FDNAMES"] = ":".join(name for name, _ in spare)
        moves = " ".join(f"{3 + index}<&{number} {number}<&-" for index, (_, number) in enumerate(spare))
        script = f'exec {moves}; LISTEN_PID=$$ WATCHDOG_PID=$$ exec "$@"'
    child = subprocess.Popen(
        ["bash", "-c", script, "bash"] + command, env=environment, pass_fds=[number for _, number in spare])
    for _, descriptor in spare:
        os.close(descriptor)
    say(f"manager: started {child.pid} with {len(spare)}")
    return child


child = None
threading.Thread(target=listen, daemon=True).start()
child = start()
signal.signal(signal.SIGTERM, lambda *_: child.terminate())
while True:
    status = child.wait()
    say(f"manager: ended {status}")
    if status != -signal.SIGKILL:
        break
    child = start()
os.unlink(path)
