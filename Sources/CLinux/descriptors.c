#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "descriptors.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

long baton_send_descriptor(
    int socket, const void *address, unsigned length, const void *bytes, unsigned long count, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {
        .msg_name = (void *)address, .msg_namelen = length, .msg_iov = &part, .msg_iovlen = 1,
        .msg_control = control.space, .msg_controllen = sizeof control.space,
    };
    struct cmsghdr *first = CMSG_FIRSTHDR(&message);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(first), &descriptor, sizeof descriptor);
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

long baton_send_descriptors(int socket, const void *bytes, unsigned long count, const int *descriptors, int most) {
    enum { room = 16 };
    if (most < 0 || most > room) {
        errno = EINVAL;
        return -1;
    }
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(room * sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (most > 0) {
        size_t size = (size_t)most * sizeof(int);
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *first = CMSG_FIRSTHDR(&message);
        first->cmsg_level = SOL_SOCKET;
        first->cmsg_type = SCM_RIGHTS;
        first->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(first), descriptors, size);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

int baton_packet_socket(void) {
    int result = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return result < 0 ? -errno : result;
}

int baton_spawn_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np((posix_spawn_file_actions_t *)actions, first);
}
