#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void fail(const char *what, const char *why) {
    fprintf(stderr, "baton-floor: %s: %s\n", what, why);
    exit(1);
}

DBusConnection *connect_to(const char *address) {
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *connection = dbus_connection_open_private(address, &error);
    if (connection == NULL || !dbus_bus_register(connection, &error)) fail("no bus", error.message);
    dbus_connection_set_exit_on_disconnect(connection, FALSE);
    return connection;
}

DBusMessage *call_to(const char *name, const char *interface, const char *member) {
    DBusMessage *call = dbus_message_new_method_call(name, OBJECT, interface, member);
    if (call == NULL) fail(member, "out of memory");
    return call;
}

DBusMessage *ask(DBusConnection *connection, DBusMessage *call) {
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(connection, call, 60000, &error);
    if (reply == NULL) fail(dbus_message_get_member(call), error.message);
    dbus_message_unref(call);
    return reply;
}

void add_match(DBusConnection *connection, const char *rule) {
    DBusError error = DBUS_ERROR_INIT;
    dbus_bus_add_match(connection, rule, &error);
    if (dbus_error_is_set(&error)) fail(rule, error.message);
}

uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int compare(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return a < b ? -1 : a > b;
}

void print_times(const char *name, const char *what, uint64_t *list, int count) {
    qsort(list, (size_t)count, sizeof *list, compare);
    printf("%s %s %llu %llu\n", name, what, (unsigned long long)list[count / 2],
           (unsigned long long)list[(int)((double)count * 0.99)]);
    fflush(stdout);
}

void append_empty_dictionary(DBusMessageIter *iterator) {
    DBusMessageIter dictionary;
    dbus_message_iter_open_container(iterator, DBUS_TYPE_ARRAY, "{sv}", &dictionary);
    dbus_message_iter_close_container(iterator, &dictionary);
}

void append_pair(DBusMessageIter *dictionary, const char *key, int type, const char *signature, const void *value) {
    DBusMessageIter entry, variant;
    dbus_message_iter_open_container(dictionary, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
    dbus_message_iter_append_basic(&variant, type, value);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(dictionary, &entry);
}
