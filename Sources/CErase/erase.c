// Tokens pass through Swift's texts, buffers of the network and messages of the bus, none of which overwrites what it
// lets go. So the program's own `free` does, for itself and for every library: the dynamic linker takes the program's
// definitions before the C library's, which the C library allows for ("Replacing malloc" in its manual) and keeps its
// own within reach of. It frees what the C library's own `malloc` gave: an allocator that is preloaded (LD_PRELOAD) does not
// go together with that, and the program ends at its first `free`.
#include "erase.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

extern void __libc_free(void *block);

void free(void *block) {
    if (block != NULL) {
        explicit_bzero(block, malloc_usable_size(block));
    }
    __libc_free(block);
}

// The C library's would leave what it moves behind.
void *realloc(void *block, size_t size) {
    if (block == NULL) {
        return malloc(size);
    }
    if (size == 0) {
        free(block);
        return NULL;
    }
    size_t had = malloc_usable_size(block);
    if (size <= had && size >= had / 2) {
        explicit_bzero((char *)block + size, had - size);
        return block;
    }
    void *moved = malloc(size);
    if (moved == NULL) {
        return NULL;
    }
    memcpy(moved, block, had < size ? had : size);
    free(block);
    return moved;
}
