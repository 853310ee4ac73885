// What Glibc's Swift module does not reach: process descriptors, epoll, prctl.
// Each call answers a negative errno when it fails.
#ifndef BATON_PROCESSES_H
#define BATON_PROCESSES_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
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

// Reaps a child of this process: 1 reaped, 0 still running.
static inline int baton_pidfd_reap(int pidfd) {
    siginfo_t information;
    information.si_pid = 0;
    // P_PIDFD is 3; older headers do not name it.
    if (waitid((idtype_t)3, (id_t)pidfd, &information, WEXITED | WNOHANG) < 0) {
        return -errno;
    }
    return information.si_pid != 0;
}

// A pipe whose ends children do not inherit; pipe2 itself exists only under _GNU_SOURCE.
static inline int baton_pipe(int ends[2], int flags) {
    return syscall(SYS_pipe2, ends, O_CLOEXEC | flags) < 0 ? -errno : 0;
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

static inline int baton_become_subreaper(void) {
    return prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL) < 0 ? -errno : 0;
}

// The signal comes when the *thread* that created this process ends.
static inline int baton_signal_at_parent_death(int signal) {
    return prctl(PR_SET_PDEATHSIG, (unsigned long)signal, 0UL, 0UL, 0UL) < 0 ? -errno : 0;
}

#endif
