// The server: a mode, a list of participants, and a sign-out that waits for each of them. Nothing is written, nothing is
// judged beyond what makes an acknowledgement count.
#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct participant {
    char *sender;
    char *app;
    uint64_t told;
    uint64_t cleared;
};

static struct participant *list;
static uint64_t count;
static uint64_t left;
static uint64_t epoch;
static uint64_t pending;
static uint64_t began;
static DBusMessage *caller;

static void append_account(DBusMessageIter *iterator) {
    DBusMessageIter dictionary;
    const char *id = "urn:baton:local#ana", *username = "ana", *name = "Ana Horvat";
    dbus_message_iter_open_container(iterator, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
    append_pair(&dictionary, "id", DBUS_TYPE_STRING, "s", &id);
    append_pair(&dictionary, "username", DBUS_TYPE_STRING, "s", &username);
    append_pair(&dictionary, "name", DBUS_TYPE_STRING, "s", &name);
    dbus_message_iter_close_container(iterator, &dictionary);
}

// A row for each participant, with the keys that a receipt has.
static void append_receipt(DBusMessageIter *iterator) {
    DBusMessageIter dictionary, entry, variant, rows, row;
    const char *key = "participants", *outcome = "cleared", *identity = "claimed", *nothing = "";
    dbus_uint32_t user = 0;
    dbus_message_iter_open_container(iterator, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
    append_pair(&dictionary, "epoch", DBUS_TYPE_UINT64, "t", &epoch);
    append_pair(&dictionary, "outcome", DBUS_TYPE_STRING, "s", &outcome);
    dbus_message_iter_open_container(&dictionary, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "aa{sv}", &variant);
    dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "a{sv}", &rows);
    for (uint64_t index = 0; index < count; index++) {
        dbus_uint32_t milliseconds = (dbus_uint32_t)((list[index].told - began) / 1000000);
        dbus_message_iter_open_container(&rows, DBUS_TYPE_ARRAY, "{sv}", &row);
        append_pair(&row, "app", DBUS_TYPE_STRING, "s", &list[index].app);
        append_pair(&row, "uid", DBUS_TYPE_UINT32, "u", &user);
        append_pair(&row, "identity", DBUS_TYPE_STRING, "s", &identity);
        append_pair(&row, "outcome", DBUS_TYPE_STRING, "s", &outcome);
        append_pair(&row, "milliseconds", DBUS_TYPE_UINT32, "u", &milliseconds);
        append_pair(&row, "proof", DBUS_TYPE_STRING, "s", &nothing);
        append_pair(&row, "details", DBUS_TYPE_STRING, "s", &nothing);
        append_pair(&row, "explanation", DBUS_TYPE_STRING, "s", &nothing);
        dbus_message_iter_close_container(&rows, &row);
    }
    dbus_message_iter_close_container(&variant, &rows);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&dictionary, &entry);
    dbus_message_iter_close_container(iterator, &dictionary);
}

static void send_away(DBusConnection *bus, DBusMessage *message) {
    if (message == NULL || !dbus_connection_send(bus, message, NULL)) fail("send", "out of memory");
    dbus_message_unref(message);
}

static void refuse(DBusConnection *bus, DBusMessage *call, const char *why) {
    send_away(bus, dbus_message_new_error(call, "org.baton.Error.InvalidArgument", why));
}

static void end_round(DBusConnection *bus) {
    DBusMessageIter iterator;
    const char *outcome = "cleared";
    DBusMessage *signal = dbus_message_new_signal(OBJECT, DEVICE, "SignedOut");
    dbus_message_iter_init_append(signal, &iterator);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &epoch);
    append_account(&iterator);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_STRING, &outcome);
    send_away(bus, signal);
    DBusMessage *reply = dbus_message_new_method_return(caller);
    dbus_message_iter_init_append(reply, &iterator);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &epoch);
    append_receipt(&iterator);
    send_away(bus, reply);
    dbus_message_unref(caller);
    caller = NULL;
}

static void sign_out(DBusConnection *bus, DBusMessage *call) {
    DBusMessageIter iterator;
    const char *reason = "user";
    uint64_t deadline = now() / 1000 + 5000000;
    if (caller != NULL) return refuse(bus, call, "one at a time");
    caller = dbus_message_ref(call);
    began = now();
    pending = count;
    DBusMessage *signal = dbus_message_new_signal(OBJECT, DEVICE, "SigningOut");
    dbus_message_iter_init_append(signal, &iterator);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &epoch);
    append_account(&iterator);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_STRING, &reason);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &deadline);
    send_away(bus, signal);
    if (pending == 0) end_round(bus);
}

