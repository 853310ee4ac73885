// Rounds of sign-in and sign-out with participants that acknowledge at once, each a connection of its own, at each server
// in turn.
#define _GNU_SOURCE
#include "floor.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct participant {
    DBusConnection *bus;
    // For each server.
    uint64_t *instance;
};

static struct participant *list;
static struct pollfd *ready;
static int participants;
static int names;
static char **name;
// The connections' unique names of the servers, which signals come from.
static char **owner;
static int unanswered;
static const char *place;
// The caller of the sign-out, after the participants in `ready`.
static DBusConnection *caller;

static DBusMessage *pin_call(const char *server, const char *pin) {
    int file = memfd_create("pin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || write(file, pin, strlen(pin)) != (ssize_t)strlen(pin)) fail("pin", "no memory file");
    fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
    lseek(file, 0, SEEK_SET);
    DBusMessage *call = call_to(server, DEVICE, "SignIn");
    DBusMessageIter iterator, dictionary;
    const char *username = "ana";
    dbus_message_iter_init_append(call, &iterator);
    dbus_message_iter_open_container(&iterator, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
    append_pair(&dictionary, "username", DBUS_TYPE_STRING, "s", &username);
    append_pair(&dictionary, "pin", DBUS_TYPE_UNIX_FD, "h", &file);
    dbus_message_iter_close_container(&iterator, &dictionary);
    close(file);
    return call;
}

static void join(int number) {
    struct participant *one = &list[number];
    char rule[256], app[64];
    const char *text = app;
    one->bus = connect_to(place);
    one->instance = calloc((size_t)names, sizeof *one->instance);
    snprintf(app, sizeof app, "org.example.App%d", number);
    for (int server = 0; server < names; server++) {
        snprintf(rule, sizeof rule, "type='signal',sender='%s',interface='" DEVICE "',member='SigningOut'",
                 name[server]);
        add_match(one->bus, rule);
        DBusMessage *call = call_to(name[server], PARTICIPANTS, "Register");
        DBusMessageIter iterator;
        uint64_t through = 0;
        dbus_message_iter_init_append(call, &iterator);
        dbus_message_iter_append_basic(&iterator, DBUS_TYPE_STRING, &text);
        dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &through);
        append_empty_dictionary(&iterator);
        DBusMessage *reply = ask(one->bus, call);
        uint64_t epoch, clear;
        const char *phase;
        if (!dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT64, &one->instance[server], DBUS_TYPE_UINT64, &epoch,
                                   DBUS_TYPE_STRING, &phase, DBUS_TYPE_UINT64, &clear, DBUS_TYPE_INVALID)) {
            fail("Register", "another answer");
        }
        dbus_message_unref(reply);
    }
    dbus_connection_get_unix_fd(one->bus, &ready[number].fd);
    ready[number].events = POLLIN;
}

static void acknowledge(struct participant *one, int server, uint64_t epoch) {
    DBusMessage *call = call_to(name[server], PARTICIPANTS, "Acknowledge");
    DBusMessageIter iterator;
    const char *outcome = "cleared";
    dbus_message_iter_init_append(call, &iterator);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &epoch);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &one->instance[server]);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_STRING, &outcome);
    append_empty_dictionary(&iterator);
    dbus_connection_send(one->bus, call, NULL);
    dbus_message_unref(call);
    unanswered++;
}

static void hear(struct participant *one) {
    DBusMessage *message;
    dbus_connection_read_write(one->bus, 0);
    while ((message = dbus_connection_pop_message(one->bus)) != NULL) {
        uint64_t epoch;
        if (dbus_message_is_signal(message, DEVICE, "SigningOut")
            && dbus_message_get_args(message, NULL, DBUS_TYPE_UINT64, &epoch, DBUS_TYPE_INVALID)) {
            for (int server = 0; server < names; server++) {
                if (strcmp(dbus_message_get_sender(message), owner[server]) == 0) acknowledge(one, server, epoch);
            }
        } else if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_RETURN) {
            unanswered--;
        } else if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR) {
            fail("Acknowledge", dbus_message_get_error_name(message));
        }
        dbus_message_unref(message);
    }
}

