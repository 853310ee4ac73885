// What the binding needs from C and the Glibc module does not offer: libdbus-1, eventfd and timerfd.
#pragma once

#include <dbus/dbus.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

// What lists of threads call the calling one; prctl is variadic, which Swift does not import.
static inline void baton_dbus_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
