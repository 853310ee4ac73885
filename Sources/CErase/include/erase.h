#ifndef BATON_ERASE_H
#define BATON_ERASE_H

// Linking this target is all: a program that has it overwrites each block of memory when it is freed.
void free(void *block);

#endif
