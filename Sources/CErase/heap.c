#define _GNU_SOURCE
#include "heap.h"

#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

void baton_keep_heap_small(void) {
    // Without a fixed threshold one freed block of 32 MiB, as a PIN's hash needs, makes all later ones part of the heap.
    mallopt(M_MMAP_THRESHOLD, 256 << 10);
    mallopt(M_TRIM_THRESHOLD, 256 << 10);
    mallopt(M_ARENA_MAX, 2);
}

static int let_go(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)context;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        // Only what was never written to: the file has all of it.
        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0) continue;
        uintptr_t start = (object->dlpi_addr + part->p_vaddr) & ~(page - 1);
        uintptr_t end = (object->dlpi_addr + part->p_vaddr + part->p_filesz + page - 1) & ~(page - 1);
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void baton_let_go(void) {
    static _Atomic time_t next;
    struct timespec now;
    // Coarse: this is asked at each sign-out.
    if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) != 0 || now.tv_sec < next) return;
    next = now.tv_sec + 10;
    malloc_trim(0);
    dl_iterate_phdr(let_go, NULL);
}
