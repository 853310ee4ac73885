#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's own layout: its header would bring the types that Swift's C library module has under another name.
struct baton_kernel_time {
    int64_t seconds;
    uint32_t nanoseconds;
    int32_t reserved;
};
struct baton_kernel_facts {
    uint32_t mask, block_size;
    uint64_t attributes;
    uint32_t links, owner, group;
    uint16_t mode, spare;
    uint64_t inode, size, blocks, attributes_mask;
    struct baton_kernel_time accessed, born, changed, modified;
    uint64_t rest[16];
};

int baton_open_beneath(int directory, const char *name, int flags, int across_mounts) {
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

int baton_open_path_only(void) { return 010000000; }

int baton_get_flags(int descriptor, uint32_t *flags) {
    unsigned long room = 0;  // the kernel writes an int, some file systems a long
    if (ioctl(descriptor, FS_IOC_GETFLAGS, &room) < 0) {
        return -errno;
    }
    memcpy(flags, &room, sizeof *flags);
    return 0;
}

int baton_set_flags(int descriptor, uint32_t flags) {
    unsigned long room = 0;
    memcpy(&room, &flags, sizeof flags);
    return ioctl(descriptor, FS_IOC_SETFLAGS, &room) < 0 ? -errno : 0;
}

static int64_t baton_nanoseconds(struct baton_kernel_time time) {
    int64_t result;
    if (__builtin_mul_overflow(time.seconds, (int64_t)1000000000, &result) ||
        __builtin_add_overflow(result, (int64_t)time.nanoseconds, &result)) {
        return time.seconds < 0 ? INT64_MIN + 1 : INT64_MAX;
    }
    return result;
}

int baton_get_facts(int directory, const char *name, struct baton_file_facts *facts) {
    enum { no_follow = 0x100, no_automount = 0x800, empty_path = 0x1000, basic_and_birth = 0xfff };
    struct baton_kernel_facts found;
    memset(&found, 0, sizeof found);
    if (syscall(SYS_statx, directory, name, no_follow | no_automount | empty_path, basic_and_birth, &found) < 0) {
        return -errno;
    }
    facts->changed = baton_nanoseconds(found.changed);
    facts->born = found.mask & 0x800 ? baton_nanoseconds(found.born) : INT64_MIN;
    facts->size = found.size;
    facts->owner = found.owner;
    facts->mode = found.mode;
    return 0;
}

uint32_t baton_undeletable_flags(void) { return FS_IMMUTABLE_FL | FS_APPEND_FL; }