static void acknowledge(DBusConnection *bus, DBusMessage *call) {
    uint64_t of, instance;
    const char *outcome;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_UINT64, &of, DBUS_TYPE_UINT64, &instance, DBUS_TYPE_STRING,
                               &outcome, DBUS_TYPE_INVALID)) {
        return refuse(bus, call, "arguments");
    }
    if (instance == 0 || instance > count || strcmp(list[instance - 1].sender, dbus_message_get_sender(call)) != 0) {
        return refuse(bus, call, "not registered");
    }
    struct participant *one = &list[instance - 1];
    if (of != epoch || caller == NULL) return refuse(bus, call, "stale epoch");
    send_away(bus, dbus_message_new_method_return(call));
    if (one->cleared == of) return;
    one->cleared = of;
    one->told = now();
    pending--;
    if (pending == 0) end_round(bus);
}

static void register_app(DBusConnection *bus, DBusMessage *call) {
    const char *app, *phase = "ready";
    uint64_t through;
    if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &app, DBUS_TYPE_UINT64, &through, DBUS_TYPE_INVALID)) {
        return refuse(bus, call, "arguments");
    }
    list = realloc(list, (count + 1) * sizeof *list);
    if (list == NULL) fail("register", "out of memory");
    list[count] = (struct participant){.sender = strdup(dbus_message_get_sender(call)), .app = strdup(app)};
    count++;
    DBusMessageIter iterator;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_iter_init_append(reply, &iterator);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &count);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &epoch);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_STRING, &phase);
    uint64_t clear = 0;
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &clear);
    append_empty_dictionary(&iterator);
    send_away(bus, reply);
}

// Everybody of one measurement leaves before the next begins.
static void leave(DBusConnection *bus, DBusMessage *call) {
    send_away(bus, dbus_message_new_method_return(call));
    left++;
    if (left < count) return;
    for (uint64_t index = 0; index < count; index++) {
        free(list[index].sender);
        free(list[index].app);
    }
    count = left = 0;
}

static void sign_in(DBusConnection *bus, DBusMessage *call) {
    DBusMessageIter iterator;
    epoch++;
    DBusMessage *reply = dbus_message_new_method_return(call);
    dbus_message_iter_init_append(reply, &iterator);
    dbus_message_iter_append_basic(&iterator, DBUS_TYPE_UINT64, &epoch);
    append_account(&iterator);
    send_away(bus, reply);
}

static void answer(DBusConnection *bus, DBusMessage *call) {
    if (dbus_message_is_method_call(call, DEVICE, "GetDeviceMode")) {
        const char *mode = "shared";
        DBusMessage *reply = dbus_message_new_method_return(call);
        dbus_message_append_args(reply, DBUS_TYPE_STRING, &mode, DBUS_TYPE_INVALID);
        send_away(bus, reply);
    } else if (dbus_message_is_method_call(call, PARTICIPANTS, "Acknowledge")) {
        acknowledge(bus, call);
    } else if (dbus_message_is_method_call(call, DEVICE, "SignOut")) {
        sign_out(bus, call);
    } else if (dbus_message_is_method_call(call, PARTICIPANTS, "Register")) {
        register_app(bus, call);
    } else if (dbus_message_is_method_call(call, PARTICIPANTS, "Leave")) {
        leave(bus, call);
    } else if (dbus_message_is_method_call(call, DEVICE, "SignIn")) {
        sign_in(bus, call);
    } else {
        send_away(bus, dbus_message_new_error(call, DBUS_ERROR_UNKNOWN_METHOD, "There is no such method."));
    }
}

int serve(const char *address, const char *name) {
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *bus = connect_to(address);
    if (dbus_bus_request_name(bus, name, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) != 1) fail(name, "is taken");
    do {
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(bus)) != NULL) {
            if (dbus_message_get_type(message) == DBUS_MESSAGE_TYPE_METHOD_CALL) answer(bus, message);
            dbus_message_unref(message);
        }
    } while (dbus_connection_read_write(bus, -1));
    return 0;
}
