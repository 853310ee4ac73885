#ifndef BATON_CERASE_HEAP_H
#define BATON_CERASE_HEAP_H

/// Keeps what is freed from staying resident: large blocks always go back to the system, and threads share their arenas.
void baton_keep_heap_small(void);

/// Gives back the memory that only what is over needed, such as the program's start: freed blocks, and pages of programs
/// and libraries that were never written to, which come back from their files when they are used. Does nothing within ten
/// seconds of the last time.
void baton_let_go(void);

#endif
