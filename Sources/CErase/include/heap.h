#ifndef BATON_CERASE_HEAP_H
#define BATON_CERASE_HEAP_H

/// Keeps what is freed from staying resident: large blocks always go back to the system, and threads share their arenas.
void baton_keep_heap_small(void);

/// Gives back the memory that only the start of the program needed: freed blocks, and pages of program text, which come
/// back from the file when they are used.
void baton_let_go_of_start(void);

#endif
