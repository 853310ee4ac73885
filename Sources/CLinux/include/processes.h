// What Glibc's Swift module does not reach: process descriptors, epoll, prctl.
// Each call answers a negative errno when it fails.
#ifndef BATON_PROCESSES_H
#define BATON_PROCESSES_H

#include <stdint.h>

int baton_pidfd_open(int pid);

int baton_pidfd_send_signal(int pidfd, int signal);

// Above 0 for either end of a pipe; asks the kernel alone.
int baton_pipe_size(int descriptor);

// A pipe whose ends children do not inherit; pipe2 itself exists only under _GNU_SOURCE.
int baton_pipe(int ends[2], int flags);

// What lists of threads call the calling one: of at most 15 bytes.
void baton_name_thread(const char *name);

// Orphans among its descendants become this process's children: prctl is variadic, which Swift does not import.
int baton_become_subreaper(void);

// Children do not inherit it any more.
int baton_close_on_exec(int descriptor);

int baton_epoll_create(void);

int baton_epoll_add(int epoll, int descriptor, uint64_t token);

int baton_epoll_remove(int epoll, int descriptor);

// Sleeps until one descriptor is ready: 1 and its token, or 0 when a signal came first.
int baton_epoll_next(int epoll, uint64_t *token);

// A close-on-exec duplicate with a number of at least `lowest`.
int baton_duplicate_above(int descriptor, int lowest);

// The user namespace that owns another namespace: a new descriptor, close-on-exec.
int baton_owning_user_namespace(int descriptor);

// The flags of `socket` are of another type in Swift, and not everywhere to be seen.
int baton_stream_socket(void);
// The next connection of a socket that listens, likewise; accept4 itself exists only under _GNU_SOURCE.
int baton_accept(int socket);
int baton_socket_pair(int ends[2]);
// Makes this process one that others of the same user cannot look into; exec undoes it.
int baton_forbid_dumping(void);

// POSIX_SPAWN_SETSID exists only under _GNU_SOURCE.
int baton_spawn_setsid(void);

#endif
