// The floor under Baton's figures: a server that does the least that the contract's calls need, and the client that
// measures it and batond in the same way.
#ifndef BATON_FLOOR_H
#define BATON_FLOOR_H

#include <dbus/dbus.h>
#include <stdint.h>

#define OBJECT "/org/baton/Device1"
#define DEVICE "org.baton.Device1"
#define PARTICIPANTS "org.baton.Device1.Participants"

int serve(const char *address, const char *name);
int measure_calls(const char *address, int count, int names, char **name);
int measure_rounds(const char *address, int rounds, int participants, const char *pin, int names, char **name);
int measure_starts(const char *address, int rounds, int words, char **word);

// Ends the program with a line on standard error: nothing here goes on after a fault.
void fail(const char *what, const char *why) __attribute__((noreturn));
DBusConnection *connect_to(const char *address);
DBusMessage *call_to(const char *name, const char *interface, const char *member);
// Waits for the answer; an error ends the program.
DBusMessage *ask(DBusConnection *connection, DBusMessage *call);
void add_match(DBusConnection *connection, const char *rule);
uint64_t now(void);
// Prints `NAME WHAT MEDIAN P99` in nanoseconds; sorts the list.
void print_times(const char *name, const char *what, uint64_t *list, int count);
void append_empty_dictionary(DBusMessageIter *iterator);
void append_pair(DBusMessageIter *dictionary, const char *key, int type, const char *signature, const void *value);

#endif
