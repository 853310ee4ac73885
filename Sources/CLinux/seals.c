#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "seals.h"

#include <fcntl.h>
#include <linux/memfd.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int baton_memfd_create(const char *name) {
    return (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int baton_get_seals(int fd) { return fcntl(fd, BATON_F_GET_SEALS); }

int baton_add_seals(int fd, int seals) { return fcntl(fd, BATON_F_ADD_SEALS, seals); }

int baton_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }

long baton_splice(int from, int to, size_t most) {
    return syscall(SYS_splice, from, NULL, to, NULL, most, 2u /* SPLICE_F_NONBLOCK */);
}

void baton_erase(void *bytes, size_t count) {
    memset(bytes, 0, count);
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}
