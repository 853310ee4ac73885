#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

int baton_pidfd_open(int pid) {
    long result = syscall(SYS_pidfd_open, pid, 0);
    return result < 0 ? -errno : (int)result;
}

int baton_pidfd_send_signal(int pidfd, int signal) {
    return syscall(SYS_pidfd_send_signal, pidfd, signal, (void *)0, 0) < 0 ? -errno : 0;
}

int baton_pipe_size(int descriptor) { return fcntl(descriptor, 1032 /* F_GETPIPE_SZ */); }

int baton_pipe(int ends[2], int flags) {
    return syscall(SYS_pipe2, ends, O_CLOEXEC | flags) < 0 ? -errno : 0;
}

void baton_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int baton_become_subreaper(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ? -errno : 0; }

int baton_close_on_exec(int descriptor) {
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 ? -errno : 0;
}

int baton_epoll_create(void) {
    int result = epoll_create1(EPOLL_CLOEXEC);
    return result < 0 ? -errno : result;
}

int baton_epoll_add(int epoll, int descriptor, uint64_t token) {
    struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = token}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) < 0 ? -errno : 0;
}

int baton_epoll_remove(int epoll, int descriptor) {
    struct epoll_event event = {0};
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event) < 0 ? -errno : 0;
}

int baton_epoll_next(int epoll, uint64_t *token) {
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

int baton_duplicate_above(int descriptor, int lowest) {
    int result = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest);
    return result < 0 ? -errno : result;
}

int baton_owning_user_namespace(int descriptor) {
    int result = ioctl(descriptor, 0xb701 /* NS_GET_USERNS */);
    return result < 0 ? -errno : result;
}

int baton_stream_socket(void) {
    int result = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return result < 0 ? -errno : result;
}

int baton_accept(int socket) {
    int result = accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    return result < 0 ? -errno : result;
}

int baton_socket_pair(int ends[2]) {
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0 ? -errno : 0;
}

int baton_forbid_dumping(void) { return prctl(PR_SET_DUMPABLE, 0) < 0 ? -errno : 0; }

int baton_spawn_setsid(void) { return 0x80; }
