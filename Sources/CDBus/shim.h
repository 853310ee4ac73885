// What the binding needs from C and the Glibc module does not offer: libdbus-1, eventfd and timerfd.
#pragma once

#include <dbus/dbus.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