// Until the sign-out is answered, and each acknowledgement; the time when the first was so.
static uint64_t sign_out(int server) {
    DBusMessageIter iterator;
    DBusMessage *call = call_to(name[server], DEVICE, "SignOut");
    dbus_message_iter_init_append(call, &iterator);
    append_empty_dictionary(&iterator);
    dbus_uint32_t serial;
    uint64_t began = now(), took = 0;
    dbus_connection_send(caller, call, &serial);
    dbus_message_unref(call);
    while (took == 0 || unanswered != 0) {
        DBusMessage *message;
        dbus_connection_read_write(caller, 0);
        while ((message = dbus_connection_pop_message(caller)) != NULL) {
            if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_ERROR) {
                fail("SignOut", dbus_message_get_error_name(message));
            }
            if (dbus_message_get_reply_serial(message) == serial) took = now() - began;
            dbus_message_unref(message);
        }
        if (took != 0 && unanswered == 0) break;
        if (poll(ready, (nfds_t)participants + 1, 30000) < 1) fail("SignOut", "nothing comes");
        for (int number = 0; number < participants; number++) {
            if (ready[number].revents != 0) hear(&list[number]);
        }
    }
    return took;
}

int measure_rounds(const char *address, int rounds, int wanted, const char *pin, int servers, char **server_names) {
    participants = wanted;
    names = servers;
    name = server_names;
    place = address;
    caller = connect_to(address);
    list = calloc((size_t)participants + 1, sizeof *list);
    ready = calloc((size_t)participants + 1, sizeof *ready);
    owner = calloc((size_t)names, sizeof *owner);
    uint64_t **times = calloc((size_t)names, sizeof *times);
    if (list == NULL || ready == NULL || owner == NULL || times == NULL) fail("rounds", "out of memory");
    for (int server = 0; server < names; server++) {
        DBusMessage *call = dbus_message_new_method_call(DBUS_SERVICE_DBUS, DBUS_PATH_DBUS, DBUS_INTERFACE_DBUS,
                                                         "GetNameOwner");
        dbus_message_append_args(call, DBUS_TYPE_STRING, &name[server], DBUS_TYPE_INVALID);
        DBusMessage *reply = ask(caller, call);
        const char *unique;
        dbus_message_get_args(reply, NULL, DBUS_TYPE_STRING, &unique, DBUS_TYPE_INVALID);
        owner[server] = strdup(unique);
        dbus_message_unref(reply);
        times[server] = calloc((size_t)rounds, sizeof **times);
        if (owner[server] == NULL || times[server] == NULL) fail("rounds", "out of memory");
    }
    for (int number = 0; number < participants; number++) join(number);
    dbus_connection_get_unix_fd(caller, &ready[participants].fd);
    ready[participants].events = POLLIN;
    for (int round = -2; round < rounds; round++) {
        for (int server = 0; server < names; server++) {
            dbus_message_unref(ask(caller, pin_call(name[server], pin)));
            uint64_t took = sign_out(server);
            if (round >= 0) times[server][round] = took;
        }
    }
    for (int server = 0; server < names; server++) print_times(name[server], "sign-out", times[server], rounds);
    // Leaving, so that the next measurement's participants are the only ones.
    for (int number = 0; number < participants; number++) {
        for (int server = 0; server < names; server++) {
            DBusMessage *call = call_to(name[server], PARTICIPANTS, "Leave");
            dbus_message_append_args(call, DBUS_TYPE_UINT64, &list[number].instance[server], DBUS_TYPE_INVALID);
            dbus_message_unref(ask(list[number].bus, call));
        }
    }
    return 0;
}
