// What the binding needs from C and the Glibc module does not offer: libdbus-1 and eventfd.
#pragma once

#include <dbus/dbus.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
