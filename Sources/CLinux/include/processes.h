// What Glibc's Swift module does not reach: process descriptors, epoll, prctl.
// Each call answers a negative errno when it fails.
#ifndef BATON_PROCESSES_H
#define BATON_PROCESSES_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static inline int baton_pidfd_open(pid_t pid) {
    long result = syscall(SYS_pidfd_open, pid, 0);
    return result < 0 ? -errno : (int)result;
}

static inline int baton_pidfd_send_signal(int pidfd, int signal) {
    return syscall(SYS_pidfd_send_signal, pidfd, signal, (void *)0, 0) < 0 ? -errno : 0;
}

// Above 0 for either end of a pipe; asks the kernel alone.
static inline int baton_pipe_size(int descriptor) { return fcntl(descriptor, 1032 /* F_GETPIPE_SZ */); }

// A pipe whose ends children do not inherit; pipe2 itself exists only under _GNU_SOURCE.
static inline int baton_pipe(int ends[2], int flags) {
    return syscall(SYS_pipe2, ends, O_CLOEXEC | flags) < 0 ? -errno : 0;
}

// Orphans among its descendants become this process's children: prctl is variadic, which Swift does not import.
static inline int baton_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ? -errno : 0; }

// Children do not inherit it any more.
static inline int baton_close_on_exec(int descriptor) {
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 ? -errno : 0;
}

static inline int baton_epoll_create(void) {
    int result = epoll_create1(EPOLL_CLOEXEC);
    return result < 0 ? -errno : result;
}

static inline int baton_epoll_add(int epoll, int descriptor, uint64_t token) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = token}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) < 0 ? -errno : 0;
}

static inline int baton_epoll_remove(int epoll, int descriptor) {
    struct epoll_event event = {0};
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event) < 0 ? -errno : 0;
}

// Sleeps until one descriptor is ready: 1 and its token, or 0 when a signal came first.
static inline int baton_epoll_next(int epoll, uint64_t *token) {
    struct epoll_event event;
    int count = epoll_wait(epoll, &event, 1, -1);
    if (count < 0) {
        return errno == EINTR ? 0 : -errno;
    }
    if (count > 0) {
        *token = event.data.u64;
    }
    return count;
}

// A close-on-exec duplicate with a number of at least `lowest`.
static inline int baton_duplicate_above(int descriptor, int lowest) {
    int result = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest);
    return result < 0 ? -errno : result;
}

// The user namespace that owns another namespace: a new descriptor, close-on-exec.
static inline int baton_owning_user_namespace(int descriptor) {
    int result = ioctl(descriptor, 0xb701 /* NS_GET_USERNS */);
    return result < 0 ? -errno : result;
}

// The flags of `socket` are of another type in Swift, and not everywhere to be seen.
static inline int baton_stream_socket(void) {
    int result = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return result < 0 ? -errno : result;
}
static inline int baton_socket_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0 ? -errno : 0;
}
// Makes this process one that others of the same user cannot look into; exec undoes it.
static inline int baton_forbid_dumping(void) { return prctl(PR_SET_DUMPABLE, 0) < 0 ? -errno : 0; }

// POSIX_SPAWN_SETSID exists only under _GNU_SOURCE.
static inline int baton_spawn_setsid(void) { return 0x80; }

#endif
