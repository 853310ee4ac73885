// What Glibc's Swift module does not reach: openat2, mount ids, inode flags.
// Each call answers a negative errno when it fails.
#ifndef BATON_FILES_H
#define BATON_FILES_H

#include <stdint.h>

// Opens one thing below `directory`: no symlink, no magic link, never outside, and
// unless `across_mounts` on the same mount only.
int baton_open_beneath(int directory, const char *name, int flags, int across_mounts);

// O_PATH and AT_EMPTY_PATH exist only under _GNU_SOURCE.
int baton_open_path_only(void);

int baton_get_flags(int descriptor, uint32_t *flags);

int baton_set_flags(int descriptor, uint32_t flags);

// What of statx(2) tells when a file came to be what it is. Times in nanoseconds of Unix time.
struct baton_file_facts {
    int64_t changed;
    int64_t born;  // INT64_MIN: the file system does not know
    uint64_t size;
    uint32_t owner;
    uint32_t mode;
};

// Of the name itself, not of what it links to; of the directory when the name is empty. Mounts nothing.
int baton_get_facts(int directory, const char *name, struct baton_file_facts *facts);

uint32_t baton_undeletable_flags(void);

#endif
