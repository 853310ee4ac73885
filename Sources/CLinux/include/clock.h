#ifndef BATON_CLOCK_H
#define BATON_CLOCK_H

/* 1: something keeps the wall clock right, 0: nothing does; -1: the kernel does not say. */
int baton_clock_is_synchronised(void);

#endif
