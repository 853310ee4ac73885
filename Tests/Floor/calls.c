// One call after the other, at each server in turn, so that what disturbs the machine disturbs both.
#include "floor.h"

#include <stdlib.h>

int measure_calls(const char *address, int count, int names, char **name) {
    DBusConnection *bus = connect_to(address);
    uint64_t **times = calloc((size_t)names, sizeof *times);
    if (times == NULL || count < 1) fail("calls", "cannot be counted");
    for (int server = 0; server < names; server++) {
        times[server] = calloc((size_t)count, sizeof **times);
        if (times[server] == NULL) fail("calls", "out of memory");
    }
    int warm = count / 10;
    for (int index = -warm; index < count; index++) {
        for (int server = 0; server < names; server++) {
            DBusMessage *call = call_to(name[server], DEVICE, "GetDeviceMode");
            uint64_t began = now();
            DBusMessage *reply = ask(bus, call);
            if (index >= 0) times[server][index] = now() - began;
            dbus_message_unref(reply);
        }
    }
    for (int server = 0; server < names; server++) print_times(name[server], "call", times[server], count);
    return 0;
}
