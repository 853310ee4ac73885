// From exec to owning the name, of each program in turn.
#include "floor.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

static DBusConnection *bus;

// Waits until the name has an owner, or none.
static void wait_for(const char *name, int owned) {
    for (;;) {
        DBusMessage *message;
        while ((message = dbus_connection_pop_message(bus)) != NULL) {
            const char *which, *before, *after;
            int found = dbus_message_is_signal(message, DBUS_INTERFACE_DBUS, "NameOwnerChanged")
                && dbus_message_get_args(message, NULL, DBUS_TYPE_STRING, &which, DBUS_TYPE_STRING, &before,
                                         DBUS_TYPE_STRING, &after, DBUS_TYPE_INVALID)
                && strcmp(which, name) == 0 && (after[0] != '\0') == owned;
            dbus_message_unref(message);
            if (found) return;
        }
        if (!dbus_connection_read_write(bus, 30000)) fail(name, "the bus is gone");
    }
}

static uint64_t start(char **word) {
    pid_t child;
    int status;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    uint64_t began = now();
    if (posix_spawn(&child, word[1], &actions, NULL, word + 1, environ) != 0) fail(word[1], "cannot be started");
    wait_for(word[0], 1);
    uint64_t took = now() - began;
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    wait_for(word[0], 0);
    posix_spawn_file_actions_destroy(&actions);
    return took;
}

int measure_starts(const char *address, int rounds, int words, char **word) {
    // Of each a name, a path and its arguments.
    char **program[8];
    int programs = 0;
    for (int index = 0; index < words; index++) {
        if (programs == 8) fail("starts", "too many programs");
        program[programs++] = word + index;
        while (index < words && strcmp(word[index], "--") != 0) index++;
        if (index < words) word[index] = NULL;
    }
    bus = connect_to(address);
    add_match(bus, "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged'");
    uint64_t **times = calloc((size_t)programs, sizeof *times);
    if (times == NULL || rounds < 1) fail("starts", "cannot be counted");
    for (int index = 0; index < programs; index++) {
        times[index] = calloc((size_t)rounds, sizeof **times);
        if (times[index] == NULL) fail("starts", "out of memory");
    }
    for (int round = -1; round < rounds; round++) {
        for (int index = 0; index < programs; index++) {
            uint64_t took = start(program[index]);
            if (round >= 0) times[index][round] = took;
        }
    }
    for (int index = 0; index < programs; index++) print_times(program[index][0], "start", times[index], rounds);
    return 0;
}
