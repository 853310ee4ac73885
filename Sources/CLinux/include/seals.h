#ifndef BATON_CLINUX_SEALS_H
#define BATON_CLINUX_SEALS_H

// Sealed memory files, which the Glibc module does not show to Swift, and fcntl calls without varargs.

#include <stddef.h>

// Linux's own numbers: the C library hides them unless _GNU_SOURCE was set before its first header.
enum {
    BATON_F_ADD_SEALS = 1033,
    BATON_F_GET_SEALS = 1034,
    BATON_SEAL_SEAL = 0x0001,
    BATON_SEAL_SHRINK = 0x0002,
    BATON_SEAL_GROW = 0x0004,
    BATON_SEAL_WRITE = 0x0008,
};

/// Makes a memory file that can be sealed, close-on-exec; -1 and errno when it cannot.
int baton_memfd_create(const char *name);

/// The seals of a memory file; -1 and errno (EINVAL) for anything that is not one.
int baton_get_seals(int fd);

/// Adds seals; 0, or -1 and errno.
int baton_add_seals(int fd, int seals);

/// Duplicates a descriptor, close-on-exec; -1 and errno when it cannot.
int baton_duplicate(int fd);

/// Moves bytes from one pipe to another; never waits, whatever flags the descriptors have. Bytes moved, 0 at the end
/// of the data, or -1 and errno (EAGAIN: nothing there).
long baton_splice(int from, int to, size_t most);

/// Overwrites memory in a way that the compiler may not leave out.
void baton_erase(void *bytes, size_t count);

#endif
