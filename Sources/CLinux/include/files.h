// What Glibc's Swift module does not reach: openat2, mount ids, inode flags.
// Each call answers a negative errno when it fails.
#ifndef BATON_FILES_H
#define BATON_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Opens one thing below `directory`: no symlink, no magic link, never outside, and
// unless `across_mounts` on the same mount only.
static inline int baton_open_beneath(int directory, const char *name, int flags, int across_mounts) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = (uint64_t)(unsigned int)flags;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    if (!across_mounts) {
        how.resolve |= RESOLVE_NO_XDEV;
    }
    long result = syscall(SYS_openat2, directory, name, &how, sizeof how);
    return result < 0 ? -errno : (int)result;
}

// O_PATH and AT_EMPTY_PATH exist only under _GNU_SOURCE.
static inline int baton_open_path_only(void) { return 010000000; }

static inline int baton_get_flags(int descriptor, uint32_t *flags) {
    unsigned long room = 0;  // the kernel writes an int, some file systems a long
    if (ioctl(descriptor, FS_IOC_GETFLAGS, &room) < 0) {
        return -errno;
    }
    memcpy(flags, &room, sizeof *flags);
    return 0;
}

static inline int baton_set_flags(int descriptor, uint32_t flags) {
    unsigned long room = 0;
    memcpy(&room, &flags, sizeof flags);
    return ioctl(descriptor, FS_IOC_SETFLAGS, &room) < 0 ? -errno : 0;
}

static inline uint32_t baton_undeletable_flags(void) { return FS_IMMUTABLE_FL | FS_APPEND_FL; }

#endif
